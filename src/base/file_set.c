/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of files by device and inode, and of names in folders (file_set.h), with linear
 * probing, at most half full. Example: "m.py", "./m.py" and a hard link to it are one entry. */
#include "base/file_set.h"

#include <string.h>

#include "base/assert.h"
#include "base/io.h"
#include "base/str.h"

enum { ROOM_MIN = 64 };

/* Takes no memory yet. */
void file_set_init(file_set *s, arena *a)
{
    *s = (file_set){.a = a};
}

/* Inodes lie close together: the multiplication (by 2^64 / the golden ratio) spreads them. A name
 * is added by FNV-1a. */
static size_t hash_of(const file_id *id)
{
    uint64_t h = (uint64_t)id->inode * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)id->device;
    for (const char *p = id->name ? id->name : ""; *p; p++)
        h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ (h >> 32));
}

/* A name in a folder and the folder itself (name NULL) differ. */
static bool is_same(const file_id *a, const file_id *b)
{
    if (a->device != b->device || a->inode != b->inode || !a->name != !b->name)
        return false;
    return !a->name || strcmp(a->name, b->name) == 0;
}

/* The slot of id, or the free one where it belongs. There is one, since half of the slots are
 * free. */
static file_id *find(const file_set *s, const file_id *id)
{
    WEFT_ASSERT(s->room && (s->room & (s->room - 1)) == 0 && id->inode);
    size_t at = hash_of(id) & (s->room - 1);
    while (s->ids[at].inode && !is_same(&s->ids[at], id))
        at = (at + 1) & (s->room - 1);
    return &s->ids[at];
}

/* The old table stays in the arena. */
static void grow(file_set *s)
{
    const file_set old = *s;
    s->room = old.room ? old.room * 2 : ROOM_MIN;
    s->ids = arena_zero(s->a, mem_mul(s->a->m, s->room, sizeof *s->ids));
    for (size_t i = 0; i < old.room; i++)
        if (old.ids[i].inode)
            *find(s, &old.ids[i]) = old.ids[i];
}

/* Adds a copy of id. False: it was there. */
static bool add(file_set *s, const file_id *id)
{
    if (s->n * 2 >= s->room)
        grow(s);
    file_id *slot = find(s, id);
    if (slot->inode)
        return false;
    *slot = *id;
    s->n++;
    return true;
}

/* A file that cannot be examined is not added: reading it will fail too. */
void file_set_add(file_set *s, const char *path)
{
    struct stat st;
    if (!s || io_stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    const file_id id = {st.st_dev, st.st_ino, NULL};
    if (add(s, &id))
        VEC_PUSH(s->a, &s->paths, arena_dup(s->a, path, strlen(path)));
}

bool file_set_has(const file_set *s, const struct stat *st)
{
    const file_id id = {st->st_dev, st->st_ino, NULL};
    return s && s->n && find(s, &id)->inode;
}

/* The folder is identified by its inode, the file by its name, since it may not exist yet:
 * out/a.json and ./out/a.json are one place. A folder that cannot be examined claims nothing;
 * opening the file reports why. */
bool file_set_claim(file_set *s, const char *path)
{
    struct stat st;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *folder = slash ? arena_dup(s->a, path, (size_t)(slash + 1 - path)) : ".";
    if (io_stat(folder, &st) != 0)
        return true; /* opening the file reports why */
    const file_id id = {st.st_dev, st.st_ino, arena_dup(s->a, name, strlen(name))};
    return add(s, &id);
}

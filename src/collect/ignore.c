/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns of .gitignore, as gitignore(5) describes them:
 *
 *     build/        folders of this name, at any depth
 *     /dist         this one, beside the .gitignore
 *     docs/x.py     the same: a slash within anchors it
 *     *.py          any depth
 *     a / ** / b    (without spaces) any number of folders between
 *     !keep.py      not ignored after all
 *     # ...         a comment */
#include "collect/ignore.h"

#include <errno.h>

#include "base/file.h"

const ignore_rules *ignore_read(arena *a, const char *folder, const ignore_rules *above, int *error)
{
    str text;
    const int unread = file_read(a, path_join(a, folder, STR(".gitignore")), &text);
    if (unread && unread != ENOENT && unread != EACCES && unread != EISDIR && unread != ENOTDIR)
        *error = unread;
    if (unread)
        return above;
    ignore_rules *r = ARENA_NEW(a, ignore_rules);
    *r = (ignore_rules){above, text, strlen(folder) + 1};
    return r;
}

/* The end of a class "[a-z]", or the text's end: then it is no class. */
static size_t class_end(str p)
{
    size_t i = 1;
    if (i < p.n && (p.p[i] == '!' || p.p[i] == '^'))
        i++;
    if (i < p.n && p.p[i] == ']')
        i++;
    while (i < p.n && p.p[i] != ']')
        i++;
    return i;
}

/* Is c in the class whose inner text this is: "a-z0"? */
static bool class_has(str set, char c)
{
    const bool negated = set.n && (set.p[0] == '!' || set.p[0] == '^');
    bool found = false;
    for (size_t i = negated; i < set.n; i++) {
        if (i + 2 < set.n && set.p[i + 1] == '-') {
            found = found || (c >= set.p[i] && c <= set.p[i + 2]);
            i += 2;
        } else {
            found = found || c == set.p[i];
        }
    }
    return found != negated;
}

/* One character of the name against the front of the pattern. 0: no match; else bytes of the
 * pattern. */
static size_t match_one(str p, char c)
{
    if (p.p[0] == '?')
        return c != '/';
    if (p.p[0] == '[') {
        const size_t end = class_end(p);
        if (end < p.n)
            return c != '/' && class_has((str){p.p + 1, end - 1}, c) ? end + 1 : 0;
    }
    if (p.p[0] == '\\' && p.n > 1)
        return p.p[1] == c ? 2 : 0;
    return p.p[0] == c;
}

/* Does a name match a pattern with *, ?, [a-z] and, across slashes, **? Back to the last star when
 * the rest does not match: the work is the product of both lengths at most. */
static bool matches(str pattern, str name)
{
    size_t p = 0, n = 0, star = SIZE_MAX, from = 0;
    bool wide = false, whole = false;
    while (n < name.n) {
        if (p < pattern.n && pattern.p[p] == '*') {
            const bool two = p + 1 < pattern.n && pattern.p[p + 1] == '*';
            wide = two;
            p += two ? 2 : 1;
            whole = two && p < pattern.n && pattern.p[p] == '/';
            p += whole; /* any number of folders, also none: a/ ** /b is a/b as well */
            star = p;
            from = n;
            continue;
        }
        const size_t step =
            p < pattern.n ? match_one((str){pattern.p + p, pattern.n - p}, name.p[n]) : 0;
        if (step) {
            p += step;
            n++;
        } else if (star == SIZE_MAX || (!wide && name.p[from] == '/')) {
            return false;
        } else {
            p = star;
            do
                from++;
            while (whole && from < name.n && name.p[from - 1] != '/');
            n = from;
        }
    }
    while (p < pattern.n && pattern.p[p] == '*')
        p++;
    return p == pattern.n;
}

/* One line: *ignored changes if it matches. `below` is the path from the .gitignore's folder. */
static void apply(str line, str below, bool is_folder, bool *ignored)
{
    const bool negated = line.n && line.p[0] == '!';
    bool anchored = false;
    line = (str){line.p + negated, line.n - negated};
    while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\r'))
        line.n--;
    const bool folders = line.n && line.p[line.n - 1] == '/';
    line.n -= folders;
    for (size_t i = 0; i < line.n; i++)
        anchored = anchored || line.p[i] == '/';
    if (line.n && line.p[0] == '/')
        line = (str){line.p + 1, line.n - 1};
    if (!line.n || (folders && !is_folder))
        return;
    if (!anchored)
        for (size_t i = below.n; i > 0; i--)
            if (below.p[i - 1] == '/') {
                below = (str){below.p + i, below.n - i};
                break;
            }
    if (matches(line, below))
        *ignored = !negated;
}

bool ignore_has(const ignore_rules *r, str path, bool is_folder)
{
    bool ignored = r && r->above ? ignore_has(r->above, path, is_folder) : false;
    if (!r || path.n < r->base)
        return ignored;
    const str below = {path.p + r->base, path.n - r->base};
    for (size_t i = 0; i < r->text.n;) {
        const char *end = memchr(r->text.p + i, '\n', r->text.n - i);
        const size_t n = end ? (size_t)(end - r->text.p) - i : r->text.n - i;
        if (n && r->text.p[i] != '#')
            apply((str){r->text.p + i, n}, below, is_folder, &ignored);
        i += n + 1;
    }
    return ignored;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The files beside the data: manifest.json while a run is at work, and in the end also stats.json,
 * README.md (the card) and, for a part of a run, sums.json. Each appears whole or not at all.
 *
 *     --count 40 --shard 1/2   ->   manifest.json: "state": "complete", "part": 1, "parts": 2,
 *                                   "first_index": 0, "rows": 20, "shards": [...]
 *                                   stats.json, sums.json, README.md
 *
 * sums.json is for `weft merge`: stats.json has means, from which the sums of parts cannot be added
 * exactly. */
#include <errno.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "base/run_status.h"
#include "make/make_state.h"

/* Writes a file in the run's folder, durably. r->failed is its path, for a message. */
static int put_file(make_state *t, const char *name, const strbuf *text)
{
    WEFT_ASSERT(t->o->output);
    store_outcome *r = t->r;
    const arena_mark mark = arena_save(t->a);
    const int n = snprintf(r->failed, sizeof r->failed, "%s/%s", t->o->output, name);
    const int error = n < 0 || (size_t)n >= sizeof r->failed
                          ? ENAMETOOLONG
                          : atomic_file_put(t->a, r->failed, sb_view(text), true);
    arena_rewind(t->a, mark);
    return error;
}

/* Names the shards that are on the disk; called anew each time that there is one more or less. */
int make_companions_begin(make_state *t)
{
    strbuf text;
    sb_init(&text, t->a->m);
    manifest_put(&text, t->o, t->r, &t->shards);
    const int error = put_file(t, "manifest.json", &text);
    sb_clear(&text);
    return error;
}

/* With very many shards the manifest is not written for each, or its writing would take longer
 * than theirs. */
int make_companions_update(make_state *t)
{
    enum { EACH = 1024, PART = 64 }; /* above EACH shards, at every 64th part of them */
    t->unnamed++;
    if (t->shards.n > EACH && t->unnamed <= t->shards.n / PART)
        return STATUS_OK;
    t->unnamed = 0;
    return make_companions_begin(t);
}

/* The manifest comes last: "complete" must not stand on the disk before the rest does. Notes go
 * after it: a run that is killed in between is found complete. */
int make_companions_end(make_state *t)
{
    WEFT_ASSERT(t->writer && !t->queue);
    strbuf text;
    sb_init(&text, t->a->m);
    stats_put_json(&text, t->o, &t->r->stats);
    int error = put_file(t, "stats.json", &text);
    text.n = 0;
    if (t->o->parts > 1) {
        stats_put_sums(&text, &t->r->stats);
        SB_LIT(&text, "\n");
        error = error ? error : put_file(t, "sums.json", &text);
        text.n = 0;
    }
    card_put(&text, t->o, t->r);
    if (!error)
        error = put_file(t, "README.md", &text);
    text.n = 0;
    manifest_put_complete(&text, t->o, t->r, &t->shards, writer_categories(t->writer));
    if (!error)
        error = put_file(t, "manifest.json", &text);
    sb_clear(&text);
    return error ? error : work_folder_drop_notes(&t->folder);
}

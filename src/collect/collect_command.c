/* SPDX-License-Identifier: Apache-2.0 */
/* The command of a collected set; see collect_command.h. */
#include "collect/collect_command.h"

#include "base/warp_release.h"
#include "record/task.h"
#include "similar/exclude_set.h"
#include "similar/near_index.h"

/* "parts" of "src/parts/": where folders lie makes no difference. */
static str last_name(const char *path)
{
    size_t n = strlen(path), from;
    while (n > 1 && path[n - 1] == '/')
        n--;
    for (from = n; from && path[from - 1] != '/';)
        from--;
    return (str){path + from, n - from};
}

/* Without --tasks all tasks take turns that suit. */
static void put_style(strbuf *b, const record_options *o)
{
    if (o->style != RECORD_MESSAGES)
        return;
    SB_LIT(b, " --style messages");
    for (uint32_t i = 0; i < o->ntasks && o->tasks_named; i++) {
        sb_c(b, i ? "," : " --tasks ");
        sb_c(b, task_at(o->tasks[i])->name);
    }
}

const char *collect_command(arena *a, const collect_options *options)
{
    const record_options *o = &options->record;
    strbuf b;
    sb_init(&b, a->m);
    SB_LIT(&b, "weft collect");
    for (size_t i = 0; i < options->npaths; i++) {
        SB_LIT(&b, " ");
        sb_str(&b, last_name(options->paths[i]));
    }
    SB_LIT(&b, " --device ");
    sb_c(&b, o->devices == EMIT_FOR_CPU ? "cpu" : o->devices == EMIT_FOR_CUDA ? "cuda" : "both");
    sb_c(&b, o->no_backward ? " --no-backward" : "");
    sb_c(&b, o->no_verify ? " --no-verify" : "");
    if (o->format != RECORD_FORMAT_JSONL) {
        SB_LIT(&b, " --format ");
        sb_c(&b, record_format_of(o)->name);
    }
    sb_c(&b, o->cpu_shim ? " --cpu-shim" : "");
    put_style(&b, o);
    if (o->warp != WARP_ANY && o->warp != WARP_DEFAULT) {
        SB_LIT(&b, " --warp ");
        sb_c(&b, warp_release_name(o->warp));
    }
    if (o->near) {
        SB_LIT(&b, " --near ");
        near_put_threshold(&b, o->near);
    }
    if (options->licenses) {
        SB_LIT(&b, " --licenses ");
        sb_c(&b, options->licenses);
    }
    if (o->license) {
        SB_LIT(&b, " --license ");
        sb_c(&b, o->license);
    }
    if (o->exclude) {
        SB_LIT(&b, " --exclude sha256:");
        sb_put(&b, o->exclude->sha256, SHA256_HEX);
    }
    if (o->shard_rows) {
        SB_LIT(&b, " --shard-rows ");
        sb_uint(&b, o->shard_rows);
    }
    if (o->compress != PACK_NONE) {
        SB_LIT(&b, " --compress ");
        sb_c(&b, pack_name(o->compress));
    }
    const char *text = arena_dup(a, b.p, b.n);
    sb_clear(&b);
    return text;
}

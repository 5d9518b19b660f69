/* A run as a command line. */
#include "store/store_command.h"

#include "similar/exclude_set.h"
#include "similar/near_index.h"

/* The levels and sizes that were asked for. */
static void put_shape(strbuf *b, const gen_shape *shape)
{
    bool first = true;
    if (shape->levels != gen_shape_any().levels) {
        for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
            if (!(shape->levels & 1u << i))
                continue;
            sb_c(b, first ? " --difficulty " : ",");
            sb_uint(b, i);
            first = false;
        }
    }
    if (shape->min_lines != GEN_LINES_MIN) {
        SB_LIT(b, " --min-lines ");
        sb_uint(b, shape->min_lines);
    }
    if (shape->max_lines != GEN_LINES_MAX) {
        SB_LIT(b, " --max-lines ");
        sb_uint(b, shape->max_lines);
    }
}

static void put_style(strbuf *b, const record_options *o)
{
    if (o->job == RECORD_REPAIR)
        SB_LIT(b, " --task repair");
    if (o->style != RECORD_MESSAGES)
        return;
    SB_LIT(b, " --style messages");
    if (o->job == RECORD_REPAIR)
        return;
    SB_LIT(b, " --tasks ");
    for (uint32_t i = 0; i < o->ntasks; i++) {
        if (i)
            SB_LIT(b, ",");
        sb_c(b, task_name(o->tasks[i]));
    }
}

void store_put_command(strbuf *b, const record_options *o)
{
    SB_LIT(b, "weft generate --count ");
    sb_uint(b, o->count);
    SB_LIT(b, " --seed ");
    sb_uint(b, o->seed);
    SB_LIT(b, " --device ");
    sb_c(b, o->devices == EMIT_FOR_BOTH ? "both" : o->devices == EMIT_FOR_CUDA ? "cuda" : "cpu");
    SB_LIT(b, " --categories ");
    for (uint32_t i = 0; i < o->ncategories; i++) {
        if (i)
            SB_LIT(b, ",");
        sb_c(b, gen_category_name(o->categories[i]));
    }
    put_shape(b, &o->shape);
    SB_LIT(b, " --format ");
    sb_c(b, store_format_name(o->format));
    if (o->cpu_shim)
        SB_LIT(b, " --cpu-shim");
    put_style(b, o);
    if (o->compress) {
        SB_LIT(b, " --compress ");
        sb_c(b, pack_name(o->compress));
    }
    if (o->shard_rows) {
        SB_LIT(b, " --shard-rows ");
        sb_uint(b, o->shard_rows);
    }
    if (o->parts > 1) {
        SB_LIT(b, " --shard ");
        sb_uint(b, o->part);
        SB_LIT(b, "/");
        sb_uint(b, o->parts);
    }
    if (o->no_backward)
        SB_LIT(b, " --no-backward");
    if (o->no_verify)
        SB_LIT(b, " --no-verify");
    if (o->no_dedup)
        SB_LIT(b, " --no-dedup");
    if (o->near) {
        SB_LIT(b, " --near ");
        near_put_threshold(b, o->near);
    }
    if (o->exclude) {
        SB_LIT(b, " --exclude sha256:");
        sb_put(b, o->exclude->sha256, SHA256_HEX);
    }
    if (o->gradients == RECORD_GRADIENTS_EXACT)
        SB_LIT(b, " --gradients exact");
    if (o->with_ptx)
        SB_LIT(b, " --with-ptx");
    if (o->ptx_compiler) {
        SB_LIT(b, " --ptx-compiler ");
        sb_c(b, o->ptx_compiler);
    }
    if (o->license) {
        SB_LIT(b, " --license ");
        sb_c(b, o->license);
    }
}

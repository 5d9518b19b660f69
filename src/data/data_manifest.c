/* manifest.json: what the data set consists of, and the command that makes it. */
#include "data/data_manifest.h"

#include <errno.h>

#include "base/file.h"
#include "base/json.h"
#include "base/version.h"

static const char command_key[] = "\"command\": \"";

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

void data_put_command(strbuf *b, const data_options *o)
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
    sb_c(b, o->format == DATA_FILES ? "files" : "jsonl");
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
    if (o->gradients == DATA_GRADIENTS_EXACT)
        SB_LIT(b, " --gradients exact");
}

void data_put_shard(strbuf *b, const char *file, uint64_t rows, uint64_t bytes,
                    const char hash[SHA256_HEX], bool first)
{
    sb_c(b, first ? "\n    {\"file\": " : ",\n    {\"file\": ");
    json_string(b, str_c(file));
    SB_LIT(b, ", \"rows\": ");
    sb_uint(b, rows);
    SB_LIT(b, ", \"bytes\": ");
    sb_uint(b, bytes);
    SB_LIT(b, ", \"sha256\": \"");
    sb_put(b, hash, SHA256_HEX);
    SB_LIT(b, "\"}");
}

void manifest_put(strbuf *b, const data_options *o, const data_result *r, const data_sink *s)
{
    uint32_t n;
    const data_shard *shards = sink_shards(s, &n);
    SB_LIT(b, "{\n  \"schema\": \"weft-manifest-1\",\n  \"weft_version\": \"" WEFT_VERSION
              "\",\n  \"warp_version\": \"" WARP_VERSION "\",\n  ");
    sb_c(b, command_key);
    data_put_command(b, o);
    SB_LIT(b, "\",\n  \"seed\": ");
    sb_uint(b, o->seed);
    SB_LIT(b, ",\n  \"part\": ");
    sb_uint(b, o->part);
    SB_LIT(b, ",\n  \"parts\": ");
    sb_uint(b, o->parts);
    SB_LIT(b, ",\n  \"first_index\": ");
    sb_uint(b, r->first);
    SB_LIT(b, ",\n  \"rows\": ");
    sb_uint(b, r->rows);
    SB_LIT(b, ",\n  \"shards\": [");
    for (uint32_t i = 0; i < n; i++)
        data_put_shard(b, shards[i].file, shards[i].rows, shards[i].bytes, shards[i].sha256,
                       i == 0);
    SB_LIT(b, "\n  ]\n}\n");
}

static const char *find(str text, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= text.n; i++)
        if (memcmp(text.p + i, what, n) == 0)
            return text.p + i + n;
    return NULL;
}

/* A card that a killed run left may be replaced; any other README.md is the user's. */
static int check_card(arena *a, const data_options *o, data_result *r)
{
    strbuf path;
    str text;
    sb_init(&path, a->m);
    sb_c(&path, o->output);
    SB_LIT(&path, "/README.md");
    int err = file_read(a, sb_cstr(&path), &text);
    sb_clear(&path);
    if (!err && !find(text, CARD_TITLE)) {
        r->message = "the folder holds a README.md that is not a data set's: choose another folder";
        return DATA_REFUSED;
    }
    return err == ENOENT ? DATA_OK : err;
}

int manifest_check(arena *a, const data_options *o, data_result *r)
{
    strbuf path, command;
    str text;
    sb_init(&path, a->m);
    sb_init(&command, a->m);
    sb_c(&path, o->output);
    SB_LIT(&path, "/manifest.json");
    int err = file_read(a, sb_cstr(&path), &text);
    if (!err) {
        data_put_command(&command, o);
        SB_LIT(&command, "\"");
        const char *is = find(text, command_key);
        size_t left = is ? (size_t)(text.p + text.n - is) : 0;
        if (left < command.n || memcmp(is, command.p, command.n) != 0) {
            r->message = "the folder holds a data set that another command made";
            err = DATA_REFUSED;
        }
    }
    sb_clear(&path);
    sb_clear(&command);
    return err == ENOENT ? check_card(a, o, r) : err;
}

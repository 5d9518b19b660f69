/* README.md of a data set: the card that the Hugging Face Hub and `datasets` read. */
#include "base/version.h"
#include "data/data_manifest.h"

static const char *size_category(uint64_t n)
{
    return n < 1000        ? "n<1K"
           : n < 10000     ? "1K<n<10K"
           : n < 100000    ? "10K<n<100K"
           : n < 1000000   ? "100K<n<1M"
           : n < 10000000  ? "1M<n<10M"
           : n < 100000000 ? "10M<n<100M"
                           : "100M<n<1B";
}

void card_put_head(strbuf *b, uint64_t rows)
{
    SB_LIT(b, "---\npretty_name: Python to CUDA pairs of Warp kernels\nlanguage:\n- code\n"
              "task_categories:\n- text-generation\ntags:\n- code\n- cuda\n- python\n- warp\n"
              "size_categories:\n- ");
    sb_c(b, size_category(rows));
    SB_LIT(b, "\n");
}

static void put_front_matter(strbuf *b, const data_options *o, const data_result *r)
{
    card_put_head(b, r->rows);
    SB_LIT(b, "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: ");
    sb_c(b, o->format == DATA_FILES    ? "\"*/*.json\""
            : o->compress == PACK_ZSTD ? "data/train-*.jsonl.zst"
            : o->compress == PACK_GZIP ? "data/train-*.jsonl.gz"
                                       : "data/train-*.jsonl");
    SB_LIT(b, "\n---\n\n");
}

static void put_fields(strbuf *b, const data_options *o)
{
    SB_LIT(b, "## Fields\n\n- `id`: seed and index of the pair.\n"
              "- `python_source`: a Python file with one `@wp.kernel` function.\n");
    if (o->devices & EMIT_FOR_CUDA)
        SB_LIT(
            b,
            "- `cuda_ir_forward`, `cuda_ir_backward`: CUDA C++ of the kernel and of its adjoint, "
            "each with the functions it needs.\n");
    if (o->devices & EMIT_FOR_CPU)
        SB_LIT(b, "- `cpp_forward`, `cpp_backward`: the same as C++ for the CPU.\n");
    SB_LIT(b, "- `metadata`: versions, category, difficulty (1 to 5), arguments (name, type, "
              "shape: a letter stands for the "
              "same number everywhere; numbers lie within 2^magnitude; `launch` names the launch's "
              "dimensions), built-in functions "
              "used, counts, SHA-256 of each text, and the state of verification.\n\n");
}

static void put_levels(strbuf *b)
{
    SB_LIT(b, "| difficulty | lines of the kernel | what it is |\n|---|---|---|\n");
    for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
        const gen_level *level = gen_level_at(i);
        SB_LIT(b, "| ");
        sb_uint(b, i);
        SB_LIT(b, " | ");
        sb_uint(b, level->min_lines);
        SB_LIT(b, " to ");
        sb_uint(b, level->max_lines);
        SB_LIT(b, " | ");
        sb_c(b, level->words);
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\n");
}

static void put_proof(strbuf *b, const data_options *o, const data_stats *s)
{
    if (o->no_verify) {
        SB_LIT(b,
               "## Limits\n\nThe pairs have not been executed: `metadata.verification.status` is "
               "`not_run`. ");
        return;
    }
    SB_LIT(b, "## Verification\n\nEvery pair was executed. `metadata.verification` says what was "
              "found:\n\n| status | pairs | meaning |\n|---|---:|---|\n");
    static const char *const meanings[] = {
        [CHECK_EXACT] = "the forward text computes what the source computes, and the backward "
                        "text is its adjoint (dot-product test within `tolerance`)",
        [CHECK_WARP_DIFFERS] = "forward proved; the backward text is Warp's own, and it is not "
                               "the adjoint; `class` tells the known reason",
        [CHECK_NONDIFFERENTIABLE] = "forward proved; no derivative other than zero was met on "
                                    "the inputs that were tried",
        [CHECK_FORWARD] = "forward proved; there is no backward text"};
    for (uint32_t i = 0; i < CHECK_FAILED; i++) {
        SB_LIT(b, "| `");
        sb_c(b, check_status_name((check_status)i));
        SB_LIT(b, "` | ");
        sb_uint(b, stats_proved(s, (check_status)i));
        SB_LIT(b, " | ");
        sb_c(b, meanings[i]);
        SB_LIT(b, " |\n");
    }
    SB_LIT(b,
           "\n`inputs` counts the sets of inputs that were tried, `mutants` the small changes of "
           "the forward text that were tried on them, `killed` those that gave another "
           "result. `forward_error` is 0: all bits agree. `adjoint_error` is the largest "
           "difference of the two sides of the dot-product test, relative to the sum of its "
           "absolute terms and of the seeds; `tolerance` is what rounding may cost there. The "
           "backward text of `warp_differs` pairs is what Warp writes, but no gradient to learn "
           "from: `weft generate --gradients exact` leaves such pairs out.\n\n## Limits\n\n");
}

static void put_figures(strbuf *b, const data_result *r)
{
    const data_stats *s = &r->stats;
    SB_LIT(b, "## Figures\n\n| category | pairs | mean bytes |\n|---|---:|---:|\n");
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        if (!s->records[c])
            continue;
        SB_LIT(b, "| ");
        sb_c(b, gen_category_name((gen_category)c));
        SB_LIT(b, " | ");
        sb_uint(b, s->records[c]);
        SB_LIT(b, " | ");
        sb_uint(b, s->bytes[c] / s->records[c]);
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\nAll: ");
    sb_uint(b, r->rows);
    SB_LIT(b, " pairs, ");
    sb_uint(b, r->bytes);
    SB_LIT(b, " bytes. More in `stats.json`; files and hashes in `manifest.json`.\n\n");
}

void card_put(strbuf *b, const data_options *o, const data_result *r)
{
    put_front_matter(b, o, r);
    SB_LIT(b, CARD_TITLE
           "\n\n"
           "Kernels in NVIDIA Warp's Python, each with the text that warp-lang " WARP_VERSION
           " generates for it, forward and adjoint. The kernels are synthetic: a generator makes "
           "them from a typed grammar, and weft " WEFT_VERSION " compiles them.\n\n");
    put_fields(b, o);
    put_levels(b);
    put_figures(b, r);
    SB_LIT(b, "## Reproduce\n\n```\n");
    data_put_command(b, o);
    SB_LIT(b, " --output DIR\n```\n\nThe same command gives the same bytes on any machine.\n\n");
    put_proof(b, o, &r->stats);
    SB_LIT(b, "The kernels compute nothing of use; they show how Warp's language maps to CUDA.\n");
}

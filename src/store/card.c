/* SPDX-License-Identifier: Apache-2.0 */
/* README.md of a data set: the card that the Hugging Face Hub shows and `datasets` reads.
 *
 *     options, statistics   ->   ---, front matter (licence, size, types of fields, files), ---,
 *                                then what the set is, how it was proved, its figures and limits
 *
 *     ---
 *     pretty_name: Python to CUDA pairs of Warp kernels
 *     license: apache-2.0
 *     ...
 *     ## Figures
 *
 *     | figure | value |
 *     |---|---:|
 *     | records | 120 |
 *     | bytes | 2193311 |
 *
 * The front matter is YAML in the Hub's schema of dataset cards: the Hub refuses a card whose
 * values it does not have, so texts there are constants. All figures come from the statistics, no
 * record is read again. Written by make_run for every set; a split writes the front matter by
 * card_put_head. */
#include "base/version.h"
#include "compose/compose.h"
#include "similar/near_index.h"
#include "store/manifest.h"
#include "store/store_command.h"

/* The Hub's own classes; it takes no others. */
static const char *size_category(uint64_t n)
{
    return n < 1000         ? "n<1K"
           : n < 10000      ? "1K<n<10K"
           : n < 100000     ? "10K<n<100K"
           : n < 1000000    ? "100K<n<1M"
           : n < 10000000   ? "1M<n<10M"
           : n < 100000000  ? "10M<n<100M"
           : n < 1000000000 ? "100M<n<1B"
                            : "1B<n<10B";
}

/* The emitted texts carry lines of Warp's own templates, which are under this licence: see
 * docs/decisions/licence-of-data-sets.md. */

/* The licence is the user's word, or that of Warp's templates, lines of which are in the texts. */
void card_put_head(strbuf *b, uint64_t rows, const char *license, bool synthetic)
{
    SB_LIT(b, "---\npretty_name: Python to CUDA pairs of Warp kernels\nlicense: ");
    sb_c(b, license ? license : RECORD_LICENSE);
    SB_LIT(b, "\nlanguage:\n- code\n- en\nannotations_creators:\n- machine-generated\n"
              "language_creators:\n- machine-generated\nsource_datasets:\n- original\n"
              "task_categories:\n- text-generation\ntags:\n- code\n- code-generation\n- cuda\n"
              "- gpu\n- python\n- warp\n");
    sb_c(b, synthetic ? "- synthetic\n" : "");
    SB_LIT(b, "size_categories:\n- ");
    sb_c(b, size_category(rows));
    SB_LIT(b, "\n");
}

/* With the pattern of the data files, without which `datasets` would take any JSON in the folder
 * for data, stats.json and manifest.json as well. */
static void put_front_matter(strbuf *b, const record_options *o, const store_outcome *r)
{
    card_put_head(b, r->rows, o->license, true);
    card_put_features(b, o);
    SB_LIT(b, "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: ");
    sb_c(b, record_format_of(o)->data);
    sb_c(b, pack_extension(o->compress));
    SB_LIT(b, "\n---\n\n");
}

/* For the format `standalone`: `datasets` reads the metadata.json of each program, whose texts are
 * files of their own. The Python example shows how to get from one to the other. */
static void put_program_intro(strbuf *b)
{
    SB_LIT(b, CARD_TITLE
           "\n\nKernels in the Python of [NVIDIA Warp](https://github.com/NVIDIA/warp), each as a "
           "CUDA program that stands alone: `ID_CATEGORY/` holds NAME.py, NAME.cu (the kernel as "
           "plain CUDA C++, forward and backward, and a host that fills, launches, times and "
           "compares), a Makefile and metadata.json. `make && ./NAME` prints PASS or FAIL against "
           "values that were computed from the Python; with `cuda_on_cpu.h` beside the folders, "
           "`make cpu && ./NAME_cpu` does so without CUDA. The kernels are synthetic: a generator "
           "writes them from a typed grammar, and weft " WEFT_VERSION
           " makes the programs, for what warp-lang " WARP_VERSION " takes the Python to mean.\n\n"
           "```python\nimport os\nfrom datasets import load_dataset\n\n"
           "for row in load_dataset(\"DIR\", split=\"train\"):  # what metadata.json says\n"
           "    folder = f\"DIR/{row['id']}_{row['metadata']['category']}\"\n"
           "    python = open(os.path.join(folder, row[\"files\"][\"python\"])).read()\n"
           "    cuda = open(os.path.join(folder, row[\"files\"][\"cuda\"])).read()\n```\n\n"
           "`weft validate DIR` checks every program again, `weft report DIR` shows the set as a "
           "page, `weft split` divides it.\n\n");
}

/* What the set is, and the lines of Python that load it: the last one prints the fields that
 * records of these options have. */
static void put_intro(strbuf *b, const record_options *o)
{
    if (record_format_of(o)->programs) {
        put_program_intro(b);
        return;
    }
    SB_LIT(b, CARD_TITLE
           "\n\nKernels in the Python of [NVIDIA Warp](https://github.com/NVIDIA/warp), each with "
           "the C++ text that warp-lang ");
    sb_c(b, warp_release_version(o->warp));
    SB_LIT(b, " generates for it, forward and adjoint. The kernels are synthetic: a generator ");
    sb_c(b, !record_mix_has(&o->mix, RECORD_PURPOSE) ? "writes them from a typed grammar"
            : record_mix_is_mixed(&o->mix)
                ? "composes them of a library of formulas and algorithms, or writes them from a "
                  "typed grammar"
                : "composes them of a library of formulas and algorithms");
    SB_LIT(b, ", and weft " WEFT_VERSION
              " compiles them to what warp-lang's own code generator writes, character for "
              "character.\n\n");
    if (o->style == RECORD_SCRIPT)
        SB_LIT(b, "Each record is a whole script that runs with warp-lang as it is: kernels that "
                  "take each other's results, and a `main()` that makes their inputs, launches "
                  "them and compares what they give with expected values, gradients included "
                  "where they are proved.\n\n");
    if (o->job == RECORD_REPAIR)
        SB_LIT(b, "Each kernel is broken in one known way; beside it stand weft's diagnostic and "
                  "the kernel as it should be.\n\n");
    SB_LIT(b, "```python\nfrom datasets import load_dataset\n\n"
              "pairs = load_dataset(\"DIR\", split=\"train\")  # a folder, or a name on the Hub\n");
    sb_c(b, o->style == RECORD_MESSAGES ? "print(pairs[0][\"messages\"][-1][\"content\"])\n"
            : o->job == RECORD_REPAIR
                ? "print(pairs[0][\"broken_source\"], pairs[0][\"diagnostic\"])\n"
            : o->devices & EMIT_FOR_CUDA
                ? "print(pairs[0][\"python_source\"], pairs[0][\"cuda_ir_forward\"])\n"
                : "print(pairs[0][\"python_source\"], pairs[0][\"cpp_forward\"])\n");
    SB_LIT(b, "```\n\n`streaming=True` reads it without unpacking it first; `weft validate DIR` "
              "checks every record again, `weft report DIR` shows the set as a page.\n\n");
}

/* The kinds of mistakes in a repair set, from defect.def. */
static void put_defects(strbuf *b)
{
    SB_LIT(b, "| defect | what is wrong |\n|---|---|\n");
    for (int i = 0; i < DEFECTS; i++) {
        SB_LIT(b, "| `");
        sb_c(b, defect_name((defect_kind)i));
        SB_LIT(b, "` | ");
        sb_c(b, defect_what((defect_kind)i));
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\n");
}

/* What metadata.difficulty means of kernels with a purpose. */
static void put_purpose_levels(strbuf *b)
{
    SB_LIT(b, "| difficulty | kernel with a purpose |\n|---|---|\n");
    for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
        SB_LIT(b, "| ");
        sb_uint(b, i);
        SB_LIT(b, " | ");
        sb_c(b, compose_level_words(i));
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\n");
}

/* And of exercises, from gen_level.def. */
static void put_exercise_levels(strbuf *b)
{
    SB_LIT(b, "| difficulty | lines of the kernel | what it is |\n|---|---|---|\n");
    for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
        const gen_level *level = gen_level_at(i);
        WEFT_ASSERT(level->min_lines <= level->max_lines);
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

/* How the pairs were executed, and how many ended in each status. Statuses from CHECK_FAILED on
 * have no row: such pairs are never written. */
static void put_proof(strbuf *b, const record_options *o, const store_stats *s)
{
    if (o->no_verify) {
        SB_LIT(b, "## Verification\n\nThe pairs have not been executed: "
                  "`metadata.verification.status` is `not_run`.\n\n");
        return;
    }
    SB_LIT(b, "## Verification\n\nEvery pair was executed before it was written, on the CPU: the "
              "text was read back and had to compute, bit for bit, what an interpreter of the "
              "Python source computes; the backward text had to be the adjoint of that. "
              "`metadata.verification` says what was found:\n\n| status | pairs | meaning "
              "|\n|---|---:|---|\n");
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
           "from: `weft generate --gradients exact` leaves such pairs out.\n\n");
    if (record_format_of(o)->programs)
        SB_LIT(b, "All this was done with Warp's texts of the kernel, which are not in this set. "
                  "NAME.cu is made of the same statements, and has not been executed: what it "
                  "compares with comes from the interpreter, and to run it is the test.\n\n");
}

/* How answers are marked by the tests that records bring. */
static void put_grading(strbuf *b, const record_options *o)
{
    if (!record_mix_has(&o->mix, RECORD_PURPOSE) || o->no_tests || o->no_verify ||
        record_format_of(o)->programs)
        return;
    SB_LIT(b,
           "`verification_info` holds JSON: `tests` with `launch`, `inputs`, the arrays that are "
           "`expected` to change, and the `tolerance` of their floats, relative to the larger "
           "of the number and the largest of its array if that is below 1, else 1. Integers do "
           "not differ, and other arrays stay as they are. `no_tests_because` says why a few "
           "records have none.\n\n");
}

/* Categories of which there are records; means are cut to whole bytes. */
static void put_categories(strbuf *b, const store_outcome *r)
{
    const store_stats *s = &r->stats;
    SB_LIT(b, "| category | pairs | mean bytes |\n|---|---:|---:|\n");
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

static void put_difficulties(strbuf *b, const store_stats *s)
{
    SB_LIT(b, "| difficulty | pairs |\n|---|---:|\n");
    for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
        SB_LIT(b, "| ");
        sb_uint(b, i);
        SB_LIT(b, " | ");
        sb_uint(b, s->levels[i]);
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\n");
}

static void put_row(strbuf *b, const char *name, uint64_t n)
{
    SB_LIT(b, "| ");
    sb_c(b, name);
    SB_LIT(b, " | ");
    sb_uint(b, n);
    SB_LIT(b, " |\n");
}

/* The number of lines that `share` in 100 kernels do not exceed: with 120 kernels, share 50 gives
 * the least n such that 60 kernels have n lines or fewer. From the histogram, so kernels of
 * STATS_LINES_MAX lines or more count as one line fewer than that. */
static uint64_t lines_at(const store_stats *s, uint64_t records, uint64_t share)
{
    WEFT_ASSERT(share <= 100);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < STATS_LINES_MAX; i++) {
        sum += s->lines[i];
        if (sum && 100 * sum >= share * records)
            return i;
    }
    return STATS_LINES_MAX;
}

/* Percent with one digit, cut: 2742 of 3000 are 91.4. */
static void put_share(strbuf *b, const char *name, uint64_t n, uint64_t of)
{
    WEFT_ASSERT(n <= of && of);
    const uint64_t tenths = n * 1000 / of;
    SB_LIT(b, "| ");
    sb_c(b, name);
    SB_LIT(b, " | ");
    sb_uint(b, tenths / 10);
    SB_LIT(b, ".");
    sb_uint(b, tenths % 10);
    SB_LIT(b, " |\n");
}

/* What the proofs have found, in figures. A set without mutants has no share of them. */
static void put_proof_figures(strbuf *b, const record_options *o, const store_stats *s)
{
    const uint64_t n = stats_records(s);
    if (o->no_verify || !n)
        return;
    if (!o->no_backward)
        put_share(b, "records with status `exact`, %", stats_proved(s, CHECK_EXACT), n);
    put_row(b, "mutants that were tried", s->mutants);
    put_row(b, "mutants that were killed", s->killed);
    if (s->mutants)
        put_share(b, "mutants that were killed, %", s->killed, s->mutants);
}

/* "records of kind purpose": for each kind that occurs. */
static void put_kind_rows(strbuf *b, const store_stats *s)
{
    for (int i = 0; i < RECORD_KINDS; i++) {
        if (!s->kinds[i])
            continue;
        SB_LIT(b, "| records of kind `");
        sb_c(b, record_kind_name((record_kind)i));
        SB_LIT(b, "` | ");
        sb_uint(b, s->kinds[i]);
        SB_LIT(b, " |\n");
    }
}

static void put_figures(strbuf *b, const record_options *o, const store_outcome *r)
{
    const store_stats *s = &r->stats;
    const uint64_t n = stats_records(s);
    SB_LIT(b, "## Figures\n\n| figure | value |\n|---|---:|\n");
    put_row(b, "records", r->rows);
    put_kind_rows(b, s);
    put_row(b, o->format == RECORD_FORMAT_PARQUET ? "bytes as lines of JSON" : "bytes", r->bytes);
    put_row(b, "bytes of the smallest record", s->smallest);
    put_row(b, "bytes of the largest record", s->largest);
    put_row(b, "lines of the source, 5 % have at most", lines_at(s, n, 5));
    put_row(b, "lines of the source, median", lines_at(s, n, 50));
    put_row(b, "lines of the source, 95 % have at most", lines_at(s, n, 95));
    put_proof_figures(b, o, s);
    put_row(b, "candidates that were thrown away", stats_rejected(s));
    SB_LIT(b, "\n");
    put_difficulties(b, s);
    put_categories(b, r);
}

/* Which likenesses between records, and to named sources, cannot occur, and how many candidates
 * that cost: users decide by this whether to deduplicate again. */
static void put_near(strbuf *b, const record_options *o, const store_stats *s)
{
    SB_LIT(b, "Another ");
    sb_uint(b, s->rejected[STATS_REJECT_NEAR]);
    SB_LIT(b,
           " candidates were thrown away since they were near or equal to an earlier record: the "
           "similarity of two records' n-grams is less than ");
    near_put_threshold(b, o->near);
    SB_LIT(b, ", as MinHash estimates it");
    if (!o->near_named) {
        SB_LIT(b, "; only where ");
        sb_uint(b, RECORD_NEAR_TRIES);
        SB_LIT(b, " candidates for a record were, it may be more");
    }
    SB_LIT(b, ".\n\n");
}

static void put_duplicates(strbuf *b, const record_options *o, const store_stats *s)
{
    SB_LIT(b, "## Duplicates and decontamination\n\n");
    if (o->no_dedup) {
        SB_LIT(b, "Records may share a structure: the set was made with `--no-dedup`.\n\n");
    } else {
        SB_LIT(b, "No two records share `metadata.structure`: ");
        sb_uint(b, s->rejected[STATS_REJECT_DUPLICATE]);
        SB_LIT(b, " candidates were thrown away because an earlier record had theirs. Kernels "
                  "that differ in operators, types or names of functions alone share "
                  "`metadata.family`; divide by it (`weft split`), so that no look-alikes stand "
                  "on both sides.\n\n");
    }
    if (o->near)
        put_near(b, o, s);
    SB_LIT(b, "The kernels come from a generator and not from anybody's code. ");
    if (!o->exclude) {
        SB_LIT(b, "No sources were named that had to be kept out (`--exclude`).\n\n");
        return;
    }
    SB_LIT(b, "No record shares a structure with the sources that were named by `--exclude`: ");
    sb_uint(b, s->rejected[STATS_REJECT_EXCLUDED]);
    SB_LIT(b, " candidates did, and were thrown away. The certificate stands in `manifest.json`, "
              "under `excluded`.\n\n");
}

static void put_limits(strbuf *b, const record_options *o)
{
    const bool exercises = record_mix_has(&o->mix, RECORD_EXERCISE);
    SB_LIT(b, "## Known limits\n\n");
    sb_c(b, !exercises
                ? "- The kernels are synthetic: formulas, algorithms and ways to go over data are "
                  "those that people use, their combinations a generator's.\n"
                : "- The kernels are synthetic. They are built from idioms of real ones, but most "
                  "compute nothing that anybody needs: they teach how Warp's language maps to C++ "
                  "and CUDA, not which kernel solves a problem.\n");
    if (!record_format_of(o)->programs) {
        SB_LIT(b, "- The texts are what warp-lang ");
        sb_c(b, warp_release_version(o->warp));
        SB_LIT(b, " writes: they need its headers, and other versions write other text.\n");
    }
    if (!record_mix_has(&o->mix, RECORD_PURPOSE))
        SB_LIT(b, "- Tiles, meshes, volumes, hash grids and other features that need a device or "
                  "data beside arrays do not occur.\n");
    SB_LIT(b, "- Names and comments are English.\n");
    if (o->job == RECORD_REPAIR)
        SB_LIT(b, "- What was taken away (`missing-definition`, `argument-count`) cannot always be "
                  "told from what is left: other repairs may be right, too.\n");
    if (o->no_verify) {
        SB_LIT(b, "- Nothing was executed.\n\n");
        return;
    }
    SB_LIT(b, "- The proof is by execution on some inputs, on the CPU and in one order of threads: "
              "it finds wrong text, not every wrong text, and says nothing about speed.\n");
    if (!o->no_backward && o->gradients != RECORD_GRADIENTS_EXACT)
        SB_LIT(b, "- Backward texts of `warp_differs` records are Warp's, and wrong as "
                  "gradients.\n");
    SB_LIT(b, "\n");
}

/* The sections in the order in which a reader decides: what it is, what is in it, whether to trust
 * it, how to make it again, what not to use it for. */
void card_put(strbuf *b, const record_options *o, const store_outcome *r)
{
    put_front_matter(b, o, r);
    put_intro(b, o);
    card_put_fields(b, o);
    if (o->job == RECORD_REPAIR)
        put_defects(b);
    if (record_mix_has(&o->mix, RECORD_PURPOSE) && o->style != RECORD_SCRIPT)
        put_purpose_levels(b);
    if (record_mix_has(&o->mix, RECORD_EXERCISE) || o->style == RECORD_SCRIPT)
        put_exercise_levels(b);
    put_figures(b, o, r);
    put_proof(b, o, &r->stats);
    put_grading(b, o);
    put_duplicates(b, o, &r->stats);
    SB_LIT(b, "## Reproduce\n\n```\n");
    store_put_command(b, o);
    SB_LIT(b, " --output DIR\n```\n\nThe same command of the same version gives the same bytes "
              "on any machine, whatever `--jobs`. Hashes of all files stand in `manifest.json`.");
    if (o->format == RECORD_FORMAT_PARQUET)
        SB_LIT(b, " Another release of pyarrow may write the same rows as other bytes.");
    SB_LIT(b, "\n\n");
    put_limits(b, o);
    SB_LIT(b, "## Licence\n\nThe front matter names it. The kernels are random");
    if (record_format_of(o)->programs)
        SB_LIT(b, ", and the programs hold no text of Warp's.\n");
    else
        SB_LIT(b, "; the texts made of them carry lines of Warp's code templates, which are under "
                  "Apache-2.0.\n");
}

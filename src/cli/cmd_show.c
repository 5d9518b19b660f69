/* SPDX-License-Identifier: Apache-2.0 */
/* weft show: the records of data sets as people read them: texts as text, all else in lines.
 *
 *     weft show DIR                   a line for each record: id, category, kernel
 *     weft show DIR 0-000000003       id: 0-000000003
 *                                     --- python_source ---
 *                                     import warp as wp
 *                                     ...
 *                                     metadata.verification.status: exact
 *     weft show DIR 0-000000003 --section cuda_ir_forward > k.cu
 *
 * A record is meant by its id or by the name of its kernel. Of any JSON object all is shown that it
 * holds, so that other forms of records (conversations, repairs) need nothing here. */
#include <string.h>
#include <unistd.h>

#include "base/json_peek.h"
#include "base/json_tree.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"
#include "cli/suggest.h"

/* A part of --section. */
typedef struct section {
    const char *name;
    bool found;       /* in one of the records shown */
    nearest_few near; /* parts that resemble it */
} section;

/* One `weft show`. */
typedef struct show_job {
    reporter reporter; /* first: callbacks that take memory begin with it */
    const cli_args *args;
    section *sections; /* only these parts; none: all */
    uint32_t nsections;
    const char *const *ids; /* of the records to show; none: the only one, or a list */
    uint32_t nids;
    bool *found;
    nearest_few *near; /* ids and kernels of other records that resemble them */
    bool bare;         /* one part of one record: without its heading, unless it has parts itself */
    bool is_terminal;  /* control characters of texts must not reach it */
    uint64_t records;  /* read */
    strbuf first;      /* the first record, as long as it may be the only one */
    const char *file;  /* where the record in work stands */
    uint64_t line;     /* 0: it is a file of its own */
    bool damaged;      /* a record that was to be shown is no JSON */
    strbuf path;       /* of the value in work: "metadata.counts" */
    output out;
    uint64_t parts; /* shown */
} show_job;

/* --- one record ------------------------------------------------------------------------------ */

/* A part that the user may have meant. */
static void offer_part(show_job *job, const char *path)
{
    for (uint32_t i = 0; i < job->nsections && *path; i++)
        if (!job->sections[i].found)
            nearest_few_offer(&job->sections[i].near, str_c(path));
}

/* "metadata" means metadata and all below it. */
static bool is_wanted(show_job *job)
{
    const char *path = sb_cstr(&job->path);
    bool wanted = !job->nsections;
    for (uint32_t i = 0; i < job->nsections; i++) {
        section *s = &job->sections[i];
        const size_t n = strlen(s->name);
        if (n && strncmp(path, s->name, n) == 0 && (!path[n] || strchr(".[", path[n])))
            wanted = s->found = true;
    }
    offer_part(job, path);
    return wanted;
}

static void put_safely(const show_job *job, strbuf *out, str text)
{
    for (size_t i = 0; i < text.n; i++) {
        const unsigned char c = (unsigned char)text.p[i];
        const bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
        sb_char(out, control && job->is_terminal ? '?' : text.p[i]);
    }
}

/* A text of several lines stands below a heading, another value behind its path. */
static void put_part(show_job *job, str text)
{
    strbuf *out = &job->out.text;
    const bool is_block = memchr(text.p, '\n', text.n) != NULL;
    if (!is_wanted(job))
        return;
    job->parts++;
    const bool bare = job->bare && strcmp(sb_cstr(&job->path), job->sections[0].name) == 0;
    if (!bare && is_block) {
        SB_LIT(out, "--- ");
        put_safely(job, out, sb_view(&job->path));
        SB_LIT(out, " ---\n");
    } else if (!bare) {
        put_safely(job, out, sb_view(&job->path));
        SB_LIT(out, ": ");
    }
    put_safely(job, out, text);
    if (!text.n || text.p[text.n - 1] != '\n')
        SB_LIT(out, "\n");
}

static void put_value(show_job *job, str value);

static void put_string(show_job *job, str value)
{
    strbuf text;
    sb_init(&text, job->args->arena->m);
    if (json_peek_string(value, &text))
        put_part(job, (str){text.n ? text.p : "", text.n});
    sb_clear(&text);
}

static void put_members(show_job *job, str object)
{
    const size_t before = job->path.n;
    size_t at = 0;
    str key, value;
    offer_part(job, sb_cstr(&job->path));
    while (json_peek_member(object, &at, &key, &value)) {
        if (before)
            SB_LIT(&job->path, ".");
        sb_str(&job->path, key);
        put_value(job, value);
        job->path.n = before;
    }
}

/* Elements that hold texts of several lines are shown one by one; other arrays fit into a line. */
static void put_array(show_job *job, str array)
{
    const size_t before = job->path.n;
    size_t at = 0;
    str value;
    bool has_text = false;
    for (size_t i = 0; i + 1 < array.n && !has_text; i++)
        has_text = array.p[i] == '\\' && array.p[i + 1] == 'n';
    if (!has_text) {
        put_part(job, array);
        return;
    }
    for (unsigned i = 0; json_peek_element(array, &at, &value); i++) {
        sb_printf(&job->path, "[%u]", i);
        put_value(job, value);
        job->path.n = before;
    }
}

/* What is deeper than any record of weft is shown as it stands. */
static void put_value(show_job *job, str value)
{
    enum { PATH_MAX_SHOWN = 400 };
    const char c = value.n ? *value.p : 0;
    if (job->path.n > PATH_MAX_SHOWN)
        put_part(job, value);
    else if (c == '"')
        put_string(job, value);
    else if (c == '{')
        put_members(job, value);
    else if (c == '[')
        put_array(job, value);
    else
        put_part(job, value);
}

/* Members are shown as they are read, so the text is checked before: what stands behind damage
 * would be missing without a word. */
static bool check_record(show_job *job, str record)
{
    arena *a = job->args->arena;
    const arena_mark mark = arena_save(a);
    const char *wrong;
    size_t at;
    if (json_parse(a, record, JSON_ANY, &wrong, &at)) {
        arena_rewind(a, mark);
        return true;
    }
    arena_rewind(a, mark);
    job->damaged = true;
    if (job->line)
        cli_error("%s:%llu: %s", job->file, (unsigned long long)job->line, wrong);
    else
        cli_error("%s: %s", job->file, wrong);
    return false;
}

static void put_record(show_job *job, str record)
{
    if (!check_record(job, record))
        return;
    if (job->parts && !job->bare)
        SB_LIT(&job->out.text, "\n");
    job->path.n = 0;
    put_value(job, record);
    (void)output_flush(&job->out);
}

/* --- which records --------------------------------------------------------------------------- */

/* The text of a string member; "": there is none. It is the buffer's. */
static const char *text_at(str record, const char *path, strbuf *b)
{
    str value;
    b->n = 0;
    if (json_peek(record, path, &value))
        (void)json_peek_string(value, b);
    return sb_cstr(b);
}

/* Does the command line name the record? Marks the names that do. */
static bool is_named(show_job *job, str record)
{
    static const char *const keys[] = {"id", "metadata.kernel_name"};
    bool named = false;
    strbuf b;
    sb_init(&b, job->args->arena->m);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const char *text = text_at(record, keys[k], &b);
        for (uint32_t i = 0; i < job->nids; i++)
            if (strcmp(text, job->ids[i]) == 0)
                named = job->found[i] = true;
            else if (!job->found[i])
                nearest_few_offer(&job->near[i], str_c(text));
    }
    sb_clear(&b);
    return named;
}

/* "0-000000003  math  wave_kernel" */
static void put_line(show_job *job, str record)
{
    static const char *const keys[] = {"id", "metadata.category", "metadata.kernel_name"};
    strbuf b;
    sb_init(&b, job->args->arena->m);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const char *text = text_at(record, keys[k], &b);
        if (k && *text)
            SB_LIT(&job->out.text, "  ");
        put_safely(job, &job->out.text, str_c(text));
    }
    SB_LIT(&job->out.text, "\n");
    sb_clear(&b);
    (void)output_flush(&job->out);
}

/* Without names the first record is kept until there is a second one, which makes it a list. */
static void take_record(void *arg, const void *given, size_t n)
{
    show_job *job = arg;
    const weft_record *r = given;
    const str record = {r->json, r->json_size};
    (void)n;
    job->records++;
    job->file = r->file;
    job->line = r->line;
    if (job->nids) {
        if (is_named(job, record))
            put_record(job, record);
    } else if (job->records == 1) {
        sb_str(&job->first, record);
        job->file = arena_dup(job->args->arena, r->file, strlen(r->file));
    } else if (!job->nsections) { /* else check_found refuses the list */
        if (job->records == 2)
            put_line(job, sb_view(&job->first));
        put_line(job, record);
    }
}

static bool are_all_found(const show_job *job)
{
    for (uint32_t i = 0; i < job->nids; i++)
        if (!job->found[i])
            return false;
    return job->nids > 0;
}

/* Other than 0 ends the reading: all is shown, nobody reads it, or memory ran out. */
static int on_record(void *arg, const weft_record *record)
{
    show_job *job = arg;
    reporter_guarded(job, take_record, record, 1);
    const bool is_refused = !job->nids && job->nsections && job->records > 1;
    return is_refused || are_all_found(job) || job->out.error || job->reporter.no_memory ||
           cli_interrupted();
}

/* --- the command ----------------------------------------------------------------------------- */

static int check_sections(const show_job *job)
{
    int status = CLI_OK;
    for (uint32_t i = 0; i < job->nsections; i++) {
        const section *s = &job->sections[i];
        if (s->found)
            continue;
        cli_error("the record has no part '%s'", s->name);
        suggest_few(&s->near);
        if (!s->near.n)
            fputs("    hint: without --section all parts are shown\n", stderr);
        status = CLI_BAD_INPUT;
    }
    return status;
}

/* A name or a part that is not there is an error, so that a script sees it. */
static int check_found(const show_job *job)
{
    int status = CLI_OK;
    if (!job->records) {
        const char *from = job->args->operands[0];
        if (strcmp(from, "-") == 0)
            cli_error("standard input holds no records");
        else
            cli_error("'%s' holds no records", from);
        return CLI_BAD_INPUT;
    }
    for (uint32_t i = 0; i < job->nids; i++)
        if (!job->found[i]) {
            cli_error("no record has the id or kernel '%s'", job->ids[i]);
            suggest_few(&job->near[i]);
            status = CLI_BAD_INPUT;
        }
    if (!job->nids && job->records > 1 && job->nsections) {
        status = cli_usage_error(job->args, "--section is for one record: name its id");
    } else if (!status) {
        status = check_sections(job);
    }
    return status;
}

static int finish(show_job *job, weft_status end)
{
    int status = CLI_OK;
    reporter_rethrow(&job->reporter);
    if (!job->nids && job->records == 1)
        put_record(job, sb_view(&job->first));
    if (end == WEFT_STOPPED && cli_interrupted())
        status = CLI_INTERRUPTED;
    else if (end != WEFT_STOPPED)
        status = cli_status(end);
    if (status == CLI_OK)
        status = job->damaged ? CLI_BAD_INPUT : check_found(job);
    const int error = output_close(&job->out, true);
    const int written = cli_output_failed(NULL, error);
    return written ? written : status;
}

static void read_sections(show_job *job)
{
    arena *a = job->args->arena;
    const char *const *names = cli_all(job->args, OPT_SECTION, &job->nsections);
    job->sections = ARENA_ARRAY(a, section, (size_t)job->nsections + 1);
    for (uint32_t i = 0; i < job->nsections; i++) {
        job->sections[i] = (section){.name = names[i]};
        nearest_few_init(&job->sections[i].near, a, str_c(names[i]));
    }
}

/* The first operand is the set, the others are names in it. */
int cmd_show(cli_args *args)
{
    show_job job = {.args = args, .is_terminal = isatty(STDOUT_FILENO) != 0};
    if (!args->noperands)
        return cli_usage_error(args, "no folder or file given");
    reporter_init(&job.reporter, args);
    read_sections(&job);
    job.ids = (const char *const *)args->operands + 1;
    job.nids = args->noperands - 1;
    job.found = arena_zero(args->arena, (size_t)args->noperands * sizeof *job.found);
    job.near = ARENA_ARRAY(args->arena, nearest_few, args->noperands);
    for (uint32_t i = 0; i < job.nids; i++)
        nearest_few_init(&job.near[i], args->arena, str_c(job.ids[i]));
    job.bare = job.nsections == 1 && job.nids <= 1;
    sb_init(&job.first, args->arena->m);
    sb_init(&job.path, args->arena->m);
    output_open(&job.out, args->arena, NULL, NULL);
    cli_end_at_once(true); /* it only reads */
    const weft_callbacks c = reporter_callbacks(&job.reporter);
    const weft_status end = weft_records(args->operands, 1, &c, on_record);
    const int status = finish(&job, end);
    sb_clear(&job.first);
    sb_clear(&job.path);
    return status;
}

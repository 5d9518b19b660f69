/* SPDX-License-Identifier: Apache-2.0 */
/* weft compile SET: the kernels of a data set's records, each record as a program of its own.
 *
 *     {"id": "7-000000042", "metadata": {"kernel_name": "scale", ...}, "python_source": "..."}
 *         ->   the text of 7-000000042/scale.py, the name that messages give it
 *
 * The texts of a record are not read: what is written follows from its source alone. */
#include "base/json_peek.h"
#include "cli/compile_job.h"
#include "weft_sets.h"

/* A string member of the record, in the arena; NULL: it has none. */
static const char *member(const compile_job *job, str record, const char *path)
{
    str raw;
    const char *text = NULL;
    strbuf b;
    sb_init(&b, job->args->arena->m);
    if (json_peek(record, path, &raw) && json_peek_string(raw, &b) && b.n)
        text = arena_dup(job->args->arena, b.p, b.n);
    sb_clear(&b);
    return text;
}

/* Ids are anyone's: one that could lead out of a folder names no file. */
static bool is_name(const char *s)
{
    enum { LONGEST = 100 };
    size_t n = 0;
    for (; s[n]; n++) {
        const char c = s[n];
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
            c != '_' && c != '-')
            return false;
    }
    return n && n <= LONGEST;
}

/* The name, or NAME_2, NAME_3, ... where records before it have that: each has its own place. */
static const char *own_name(compile_job *job, const char *name)
{
    arena *a = job->args->arena;
    const char *own = name;
    uint32_t number = str_map_get(&job->records, str_c(name));
    while (str_map_get(&job->records, str_c(own)))
        own = arena_printf(a, "%s_%u", name, ++number);
    str_map_set(a, &job->records, str_c(name), number ? number : 1);
    if (own != name)
        str_map_set(a, &job->records, str_c(own), 1);
    return own;
}

/* By its id, or the number of its line. */
static const char *name_of(compile_job *job, const weft_record *r, str record)
{
    const char *id = member(job, record, "id");
    if (!id || !is_name(id))
        id = arena_printf(job->args->arena, "%llu", (unsigned long long)r->line);
    return own_name(job, id);
}

/* What messages call the source: ID/KERNEL.py. */
static const char *path_of(const compile_job *job, str record)
{
    const char *kernel = member(job, record, "metadata.kernel_name");
    return arena_printf(job->args->arena, "%s/%s.py", job->record,
                        kernel && is_name(kernel) ? kernel : "kernel");
}

/* reporter_work. */
static void take_record(void *arg, const void *given, size_t n)
{
    compile_job *job = arg;
    const weft_record *r = given;
    const str record = {r->json, r->json_size};
    str raw;
    strbuf text;
    (void)n;
    sb_init(&text, job->args->arena->m);
    if (json_peek(record, "python_source", &raw) && json_peek_string(raw, &text) && text.n) {
        job->record = name_of(job, r, record);
        job->text = sb_view(&text);
        job->names.n = 0; /* each has folders of its own */
        (void)compile_one(job, &(source_file){.path = path_of(job, record)});
        job->record = NULL;
    } else {
        reporter_end(&job->reporter);
        cli_error("%s:%llu: the record has no python_source to compile", r->file,
                  (unsigned long long)r->line);
        compile_raise(job, CLI_BAD_INPUT);
    }
    sb_clear(&text);
}

/* Other than 0 ends the reading. */
static int on_record(void *arg, const weft_record *record)
{
    compile_job *job = arg;
    job->any_record = true;
    reporter_guarded(job, take_record, record, 1);
    return job->reporter.no_memory || cli_interrupted() || (job->out && job->out->error);
}

/* Behind a line that is damaged nothing is read. */
void compile_set(compile_job *job, const char *path)
{
    const weft_callbacks c = reporter_callbacks(&job->reporter);
    job->any_record = false;
    const weft_status status = weft_records(&path, 1, &c, on_record);
    reporter_rethrow(&job->reporter);
    if (status == WEFT_OK && !job->any_record)
        compile_count_empty(job, path);
    if (status == WEFT_INPUT_ERRORS)
        cli_error("'%s' is read no further", path);
    if (status != WEFT_STOPPED)
        compile_raise(job, cli_status(status));
}

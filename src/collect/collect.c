/* SPDX-License-Identifier: Apache-2.0 */
/* Collects kernels: finds files, lets threads make records of them, takes these in the order of the
 * files, leaves duplicates out, and writes a data set.
 *
 *     files   ->   threads: a.py: 3 kernels, b.py: 1 kernel   ->   OUT.collecting.jsonl   ->   OUT
 *
 * Records go to a file beside the folder first, as the number of shards stands in the shards'
 * names. The set is written from it by curate/split.c, as that of weft dedup is, into the folder
 * OUT.collecting, which then gets its name: so OUT is there whole or not at all. What the threads
 * have made is also in OUT.collecting.journal, until the set is there. */
#include "collect/collect.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "base/io.h"
#include "base/json.h"
#include "base/json_peek.h"
#include "base/run_status.h"
#include "base/sha256.h"
#include "base/version.h"
#include "collect/collect_command.h"
#include "collect/collect_journal.h"
#include "collect/collect_program.h"
#include "collect/files.h"
#include "collect/unlicensed.h"
#include "curate/split.h"
#include "record/spdx.h"
#include "similar/near_index.h"
#include "similar/seen.h"
#include "standalone/standalone.h"
#include "store/manifest.h"

static const char *const skip_names[] = {
#define SKIP(ID, name) name,
#include "collect/collect_skip.def"
#undef SKIP
};

const char *collect_skip_name(collect_skip s)
{
    WEFT_ASSERT(s < COLLECT_SKIPS);
    return skip_names[s];
}

/* A run in work. Threads share `next`, `stop` and the files' `ready`, under the lock. */
typedef struct collect_state {
    arena *a;
    const collect_options *o;
    collect_outcome *r;
    collect_files files;
    collected_file *made; /* one for each file */
    const char *const *dirs;
    uint32_t ndirs, next;
    uint32_t first; /* file that the journal does not have */
    collect_journal journal;
    bool stop, no_memory;
    atomic_bool interrupt; /* ends what the threads are at */
    pthread_mutex_t lock;
    pthread_cond_t done;
    seen known;
    near_index near;
    atomic_file raw;
    const char *programs; /* a folder of them, in place of lines in `raw` */
    strbuf skipped;
    const char *first_skipped; /* in words */
    unlicensed_files unlicensed;
    int status;
} collect_state;

typedef struct collect_thread {
    collect_state *t;
    pthread_t id;
    bool started;
} collect_thread;

/* --- threads --------------------------------------------------------------------------------- */

/* The next file that no thread has begun; UINT32_MAX: there is none. */
static uint32_t begin_file(collect_state *t)
{
    pthread_mutex_lock(&t->lock);
    const uint32_t i = t->stop || t->next == t->files.files.n ? UINT32_MAX : t->next++;
    pthread_mutex_unlock(&t->lock);
    return i;
}

/* Wakes the thread that takes files in order. UINT32_MAX: the thread could not begin. */
static void end_file(collect_state *t, uint32_t i, bool good)
{
    pthread_mutex_lock(&t->lock);
    if (i != UINT32_MAX)
        t->made[i].ready = true;
    if (!good)
        t->stop = t->no_memory = true;
    pthread_cond_broadcast(&t->done);
    pthread_mutex_unlock(&t->lock);
}

/* A thread has two compilers of its own; it shares the list of files and nothing else. */
static void *work(void *arg)
{
    collect_thread *thread = arg;
    collect_state *t = thread->t;
    kernel_maker k;
    const kernel_maker_options options = {.record = &t->o->record,
                                          .licenses = t->o->licenses,
                                          .files = &t->files,
                                          .dirs = t->dirs,
                                          .ndirs = t->ndirs,
                                          .stop = &t->interrupt};
    bool good = kernel_maker_init(&k, &options);
    if (!good)
        end_file(t, UINT32_MAX, false);
    for (uint32_t i; good && (i = begin_file(t)) != UINT32_MAX;) {
        good = kernel_maker_file(&k, &t->files.files.v[i], &t->made[i]);
        if (good || !atomic_load(&t->interrupt)) /* else half made: nobody takes it */
            end_file(t, i, good);
    }
    kernel_maker_clear(&k);
    return NULL;
}

/* Does the caller want files beyond `done` of them? */
static bool go_on(const collect_state *t, uint32_t done)
{
    return !t->o->progress || t->o->progress(t->o->arg, done, t->files.files.n);
}

/* Waits until the file is made, or a tenth of a second. */
static bool wait_a_little(collect_state *t, uint32_t i)
{
    enum { TENTH = 100000000, SECOND = 1000000000 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TENTH;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    pthread_mutex_lock(&t->lock);
    if (!t->made[i].ready && !t->stop)
        pthread_cond_timedwait(&t->done, &t->lock, &until);
    const bool ended = t->made[i].ready || t->stop;
    pthread_mutex_unlock(&t->lock);
    return ended;
}

/* Waits until the file is made, and asks meanwhile whether to go on: one file may take minutes. */
static int wait_for(collect_state *t, uint32_t i)
{
    while (!wait_a_little(t, i))
        if (!go_on(t, i))
            return STATUS_STOPPED;
    pthread_mutex_lock(&t->lock);
    const bool good = t->made[i].ready && !t->no_memory;
    pthread_mutex_unlock(&t->lock);
    return good ? STATUS_OK : STATUS_MEMORY;
}

/* --- what was made --------------------------------------------------------------------------- */

/* Package and path are those that a record's provenance would have: a set has the same bytes
 * wherever it was made. */
static void put_skipped(collect_state *t, const collect_file *file, const collected_kernel *k)
{
    strbuf *b = &t->skipped;
    if (!t->first_skipped && k->skip != COLLECT_SKIP_UNLICENSED)
        t->first_skipped =
            arena_printf(t->a, "%s:%u: %.*s: %.*s", file->path, k->line, (int)k->kernel.n,
                         k->kernel.p, (int)k->why.n, k->why.p ? k->why.p : "");
    SB_LIT(b, "{");
    json_key(b, "package", true);
    json_string(b, file->package);
    json_key(b, "path", false);
    json_string(b, file->shown);
    json_key(b, "line", false);
    sb_uint(b, k->line);
    json_key(b, "kernel", false);
    json_string(b, k->kernel);
    json_key(b, "reason", false);
    json_string(b, str_c(skip_names[k->skip]));
    json_key(b, "why", false);
    json_string(b, k->why);
    SB_LIT(b, "}\n");
}

/* The first record of a structure stays. */
static void refuse_known(collect_state *t, collected_kernel *k)
{
    const record_options *o = &t->o->record;
    if (seen_has(&t->known, k->structure)) {
        k->skip = COLLECT_SKIP_DUPLICATE;
        k->why = STR("an earlier record has its structure");
    } else if (o->near && near_has(&t->near, &k->near)) {
        k->skip = COLLECT_SKIP_NEAR;
        k->why = STR("an earlier record is nearly like it");
    } else {
        seen_add(&t->known, k->structure);
        if (o->near)
            near_add(&t->near, &k->near);
    }
}

/* A line of the raw file, or a folder of raw programs: what curate/split.c reads. */
static int keep_record(collect_state *t, str record)
{
    if (!record_format_of(&t->o->record)->programs)
        return atomic_file_write(&t->raw, record);
    const arena_mark mark = arena_save(t->a);
    const char *at;
    const int error = collect_save_program(t->a, t->programs, record, &at);
    if (!error)
        arena_rewind(t->a, mark);
    t->r->message = error ? at : t->r->message;
    return error;
}

/* Here all that depends on other kernels is decided, in the order of the files: so the number of
 * threads does not matter. */
static int take_file(collect_state *t, uint32_t i)
{
    const collect_file *file = &t->files.files.v[i];
    collected_file *made = &t->made[i];
    int error = 0;
    for (uint32_t n = 0; n < made->items.n && !error; n++) {
        collected_kernel *k = &made->items.v[n];
        if (k->skip == COLLECT_SKIP_FILE) {
            t->r->unloaded++;
            put_skipped(t, file, k);
            continue;
        }
        t->r->kernels++;
        if (!k->skip)
            refuse_known(t, k);
        t->r->skipped[k->skip]++;
        if (k->skip) {
            put_skipped(t, file, k);
            continue;
        }
        t->r->records++;
        t->r->status[k->status < CHECK_STATUSES ? k->status : CHECK_STATUSES]++;
        error = keep_record(t, k->record);
    }
    mem_clear(&made->mem);
    return error;
}

/* Notes the file's kernels, and takes them. */
static int keep_file(collect_state *t, uint32_t i)
{
    if (t->made[i].unread) {
        t->r->message = t->files.files.v[i].path;
        return EIO;
    }
    const int error = journal_put(&t->journal, &t->made[i]);
    return error ? error : take_file(t, i);
}

/* The files that the journal has. */
static int take_journal(collect_state *t)
{
    int status = 0;
    for (; !status && t->first < t->files.files.n && journal_next(&t->journal, &t->made[t->first]);
         t->first++)
        status = keep_file(t, t->first);
    t->next = t->first;
    return status;
}

static int take_files(collect_state *t)
{
    const uint32_t n = t->files.files.n;
    for (uint32_t i = t->first; i < n; i++) {
        int status = wait_for(t, i);
        if (!status)
            status = keep_file(t, i);
        if (!status && !go_on(t, i + 1))
            status = STATUS_STOPPED;
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* The calling thread takes what the others make. One started thread is enough. */
static int run_threads(collect_state *t)
{
    const uint32_t n = t->o->record.jobs ? t->o->record.jobs : 1;
    collect_thread *threads = arena_zero(t->a, n * sizeof *threads);
    uint32_t started = 0;
    for (uint32_t i = 0; i < n; i++) {
        threads[i].t = t;
        threads[i].started = pthread_create(&threads[i].id, NULL, work, &threads[i]) == 0;
        started += threads[i].started;
    }
    int status = started ? STATUS_MEMORY : EAGAIN;
    if (started)
        status = take_files(t);
    pthread_mutex_lock(&t->lock);
    t->stop = true;
    pthread_mutex_unlock(&t->lock);
    atomic_store(&t->interrupt, true);
    for (uint32_t i = 0; i < n; i++)
        if (threads[i].started)
            pthread_join(threads[i].id, NULL);
    return status;
}

/* --- the set --------------------------------------------------------------------------------- */

/* Removes a folder with what is in it, `depth` levels deep. */
static void remove_tree(const char *path, int depth)
{
    DIR *folder = depth ? io_opendir(path) : NULL;
    char inner[4096]; /* no memory is taken while the folder is open */
    for (struct dirent *e; folder && (e = io_readdir(folder));) {
        const str name = str_c(e->d_name);
        const int n = snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
        if (!str_eq(name, STR(".")) && !str_eq(name, STR("..")) && n > 0 &&
            (size_t)n < sizeof inner && io_unlink(inner) != 0)
            remove_tree(inner, depth - 1);
    }
    if (folder)
        closedir(folder);
    io_rmdir(path);
}

/* The SHA-256 of the files that are read, in their order, so that --resume notices when files were
 * added, removed or changed since. A file that may not be read counts as empty; *error is an errno
 * value where reading failed otherwise, or 0. */
static const char *hash_of_files(collect_state *t, int *error)
{
    uint8_t digest[SHA256_SIZE];
    char *hex = arena_zero(t->a, SHA256_HEX + 1);
    sha256 hash;
    *error = 0;
    sha256_start(&hash);
    for (uint32_t i = 0; i < t->files.files.n && !*error; i++) {
        const arena_mark mark = arena_save(t->a);
        str text = STR("");
        *error = file_read(t->a, t->files.files.v[i].path, &text);
        if (*error) {
            text = STR("");
            t->r->message = t->files.files.v[i].path;
        }
        if (*error == EACCES || *error == ENOENT)
            *error = 0;
        const uint64_t size = text.n;
        sha256_add(&hash, &size, sizeof size);
        sha256_add(&hash, text.p, text.n);
        arena_rewind(t->a, mark);
    }
    sha256_finish(&hash, digest);
    sha256_hex(digest, hex);
    return hex;
}

/* {"licence": 2, "duplicate": 3}: lines of skipped.jsonl, by reason. */
static str skips_of(collect_state *t)
{
    bool first = true;
    strbuf b;
    sb_init(&b, t->a->m);
    SB_LIT(&b, "{");
    for (int i = 1; i < COLLECT_SKIPS; i++) {
        const uint64_t n = i == COLLECT_SKIP_UNLICENSED ? t->r->unlicensed
                           : i == COLLECT_SKIP_FILE     ? t->r->unloaded
                                                        : t->r->skipped[i];
        if (!n)
            continue;
        json_key(&b, skip_names[i], first);
        sb_uint(&b, n);
        first = false;
    }
    SB_LIT(&b, "}");
    const str text = {arena_dup(t->a, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

/* Of rows of Parquet. */
static const char *fields_of(collect_state *t)
{
    strbuf b;
    sb_init(&b, t->a->m);
    card_put_schema(&b, &t->o->record);
    const char *text = arena_dup(t->a, b.p, b.n);
    sb_clear(&b);
    return text;
}

/* Writes the set as the folder `made`. */
static int write_set(collect_state *t, const char *raw, const char *made)
{
    const record_options *o = &t->o->record;
    dedup all;
    split_result result;
    int error;
    const char *inputs = hash_of_files(t, &error);
    if (error)
        return error;
    const split_account account = {
        .command = collect_command(t->a, t->o),
        .skipped = sb_view(&t->skipped),
        .skips = skips_of(t),
        .inputs = inputs,
        .records = o,
        .origin = STR("Kernels of real programs, collected by `weft "
                      "collect`: each with the Python that it needs and "
                      "no more, and with the text that Warp makes of it."),
        .sections = STR("Kernels that are no record stand in `skipped.jsonl`, with the reason, and "
                        "files that were left out for their licence.\n\n")};
    split_options s = {.paths = &raw,
                       .npaths = 1,
                       .output = made,
                       .license = o->license ? o->license : "other",
                       .dedup = &all,
                       .ratios = split_none(),
                       .repack = o->compress != PACK_NONE,
                       .compress = o->compress,
                       .shard_rows = o->shard_rows,
                       .files = o->format == RECORD_FORMAT_FILES,
                       .parquet = o->format == RECORD_FORMAT_PARQUET ? fields_of(t) : NULL,
                       .account = &account};
    dedup_init(&all, t->a->m, 0);
    const int status = split_run(t->a, &s, &result);
    dedup_clear(&all);
    t->r->message = result.message;
    if (status)
        return status;
    const char *path = path_join(t->a, made, STR("skipped.jsonl"));
    error = atomic_file_put(t->a, path, sb_view(&t->skipped), true);
    t->r->message = error ? path : NULL;
    return error;
}

/* --- a run ----------------------------------------------------------------------------------- */

static void leave_out(collect_state *t, const collect_file *file)
{
    const collected_kernel whole = {.skip = COLLECT_SKIP_UNLICENSED,
                                    .why = str_c(unlicensed_why(t->a, file))};
    put_skipped(t, file, &whole);
    unlicensed_add(&t->unlicensed, t->a, t->r, file);
}

/* Licences are looked at before anything is read: code that may not be taken is not compiled. */
static int find_files(collect_state *t)
{
    const collect_options *o = t->o;
    collect_files all = {.progress = o->progress, .arg = o->arg};
    for (size_t i = 0; i < o->npaths; i++) {
        const int error = files_add(&all, t->a, o->paths[i], o->dirs, o->ndirs);
        t->r->message = error ? o->paths[i] : NULL;
        if (error == EINVAL) {
            t->r->message = arena_printf(t->a, "'%s' is no Python file", o->paths[i]);
            return STATUS_BROKEN;
        }
        if (error == ENOENT) {
            t->r->message = arena_printf(t->a,
                                         "'%s' is no file, folder or installed package; -I DIR "
                                         "names a folder of packages",
                                         o->paths[i]);
            return STATUS_ABSENT;
        }
        if (error)
            return error;
    }
    t->r->message = all.failed;
    if (all.error)
        return all.error;
    for (uint32_t i = 0; i < all.files.n; i++) {
        const str license = all.files.v[i].license;
        t->r->files++;
        if (o->licenses ? spdx_is_listed(license, o->licenses) : license.n > 0)
            VEC_PUSH(t->a, &t->files.files, all.files.v[i]);
        else
            leave_out(t, &all.files.v[i]);
    }
    unlicensed_end(&t->unlicensed, t->a, t->r);
    return 0;
}

/* A name beside the output folder: a/b/set/ -> a/b/set.collecting.jsonl */
static const char *beside(collect_state *t, const char *ending)
{
    const char *output = t->o->record.output;
    size_t n = strlen(output);
    while (n > 1 && output[n - 1] == '/')
        n--;
    return arena_printf(t->a, "%.*s.collecting%s", (int)n, output, ending);
}

/* What a journal must have been begun with: the command, and the files as they are. */
static str key_of(collect_state *t)
{
    uint8_t digest[SHA256_SIZE];
    char *hex = arena_alloc(t->a, SHA256_HEX);
    strbuf b;
    sb_init(&b, t->a->m);
    sb_printf(&b, "%s %s\n", WEFT_VERSION, collect_command(t->a, t->o));
    for (size_t i = 0; i < t->o->ndirs; i++)
        sb_printf(&b, "-I %s\n", t->o->dirs[i]);
    for (uint32_t i = 0; i < t->files.files.n; i++) {
        const collect_file *f = &t->files.files.v[i];
        struct stat st = {0};
        (void)io_stat(f->path, &st); /* what cannot be read has no kernels */
        sb_printf(&b, "%s %lld %lld %ld\n", f->path, (long long)st.st_size,
                  (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    }
    sha256_of(b.p, b.n, digest);
    sha256_hex(digest, hex);
    sb_clear(&b);
    return (str){hex, SHA256_HEX};
}

/* The folder of raw programs, in which a killed run may have left some. */
static int open_programs(collect_state *t)
{
    t->r->message = t->programs = beside(t, ".programs");
    remove_tree(t->programs, 2);
    const int error = make_folders(t->a, t->programs);
    if (error || !t->o->record.cpu_shim)
        return error;
    strbuf b;
    sb_init(&b, t->a->m);
    standalone_put_shim(&b);
    t->r->message = path_join(t->a, t->programs, STR(STANDALONE_SHIM));
    const int status = atomic_file_put(t->a, t->r->message, sb_view(&b), false);
    sb_clear(&b);
    return status;
}

/* The raw records and the journal, beside the output folder, which is made with the folders above
 * it. */
static int open_files(collect_state *t, const char **raw)
{
    t->r->message = t->o->record.output;
    int error = make_folders(t->a, t->o->record.output);
    if (!error && record_format_of(&t->o->record)->programs)
        error = open_programs(t);
    if (error)
        return error;
    t->r->message = *raw = beside(t, ".jsonl");
    error = atomic_file_open(&t->raw, t->a, *raw);
    if (error)
        return error;
    t->r->message = beside(t, ".journal");
    error = journal_open(&t->journal, t->a, t->r->message, key_of(t), t->o->resume);
    if (error != EEXIST)
        return error;
    t->r->message = arena_printf(t->a,
                                 "the run that was stopped there had another command or other "
                                 "files: remove '%s' to begin anew, or choose another folder",
                                 beside(t, ".journal"));
    return STATUS_REFUSED;
}

/* Was the set that is there made of the files as they are now? */
static int compare_inputs(collect_state *t, str manifest)
{
    str v;
    const int status = find_files(t);
    if (status || !json_peek(manifest, "inputs", &v))
        return status;
    int error;
    const char *hash = hash_of_files(t, &error);
    if (error)
        return error;
    t->r->message = NULL;
    if (v.n == SHA256_HEX + 2 && memcmp(v.p + 1, hash, SHA256_HEX) == 0)
        return STATUS_OK;
    t->r->message = "the set there is complete, but files were added, removed or changed since: "
                    "choose another folder, or remove the set";
    return STATUS_REFUSED;
}

/* Is the set of this command there? Anything else in the folder is refused. */
static int look_at_output(collect_state *t, bool *complete)
{
    const char *output = t->o->record.output;
    str text, v;
    strbuf command;
    *complete = false;
    const int status = split_check_output(t->a, output, &t->r->message);
    if (status != STATUS_REFUSED || !t->o->resume)
        return status;
    const char *manifest = path_join(t->a, output, STR("manifest.json"));
    const int error = file_read(t->a, manifest, &text);
    if (error == ENOENT)
        return status;
    if (error) {
        t->r->message = manifest;
        return error;
    }
    sb_init(&command, t->a->m);
    *complete = json_peek(text, "command", &v) && json_peek_string(v, &command) &&
                str_eq(sb_view(&command), str_c(collect_command(t->a, t->o)));
    sb_clear(&command);
    if (!*complete)
        t->r->message = "the folder holds a data set of another command";
    return *complete ? compare_inputs(t, text) : STATUS_REFUSED;
}

/* Their texts, in which other files' kernels and functions are looked for. What may not be read is
 * empty. */
static int read_files(collect_state *t)
{
    for (uint32_t i = 0; i < t->files.files.n; i++) {
        collect_file *f = &t->files.files.v[i];
        const int error = file_read(t->a, f->path, &f->text);
        if (error && error != EACCES && error != ENOENT) {
            t->r->message = f->path;
            return error;
        }
    }
    return 0;
}

/* The journal's files first, then the threads from there on. */
static int make_records(collect_state *t, const char **raw)
{
    t->made = arena_zero(t->a, (t->files.files.n + 1) * sizeof *t->made);
    for (uint32_t i = 0; i < t->files.files.n; i++) {
        mem_init(&t->made[i].mem);
        arena_init(&t->made[i].a, &t->made[i].mem);
    }
    int status = open_files(t, raw);
    if (!status)
        status = read_files(t);
    if (!status)
        status = take_journal(t);
    if (!status)
        status = run_threads(t);
    return status ? status : atomic_file_commit(&t->raw, false);
}

/* A set without records would be in the way of the next try, which has other paths or options. */
static int check_any_file(collect_state *t)
{
    const collect_outcome *r = t->r;
    const uint64_t n = r->unwanted ? r->unwanted : r->unlicensed;
    if (t->files.files.n)
        return STATUS_OK;
    t->r->message = "nothing is collected: there is no Python file";
    if (r->files)
        t->r->message = arena_printf(
            t->a, "nothing is collected: the licence of %llu Python file%s is %s",
            (unsigned long long)n, plural_s(n), unlicensed_reason(&t->unlicensed, t->a, t->r));
    return STATUS_BROKEN;
}

/* "made in a function: 3, generic: 1" */
static const char *skip_counts(const collect_state *t)
{
    const char *list = "";
    for (int i = 1; i < COLLECT_SKIPS; i++)
        if (t->r->skipped[i])
            list = arena_printf(t->a, "%s%s%s: %llu", list, *list ? ", " : "", skip_names[i],
                                (unsigned long long)t->r->skipped[i]);
    return list;
}

static int check_any_record(collect_state *t)
{
    const uint32_t files = t->files.files.n;
    if (t->r->records)
        return STATUS_OK;
    t->r->message =
        t->r->kernels
            ? arena_printf(t->a,
                           "nothing is collected: of %llu kernel%s none became a record (%s); the "
                           "first: %s",
                           (unsigned long long)t->r->kernels, plural_s(t->r->kernels),
                           skip_counts(t), t->first_skipped)
            : arena_printf(t->a, "nothing is collected: there is no kernel in %u Python file%s",
                           files, plural_s(files));
    return STATUS_BROKEN;
}

static int run_all(collect_state *t)
{
    const char *raw, *made = beside(t, "");
    t->ndirs = files_site_folders(t->a, t->o->dirs, t->o->ndirs, &t->dirs);
    int status = look_at_output(t, &t->r->complete);
    if (status || t->r->complete)
        return status;
    if ((status = find_files(t)) != 0 || (status = check_any_file(t)) != 0 ||
        (status = make_records(t, &raw)) != 0)
        return status;
    if ((status = check_any_record(t)) != 0) {
        io_unlink(raw);
        return status;
    }
    t->r->message = NULL;
    remove_tree(made, 3); /* that a killed run left */
    status = write_set(t, t->programs ? t->programs : raw, made);
    io_unlink(raw);
    if (!status && io_rename(made, t->o->record.output) != 0) {
        status = errno;
        t->r->message = t->o->record.output;
    }
    if (status)
        remove_tree(made, 3);
    return status;
}

static void remove_programs(void *arg)
{
    const collect_state *t = arg;
    remove_tree(t->programs, 2);
}

static void run_guarded(void *arg)
{
    collect_state *t = arg;
    seen_init(&t->known, t->a->m);
    if (t->o->record.near)
        near_init(&t->near, t->a->m, t->o->record.near);
    sb_init(&t->skipped, t->a->m);
    t->status = run_all(t);
}

int collect_run(arena *a, const collect_options *o, collect_outcome *r)
{
    collect_state t = {.a = a, .o = o, .r = r, .raw = {.fd = -1}, .status = STATUS_MEMORY};
    const double start = clock_seconds();
    const bool is_new = path_is_free(o->record.output);
    *r = (collect_outcome){0};
    pthread_mutex_init(&t.lock, NULL);
    pthread_cond_init(&t.done, NULL);
    if (!mem_try(a->m, run_guarded, &t))
        t.status = STATUS_MEMORY;
    atomic_file_discard(&t.raw);
    if (t.programs)
        mem_try(a->m, remove_programs, &t);
    if (t.status && is_new)
        io_rmdir(o->record.output); /* the empty folder */
    const bool is_begun = t.journal.files || t.journal.reads;
    r->can_resume = t.status == STATUS_STOPPED && is_begun;
    journal_close(&t.journal, !r->can_resume && !(t.status == STATUS_MEMORY && is_begun) &&
                                  t.status != STATUS_REFUSED);
    for (uint32_t i = 0; t.made && i < t.files.files.n; i++)
        mem_clear(&t.made[i].mem);
    pthread_mutex_destroy(&t.lock);
    pthread_cond_destroy(&t.done);
    r->seconds = clock_seconds() - start;
    return t.status;
}

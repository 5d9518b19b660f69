/* What `weft run` writes: every file whole and all of them, or none. */
#include <errno.h>

#include "base/atomic_file.h"
#include "base/c_locale.h"
#include "cli/run_args.h"

/* "PATH=@FILE" for a known PATH, or NULL. */
static const launch_leaf *saved_leaf(const run_args *r, const char *text)
{
    const size_t n = strcspn(text, "=");
    for (uint32_t i = 0; i < r->set.leaves.n; i++)
        if (strlen(r->set.leaves.v[i].path) == n && strncmp(r->set.leaves.v[i].path, text, n) == 0)
            return text[n] == '=' && text[n + 1] == '@' && text[n + 2] ? &r->set.leaves.v[i] : NULL;
    return NULL;
}

bool run_args_check_saves(run_args *r)
{
    uint32_t n;
    const char *const *all = cli_all(r->args, r->to, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!saved_leaf(r, all[i])) {
            cli_error("--%s %s: it must be ARRAY=@FILE.npy, for an array %s",
                      cli_options[r->to].name, all[i],
                      r->to == OPT_SAVE ? "of the kernel" : "of floats of the kernel");
            r->status = CLI_USAGE;
            return false;
        }
    return true;
}

static int write_leaf(atomic_file *f, arena *a, const launch_leaf *leaf)
{
    const array_view *v = leaf->view;
    const npy form = launch_form(leaf->type);
    npy whole = {.kind = form.kind, .width = form.width};
    for (; whole.ndim < v->ndim; whole.ndim++)
        whole.shape[whole.ndim] = v->shape[whole.ndim];
    for (int i = 0; i < form.ndim; i++)
        whole.shape[whole.ndim++] = form.shape[i];
    strbuf header;
    sb_init(&header, a->m);
    npy_write_header(&header, &whole);
    atomic_file_write(f, sb_view(&header));
    sb_clear(&header);
    return atomic_file_write(f, launch_leaf_items(leaf, a));
}

typedef struct save_job {
    const run_args *const *sets;
    uint32_t nsets;
    arena *a;
    atomic_file *files; /* the n that are open */
    uint32_t n;
    int status;
} save_job;

/* Tells what became of a file; false: it could not be written. */
static bool written(save_job *job, const atomic_file *f)
{
    if (!f->error)
        return true;
    cli_error("cannot write '%s': %s", f->path, error_text(f->error));
    job->status = CLI_IO;
    return false;
}

static bool write_set(save_job *job, const run_args *r)
{
    uint32_t n;
    const char *const *all = cli_all(r->args, r->to, &n);
    for (uint32_t i = 0; i < n; i++) {
        atomic_file *f = &job->files[job->n];
        if (!atomic_file_open(f, job->a, strchr(all[i], '=') + 2)) {
            job->n++;
            write_leaf(f, job->a, saved_leaf(r, all[i]));
        }
        if (!written(job, f))
            return false;
    }
    return true;
}

static void save_all(void *arg)
{
    save_job *job = arg;
    job->files = ARENA_ARRAY(job->a, atomic_file, job->sets[0]->args->ngiven + 1);
    for (uint32_t i = 0; i < job->nsets; i++)
        if (!write_set(job, job->sets[i]))
            return;
    for (uint32_t i = 0; i < job->n; i++) {
        atomic_file_commit(&job->files[i], true);
        if (!written(job, &job->files[i]))
            return;
    }
}

int run_args_save(const run_args *const *sets, uint32_t n)
{
    mem *m = &sets[0]->c->mem;
    save_job job = {.sets = sets, .nsets = n, .a = &sets[0]->c->module};
    const bool enough = mem_try(m, save_all, &job);
    for (uint32_t i = 0; i < job.n; i++)
        atomic_file_discard(&job.files[i]);
    if (!enough)
        mem_fail(m);
    return job.status;
}

bool run_saves_differ(const cli_args *args)
{
    for (uint32_t i = 0; i < args->ngiven; i++)
        for (uint32_t j = 0; j < i; j++) {
            const cli_given *a = &args->given[i], *b = &args->given[j];
            const char *at = strchr(a->value, '='), *other = strchr(b->value, '=');
            const bool both = (a->id == OPT_SAVE || a->id == OPT_SAVE_GRAD) &&
                              (b->id == OPT_SAVE || b->id == OPT_SAVE_GRAD);
            if (both && at && other && strcmp(at, other) == 0) {
                cli_usage_error(args, "two arrays cannot be saved in one file, '%s'", at + 1);
                return false;
            }
        }
    return true;
}

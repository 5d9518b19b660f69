/* What `weft run` writes: every file whole and all of them, or none. */
#include "cli/cli_output.h"
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

static void write_leaf(output *o, const launch_leaf *leaf, arena *a)
{
    const array_view *v = leaf->view;
    const npy form = launch_form(leaf->type);
    npy whole = {.kind = form.kind, .width = form.width};
    for (; whole.ndim < v->ndim; whole.ndim++)
        whole.shape[whole.ndim] = v->shape[whole.ndim];
    for (int i = 0; i < form.ndim; i++)
        whole.shape[whole.ndim++] = form.shape[i];
    npy_write_header(&o->text, &whole);
    output_write(o, launch_leaf_items(leaf, a));
}

/* One array on its way to its file. */
typedef struct saved {
    const char *path;
    const launch_leaf *leaf;
    bool is_file; /* it is none that is written into */
    output out;
} saved;

typedef struct save_job {
    const run_args *const *sets;
    uint32_t nsets;
    arena *a;
    saved *files; /* the n that are open */
    uint32_t n;
    int status;
} save_job;

/* Says what became of a file; false: it could not be written. */
static bool is_good(save_job *job, const saved *f)
{
    const int error = f->out.error == OUTPUT_CLOSED ? 0 : f->out.error;
    job->status = cli_output_failed(f->path, error);
    return !error;
}

static bool open_set(save_job *job, const run_args *r)
{
    uint32_t n;
    const char *const *all = cli_all(r->args, r->to, &n);
    for (uint32_t i = 0; i < n; i++) {
        saved *f = &job->files[job->n++];
        f->path = strchr(all[i], '=') + 2;
        f->leaf = saved_leaf(r, all[i]);
        output_open(&f->out, job->a, f->path, r->c->files);
        f->out.durable = true;
        f->is_file = f->out.has_file;
        if (!is_good(job, f))
            return false;
    }
    return true;
}

/* Closes what was opened as a file, or what was not. */
static bool close_all(save_job *job, bool files)
{
    for (uint32_t i = 0; i < job->n; i++) {
        saved *f = &job->files[i];
        if (f->is_file != files)
            continue;
        if (!files)
            write_leaf(&f->out, f->leaf, job->a);
        output_close(&f->out, true);
        if (!is_good(job, f))
            return false;
    }
    return true;
}

/* Files are complete before the first of them gets its name. Devices and pipes get theirs last, one
 * after the other: whoever reads one pipe may not have opened the next. */
static void save_all(void *arg)
{
    save_job *job = arg;
    job->files = ARENA_ARRAY(job->a, saved, job->sets[0]->args->ngiven + 1);
    for (uint32_t i = 0; i < job->nsets; i++)
        if (!open_set(job, job->sets[i]))
            return;
    for (uint32_t i = 0; i < job->n; i++) {
        saved *f = &job->files[i];
        if (f->is_file)
            write_leaf(&f->out, f->leaf, job->a);
        if (!is_good(job, f))
            return;
    }
    if (close_all(job, true))
        close_all(job, false);
}

int run_args_save(const run_args *const *sets, uint32_t n)
{
    mem *m = &sets[0]->c->mem;
    save_job job = {.sets = sets, .nsets = n, .a = &sets[0]->c->module};
    const bool enough = mem_try(m, save_all, &job);
    for (uint32_t i = 0; i < job.n; i++)
        output_close(&job.files[i].out, false);
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

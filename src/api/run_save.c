/* SPDX-License-Identifier: Apache-2.0 */
/* The .npy files that a run writes: every file whole, and all of them or none.
 *
 *     {"y", "y.npy"}   ->   y.npy, written under a temporary name and renamed
 *
 * output_open (base/output.h) decides for each path whether it may be written: not over the
 * program, what it imports or an input array, not twice to one place. Devices and pipes cannot be
 * taken back, so they are written after all files have their names. */
#include <errno.h>

#include "api/run_request.h"
#include "base/decimal.h"
#include "base/output.h"

/* The array, or the column of an array of structs, that a kernel has by this name; or NULL. */
static const launch_leaf *find_leaf(const run_set *s, const char *name)
{
    for (uint32_t i = 0; i < s->values.leaves.n; i++)
        if (strcmp(s->values.leaves.v[i].path, name) == 0)
            return &s->values.leaves.v[i];
    return NULL;
}

/* Is the array below this name? "balls.box.lo" is below "balls" and "balls.box". */
static bool is_below(const launch_leaf *leaf, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(leaf->path, name, n) == 0 && leaf->path[n] == '.';
}

/* The type that a parameter or field has by its path; NULL: there is none.
 *
 *     "balls"        array(ndim=1, dtype=Ball)     "balls.box.lo"   vec3f */
static const type *find_type(const run_set *s, const kernel *k, const char *path)
{
    const interner *names = &s->r->c->p.c.syms;
    size_t n = strcspn(path, ".");
    const sym *name = sym_find(names, path, n);
    const type *t = NULL;
    for (uint32_t i = 0; i < k->code.nparams; i++)
        if (k->code.params[i].name == name)
            t = k->code.params[i].type;
    while (t && path[n]) {
        const type *outer = t->kind == TYPE_ARRAY ? t->elem : t;
        path += n + 1;
        n = strcspn(path, ".");
        if (outer->kind != TYPE_STRUCT)
            return NULL;
        const uint32_t i = struct_find_field(outer->st, sym_find(names, path, n));
        t = i < outer->st->nfields ? outer->st->fields[i].type : NULL;
    }
    return t;
}

/* "s.k, s.v": the arrays of a set that can be saved, or those of them below a name. */
static const char *list_leaves(const run_set *s, const char *name)
{
    ctx *c = &s->r->c->p.c;
    const char *list = "";
    for (uint32_t i = 0; i < s->values.leaves.n; i++) {
        const launch_leaf *leaf = &s->values.leaves.v[i];
        if (is_below(leaf, name))
            list = arena_printf(&c->module, "%s%s%s", list, *list ? ", " : "", leaf->path);
    }
    return list;
}

/* Why nothing can be saved by this name, as the end of a sentence. */
static const char *why_not(const run_set *s, const kernel *k, const char *name)
{
    ctx *c = &s->r->c->p.c;
    const type *t = find_type(s, k, name);
    const char *fields = list_leaves(s, name), *floats = s->adjoint ? " of floats" : "";
    if (!t)
        return arena_printf(&c->module, "the kernel has no such array%s", floats);
    if (*fields)
        return arena_printf(&c->module, "it is %s: save its fields one by one, as %s",
                            t->kind == TYPE_ARRAY ? "an array of structs" : "a struct", fields);
    if (s->adjoint)
        return arena_printf(&c->module, "it is %s, no array%s", launch_type_name(c, t), floats);
    return arena_printf(&c->module, "it is %s, and a kernel changes arrays only",
                        t->kind == TYPE_STRUCT ? "a struct without arrays"
                                               : launch_type_name(c, t));
}

/* For a name that the kernel does not have: the result's parameters become its arrays. */
static void list_arrays(run_request *r, const run_set *s)
{
    const uint32_t n = s->values.leaves.n;
    weft_parameter *all = ARENA_ARRAY(&r->c->p.c.module, weft_parameter, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const launch_leaf *leaf = &s->values.leaves.v[i];
        all[i] = (weft_parameter){.name = leaf->path,
                                  .type = launch_type_name(&r->c->p.c, leaf->type),
                                  .example = "",
                                  .given = 1};
    }
    r->result.parameters = all;
    r->result.parameter_count = n;
}

/* Before the run, so that a wrong name is found before a long kernel is executed. */
bool run_saves_check(run_request *r, const kernel *k, bool gradients)
{
    const run_set *set = &r->set[gradients];
    for (size_t i = 0; i < r->o.save_count; i++) {
        const weft_save *s = &r->saves[i];
        if ((s->gradient != 0) != gradients || find_leaf(set, s->name) ||
            (s->text && *list_leaves(set, s->name)))
            continue;
        r->result.index = i;
        r->result.gradient = gradients;
        if (!find_type(set, k, s->name))
            list_arrays(r, set);
        return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_SAVE, "cannot %s '%s': %s",
                          s->text ? "print" : "save", s->name, why_not(set, k, s->name));
    }
    return true;
}

/* "true", "3", "0.1" */
static void put_number(strbuf *b, const type *scalar, const uint8_t *at)
{
    const num x = num_load(scalar->kind, at);
    if (scalar->kind == TYPE_BOOL)
        sb_c(b, x.i ? "true" : "false");
    else if (scalar->kind == TYPE_UINT64)
        sb_printf(b, "%llu", (unsigned long long)x.i);
    else if (!type_is_float(scalar))
        sb_printf(b, "%lld", (long long)x.i);
    else
        (scalar->kind == TYPE_FLOAT64 ? sb_float : sb_float32)(b, x.f);
}

/* Rows in brackets, as NumPy prints them; those of the last dimension stay in one line, and others
 * are indented to stand below the first. */
static void put_rows(strbuf *b, const npy *a, const type *scalar, int dim, size_t indent,
                     const uint8_t **at)
{
    if (dim == a->ndim) {
        put_number(b, scalar, *at);
        *at += a->width;
        return;
    }
    SB_LIT(b, "[");
    for (int64_t i = 0; i < a->shape[dim]; i++) {
        if (i && dim + 1 == a->ndim) {
            SB_LIT(b, ", ");
        } else if (i) {
            SB_LIT(b, ",\n");
            sb_repeat(b, ' ', indent + (size_t)dim + 1);
        }
        put_rows(b, a, scalar, dim + 1, indent, at);
    }
    SB_LIT(b, "]");
}

/* The header has the shape of the array and then that of an item: (64, 3) for 64 vec3. */
static npy header_of(const launch_leaf *leaf)
{
    const array_view *v = leaf->view;
    const npy form = launch_form(leaf->type);
    WEFT_ASSERT(v->ndim + form.ndim <= NPY_DIMS);
    npy whole = {.kind = form.kind, .width = form.width};
    for (; whole.ndim < v->ndim; whole.ndim++)
        whole.shape[whole.ndim] = v->shape[whole.ndim];
    for (int i = 0; i < form.ndim; i++)
        whole.shape[whole.ndim++] = form.shape[i];
    return whole;
}

/* "x = [[1.0, 2.0],\n     [3.0, 4.0]]"; an array without items is "[]". */
static void write_text(output *o, const launch_leaf *leaf, arena *a)
{
    const str items = launch_leaf_items(leaf, a);
    const uint8_t *at = (const uint8_t *)items.p;
    const npy whole = header_of(leaf);
    sb_printf(&o->text, "%s = ", leaf->path);
    if (items.n)
        put_rows(&o->text, &whole, type_scalar_of(leaf->type), 0, strlen(leaf->path) + 3, &at);
    else
        SB_LIT(&o->text, "[]");
    WEFT_ASSERT(!items.n || at == (const uint8_t *)items.p + items.n);
    SB_LIT(&o->text, "\n");
}

/* An array as a file, or as text; of a struct or an array of structs, all arrays below it as text.
 *
 *     y: array(vec3), 64 items    ->   a header with shape (64, 3) and '<f4', then 768 bytes
 *     text of "balls"             ->   "balls.mass = [1.0, 2.0]\nballs.label = [4, 4]\n" */
static void write_save(output *o, const weft_save *save, const run_set *s, arena *a)
{
    const launch_leaf *leaf = find_leaf(s, save->name);
    WEFT_ASSERT(leaf || save->text); /* run_saves_check */
    if (!save->text) {
        const npy whole = header_of(leaf);
        npy_write_header(&o->text, &whole);
        output_write(o, launch_leaf_items(leaf, a));
        return;
    }
    for (uint32_t i = 0; i < s->values.leaves.n; i++) {
        const launch_leaf *each = &s->values.leaves.v[i];
        if (each == leaf || (!leaf && is_below(each, save->name)))
            write_text(o, each, a);
    }
}

/* One array on its way to its file. */
typedef struct saved {
    const char *path;
    const weft_save *save;
    const run_set *set; /* that has its arrays */
    bool is_file;       /* else a device or a pipe, which is written into */
    output out;
} saved;

/* All saves of a run, for mem_try. */
typedef struct save_job {
    run_request *r;
    arena *a;
    saved *files; /* the n that are open */
    size_t n;
} save_job;

/* False: the file cannot be written, which ends the request. A reader that went away is no failure.
 *
 *     OUTPUT_IS_INPUT, OUTPUT_IS_TAKEN   ->   WEFT_BAD_ARGUMENT: another path would do
 *     any other error                    ->   WEFT_IO_ERROR */
static bool is_good(save_job *job, const saved *f)
{
    const int error = f->out.error;
    if (!error || error == OUTPUT_CLOSED)
        return true;
    const bool refused = error == OUTPUT_IS_INPUT || error == OUTPUT_IS_TAKEN;
    const bool is_file = strcmp(f->path, "-") != 0;
    return run_refuse(job->r, refused ? WEFT_BAD_ARGUMENT : WEFT_IO_ERROR, WEFT_FAULT_OUTPUT,
                      is_file ? "cannot write '%s': %s" : "cannot write %s: %s",
                      is_file ? f->path : "standard output", output_error_text(error));
}

/* All files are open before the first is written: a path that may not be written costs nothing. */
static bool open_all(save_job *job)
{
    const run_request *r = job->r;
    for (size_t i = 0; i < r->o.save_count; i++) {
        const weft_save *s = &r->saves[i];
        saved *f = &job->files[job->n++];
        WEFT_ASSERT(job->n <= r->o.save_count);
        f->path = s->path;
        f->save = s;
        f->set = &r->set[s->gradient != 0];
        output_open(&f->out, job->a, f->path, r->c->p.c.files);
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
    for (size_t i = 0; i < job->n; i++) {
        saved *f = &job->files[i];
        if (f->is_file != files)
            continue;
        if (!files)
            write_save(&f->out, f->save, f->set, job->a);
        output_close(&f->out, true);
        if (!is_good(job, f))
            return false;
    }
    return true;
}

/* Files are complete before the first of them gets its name. Devices and pipes get theirs last, one
 * after the other: whoever reads one pipe may not have opened the next.
 *
 *     open all, write all files, rename all files, then write the devices and pipes
 *     a failure at any step before the renaming leaves nothing behind */
static void save_all(void *arg)
{
    save_job *job = arg;
    job->files = ARENA_ARRAY(job->a, saved, job->r->o.save_count + 1);
    if (!open_all(job))
        return;
    for (size_t i = 0; i < job->n; i++) {
        saved *f = &job->files[i];
        if (f->is_file)
            write_save(&f->out, f->save, f->set, job->a);
        if (!is_good(job, f))
            return;
    }
    if (close_all(job, true))
        close_all(job, false);
}

/* A guard of its own: files that are half written are removed even if memory runs out. */
bool run_saves_write(run_request *r)
{
    mem *m = &r->c->p.c.mem;
    save_job job = {.r = r, .a = &r->c->p.c.module};
    const bool enough = mem_try(m, save_all, &job);
    for (size_t i = 0; i < job.n; i++)
        output_close(&job.files[i].out, false);
    if (!enough)
        mem_fail(m);
    return r->status == WEFT_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Errors about what has no standalone form, in the words of the Python source: what a builtin
 * belongs to, and what it is called there. The line is that of the statement in work.
 *
 *     wp.hash_grid_query(grid, ...)   ->
 *     k.py:7:5: error: wp.hash_grid_query (hash grids) has no standalone CUDA form [no-standalone]
 *
 *     for j in q, of a query          ->
 *     k.py:7:5: error: a loop over something else than range() has no standalone CUDA form
 *
 * One error for each kernel: it makes the whole text impossible, and reading goes on with zeroes
 * only to end in order. */
#include "cuda/cuda_unsupported.h"

#include "cuda/cuda_string.h"

/* Builtins whose names begin so need memory that Warp's host makes. The name is
 * the rule: Warp's tables know no families, and list far more builtins than these six. */
static const struct {
    const char *start, *what;
} families[] = {
    {"tile_", "tiles"},  {"untile", "tiles"},          {"bvh_", "bounding volume hierarchies"},
    {"mesh_", "meshes"}, {"hash_grid_", "hash grids"}, {"volume_", "volumes"},
};

/* Native names that Python does not have. */
static const struct {
    const char *native, *what;
} others[] = {
    {"slice_t", "a slice whose bounds are not constant"},
    {"extract", "this subscript"},
    {"assign_inplace", "this assignment to a part"},
    {"assign_copy", "this assignment to a part"},
    {"add_inplace", "this assignment to a part"},
    {"sub_inplace", "this assignment to a part"},
    {"assign", "this assignment"},
    {"unot", "'not' of this value"},
    {"iter_reverse", "reversed()"},
    {"range", "range() as a value"},
    {"array_t", "an array made in a kernel"},
    {"fixedarray_t", "an array made in a kernel"},
};

/* The whole line without its indent: operands have no columns of their own here. Without a source
 * or a line the span is empty. */
static span line_span(const source *src, uint32_t line)
{
    span at = {src, line, 0, line, 0};
    if (!src || !src->lines || !line || line > src->nlines)
        return at;
    const char *p = src->text.p + src->lines[line - 1], *end = src->text.p + src->text.n;
    while (p + at.col < end && (p[at.col] == ' ' || p[at.col] == '\t'))
        at.col++;
    at.end_col = at.col;
    while (p + at.end_col < end && p[at.end_col] != '\n' && p[at.end_col] != '\r')
        at.end_col++;
    return at;
}

/* The line of an adjoint statement comes from the list it is read from; any other from the node in
 * work, or the function's head. */
void cuda_unsupported_str(cuda_fn *f, str what)
{
    if (f->job->failed)
        return;
    f->job->failed = true;
    const code *from = f->u->code;
    const uint32_t line = f->job->adj_line ? f->job->adj_line
                          : f->job->line   ? f->job->line
                                           : from->def->base.line;
    diag_error(f->c, line_span(from->src, line), DIAG_NO_STANDALONE, (int)what.n, what.p);
}

void cuda_unsupported(cuda_fn *f, const char *what)
{
    cuda_unsupported_str(f, str_c(what));
}

/* Is it a builtin of meshes, tiles and the like? */
bool cuda_is_unsupported(str name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (str_starts(name, families[i].start))
            return true;
    return false;
}

/* "wp.tile_load (tiles)", "this subscript", "wp.lower_bound". */
static str described(cuda_fn *f, str name)
{
    WEFT_ASSERT(name.n);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (str_starts(name, families[i].start))
            return cuda_sprintf(f, "wp.%.*s (%s)", (int)name.n, name.p, families[i].what);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_eq(name, str_c(others[i].native)))
            return str_c(others[i].what);
    return cuda_sprintf(f, "wp.%.*s", (int)name.n, name.p);
}

void cuda_unsupported_call(cuda_fn *f, str name, bool gradient)
{
    const str what = described(f, name);
    cuda_unsupported_str(f, gradient ? cuda_sprintf(f, "the gradient of %.*s", (int)what.n, what.p)
                                     : what);
}

void cuda_unsupported_type(cuda_fn *f, const type *t)
{
    cuda_unsupported_str(f, cuda_sprintf(f, "a value of type %.*s", (int)t->pyname.n, t->pyname.p));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the structure of kernels from their source, for records that do not state it (weft dedup,
 * weft split). The source is parsed, no more: it need not compile.
 *
 *     {"python_source": "import warp as wp\n@wp.kernel\ndef k(...): ..."}
 *     {"messages": [..., {"content": "... ```python\nimport warp as wp\n..."}]}
 *
 * Both kinds give the structure of k. The sources may come from anybody, so the memory for one is
 * limited, and running out of it is reported, not fatal. */
#include "similar/source_structure.h"

#include "base/json_peek.h"
#include "syntax/parser.h"

enum { MEMORY_LIMIT = 512 << 20 };

/* Parses a source; false: it is no Python. The module's memory, the tree of the previous source
 * with it, is used again. A source without kernels is read, but f->good is false. */
static bool read(void *arg, str text)
{
    structure_finder *f = arg;
    pipeline_reset(&f->p);
    source *src = ARENA_NEW(&f->p.c.module, source);
    src->path = "source.py";
    src->text = text;
    src->decoded = true;
    const ast_Module *tree = parse_snippet(&f->p.c, src);
    if (tree)
        f->good = structure_of_all(f->structurer, tree, &f->found, NULL, 0) > 0;
    return tree != NULL;
}

/* json_python reports what it cannot read; here that is not an error. */
static void pass_over(void *arg, const char *why)
{
    (void)arg;
    (void)why;
}

static void make_structurer(void *arg)
{
    structure_finder *f = arg;
    f->structurer = structurer_new(&f->p.c);
    f->json = (json_python){.read = read, .unread = pass_over, .arg = f};
    sb_init(&f->json.text, &f->p.c.mem);
}

/* Makes the pipeline at the first call: most data sets state structures, and need none. False:
 * memory ran out. */
static bool prepare(structure_finder *f)
{
    const pipeline_options options = {.devices = EMIT_FOR_CPU, .memory_limit = MEMORY_LIMIT};
    if (f->ready)
        return true;
    if (!pipeline_init(&f->p, &options) || !mem_try(&f->p.c.mem, make_structurer, f)) {
        pipeline_clear(&f->p);
        return false;
    }
    return f->ready = true;
}

static void find(void *arg)
{
    structure_finder *f = arg;
    read(f, f->text);
}

/* With python_source, no other string is looked at: a repair pair also has broken_source. Without,
 * every source that is found overwrites the previous one, so the last one counts. */
static void find_in_record(void *arg)
{
    structure_finder *f = arg;
    str raw;
    f->json.text.n = 0;
    if (json_peek(f->text, "python_source", &raw) && json_peek_string(raw, &f->json.text))
        read(f, sb_view(&f->json.text));
    else
        json_python_each(&f->json, f->text);
}

/* False only where memory ran out; a text without kernels gives *found = false. `how`
 * runs under mem_try, which catches a failed allocation. */
static bool run(structure_finder *f, str text, void (*how)(void *), bool *found, structure *out)
{
    if (!prepare(f))
        return false;
    f->text = text;
    f->good = false;
    if (!mem_try(&f->p.c.mem, how, f))
        return false;
    *found = f->good;
    *out = f->found;
    WEFT_ASSERT(!f->good || out->ntokens);
    return true;
}

bool structure_find(structure_finder *f, str text, bool *found, structure *out)
{
    return run(f, text, find, found, out);
}

bool structure_find_record(structure_finder *f, str record, bool *found, structure *out)
{
    return run(f, record, find_in_record, found, out);
}

void structure_finder_clear(structure_finder *f)
{
    if (f->ready)
        pipeline_clear(&f->p);
    f->ready = false;
}

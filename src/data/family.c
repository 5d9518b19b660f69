/* A source is parsed for its family, no more: it need not compile. */
#include "data/family.h"

#include "syntax/parser.h"

enum { MEMORY_LIMIT = 512 << 20 };

static void make_structurer(void *arg)
{
    family_finder *f = arg;
    f->structurer = structurer_new(&f->p.c);
}

static bool prepare(family_finder *f)
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
    family_finder *f = arg;
    pipeline_reset(&f->p);
    source *src = ARENA_NEW(&f->p.c.module, source);
    src->path = "source.py";
    src->text = f->source;
    const ast_Module *tree = parse_module(&f->p.c, src);
    f->good = tree && structure_of(f->structurer, tree, &f->found);
}

bool family_find(family_finder *f, str text, bool *found, char hex[FINGERPRINT_HEX])
{
    if (!prepare(f))
        return false;
    f->source = text;
    f->good = false;
    if (!mem_try(&f->p.c.mem, find, f))
        return false;
    if ((*found = f->good))
        fingerprint_hex(f->found.family, hex);
    return true;
}

void family_clear(family_finder *f)
{
    if (f->ready)
        pipeline_clear(&f->p);
    f->ready = false;
}

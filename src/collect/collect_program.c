/* SPDX-License-Identifier: Apache-2.0 */
/* Found kernels as programs of their own; see collect_program.h. A program that has nothing to
 * compare with is one, too: it says so when it runs, and metadata.json has the reason. */
#include "collect/collect_program.h"

#include <errno.h>

#include "base/file.h"
#include "base/json_peek.h"
#include "record/bundle.h"
#include "standalone/standalone.h"

/* Files are named after the kernel, which the Makefile makes: it has these targets of its own. */
static bool is_target(str name)
{
    static const char *const targets[] = {"all", "cpu", "run", "clean", "Makefile"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (str_eq(name, str_c(targets[i])))
            return true;
    return false;
}

/* False: the first diagnostic says why. */
static bool make(pipeline *p, const program_subject *s, standalone_program *out)
{
    strbuf whole;
    sb_init(&whole, &p->c.mem);
    emit_whole_forward(&whole, &s->compiled->text[EMIT_CUDA]);
    const standalone_subject subject = {
        .program = s->program,
        .kernel = s->compiled->kernel,
        .ir = s->compiled->ir,
        .backward = s->texts->backward[EMIT_CUDA],
        .forward = sb_view(&whole),
        .mutated = s->texts->forward[EMIT_CUDA],
        .differs = s->counts->proof ? s->counts->proof->class : NULL,
        .file = str_c(bundle_file_name(&p->c.module, s->sample->kernel, BUNDLE_PYTHON)),
        .name = s->sample->kernel};
    const bool made = standalone_make(&p->c, &subject, out);
    sb_clear(&whole);
    return made;
}

const char *collect_put_program(pipeline *p, const record_options *o, const program_subject *s,
                                strbuf *line)
{
    ctx *c = &p->c;
    standalone_program made;
    bundle files;
    strbuf text;
    if (is_target(s->sample->kernel))
        return "its name is a target of every program's Makefile";
    const uint32_t before = c->diags.n; /* the last one is the error, behind warnings */
    if (!make(p, s, &made))
        return c->diags.n > before ? c->diags.v[c->diags.n - 1].text
                                   : "it has no form without Warp";
    sb_init(&text, &c->mem);
    record_put_program(&text, o, s->index, s->sample, &made, s->counts);
    const bool whole = bundle_split(&c->module, sb_view(&text), &files);
    if (whole)
        bundle_put_line(line, &files);
    sb_clear(&text);
    return whole ? NULL : "its program has no form in a record";
}

/* Does it name a file in a folder, and nothing else? A journal may have been changed. */
static bool is_plain(str name)
{
    bool plain = name.n > 0 && name.p[0] != '.';
    for (size_t i = 0; i < name.n; i++)
        plain &= (unsigned char)name.p[i] > ' ' && !strchr("/\\:\"", name.p[i]);
    return plain;
}

/* "0-12_loop", below the folder; NULL: the line has no id and category. */
static const char *place_of(arena *a, const char *folder, str line)
{
    str id, category;
    if (!json_peek(line, "id", &id) || !json_peek(line, "metadata.category", &category) ||
        id.n < 2 || category.n < 2)
        return NULL;
    id = (str){id.p + 1, id.n - 2};
    category = (str){category.p + 1, category.n - 2};
    if (!is_plain(id) || !is_plain(category))
        return NULL;
    return arena_printf(a, "%s/%.*s_%.*s", folder, (int)id.n, id.p, (int)category.n, category.p);
}

int collect_save_program(arena *a, const char *folder, str line, const char **at)
{
    bundle files;
    const char *place = place_of(a, folder, line);
    *at = folder;
    return place && bundle_of_line(a, line, &files) ? bundle_store(a, place, &files, at) : EILSEQ;
}

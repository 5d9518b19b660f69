/* SPDX-License-Identifier: Apache-2.0 */
/* Recording of diagnostics: one row of diag.def for each id, and the list in the context. Example:
 *
 *     diag_error(c, at, DIAG_BAD_NUMBER, "binary (digit '2')")
 *
 * records the text "invalid binary (digit '2') literal" at `at`, once, however often it is called.
 * A row DIAG_HINT has arguments in its hint, too; both are formatted as one text, with a line feed
 * between them. */
#include "base/diag.h"

#include <stdarg.h>

#include "base/assert.h"
#include "base/ctx.h"
#include "base/format.h"

/* diag.def as a table, indexed by diag_id. `format` is what is formatted: the sentence, and the
 * hint if it has arguments. */
static const struct {
    const char *name, *sentence, *hint, *format;
    bool has_hint_arguments;
} rows[] = {
#define DIAG(id, name, text, hint)      {name, text, hint, text, false},
#define DIAG_HINT(id, name, text, hint) {name, text, hint, text "\n" hint, true},
#include "base/diag.def"
#undef DIAG
};

const char *diag_name(diag_id id)
{
    WEFT_ASSERT(id < DIAG_COUNT);
    return rows[id].name;
}

const char *diag_sentence(diag_id id)
{
    WEFT_ASSERT(id < DIAG_COUNT);
    return rows[id].sentence;
}

const char *diag_hint(diag_id id)
{
    WEFT_ASSERT(id < DIAG_COUNT);
    return rows[id].hint;
}

/* Several paths may find the same fault; the user sees it once, as an error if one path says so.
 * The list has at most DIAG_MAX entries, so a scan is enough. */
static bool is_known(ctx *c, span at, diag_id id, bool is_warning)
{
    for (uint32_t i = 0; i < c->diags.n; i++) {
        diag *d = &c->diags.v[i];
        if (d->id == id && d->at.src == at.src && d->at.line == at.line && d->at.col == at.col) {
            d->is_warning &= is_warning;
            return true;
        }
    }
    return false;
}

/* The row's hint or, if that has arguments, what stands after the line feed of the finished text,
 * which ends there. NULL: there is none, it is empty, or a long name left no room for it. */
static const char *take_hint(char *text, diag_id id)
{
    if (!rows[id].has_hint_arguments)
        return rows[id].hint;
    char *end = strchr(text, '\n');
    if (!end)
        return NULL;
    *end = 0;
    return end[1] ? end + 1 : NULL;
}

/* A message longer than the buffer is cut: a name of the user's may be of any length. */
static void record(ctx *c, span at, diag_id id, bool is_warning, va_list ap)
{
    WEFT_ASSERT(id < DIAG_COUNT);
    if (c->diags.n >= DIAG_MAX || is_known(c, at, id, is_warning))
        return;
    char buf[1024];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const size_t n = format_text_v(buf, sizeof buf, rows[id].format, ap);
#pragma GCC diagnostic pop
    char *text = arena_dup(&c->module, buf, n < sizeof buf ? n : sizeof buf - 1);
    const diag d = {id, at, text, take_hint(text, id), is_warning};
    VEC_PUSH(&c->module, &c->diags, d);
}

bool diag_error(struct ctx *c, span at, diag_id id, ...)
{
    va_list ap;
    va_start(ap, id);
    record(c, at, id, false, ap);
    va_end(ap);
    return false;
}

bool diag_warning(struct ctx *c, span at, diag_id id, ...)
{
    va_list ap;
    va_start(ap, id);
    record(c, at, id, true, ap);
    va_end(ap);
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The SARIF document of sarif.h, in the order of its schema: version, tool with the rules that were
 * broken, invocation, results. The results themselves are the library's (WEFT_DIAGNOSTIC_SARIF). */
#include "cli/sarif.h"

#include <string.h>

#include "base/assert.h"
#include "base/json.h"
#include "cli/cli_output.h"

void sarif_init(sarif *s, arena *a)
{
    *s = (sarif){.a = a};
    sb_init(&s->results, a->m);
    sb_init(&s->notes, a->m);
}

void sarif_clear(sarif *s)
{
    sb_clear(&s->results);
    sb_clear(&s->notes);
}

/* The id as the table has it, which lives as long as the program. */
static const char *id_in_table(const char *id)
{
    const weft_diagnostic_kind *kind;
    size_t i = 0;
    while ((kind = weft_diagnostic_kind_at(i)) && strcmp(kind->id, id) != 0)
        i++;
    WEFT_ASSERT(kind != NULL);
    return kind->id;
}

static void add_rule(sarif *s, const char *id)
{
    for (uint32_t i = 0; i < s->rules.n; i++)
        if (strcmp(s->rules.v[i], id) == 0)
            return;
    VEC_PUSH(s->a, &s->rules, id_in_table(id));
}

void sarif_add(sarif *s, weft_context *c, bool quiet)
{
    const size_t n = weft_diagnostic_count(c);
    for (size_t i = 0; i < n; i++) {
        const char *text;
        size_t size;
        const weft_diagnostic *d = weft_diagnostic_at(c, i);
        if (quiet && d->warning)
            continue;
        if (weft_diagnostic_text(c, i, WEFT_DIAGNOSTIC_SARIF, &text, &size) != WEFT_OK)
            return;
        sb_c(&s->results, s->results.n ? ",\n  " : "\n  ");
        sb_put(&s->results, text, size);
        add_rule(s, d->id);
    }
}

void sarif_note(sarif *s, const char *sentence)
{
    sb_c(&s->notes, s->notes.n ? ", " : "");
    SB_LIT(&s->notes, "{\"level\": \"error\", \"message\": {\"text\": ");
    json_string(&s->notes, str_c(sentence));
    SB_LIT(&s->notes, "}}");
}

static void put_rules(const sarif *s, strbuf *out)
{
    for (uint32_t i = 0; i < s->rules.n; i++) {
        const char *id = s->rules.v[i];
        sb_printf(out,
                  "%s{\"id\": \"%s\", \"help\": {\"text\": "
                  "\"weft explain %s: what it means, with a wrong and a right program\"}}",
                  i ? ", " : "", id, id);
    }
}

void sarif_put(const sarif *s, strbuf *out)
{
    SB_LIT(out, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", "
                "\"version\": \"2.1.0\", \"runs\": [{\"tool\": {\"driver\": {\"name\": \"weft\", "
                "\"version\": ");
    json_string(out, str_c(weft_version()));
    SB_LIT(out, ", \"rules\": [");
    put_rules(s, out);
    SB_LIT(out, "]}}, \"columnKind\": \"unicodeCodePoints\", \"invocations\": "
                "[{\"executionSuccessful\": ");
    sb_c(out, s->notes.n ? "false" : "true");
    SB_LIT(out, ", \"toolExecutionNotifications\": [");
    sb_str(out, sb_view(&s->notes));
    SB_LIT(out, "]}], \"results\": [");
    sb_str(out, sb_view(&s->results));
    sb_c(out, s->results.n ? "\n]}]}\n" : "]}]}\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a record: a line with its name and what was proven of it, and below, side by side, the
 * source with the standalone CUDA and the texts that Warp would make.
 *
 *     {"id": "7-000000014", "python_source": ..., "cuda_ir_forward": ..., "metadata": {...}}
 *
 *     ->  saxpy  arithmetic  forward proved  gradient exact           7-000000014
 *         Python                    CUDA, forward: proved | CUDA, backward: exact
 *         Standalone CUDA
 *
 * A record that has Warp's text and no program gets the standalone CUDA here, by compiling its
 * source. It may be anyone's: what it lacks is left out, and unknown texts are shown, too. */
#include "base/format.h"
#include "report/report_code.h"
#include "report/report_page.h"
#include "report/report_program.h"
#include "report/report_proof.h"

static str string_in(const json_value *object, const char *key)
{
    return json_text(json_get(object, key));
}

/* --- the summary ---------------------------------------------------------------------------- */

static void put_count(strbuf *b, const json_value *object, const char *key, const char *before,
                      const char *after)
{
    const json_value *v = json_get(object, key);
    if (json_is(v, JSON_TYPE_NUMBER))
        sb_printf(b, " <span class=\"fact\">%s%.0f%s%s</span>", before, json_number(v), after,
                  *after && json_number(v) != 1 ? "s" : "");
}

/* The line that stays visible when the record is closed: the kernel's name, or the id of a record
 * without one, and the facts that its metadata have. */
static void put_summary(strbuf *b, const json_value *json)
{
    const json_value *metadata = json_get(json, "metadata");
    const json_value *counts = json_get(metadata, "counts");
    const str name = string_in(metadata, "kernel_name"), id = string_in(json, "id");
    SB_LIT(b, "<summary><span class=\"kernel\">");
    html_text(b, name.n ? name : id);
    SB_LIT(b, "</span>");
    report_put_badge(b, "category", string_in(metadata, "category"));
    report_put_badge(b, "task", string_in(json, "task"));
    report_put_badge(b, "defect", string_in(json, "defect"));
    report_put_proof_badges(b, json_get(metadata, "verification"));
    put_count(b, metadata, "difficulty", "difficulty ", "");
    put_count(b, counts, "source_lines", "", " line");
    SB_LIT(b, " <span class=\"fact id\">");
    html_text(b, name.n ? id : (str){0});
    SB_LIT(b, "</span></summary>\n");
}

/* --- texts ---------------------------------------------------------------------------------- */

/* A box with a title, what it says of the text, or NULL, and highlighted text. The class `python`
 * makes the style show the numbers of lines. */
static void put_pane(report_page *p, const char *title, const char *says, str text,
                     code_language language)
{
    strbuf *b = p->b;
    SB_LIT(b, "<section class=\"pane\"><h4>");
    html_c(b, title);
    if (says) {
        SB_LIT(b, " <span class=\"says\">");
        html_c(b, says);
        SB_LIT(b, "</span>");
    }
    SB_LIT(b, "</h4><pre tabindex=\"0\" class=\"code");
    sb_c(b, language == CODE_PYTHON ? " python\"><code>" : "\"><code>");
    code_put(b, p->a, text, language);
    SB_LIT(b, "</code></pre></section>\n");
}

/* Whether a text is one of Warp's, and which. */
typedef enum pane_side { PANE_OTHER, PANE_FORWARD, PANE_BACKWARD } pane_side;

/* How a text of a record is shown: its key there, the title of its pane, its language. */
typedef struct pane_kind {
    const char *key, *title;
    code_language language;
    pane_side side;
} pane_kind;

/* The texts that stand beside the source. */
static const pane_kind kinds[] = {
    {"broken_source", "Python, broken", CODE_PYTHON, PANE_OTHER},
    {"diagnostic", "weft\xe2\x80\x99s diagnostic", CODE_PLAIN, PANE_OTHER},
    {"cuda_ir_forward", "CUDA, forward", CODE_CUDA, PANE_FORWARD},
    {"cuda_ir_backward", "CUDA, backward", CODE_CUDA, PANE_BACKWARD},
    {"cuda_source", "Standalone CUDA", CODE_CUDA, PANE_OTHER},
    {"makefile", "Makefile", CODE_PLAIN, PANE_OTHER},
    {"cpp_forward", "C++, forward", CODE_CUDA, PANE_FORWARD},
    {"cpp_backward", "C++, backward", CODE_CUDA, PANE_BACKWARD},
};

/* NULL: a key that weft's records do not have. */
static const pane_kind *kind_of(const char *key)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].key, key) == 0)
            return &kinds[i];
    return NULL;
}

/* Turns of a conversation (--style messages), each in a pane titled with its role. */
static void put_messages(report_page *p, const json_value *json)
{
    const json_value *list = json_get(json, "messages");
    if (!json_is(list, JSON_TYPE_ARRAY))
        return;
    for (const json_value *turn = list->child; turn; turn = turn->next) {
        const str role = string_in(turn, "role"), content = string_in(turn, "content");
        put_pane(p, role.n ? role.p : "turn", NULL, content, CODE_PLAIN);
    }
}

/* "compares 168 numbers": what a program does besides computing. */
static const char *put_compares(report_page *p, double numbers)
{
    return numbers < 1 ? "compares nothing"
                       : arena_printf(p->a, "compares %.0f number%s with weft\xe2\x80\x99s own",
                                      numbers, plural_s((uint64_t)numbers));
}

/* What the heading of a text adds. */
static const char *says_of(report_page *p, const pane_kind *kind, const json_value *json)
{
    const json_value *proof = json_get(json_get(json, "metadata"), "verification");
    const json_value *expected = json_get(json_get(json, "standalone"), "expected_values");
    if (kind && kind->side != PANE_OTHER)
        return report_proof_heading(proof, kind->side == PANE_BACKWARD);
    if (kind && strcmp(kind->key, "cuda_source") == 0 && json_is(expected, JSON_TYPE_NUMBER))
        return put_compares(p, json_number(expected));
    return NULL;
}

/* All texts of the record, those of unknown keys as well: it need not be weft's. */
static void put_texts(report_page *p, const json_value *json)
{
    static const char *const elsewhere[] = {"id", "python_source", "task", "defect"};
    for (const json_value *v = json->child; v; v = v->next) {
        if (!json_is(v, JSON_TYPE_STRING) || !*v->text.p || STR_IS_IN(v->key, elsewhere))
            continue;
        const pane_kind *kind = kind_of(v->key.p);
        put_pane(p, kind ? kind->title : v->key.p, says_of(p, kind, json), v->text,
                 kind                         ? kind->language
                 : strstr(v->key.p, "source") ? CODE_PYTHON
                                              : CODE_PLAIN);
    }
}

/* Has it one of Warp's texts, and no program of its own? */
static bool lacks_program(const json_value *json)
{
    return (string_in(json, "cuda_ir_forward").n || string_in(json, "cpp_forward").n) &&
           !string_in(json, "cuda_source").n;
}

/* The standalone CUDA that weft makes of the source, or why there is none. */
static void put_program(report_page *p, const json_value *json)
{
    report_program made;
    if (!report_program_make(p->programs, json, &made))
        mem_fail(p->a->m);
    if (made.cu.n) {
        put_pane(p, "Standalone CUDA", put_compares(p, made.expected), made.cu, CODE_CUDA);
        return;
    }
    SB_LIT(p->b, "<p class=\"note\">There is no standalone CUDA of it: ");
    html_text(p->b, made.why);
    SB_LIT(p->b, ".</p>\n");
}

/* The line was kept and not its tree, so it is parsed again. */
void report_put_record(report_page *p, str line, uint32_t number)
{
    size_t at;
    const char *wrong;
    strbuf *b = p->b;
    const arena_mark mark = arena_save(p->a);
    const json_value *json = json_parse(p->a, line, JSON_LINE, &wrong, &at);
    if (!json)
        return;
    const str python = string_in(json, "python_source");
    sb_printf(b, "<details class=\"sample\" id=\"record-%u\"%s>", number,
              number == 1 ? " open" : "");
    put_summary(b, json);
    report_put_evidence(b, json_get(json_get(json, "metadata"), "verification"));
    SB_LIT(b, "<div class=\"pair\"><div class=\"side\">");
    if (python.n)
        put_pane(p, "Python", NULL, python, CODE_PYTHON);
    put_messages(p, json);
    if (python.n && lacks_program(json))
        put_program(p, json);
    SB_LIT(b, "</div><div class=\"side texts\">");
    put_texts(p, json);
    SB_LIT(b, "</div></div></details>\n");
    arena_rewind(p->a, mark);
}

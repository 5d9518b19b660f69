/* SPDX-License-Identifier: Apache-2.0 */
/* The library's sentences in a kernel: as docstrings of functions, and as comments above what they
 * say.
 *
 *     "{k} times the extension beyond {rest}"   ->   # stiffness[e] times the extension beyond rest
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

enum { LINE = 88 }; /* columns of a comment */

/* --- filling in ------------------------------------------------------------------------------- */

/* `changed`[0] is `changed[0]`. Returns the length of the index. */
static size_t take_index(strbuf *out, str rest)
{
    const char *end = rest.n && rest.p[0] == '[' ? memchr(rest.p, ']', rest.n) : NULL;
    if (!end || !out->n || out->p[out->n - 1] != '`')
        return 0;
    const size_t n = (size_t)(end - rest.p) + 1;
    out->n--;
    sb_put(out, rest.p, n);
    sb_char(out, '`');
    return n;
}

/* "a articulation" is "an articulation"; a word with u may sound as "unit" does, and stays. */
static void put_thing(strbuf *out, str thing)
{
    const bool article = (out->n == 2 || (out->n > 2 && out->p[out->n - 3] == ' ')) &&
                         memcmp(out->p + out->n - 2, "a ", 2) == 0;
    if (article && thing.n && strchr("aeio", thing.p[0])) {
        out->n--;
        SB_LIT(out, "n ");
    }
    sb_str(out, thing);
}

void says_put(composer *c, strbuf *out, str says, says_name *put, void *arg)
{
    for (size_t i = 0; i < says.n; i++) {
        const char *end = says.p[i] == '{' ? memchr(says.p + i, '}', says.n - i) : NULL;
        if (!end) {
            sb_char(out, says.p[i]);
            continue;
        }
        const str word = {says.p + i + 1, (size_t)(end - says.p) - i - 1};
        str thing;
        if (library_thing(c->p.field, word, &thing))
            put_thing(out, thing);
        else
            put(arg, out, word);
        i = (size_t)(end - says.p);
        i += take_index(out, (str){says.p + i + 1, says.n - i - 1});
    }
}

/* --- comments --------------------------------------------------------------------------------- */

typedef struct code_names {
    composer *c;
    const subst *in; /* of a step's parameters; NULL: those of the frame */
    const plan_step *s;
} code_names;

/* "a * x + b" is no name to speak of, masses[i] is. */
static bool is_speakable(str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!ascii_is_letter(text.p[i]) && !ascii_is_digit(text.p[i]) && !strchr("_.[", text.p[i]))
            return text.p[i] == ']' && i + 1 == text.n;
    return true;
}

/* The parameter as the kernel has it. */
static void put_code_name(void *arg, strbuf *out, str word)
{
    const code_names *n = arg;
    if (!n->in) {
        for (uint32_t i = n->c->nsubsts; i > n->c->frame; i--)
            if (str_eq(sym_str(n->c->substs[i - 1].from), word)) {
                sb_str(out, n->c->substs[i - 1].text);
                return;
            }
        WEFT_ASSERT(false); /* library_read.c found it among the parameters */
    }
    for (uint32_t i = 0; i < n->s->f->nparams; i++) {
        if (!str_eq(sym_str(n->s->f->params[i].name), word))
            continue;
        sb_str(out, n->in[i].text);
        return;
    }
    WEFT_ASSERT(false);
}

/* Puts the words into lines that begin as the first does, which has `column` columns already. */
static void put_lines(composer *c, str text, const char *begin, size_t column)
{
    strbuf *b = &c->body;
    const size_t indent = 4 * (size_t)c->indent + strlen(begin);
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.p + at, ' ', text.n - at);
        const size_t n = end ? (size_t)(end - text.p) - at : text.n - at;
        if (at && column + 1 + n > LINE) {
            sb_char(b, '\n');
            line_begin(c);
            sb_c(b, begin);
            column = indent;
        } else if (at) {
            sb_char(b, ' ');
            column++;
        }
        sb_put(b, text.p + at, n);
        column += n;
        at += n + 1;
    }
}

/* Names stand in code without the quotes that prompts have. */
static void drop_quotes(strbuf *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        if (b->p[i] != '`')
            b->p[n++] = b->p[i];
    b->n = n;
}

/* Has the kernel a name for each parameter that the sentence speaks of? */
static bool is_sayable(const plan_step *s, const subst *in)
{
    bool all = true;
    for (uint32_t i = 0; i < s->f->nparams; i++)
        all &= is_speakable(in[i].text);
    return all;
}

void says_comment(composer *c, const plan_step *s, const subst *in)
{
    enum { OBVIOUS = 48 }; /* bytes of a sentence that says no more than the line below it */
    strbuf b;
    if (s->f->says.n < OBVIOUS || !is_sayable(s, in))
        return;
    sb_init(&b, c->m);
    says_put(c, &b, s->f->says, put_code_name, &(code_names){c, in, s});
    drop_quotes(&b);
    line_begin(c);
    SB_LIT(&c->body, "# ");
    put_lines(c, sb_view(&b), "# ", 4 * (size_t)c->indent + 2);
    sb_char(&c->body, '\n');
    sb_clear(&b);
}

/* Does the sentence begin with a name or a symbol, such as "d |d| for ...", which keeps its case?
 * "a sum" begins with a word. */
static bool begins_with_symbol(str says)
{
    if (says.n < 3 || !ascii_is_letter(says.p[0]))
        return true;
    const bool article = says.p[0] == 'a' && says.p[1] == ' ' && ascii_is_letter(says.p[2]) &&
                         says.n > 3 && ascii_is_letter(says.p[3]);
    return !ascii_is_letter(says.p[1]) && !article;
}

void says_docstring(composer *c, str says)
{
    strbuf b;
    sb_init(&b, c->m);
    says_put(c, &b, says, put_code_name, &(code_names){.c = c});
    sb_char(&b, '.');
    drop_quotes(&b);
    const str text = sb_view(&b);
    if (!begins_with_symbol(says))
        b.p[0] = ascii_upper(b.p[0]);
    line_begin(c);
    SB_LIT(&c->body, "\"\"\"");
    const bool fits = 4 * (size_t)c->indent + text.n + 6 <= LINE;
    put_lines(c, text, "", 4 * (size_t)c->indent + 3);
    if (!fits) {
        sb_char(&c->body, '\n');
        line_begin(c);
    }
    SB_LIT(&c->body, "\"\"\"\n");
    sb_clear(&b);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The library's sentences in a kernel: as docstrings of functions, and as comments above what they
 * say.
 *
 *     "{k} times the extension beyond {rest}"   ->   # stiffness[e] times the extension beyond rest
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

enum {
    LINE = 88,            /* columns of a comment */
    NAME_BEGINS = '\001', /* until all is there */
    NAME_ENDS = '\002'
};

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

static bool is_sum(str text)
{
    return str_contains(text, STR(" + ")) || str_contains(text, STR(" - "));
}

/* Are they one word but for a plural's s: "gradient" and "gradients"? */
static bool is_same_word(str a, str b)
{
    a.n -= a.n > 2 && a.p[a.n - 1] == 's';
    b.n -= b.n > 2 && b.p[b.n - 1] == 's';
    return a.n > 2 && str_eq(a, b);
}

/* "its gradient `gradients`" of prompts is "its gradients" where no quotes tell the two apart. */
static void put_once(strbuf *out, str name)
{
    const bool quoted = out->n && out->p[out->n - 1] == '`';
    const size_t end = out->n - quoted;
    size_t at = end - (end > 0);
    while (at && ascii_is_letter(out->p[at - 1]))
        at--;
    const bool same =
        end && out->p[end - 1] == ' ' && is_same_word((str){out->p + at, end - 1 - at}, name);
    if (same && !quoted && at >= 5 && memcmp(out->p + at - 5, "each ", 5) == 0) { /* "each point" */
        out->n--;
        return;
    }
    if (same) {
        out->n = at;
        sb_c(out, quoted ? "`" : "");
    }
    sb_char(out, NAME_BEGINS);
    sb_str(out, name);
    sb_char(out, NAME_ENDS);
}

/* What stands in the brackets that close before `end`. */
static str before_bracket(const strbuf *b, size_t end)
{
    size_t at = end - 1;
    for (int open = 1; at && open;) {
        at--;
        open += b->p[at] == ')' ? 1 : b->p[at] == '(' ? -1 : 0;
    }
    return (str){b->p + at + 1, end - 2 - at};
}

/* Is what stands in brackets a factor: a sum, or a product of vectors, as "d (m . d)" has it? */
static bool is_bracketed_factor(str inside)
{
    return is_sum(inside) || str_contains(inside, STR(" . ")) || str_contains(inside, STR(" x "));
}

/* "(a + b) " before a name is a factor, too. */
static bool ends_in_factor(const strbuf *b)
{
    if (b->n < 2 || b->p[b->n - 1] != ' ' || b->p[b->n - 2] != ')')
        return false;
    return is_bracketed_factor(before_bracket(b, b->n - 1));
}

/* "particles.mass" of particles[i].mass: what a docstring calls the parameter of a kernel; empty:
 * it is no member. */
static str member_of(composer *c, const sym *from)
{
    for (uint8_t i = 0; !c->frame && i < c->p.nargs; i++)
        if (c->p.args[i].template_name == from && c->p.args[i].member.n)
            return name_joined(c, c->p.args[i].name, ".", c->p.args[i].member);
    return STR("");
}

/* The text in the brackets that open at `at`. */
static str in_brackets(const strbuf *b, size_t at)
{
    size_t end = at + 1;
    for (int open = 1; end < b->n; end++) {
        open += b->p[end] == '(' ? 1 : b->p[end] == ')' ? -1 : 0;
        if (!open)
            break;
    }
    return (str){b->p + at + 1, end - at - 1};
}

/* Is it the rest of a product: the c of "ke c / 2", no "a" before a word, "exp(-x)", or
 * "(a + b)"? */
static bool is_factor(const strbuf *b, size_t at)
{
    if (at < b->n && b->p[at] == '(')
        return is_bracketed_factor(in_brackets(b, at));
    size_t word = at;
    while (word < b->n && ascii_is_letter(b->p[word]))
        word++;
    if (word == at + 1 && b->p[at] != 'a' && b->p[at] != 'x')
        return true;
    const char next = word < b->n ? b->p[word] : '.';
    const char after = word + 1 < b->n ? b->p[word + 1] : ' ';
    return word > at &&
           (next == '(' ||
            (word == at + 1 && (strchr(",.;)^", next) || (next == ' ' && strchr("/+-*", after)))));
}

/* Is what ends before `at` a symbol, a number, a power or a sum in brackets? The x of "a x (b + c)"
 * is the sign of a cross product. */
static bool is_symbol_before(const strbuf *b, size_t at)
{
    size_t begin = at;
    while (begin && (ascii_is_letter(b->p[begin - 1]) || ascii_is_digit(b->p[begin - 1])))
        begin--;
    if (begin > 1 && begin < at && b->p[begin - 1] == '.' && ascii_is_digit(b->p[begin - 2]))
        for (begin -= 2; begin && ascii_is_digit(b->p[begin - 1]);)
            begin--;                                /* 4.5 */
    if (begin == at && at && b->p[at - 1] == ')') { /* "(a call)" is none */
        const str inside = before_bracket(b, at);
        return is_sum(inside) || str_contains(inside, STR(" / ")) ||
               memchr(inside.p, '`', inside.n) || !memchr(inside.p, ' ', inside.n);
    }
    if (begin == at)
        return false;
    if (begin && !strchr(" (-^|", b->p[begin - 1]))
        return false;
    if (b->p[begin] == 'x' && begin > 1 && !strchr("(,+-*/=", b->p[begin - 2]))
        return false;
    const bool pi = begin + 2 == at && memcmp(b->p + begin, "pi", 2) == 0;
    return pi || ascii_is_digit(b->p[at - 1]) || (begin + 1 == at && b->p[begin] != 'a');
}

/* The parameter as the kernel has it. */
static void put_code_name(void *arg, strbuf *out, str word)
{
    code_names *n = arg;
    str name = STR("");
    if (!n->in) {
        for (uint32_t i = n->c->nsubsts; i > n->c->frame && !name.n; i--)
            if (str_eq(sym_str(n->c->substs[i - 1].from), word)) {
                const str member = member_of(n->c, n->c->substs[i - 1].from);
                name = member.n ? member : n->c->substs[i - 1].text;
            }
    } else {
        for (uint32_t i = 0; i < n->s->f->nparams; i++)
            if (str_eq(sym_str(n->s->f->params[i].name), word))
                name = n->in[i].text;
    }
    WEFT_ASSERT(name.n); /* library_read.c found it among the parameters */
    put_once(out, name);
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

/* Names stand in code without the quotes that prompts have, so that a product with a name needs its
 * sign: "rate * face", "rate * (a + b)". Stands one in place of the blank at `at`? */
static bool is_product_of_names(const strbuf *b, size_t at, const strbuf *before)
{
    const bool left = at && b->p[at - 1] == NAME_ENDS,
               right = at + 1 < b->n && b->p[at + 1] == NAME_BEGINS;
    if (!right)
        return left && is_factor(b, at + 1);
    return left || ends_in_factor(before) ||
           (before->n > 1 && before->p[before->n - 2] != ')' &&
            is_symbol_before(before, before->n - 1));
}

/* The same of products without names, "3 k (a + b)", where others have their sign. */
static bool is_product(const strbuf *b, size_t at, const strbuf *before)
{
    const bool after_number = at && ascii_is_digit(b->p[at - 1]) && at + 3 < b->n;
    const bool x = after_number && b->p[at + 1] == 'x' &&
                   (ascii_is_letter(b->p[at + 3]) || strchr("+-/", b->p[at + 3]));
    return is_symbol_before(before, before->n - 1) && (x || is_factor(b, at + 1));
}

typedef bool is_sign_wanted(const strbuf *b, size_t at, const strbuf *before);

/* The text with the sign wherever it is wanted, and without marks and quotes. */
static void put_signs(composer *c, strbuf *b, is_sign_wanted *wanted)
{
    strbuf out;
    sb_init(&out, c->m);
    for (size_t i = 0; i < b->n; i++) {
        if (b->p[i] == NAME_BEGINS || b->p[i] == NAME_ENDS || b->p[i] == '`')
            continue;
        sb_char(&out, b->p[i]);
        if (b->p[i] == ' ' && wanted(b, i, &out))
            SB_LIT(&out, "* ");
    }
    sb_clear(b);
    *b = out;
}

static void put_products(composer *c, strbuf *b)
{
    put_signs(c, b, is_product_of_names);
    put_signs(c, b, is_product);
}

/* Is the blank in front of `rest`, with which `before` ends, in a product? In a prompt, whose names
 * have quotes. */
static bool is_product_of_quoted(const strbuf *before, const strbuf *b, size_t at)
{
    static const char function[] = "`wp.func`";
    const size_t n = sizeof function - 1, end = before->n - 1;
    const bool left = end && before->p[end - 1] == '`', right = b->p[at] == '`';
    if (left && end >= n && memcmp(before->p + end - n, function, n) == 0)
        return false;
    if (left)
        return right || is_factor(b, at);
    if (right && ends_in_factor(before))
        return true;
    if (right)
        return end && before->p[end - 1] != ')' && is_symbol_before(before, end);
    return (b->p[at] == '(' || ascii_is_letter(b->p[at])) && is_product(b, at - 1, before);
}

/* In a long sentence it is not seen that two names side by side are a product. */
void says_put_signs(composer *c, strbuf *b, size_t from)
{
    strbuf out;
    sb_init(&out, c->m);
    for (size_t i = from; i < b->n;) {
        size_t end = i;
        while (end < b->n && b->p[end] != ' ' && b->p[end] != '`')
            end++;
        const bool blank = end < b->n && b->p[end] == ' ';
        if (end < b->n && !blank) { /* a name */
            const char *close = memchr(b->p + end + 1, '`', b->n - end - 1);
            end = close ? (size_t)(close - b->p) : b->n - 1;
        }
        end += end < b->n;
        sb_put(&out, b->p + i, end - i);
        if (blank && end < b->n && is_product_of_quoted(&out, b, end))
            SB_LIT(&out, "* ");
        i = end;
    }
    b->n = from;
    sb_str(b, sb_view(&out));
    sb_clear(&out);
}

const char *says_colon(const lib_formula *f)
{
    return str_starts(f->says, "by ") || str_starts(f->says, "as ") ? " " : ": ";
}

bool says_the_line(const lib_formula *f)
{
    enum { BRIEF = 40, SHORT = 90 }; /* bytes */
    static const char *const tells[] = {" where ",   " whose ",  " which ",
                                        " so that ", "gradient", " random "};
    if (f->says.n < BRIEF)
        return true;
    bool more = f->nbody > 1 || f->says.n > SHORT;
    for (size_t i = 0; i < sizeof tells / sizeof *tells; i++)
        more |= str_contains(f->says, str_c(tells[i]));
    return !more;
}

/* Has the kernel a name for each parameter that the sentence speaks of? */
static bool is_sayable(const plan_step *s, const subst *in)
{
    bool all = true;
    for (uint32_t i = 0; i < s->f->nparams; i++)
        all &= is_speakable(in[i].text) && /* where the sentence has no w of its own */
               (in[i].text.n > 2 || !name_stands_in(s->f->says, in[i].text));
    return all;
}

/* Tells the sentence more than a formula, which the lines below have as well? */
static bool tells_why(str says)
{
    static const char *const words[] = {" which is ",   " so that ", " random ", "'s ",
                                        " stands for ", " method",   " law"};
    bool tells = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        tells |= str_contains(says, str_c(words[i]));
    return tells;
}

void says_comment(composer *c, const plan_step *s, const subst *in)
{
    enum { LONG = 160 }; /* bytes: two lines */
    strbuf b;
    const bool why = tells_why(s->f->says);
    if (says_the_line(s->f) || (why && !is_sayable(s, in)) || (!why && s->f->nbody == 1))
        return;
    if (!why && (!title_is_act(s->f) || /* "barrier payoff", of a local `payoff` */
                 str_contains(c->kernel, sym_str(s->f->def->name)))) /* the kernel says so */
        return;
    sb_init(&b, c->m);
    if (!why) { /* "capped velocity": of what the lines do */
        for (const char *n = s->f->def->name->s; *n; n++)
            sb_char(&b, *n == '_' ? ' ' : *n);
    } else {
        sb_str(&b, step_said(c, s->f));
        sb_c(&b, says_colon(s->f));
        says_put(c, &b, s->f->says, put_code_name, &(code_names){.c = c, .in = in, .s = s});
        put_products(c, &b);
    }
    if (b.n > LONG) { /* the prompt again */
        sb_clear(&b);
        return;
    }
    if (c->body.n)
        line_gap(c);
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
    size_t word = 0;
    while (word < says.n && ascii_is_letter(says.p[word]))
        word++;
    if (word < says.n && says.p[word] == '(') /* exp(-x) */
        return true;
    const bool article = says.p[0] == 'a' && says.p[1] == ' ' && ascii_is_letter(says.p[2]) &&
                         says.n > 3 && ascii_is_letter(says.p[3]);
    return !ascii_is_letter(says.p[1]) && !article;
}

str says_filled(composer *c, str says)
{
    strbuf b;
    sb_init(&b, c->m);
    says_put(c, &b, says, put_code_name, &(code_names){.c = c});
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

void says_docstring(composer *c, str says)
{
    strbuf b;
    sb_init(&b, c->m);
    says_put(c, &b, says, put_code_name, &(code_names){.c = c});
    sb_char(&b, '.');
    put_products(c, &b);
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that tasks show (task_text.h), cut out of a record's texts line by line. The texts are
 * weft's own, so that their form is known: a definition begins in the first column and ends with a
 * line of one brace, or where the next thing begins in the first column.
 *
 *         // y[i] = a * x[i]              <L 7>   ->   left out
 *     __global__ void k(float *x, int n)\n{...     ->   __global__ void k(float *x, int n);
 *     def f(x: float):\n    return 2.0 * x         ->   def f(x: float):\n    ... */
#include "record/task_text.h"

#include <string.h>

#include "base/assert.h"

/* The line at *at with its newline; *at moves behind it. */
static str take_line(str s, size_t *at)
{
    const char *newline = *at < s.n ? memchr(s.p + *at, '\n', s.n - *at) : NULL;
    const size_t end = newline ? (size_t)(newline - s.p) + 1 : s.n;
    const str line = {s.p + *at, end - *at};
    *at = end;
    return line;
}

str task_trim(str text)
{
    while (text.n && text.p[0] == '\n') {
        text.p++;
        text.n--;
    }
    while (text.n > 1 && text.p[text.n - 1] == '\n' && text.p[text.n - 2] == '\n')
        text.n--;
    return text;
}

/* "// y[i] = x[i]    <L 7>", or what follows of a statement of several lines. */
static bool is_source_comment(str line)
{
    while (line.n && line.p[0] == ' ') {
        line.p++;
        line.n--;
    }
    return line.n > 4 && str_starts(line, "// ") && line.p[line.n - 2] == '>' &&
           str_contains(line, STR("<L "));
}

void task_put_bare(strbuf *b, str text)
{
    for (size_t at = 0; at < text.n;) {
        const str line = take_line(text, &at);
        if (!is_source_comment(line))
            sb_str(b, line);
    }
}

/* --- a declaration ------------------------------------------------------------------------- */

static bool is_word_char(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool has_word(str text, str word)
{
    for (size_t i = 0; i + word.n <= text.n; i++)
        if (memcmp(text.p + i, word.p, word.n) == 0 && (!i || !is_word_char(text.p[i - 1])) &&
            (i + word.n == text.n || !is_word_char(text.p[i + word.n])))
            return true;
    return false;
}

/* From "__global__ void NAME(" up to the brace before its body. */
static str signature_of(str plain, str kernel)
{
    for (size_t at = 0; at < plain.n;) {
        const size_t begin = at;
        const str line = take_line(plain, &at);
        if (!str_starts(line, "__global__ ") || !has_word(line, kernel))
            continue;
        while (at < plain.n && plain.p[at] != '{')
            take_line(plain, &at);
        const size_t n = at - begin;
        return (str){plain.p + begin, n && plain.p[at - 1] == '\n' ? n - 1 : n};
    }
    return STR("");
}

/* A struct of plain CUDA, with the lines of comments before it. */
typedef struct struct_text {
    str name, text;
    bool used;
} struct_text;

enum { STRUCTS = 32 };

static uint32_t find_structs(str plain, struct_text *out)
{
    uint32_t n = 0;
    for (size_t at = 0; at < plain.n && n < STRUCTS;) {
        const size_t begin = at;
        str line = take_line(plain, &at);
        if (!str_starts(line, "struct "))
            continue;
        str name = {line.p + 7, 0};
        while (is_word_char(name.p[name.n]))
            name.n++;
        while (at < plain.n && line.p[0] != '}')
            line = take_line(plain, &at);
        out[n++] = (struct_text){name, {plain.p + begin, at - begin}, false};
    }
    return n;
}

/* A struct stands before what uses it: so its uses are known once all behind it are. */
void task_put_declaration(strbuf *b, str plain, str kernel)
{
    struct_text all[STRUCTS];
    const str signature = signature_of(plain, kernel);
    const uint32_t n = find_structs(plain, all);
    for (uint32_t i = n; i-- > 0;) {
        all[i].used = has_word(signature, all[i].name);
        for (uint32_t j = i + 1; j < n; j++)
            all[i].used = all[i].used || (all[j].used && has_word(all[j].text, all[i].name));
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!all[i].used)
            continue;
        sb_str(b, all[i].text);
        SB_LIT(b, "\n");
    }
    sb_str(b, signature);
    SB_LIT(b, ";\n");
}

/* Sentences for the parameters that there are: {what shows that one is, the sentence}. */
void task_put_convention(strbuf *b, size_t from, size_t to)
{
    static const struct {
        const char *shown, *sentence;
    } all[] = {
        {"_n", " `x_n` is the length of an array `x`."},
        {"_rows", " `x_rows` is the number of rows of an array `x`."},
        {"_cols", " `x_cols` is the number of columns of an array `x`."},
        {"_n0", " `x_n0`, `x_n1`, ... are the sizes of an array `x` of more dimensions."},
        {"_stride",
         " `x_stride` is the number of elements from one row of an array `x` to the next."},
        {"_stride0", " `x_stride0`, `x_stride1`, ... are the numbers of elements from one index of "
                     "each dimension to the next."},
    };
    SB_LIT(b, "Arrays are pointers to their elements.");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const size_t n = strlen(all[i].shown);
        bool found = false;
        for (size_t at = from; at + n < to && !found; at++)
            found = memcmp(b->p + at, all[i].shown, n) == 0 && !is_word_char(b->p[at + n]);
        sb_c(b, found ? all[i].sentence : "");
    }
    static const char several[] = "nx);\n```";
    enum { N = sizeof several - 1 };
    if (to - from > N && memcmp(b->p + to - N, several, N) == 0)
        SB_LIT(b, " The last parameters are the numbers of threads of the launch, a parameter for "
                  "each dimension; x of the grid is the last dimension. Blocks may have any size, "
                  "so threads beyond these numbers do nothing.");
    else
        SB_LIT(b, " The last parameter is the number of threads of the launch. Blocks may have any "
                  "size, so threads beyond that number do nothing.");
}

/* The hash of a struct's name, at text.p[at]: "_1a2b3c4d". */
static bool is_hash(str text, size_t at)
{
    enum { DIGITS = 8 };
    if (at + 1 + DIGITS > text.n || text.p[at] != '_')
        return false;
    for (size_t i = 1; i <= DIGITS; i++)
        if (!strchr("0123456789abcdef", text.p[at + i]))
            return false;
    return at + 1 + DIGITS == text.n || !is_word_char(text.p[at + 1 + DIGITS]);
}

/* NAME_1a2b3c4d of a struct NAME; empty: the text has no such name. */
static str hashed_name(str text, str name)
{
    for (size_t i = 1; i + name.n < text.n; i++)
        if (!is_word_char(text.p[i - 1]) && memcmp(text.p + i, name.p, name.n) == 0 &&
            is_hash(text, i + name.n))
            return (str){text.p + i, name.n + 9};
    return STR("");
}

void task_put_struct_names(strbuf *b, str source, str text)
{
    for (size_t at = 0; at < source.n;) {
        const str line = take_line(source, &at);
        if (!str_starts(line, "class "))
            continue;
        str name = {line.p + 6, 0};
        while (is_word_char(name.p[name.n]))
            name.n++;
        const str hashed = hashed_name(text, name);
        if (!hashed.n)
            continue;
        SB_LIT(b, "\n\nWarp calls the struct `");
        sb_str(b, name);
        SB_LIT(b, "` `");
        sb_str(b, hashed);
        SB_LIT(b, "`.");
    }
}

/* --- the task in words --------------------------------------------------------------------- */

/* Words of Warp and what they are in CUDA. */
static void put_cuda_words(strbuf *b, str line)
{
    static const struct {
        const char *warp, *cuda;
    } words[] = {{"Write a Warp kernel ", "Write a CUDA kernel "},
                 {"`wp.func`", "`__device__` function"},
                 {"`wp.struct`", "struct"}};
    for (size_t i = 0; i < line.n;) {
        size_t w = 0;
        const str rest = {line.p + i, line.n - i};
        while (w < sizeof words / sizeof *words && !str_starts(rest, words[w].warp))
            w++;
        if (w == sizeof words / sizeof *words) {
            sb_char(b, line.p[i++]);
            continue;
        }
        sb_c(b, words[w].cuda);
        i += strlen(words[w].warp);
    }
}

/* "- `x: wp.array(dtype=float)`: what" without the type, which the declaration has. */
static void put_argument_line(strbuf *b, str line)
{
    const char *colon = memchr(line.p, ':', line.n);
    const char *tick = colon ? memchr(colon, '`', line.n - (size_t)(colon - line.p)) : NULL;
    if (!tick) {
        put_cuda_words(b, line);
        return;
    }
    sb_put(b, line.p, (size_t)(colon - line.p));
    put_cuda_words(b, (str){tick, line.n - (size_t)(tick - line.p)});
}

void task_put_cuda_prompt(strbuf *b, str prompt)
{
    for (size_t at = 0; at < prompt.n;) {
        const str line = take_line(prompt, &at);
        if (str_starts(line, "The kernel is generic: ")) { /* the declaration is of its instance */
            take_line(prompt, &at);
            continue;
        }
        if (str_starts(line, "- `") || str_starts(line, "  - `"))
            put_argument_line(b, line);
        else
            put_cuda_words(b, line);
    }
}

/* --- functions of the source --------------------------------------------------------------- */

/* A function of a Python file. */
typedef struct function_text {
    str name;
    size_t begin, body, end; /* where its decorators begin, its first statement, what follows */
} function_text;

/* Behind a docstring at *at, or where it is. */
static size_t skip_docstring(str source, size_t at)
{
    const str quotes = STR("\"\"\"");
    size_t behind = at;
    str line = take_line(source, &behind);
    if (!str_starts(line, "    \"\"\""))
        return at;
    str rest = {line.p + 7, line.n - 7};
    while (!str_contains(rest, quotes) && behind < source.n)
        rest = take_line(source, &behind);
    return behind;
}

/* The function whose `def` stands in the line at `def`: its head ends with the first line that ends
 * with a colon, its body where a line begins in the first column, without the empty lines before.
 */
static function_text function_at(str source, size_t def)
{
    function_text f = {.begin = def};
    size_t at = def;
    str line = take_line(source, &at);
    f.name = (str){line.p + 4, 0};
    while (is_word_char(f.name.p[f.name.n]))
        f.name.n++;
    while (at < source.n && !(line.n > 1 && line.p[line.n - 2] == ':'))
        line = take_line(source, &at);
    f.body = skip_docstring(source, at);
    for (at = f.end = f.body; at < source.n;) {
        line = take_line(source, &at);
        if (line.p[0] != ' ' && line.p[0] != '\n')
            break;
        f.end = line.p[0] == '\n' ? f.end : at;
    }
    return f;
}

/* The n-th function; false: there are fewer. */
static bool find_function(str source, uint32_t n, function_text *out)
{
    size_t decorators = 0; /* where those begin that stand before the line at hand */
    for (size_t at = 0; at < source.n;) {
        const size_t begin = at;
        const str line = take_line(source, &at);
        if (line.p[0] == '@')
            continue;
        if (!str_starts(line, "def ") || n--) {
            decorators = at;
            continue;
        }
        *out = function_at(source, begin);
        out->begin = decorators;
        return true;
    }
    return false;
}

uint32_t task_functions(str source)
{
    function_text f;
    uint32_t n = 0;
    while (find_function(source, n, &f))
        n++;
    return n;
}

str task_function_name(str source, uint32_t n)
{
    function_text f;
    return find_function(source, n, &f) ? f.name : STR("");
}

void task_put_skeleton(strbuf *b, str source, uint32_t n)
{
    function_text f;
    if (!find_function(source, n, &f))
        return;
    sb_put(b, source.p, f.body);
    SB_LIT(b, "    ...\n");
    sb_put(b, source.p + f.end, source.n - f.end);
}

void task_put_function(strbuf *b, str source, uint32_t n)
{
    function_text f;
    if (find_function(source, n, &f))
        sb_put(b, source.p + f.begin, f.end - f.begin);
}

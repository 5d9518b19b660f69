/* Splits CUDA text into tokens. */
#include "gpu/cuda_token.h"

#include <stdio.h>

typedef struct reader {
    ctx *c;
    cuda_tokens *out;
    const char *p, *end, *line_start;
    uint32_t line;
    bool fresh;    /* nothing but space stands before on this line */
    uint32_t open; /* #if that are open and read */
    uint32_t skip; /* #if that are open within a branch that is left out; 0: none is */
} reader;

static cuda_token here(const reader *r, char kind)
{
    return (cuda_token){kind, r->line, (uint32_t)(r->p - r->line_start), {r->p, 1}};
}

static void error_at(reader *r, const cuda_token *t, diag_id id)
{
    char line[16];
    snprintf(line, sizeof line, "%u", t->line);
    diag_error(r->c, cuda_span(r->out, t), id, line);
}

static void newline(reader *r)
{
    r->p++;
    r->line++;
    r->line_start = r->p;
    r->fresh = true;
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_comment(reader *r)
{
    const cuda_token t = here(r, '/');
    for (r->p += 2; r->p < r->end;) {
        if (*r->p == '\n') {
            newline(r);
        } else if (r->end - r->p >= 2 && r->p[0] == '*' && r->p[1] == '/') {
            r->p += 2;
            return;
        } else {
            r->p++;
        }
    }
    error_at(r, &t, DIAG_OPEN_COMMENT);
}

/* To the end of the line, lines continued by a backslash included. */
static void skip_line(reader *r)
{
    for (; r->p < r->end && *r->p != '\n'; r->p++) {
        if (r->end - r->p >= 2 && r->p[0] == '/' && r->p[1] == '*') {
            skip_comment(r);
            r->p--;
        } else if (r->end - r->p >= 2 && r->p[0] == '\\' && r->p[1] == '\n') {
            r->p++;
            newline(r);
            r->p--;
        }
    }
}

static bool begins(const reader *r, const char *p, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(r->end - p) >= n && memcmp(p, word, n) == 0;
}

/* At '#': which branch of a condition are we in? */
static void read_directive(reader *r)
{
    const char *p = r->p + 1;
    while (p < r->end && (*p == ' ' || *p == '\t'))
        p++;
    if (begins(r, p, "if")) {
        r->open += !r->skip;
        r->skip += r->skip != 0;
    } else if (begins(r, p, "el") && r->skip <= 1 && r->open) {
        r->skip = 1;
    } else if (begins(r, p, "endif")) {
        if (r->skip > 1) {
            r->skip--;
        } else if (r->open) {
            r->open--;
            r->skip = 0;
        }
    }
    skip_line(r);
}

static void push(reader *r, cuda_token t)
{
    t.text.n = (size_t)(r->p - t.text.p);
    VEC_PUSH(&r->c->module, &r->out->all, t);
}

static void read_string(reader *r)
{
    const cuda_token t = here(r, 's');
    const char quote = *r->p++;
    while (r->p < r->end && *r->p != quote && *r->p != '\n') {
        if (*r->p == '\\' && r->p + 1 < r->end && r->p[1] == '\n') {
            r->p++;
            newline(r);
        } else {
            r->p += *r->p == '\\' && r->p + 1 < r->end ? 2 : 1;
        }
    }
    if (r->p < r->end && *r->p == quote)
        r->p++;
    else
        error_at(r, &t, DIAG_OPEN_STRING);
    push(r, t);
}

/* R"x(...)x", from its quote on. */
static void read_raw_string(reader *r, const cuda_token *start)
{
    const char *delimiter = ++r->p;
    while (r->p < r->end && *r->p != '(' && *r->p != '"' && *r->p != '\n')
        r->p++;
    const size_t n = (size_t)(r->p - delimiter);
    for (; r->p < r->end; r->p++) {
        if (*r->p == '\n') {
            newline(r);
            r->p--;
        } else if (*r->p == ')' && (size_t)(r->end - r->p) > n + 1 && r->p[n + 1] == '"' &&
                   memcmp(r->p + 1, delimiter, n) == 0) {
            r->p += n + 2;
            r->fresh = false;
            return;
        }
    }
    error_at(r, start, DIAG_OPEN_STRING);
}

static bool is_raw_prefix(str word)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_eq(word, str_c(prefixes[i])))
            return true;
    return false;
}

static void read_word(reader *r)
{
    const cuda_token t = here(r, is_digit(*r->p) ? '0' : 'n');
    const bool number = t.kind == '0';
    while (r->p < r->end &&
           (is_name_start(*r->p) || is_digit(*r->p) || (number && (*r->p == '.' || *r->p == '\''))))
        r->p++;
    const str word = {t.text.p, (size_t)(r->p - t.text.p)};
    if (r->p < r->end && *r->p == '"' && is_raw_prefix(word)) {
        cuda_token raw = t;
        raw.kind = 's';
        read_raw_string(r, &raw);
        push(r, raw);
        return;
    }
    push(r, t);
}

static void read_token(reader *r)
{
    const char c = *r->p;
    const char after = r->end - r->p >= 2 ? r->p[1] : 0;
    if (c == '\n') {
        newline(r);
        return;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        r->p++;
        return;
    }
    if (c == '#' && r->fresh) {
        read_directive(r);
        return;
    }
    r->fresh = false;
    if (c == '/' && after == '/') {
        skip_line(r);
    } else if (c == '/' && after == '*') {
        skip_comment(r);
    } else if (r->skip) {
        r->p++;
    } else if (c == '"' || c == '\'') {
        read_string(r);
    } else if (is_name_start(c) || is_digit(c)) {
        read_word(r);
    } else {
        const cuda_token t = here(r, c ? c : ' ');
        r->p++;
        push(r, t);
    }
}

void cuda_tokenize(ctx *c, const source *src, cuda_tokens *tokens)
{
    const char *p = src->text.p;
    *tokens = (cuda_tokens){.src = src};
    reader r = {c, tokens, p, p + src->text.n, p, 1, true, 0, 0};
    if (begins(&r, p, "\xef\xbb\xbf")) /* a mark of UTF-8, which compilers pass over */
        r.p += 3;
    while (r.p < r.end)
        read_token(&r);
    const cuda_token end = {0, r.line, (uint32_t)(r.p - r.line_start), {r.p, 0}};
    VEC_PUSH(&c->module, &tokens->all, end);
}

span cuda_span(const cuda_tokens *tokens, const cuda_token *t)
{
    const uint32_t n = (uint32_t)t->text.n;
    return (span){tokens->src, t->line, t->col, t->line, t->col + (n ? n : 1)};
}

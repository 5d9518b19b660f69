/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the snippets of a file and compares what each gives with what its head says.
 *
 * usage: run_snippets FILE
 *
 *     //= 6                          a number: the result on both devices
 *     return x[1] * 3;
 *     //=cuda refused: 'asm'         or why there is none; of one device */
#include <stdio.h>

#include "base/file.h"
#include "native_fixture.h"

enum { STEPS = 20000 };

/* One snippet on one device; false: it gives something else. */
static bool agrees(pipeline *p, str text, bool cuda, str wanted, int line)
{
    char said[300] = {0};
    snippet_run s = {
        .c = &p->c, .text = text, .cuda = cuda, .steps = STEPS, .said = said, .size = sizeof said};
    pipeline_reset(p);
    if (!snippet_execute(&s))
        format_text(said, sizeof said, "out of memory");
    if (str_eq(str_c(said), wanted))
        return true;
    printf("line %d, %s: '%s' instead of '%.*s'\n", line, cuda ? "cuda" : "cpu", said,
           (int)wanted.n, wanted.p);
    return false;
}

/* From `at` on, up to the next head, which begins a line; or the end. */
static size_t next_head(str s, size_t at)
{
    for (; at + 3 < s.n; at++)
        if ((!at || s.p[at - 1] == '\n') && memcmp(s.p + at, "//=", 3) == 0)
            return at;
    return s.n;
}

static int run_all(pipeline *p, str all)
{
    int wrong = 0, count = 0, line = 1;
    size_t last = 0;
    for (size_t at = next_head(all, 0); at < all.n;) {
        size_t end = at + 3, from;
        for (; last < at; last++)
            line += all.p[last] == '\n';
        const bool cpu = end + 4 < all.n && memcmp(all.p + end, "cpu ", 4) == 0;
        const bool cuda = end + 5 < all.n && memcmp(all.p + end, "cuda ", 5) == 0;
        from = end + (cpu ? 4 : cuda ? 5 : 1);
        for (end = from; end < all.n && all.p[end] != '\n';)
            end++;
        const str wanted = {all.p + from, end - from};
        at = next_head(all, end);
        const str text = {all.p + end, at - end};
        if (!cuda)
            wrong += !agrees(p, text, false, wanted, line);
        if (!cpu)
            wrong += !agrees(p, text, true, wanted, line);
        count++;
    }
    printf("%d snippets, %d wrong\n", count, wrong);
    return wrong || !count;
}

static char *contents(const char *path, size_t *n)
{
    FILE *in = fopen(path, "rb");
    if (!in || fseek(in, 0, SEEK_END))
        return NULL;
    const long size = ftell(in);
    char *text = size > 0 ? heap_zeroed(1, (size_t)size) : NULL;
    rewind(in);
    *n = text ? fread(text, 1, (size_t)size, in) : 0;
    fclose(in);
    return text;
}

int main(int argc, char **argv)
{
    size_t n = 0;
    char *text = argc == 2 ? contents(argv[1], &n) : NULL;
    pipeline p;
    const pipeline_options options = {.memory_limit = 64 << 20};
    if (!text || !pipeline_init(&p, &options)) {
        fprintf(stderr, "usage: run_snippets FILE\n");
        return 2;
    }
    const int status = run_all(&p, (str){text, n});
    pipeline_clear(&p);
    heap_free(text);
    return status;
}

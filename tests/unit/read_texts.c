/* SPDX-License-Identifier: Apache-2.0 */
/* Reads every text in JSON lines of `weft generate` and `weft compile --emit json` with the text
 * machine. Prints a line per text that it cannot read, and at last "texts N read M". With a number
 * as the second argument, reads everything so often and tells the speed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/json_tree.h"
#include "textvm/textvm.h"

typedef struct job {
    ctx c;
    str text;
    textvm_error error;
    bool read;
    arena tree; /* of the line */
    str line;
    const json_value *record;
} job;

static void start(void *arg)
{
    ctx *c = &((job *)arg)->c;
    ctx_init(c);
    types_init(c);
    arena_init(&((job *)arg)->tree, &c->mem);
}

static void read_record(void *arg)
{
    job *j = arg;
    size_t at;
    const char *wrong;
    arena_reset(&j->tree);
    j->record = json_parse(&j->tree, j->line, JSON_ANY, &wrong, &at);
}

static const char *string_in(const json_value *record, const char *key)
{
    const json_value *v = json_get(record, key);
    return json_is(v, JSON_TYPE_STRING) ? v->text.p : NULL;
}

static void read_text(void *arg)
{
    job *j = arg;
    const arena_mark mark = arena_save(&j->c.module);
    const sym_mark syms = sym_save(&j->c.syms);
    j->read = textvm_read(&j->c, &j->c.module, j->text, &j->error) != NULL;
    sym_restore(&j->c.syms, syms);
    arena_rewind(&j->c.module, mark);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    static const char *const fields[] = {"cpp_forward",      "cpp_backward", "cuda_ir_forward",
                                         "cuda_ir_backward", "cpu",          "cuda"};
    job *j = calloc(1, sizeof *j);
    FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
    const int rounds = argc > 2 ? atoi(argv[2]) : 1;
    char *line = NULL;
    size_t cap = 0, texts = 0, good = 0, bytes = 0;
    double seconds = 0;
    mem_init(&j->c.mem);
    if (!in || !mem_try(&j->c.mem, start, j))
        return 2;
    while (getline(&line, &cap, in) > 0) {
        j->line = str_c(line);
        if (!mem_try(&j->c.mem, read_record, j))
            return 3;
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            const char *text = string_in(j->record, fields[f]);
            if (!text || !*text)
                continue;
            j->text = str_c(text);
            const double before = now();
            for (int i = 0; i < rounds; i++)
                if (!mem_try(&j->c.mem, read_text, j))
                    return 3;
            seconds += now() - before;
            bytes += j->text.n * (size_t)rounds;
            texts++;
            good += j->read;
            const char *kernel = string_in(j->record, "kernel");
            const char *id = string_in(j->record, "id");
            if (!j->read)
                printf("%s %s: %s line %u: %s\n",
                       kernel ? kernel
                       : id   ? id
                              : "?",
                       fields[f], j->error.kind == TEXTVM_MISSING ? "missing" : "unreadable",
                       j->error.line, j->error.text);
        }
    }
    printf("texts %zu read %zu\n", texts, good);
    if (rounds > 1)
        printf("%.1f MB/s, %.1f us per text\n", (double)bytes / 1e6 / seconds,
               seconds * 1e6 / (double)(texts * (size_t)rounds));
    free(line);
    fclose(in);
    mem_clear(&j->c.mem);
    free(j);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Uses the library in a program that has set a locale, and prints what the library gives.
 *
 * usage: in_locale LOCALE compile FILE.py...     texts for both devices, and their diagnostics
 *        in_locale LOCALE standalone FILE.py     the program of each kernel
 *        in_locale LOCALE run                    results of a kernel by each executor
 *        in_locale LOCALE generate COUNT SEED [--no-verify]
 *                                                records, as `weft generate --device both` has them
 *        in_locale LOCALE validate PATH          what is wrong with a data set
 *
 * LOCALE "-" leaves the program as it starts. Any other has to have a comma as its decimal point.
 */
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft.h"

static const char kernel[] =
    "import warp as wp\n"
    "@wp.kernel\n"
    "def k(a: wp.array(dtype=float), b: wp.array(dtype=wp.float64), s: float):\n"
    "    i = wp.tid()\n"
    "    a[i] = a[i] * 0.1 + s * 1.25e-3 + wp.sin(a[i])\n"
    "    b[i] = wp.float64(a[i]) * wp.float64(0.30000000000000004)\n";

static _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "in_locale: %s: %s\n", what, why);
    exit(2);
}

static void set_locale(const char *name)
{
    if (strcmp(name, "-") == 0)
        return;
    if (!setlocale(LC_ALL, name))
        die(name, "there is no such locale");
    if (strcmp(localeconv()->decimal_point, ",") != 0)
        die(name, "its decimal point is no comma");
}

static weft_context *new_context(void)
{
    weft_context *c;
    if (weft_context_new(NULL, &c) != WEFT_OK)
        die("weft_context_new", "no memory");
    return c;
}

static void put_diagnostics(const weft_context *c)
{
    for (size_t i = 0; i < weft_diagnostic_count(c); i++) {
        const weft_diagnostic *d = weft_diagnostic_at(c, i);
        printf("%s:%u:%u: %s: %s\n", d->file ? d->file : "", d->line, d->column, d->id, d->message);
    }
}

static void compile(const char *path)
{
    static const unsigned devices[] = {WEFT_CPU, WEFT_CUDA};
    weft_context *c = new_context();
    const char *text;
    size_t size;
    printf("%s: status %d\n", path, (int)weft_compile_file(c, path));
    for (size_t i = 0; i < 2; i++)
        if (weft_module_text(c, devices[i], &text, &size) == WEFT_OK)
            fwrite(text, 1, size, stdout);
    put_diagnostics(c);
    weft_context_free(c);
}

static void standalone(const char *path)
{
    static char source[1 << 20];
    FILE *f = fopen(path, "r");
    const size_t n = f ? fread(source, 1, sizeof source, f) : 0;
    if (!n)
        die(path, "cannot be read");
    fclose(f);
    weft_context *names = new_context(), *c = new_context();
    weft_compile_text(names, "program.py", source, n);
    for (size_t i = 0; i < weft_kernel_count(names); i++) {
        const char *text, *name = weft_kernel_at(names, i)->name;
        size_t size;
        const weft_status s = weft_standalone_text(c, "program.py", source, n, name, &text, &size);
        printf("%s: status %d %s\n", name, (int)s, weft_message(c));
        if (s == WEFT_OK)
            fwrite(text, 1, size, stdout);
        put_diagnostics(c);
    }
    weft_context_free(names);
    weft_context_free(c);
}

static void run(int executor)
{
    float a[4] = {0.5f, -1.25f, 3e-5f, 1e10f};
    double b[4] = {0}, s = 0.1;
    const int64_t shape[] = {4};
    weft_argument args[3] = {{.name = "a", .dtype = "f4", .ndim = 1, .shape = shape, .data = a},
                             {.name = "b", .dtype = "f8", .ndim = 1, .shape = shape, .data = b},
                             {.name = "s", .dtype = "f8", .data = &s}};
    for (size_t i = 0; i < 3; i++)
        args[i].size = sizeof *args;
    const weft_run_options o = {.size = sizeof o,
                                .ndim = 1,
                                .dim = {4},
                                .arguments = args,
                                .argument_count = 3,
                                .executor = executor};
    weft_context *c = new_context();
    printf("status %d %s\n", (int)weft_run_text(c, "k.py", kernel, sizeof kernel - 1, &o),
           weft_message(c));
    for (int i = 0; i < 4; i++) {
        uint64_t bits;
        uint32_t narrow;
        memcpy(&bits, &b[i], sizeof bits);
        memcpy(&narrow, &a[i], sizeof narrow);
        printf("%08lx %016llx\n", (unsigned long)narrow, (unsigned long long)bits);
    }
    weft_context_free(c);
}

static void generate(const char *count, const char *seed, int no_verify)
{
    const weft_generate_options o = {.size = sizeof o,
                                     .count = strtoull(count, NULL, 10),
                                     .seed = strtoull(seed, NULL, 10),
                                     .devices = WEFT_CPU | WEFT_CUDA,
                                     .no_verify = no_verify};
    weft_generator *g;
    const char *json = NULL;
    size_t size;
    if (weft_generator_new(&o, &g) != WEFT_OK)
        die("weft_generator_new", weft_generator_message(g));
    while (weft_generator_next(g, &json, &size) == WEFT_OK && json) {
        fwrite(json, 1, size, stdout);
        putchar('\n');
    }
    if (*weft_generator_message(g))
        die("weft_generator_next", weft_generator_message(g));
    weft_generator_free(g);
}

static int on_problem(void *arg, const weft_problem *p)
{
    (void)arg;
    printf("%s:%llu: %s: %s: %s\n", p->file, (unsigned long long)p->line, p->id, p->check,
           p->reason);
    return 0;
}

static void validate(const char *path)
{
    const weft_validate_options o = {.size = sizeof o, .problem = on_problem, .jobs = 1};
    weft_validation v = {.size = sizeof v};
    const int status = (int)weft_validate(&path, 1, &o, &v);
    printf("status %d: %llu records, %llu good %s\n", status, (unsigned long long)v.records,
           (unsigned long long)v.ok, v.message);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        die("usage", "in_locale LOCALE COMMAND ARGUMENT...");
    set_locale(argv[1]);
    const char *command = argv[2];
    for (int i = 3; i < argc && strcmp(command, "compile") == 0; i++)
        compile(argv[i]);
    for (int executor = WEFT_REFERENCE; executor <= WEFT_TEXT_CUDA && strcmp(command, "run") == 0;
         executor++)
        run(executor);
    if (argc == 4 && strcmp(command, "standalone") == 0)
        standalone(argv[3]);
    if (argc >= 5 && strcmp(command, "generate") == 0)
        generate(argv[3], argv[4], argc > 5 && strcmp(argv[5], "--no-verify") == 0);
    if (argc == 4 && strcmp(command, "validate") == 0)
        validate(argv[3]);
    return fflush(stdout) ? 2 : 0;
}

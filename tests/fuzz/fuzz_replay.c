/* SPDX-License-Identifier: Apache-2.0 */
/* Runs each file of the folders given through a fuzzed function; fails on a crash, or when a file
 * takes more than a second of processor time (ten under a sanitizer).
 *
 * usage: fuzz_replay compile|validate|text|native|npy|cuda|standalone FOLDER... */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz_target.h"

#if defined(__SANITIZE_ADDRESS__)
#define SECONDS_MAX 10.0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SECONDS_MAX 10.0
#endif
#endif
#ifndef SECONDS_MAX
#define SECONDS_MAX 1.0
#endif

enum { FILE_MAX = 1 << 20 };

static const struct {
    const char *name;
    fuzz_target *run;
} targets[] = {{"compile", fuzz_compile},      {"validate", fuzz_validate}, {"npy", fuzz_npy},
               {"native", fuzz_native},        {"text", fuzz_text},         {"cuda", fuzz_cuda},
               {"standalone", fuzz_standalone}};

static fuzz_target *find_target(const char *name)
{
    for (size_t i = 0; name && i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].name, name) == 0)
            return targets[i].run;
    return NULL;
}

/* False: it took too long. Files that cannot be read and folders are passed over. */
static bool replay(fuzz_target *run, const char *path, unsigned *n)
{
    static uint8_t data[FILE_MAX];
    FILE *f = fopen(path, "rb");
    if (!f)
        return true;
    const size_t size = fread(data, 1, sizeof data, f);
    const bool is_file = !ferror(f);
    fclose(f);
    if (!is_file)
        return true;
    printf("%s\n", path); /* the last one is the culprit of a crash */
    fflush(stdout);
    const clock_t start = clock();
    run(data, size);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > SECONDS_MAX)
        printf("%s: takes %.1f s\n", path, seconds);
    ++*n;
    return seconds <= SECONDS_MAX;
}

int main(int argc, char **argv)
{
    unsigned n = 0, slow = 0;
    fuzz_target *run = find_target(argc > 1 ? argv[1] : NULL);
    if (!run)
        return 2;
    for (int i = 2; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            perror(argv[i]);
            return 1;
        }
        for (const struct dirent *e; (e = readdir(folder));) {
            char path[4096];
            const int size = snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            if (e->d_name[0] != '.' && size > 0 && (size_t)size < sizeof path)
                slow += !replay(run, path, &n);
        }
        closedir(folder);
    }
    printf("%u inputs, %u too slow\n", n, slow);
    return slow || !n;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Runs programs with files in memory as their standard streams: a program that reads slowly or
 * writes much cannot block, and nothing is left on the disk. Example: process_run(a,
 * {"/usr/bin/wc", "-c", NULL}, "abc", &r) sets r.status to 0 and r.out to "3\n". */
#define _GNU_SOURCE /* memfd_create */
#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/io.h"

extern char **environ;

/* Reads what the program has written to fd. Its output is complete here, so its size is known. */
static int read_stream(arena *a, int fd, str *text)
{
    struct stat st;
    if (io_fstat(fd, &st) < 0 || lseek(fd, 0, SEEK_SET) < 0)
        return errno;
    const size_t size = (size_t)st.st_size;
    char *p = arena_zero(a, size + 1);
    size_t n = 0;
    while (n < size) {
        const ssize_t got = io_read(fd, p + n, size - n);
        if (got < 0 && errno != EINTR)
            return errno;
        if (got == 0)
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    *text = (str){p, n};
    return 0;
}

/* The child's streams are copies of fds. NULL attributes: it is as its parent is. */
static int spawn(process *p, char *const *argv, const int fds[PROCESS_STREAMS],
                 const posix_spawnattr_t *attributes)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    for (int i = 0; i < PROCESS_STREAMS && !error; i++)
        error = posix_spawn_file_actions_adddup2(&actions, fds[i], i);
    if (!error)
        error = posix_spawn(p, argv[0], &actions, attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int process_start(process *p, const char *const *argv, const int fds[PROCESS_STREAMS])
{
    WEFT_ASSERT(argv && argv[0]);
    posix_spawnattr_t attributes;
    sigset_t none;
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    sigemptyset(&none);
    error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    if (!error)
        error = posix_spawnattr_setpgroup(&attributes, 0);
    if (!error)
        error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error)
        error = spawn(p, (char *const *)argv, fds, &attributes);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* Through signals. Statuses follow the shell: 128 + signal. */
int process_wait(process p, int *status)
{
    int ended;
    while (waitpid(p, &ended, 0) < 0)
        if (errno != EINTR)
            return errno;
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    return 0;
}

void process_kill(process p)
{
    WEFT_ASSERT(p > 0); /* 0 and -1 would be all processes of a group */
    kill(p, SIGKILL);
}

/* Starts the program and waits for its end. */
static int run_with(char *const *argv, const int fds[PROCESS_STREAMS], int *status)
{
    process child;
    const int error = spawn(&child, argv, fds, NULL);
    return error ? error : process_wait(child, status);
}

/* The arguments of run_once and what it opens. */
typedef struct run {
    arena *a;
    char *const *argv;
    str input;
    process_result *result;
    int fds[PROCESS_STREAMS], error;
} run;

/* The steps of process_run, any of which may run out of memory; the first failure stops the rest.
 */
static void run_once(void *arg)
{
    run *r = arg;
    for (int i = 0; i < PROCESS_STREAMS && !r->error; i++) {
        r->fds[i] = memfd_create("weft", MFD_CLOEXEC);
        r->error = r->fds[i] < 0 ? errno : 0;
    }
    if (!r->error)
        r->error = write_fully(r->fds[0], r->input);
    if (!r->error && lseek(r->fds[0], 0, SEEK_SET) < 0)
        r->error = errno;
    if (!r->error)
        r->error = run_with(r->argv, r->fds, &r->result->status);
    if (!r->error)
        r->error = read_stream(r->a, r->fds[1], &r->result->out);
    if (!r->error)
        r->error = read_stream(r->a, r->fds[2], &r->result->err);
}

/* Memory that fails while the files are open must not leave them open, hence mem_try here and
 * mem_fail afterwards. */
int process_run(arena *a, char *const *argv, str input, process_result *result)
{
    WEFT_ASSERT(argv && argv[0]);
    run r = {a, argv, input, result, {-1, -1, -1}, 0};
    *result = (process_result){0};
    const bool enough = mem_try(a->m, run_once, &r); /* the files are closed either way */
    for (int i = 0; i < PROCESS_STREAMS; i++)
        if (r.fds[i] >= 0)
            io_close(r.fds[i]);
    if (!enough)
        mem_fail(a->m);
    return r.error;
}

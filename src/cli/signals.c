/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts (Ctrl-C, SIGTERM) as a flag that commands test between two pieces of work.
 *
 *     first signal     sets the flag and the library's stop: work ends, files are cleaned up, 130
 *     second signal    ends the program at once, 130
 *     cli_end_at_once  then the first one does that already
 *
 * The flags are the only mutable globals of the program: a signal handler can reach nothing else.
 * It calls nothing but atomics and _exit, which are safe in a handler. */
#include "cli/cli.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile sig_atomic_t at_once;
static atomic_bool interrupted; /* free of locks, as a handler needs */
static weft_stop *_Atomic stop; /* set with it */

/* The exchange decides which of two signals is the first, even if they come in two threads. */
static void on_signal(int number)
{
    (void)number;
    if (at_once || atomic_exchange(&interrupted, true))
        _exit(CLI_INTERRUPTED);
    weft_stop_set(atomic_load(&stop));
}

/* The stop exists before the handler that sets it. SIGPIPE is ignored so that writing to a closed
 * pipe fails with EPIPE, which commands treat as a good end; SIGXFSZ likewise, for limits of file
 * sizes. */
bool cli_catch_interrupts(void)
{
    weft_stop *made;
    WEFT_ASSERT(!atomic_load(&stop)); /* called once */
    if (weft_stop_new(&made) != WEFT_OK)
        return false;
    atomic_store(&stop, made);
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* writing then fails with EFBIG */
    return true;
}

/* A signal may come at any moment: the handler finds no switch that is gone. */
void cli_release_interrupts(void)
{
    weft_stop_free(atomic_exchange(&stop, NULL));
}

const weft_stop *cli_stop(void)
{
    return atomic_load(&stop);
}

void cli_end_at_once(bool yes)
{
    at_once = yes;
}

void cli_hold_interrupts(void)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &held, NULL);
}

int cli_waiting(void *arg)
{
    (void)arg;
    return cli_interrupted();
}

/* After cli_hold_interrupts signals stay pending and never reach the handler: those count too. */
bool cli_interrupted(void)
{
    sigset_t waiting;
    return atomic_load(&interrupted) ||
           (sigpending(&waiting) == 0 &&
            (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1));
}

/* Interrupts as a flag that commands look at between two pieces of work. The flags are the
 * mutable globals of the program: a signal handler can reach nothing else. */
#include "cli/cli.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile sig_atomic_t at_once;
static atomic_bool interrupted; /* free of locks, as a handler needs */
static weft_stop *_Atomic stop; /* set with it */

static void on_signal(int number)
{
    (void)number;
    if (at_once || atomic_exchange(&interrupted, true))
        _exit(CLI_INTERRUPTED);
    weft_stop_set(atomic_load(&stop));
}

bool cli_catch_interrupts(void)
{
    weft_stop *made;
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

bool cli_interrupted(void)
{
    sigset_t waiting;
    return atomic_load(&interrupted) ||
           (sigpending(&waiting) == 0 &&
            (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1));
}

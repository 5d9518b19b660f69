/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions are checked in builds with WEFT_DEBUG, NDEBUG or not, and in no others. */
#ifndef NDEBUG
#define NDEBUG
#endif
#include "base/assert.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* The status of a child that asserts `holds`. */
static int status_of_child(bool holds)
{
    const pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO); /* what it writes is not this test's */
        (void)holds;
        WEFT_ASSERT(holds);
        _exit(7);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void passes_what_holds(void **state)
{
    (void)state;
    const int status = status_of_child(true);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void aborts_on_what_does_not_hold(void **state)
{
    (void)state;
    const int status = status_of_child(false);
#ifdef WEFT_DEBUG
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#else
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_what_holds),
        cmocka_unit_test(aborts_on_what_does_not_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

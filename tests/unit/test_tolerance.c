/* SPDX-License-Identifier: Apache-2.0 */
/* How far a device's results may be off, from what disturbed inputs move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "launch/tolerance.h"

static const double BASE = 0x1p-14; /* of float32: 1024 units */

static void more_than_what_moved(void **state)
{
    (void)state;
    /* det(A A) + det(A A) of 4x4 matrices near 18.83, nine of them: inputs a last place off move
     * none by more than 4e-6 of itself, fused multiply-adds in A A one by 1.56e-4 */
    const tolerance_limit limit = tolerance_widen(BASE, 4e-6, 1);
    assert_true(!limit.hangs);
    assert_true(limit.tolerance > 1.56e-4 && limit.tolerance < 1e-3);
}

static void never_less_than_base(void **state)
{
    (void)state;
    const tolerance_limit limit = tolerance_widen(BASE, 0, 1);
    assert_true(!limit.hangs && limit.tolerance == BASE);
}

static void hangs(void **state)
{
    (void)state;
    assert_true(!tolerance_widen(BASE, 2e-4, 1).hangs);
    assert_true(tolerance_widen(BASE, 2e-4, 1).tolerance == 64 * BASE);
    assert_true(tolerance_widen(BASE, 3e-4, 1).hangs);
    assert_true(tolerance_widen(BASE, __builtin_inf(), 1).hangs);
    assert_true(tolerance_widen(0, 1e-9, 1).hangs); /* integers */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_than_what_moved),
        cmocka_unit_test(never_less_than_base),
        cmocka_unit_test(hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

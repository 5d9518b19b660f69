/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers on POSIX contexts. AddressSanitizer is told of each switch, since it keeps the bounds of
 * the stack in use. */
#include "base/fiber.h"

#include <ucontext.h>

#include "base/assert.h"

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_ASAN_FIBERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_ASAN_FIBERS 1
#endif
#endif
#ifdef WEFT_ASAN_FIBERS
#include <sanitizer/common_interface_defs.h>
#endif

struct fiber {
    mem *m;
    void (*work)(void *arg);
    void *arg;
    ucontext_t own, caller;
    jmp_buf *guard; /* m's guard while the fiber runs */
    void *stack;
    size_t size;
    bool ended, failed;
    void *fake, *caller_fake; /* AddressSanitizer's */
    const void *caller_stack;
    size_t caller_size;
};

static void before_switch(void **fake, const void *stack, size_t size)
{
#ifdef WEFT_ASAN_FIBERS
    __sanitizer_start_switch_fiber(fake, stack, size);
#else
    (void)fake;
    (void)stack;
    (void)size;
#endif
}

static void after_switch(void *fake, const void **stack, size_t *size)
{
#ifdef WEFT_ASAN_FIBERS
    __sanitizer_finish_switch_fiber(fake, stack, size);
#else
    (void)fake;
    (void)stack;
    (void)size;
#endif
}

/* The function, under a guard of its own: memory that runs out must not leave to another stack. */
static void fiber_main(unsigned high, unsigned low)
{
    fiber *f = (fiber *)(((uintptr_t)high << 16 << 16) | (uintptr_t)low);
    after_switch(NULL, &f->caller_stack, &f->caller_size);
    f->failed = !mem_try(f->m, f->work, f->arg);
    f->ended = true;
    before_switch(NULL, f->caller_stack, f->caller_size);
    setcontext(&f->caller);
}

/* The next resume begins the function, on an empty stack. */
static void prepare(fiber *f)
{
    if (getcontext(&f->own))
        mem_fail(f->m);
    f->own.uc_stack.ss_sp = f->stack;
    f->own.uc_stack.ss_size = f->size;
    f->own.uc_link = NULL;
    const uintptr_t at = (uintptr_t)f;
    makecontext(&f->own, (void (*)(void))(void *)fiber_main, 2, (unsigned)(at >> 16 >> 16),
                (unsigned)at);
#ifdef WEFT_ASAN_FIBERS
    f->own.uc_stack.ss_size = 0; /* else it clears its notes of the whole stack at each switch */
#endif
}

fiber *fiber_new(mem *m, size_t stack, void (*work)(void *arg), void *arg)
{
    WEFT_ASSERT(stack >= 16384 && work);
    fiber *f = mem_alloc(m, sizeof *f);
    *f = (fiber){.m = m, .work = work, .arg = arg, .size = stack};
    f->stack = mem_alloc(m, stack);
    prepare(f);
    return f;
}

void fiber_restart(fiber *f, void (*work)(void *arg), void *arg)
{
    WEFT_ASSERT(work);
    *f = (fiber){.m = f->m, .work = work, .arg = arg, .stack = f->stack, .size = f->size};
    prepare(f);
}

bool fiber_resume(fiber *f)
{
    jmp_buf *outer = f->m->guard;
    if (f->ended)
        return false;
    if (f->guard)
        f->m->guard = f->guard;
    before_switch(&f->caller_fake, f->stack, f->size);
    swapcontext(&f->caller, &f->own);
    after_switch(f->caller_fake, NULL, NULL);
    f->guard = f->m->guard;
    f->m->guard = outer;
    if (f->failed)
        mem_fail(f->m);
    return !f->ended;
}

void fiber_yield(fiber *f)
{
    before_switch(&f->fake, f->caller_stack, f->caller_size);
    swapcontext(&f->own, &f->caller);
    after_switch(f->fake, &f->caller_stack, &f->caller_size);
}

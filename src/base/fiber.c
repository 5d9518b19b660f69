/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers on POSIX contexts. Only the first switch to a fiber goes by its context, which also sets
 * the signal mask by a system call; later ones go by siglongjmp, some 30 times as fast. A fiber
 * whose function has returned waits for the next one, so that a restart needs no new context.
 * C leaves a jump to another stack undefined; glibc and musl do it, without shadow stacks.
 * AddressSanitizer is told of each switch, since it keeps the bounds of the stack in use. */

/* The checked siglongjmp of glibc refuses to go to a stack below. */
#undef _FORTIFY_SOURCE

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
    ucontext_t begin; /* its empty stack */
#ifdef WEFT_ASAN_FIBERS
    ucontext_t own, caller;
#else
    sigjmp_buf own, caller;
#endif
    bool begun;
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

#ifdef WEFT_ASAN_FIBERS
/* AddressSanitizer knows nothing of a siglongjmp to another stack, and its swapcontext prints a
 * warning that fibers are not supported: setcontext and the notes above support them. */
static void switch_context(ucontext_t *from, const ucontext_t *to)
{
    volatile bool left = false;
    getcontext(from); /* returns again when somebody goes back here */
    if (!left) {
        left = true;
        setcontext(to);
    }
}
#endif

static void switch_to_fiber(fiber *f)
{
    const bool begun = f->begun;
    f->begun = true;
#ifdef WEFT_ASAN_FIBERS
    switch_context(&f->caller, begun ? &f->own : &f->begin);
#else
    if (sigsetjmp(f->caller, 0))
        return;
    if (begun)
        siglongjmp(f->own, 1);
    setcontext(&f->begin);
#endif
}

static void switch_to_caller(fiber *f)
{
#ifdef WEFT_ASAN_FIBERS
    switch_context(&f->own, &f->caller);
#else
    if (!sigsetjmp(f->own, 0))
        siglongjmp(f->caller, 1);
#endif
}

/* The functions of a fiber one after another, under a guard of its own: memory that runs out must
 * not leave to another stack. */
static void fiber_main(unsigned high, unsigned low)
{
    fiber *f = (fiber *)(((uintptr_t)high << 16 << 16) | (uintptr_t)low);
    for (;;) {
        after_switch(NULL, &f->caller_stack, &f->caller_size);
        f->failed = !mem_try(f->m, f->work, f->arg);
        f->ended = true;
        before_switch(NULL, f->caller_stack, f->caller_size);
        switch_to_caller(f);
    }
}

/* The next resume begins the function, on an empty stack. */
static void prepare(fiber *f)
{
    if (getcontext(&f->begin))
        mem_fail(f->m);
    f->begin.uc_stack.ss_sp = f->stack;
    f->begin.uc_stack.ss_size = f->size;
    f->begin.uc_link = NULL;
    f->begun = false;
    const uintptr_t at = (uintptr_t)f;
    makecontext(&f->begin, (void (*)(void))(void *)fiber_main, 2, (unsigned)(at >> 16 >> 16),
                (unsigned)at);
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
    if (!f->ended)
        prepare(f);
    f->work = work;
    f->arg = arg;
    f->guard = NULL;
    f->ended = f->failed = false;
}

bool fiber_resume(fiber *f)
{
    jmp_buf *outer = f->m->guard;
    if (f->ended)
        return false;
    if (f->guard)
        f->m->guard = f->guard;
    before_switch(&f->caller_fake, f->stack, f->size);
    switch_to_fiber(f);
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
    switch_to_caller(f);
    after_switch(f->fake, &f->caller_stack, &f->caller_size);
}

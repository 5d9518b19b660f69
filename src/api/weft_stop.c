/* SPDX-License-Identifier: Apache-2.0 */
/* weft_stop: a flag that ends the work of contexts, set by another thread or a signal handler.
 *
 *     options.stop = stop;   weft_context_new(&options, &context);
 *     void on_sigint(int number) { weft_stop_set(stop); }
 *
 * Stages look at it whenever they take memory from the heap or have counted some steps (mem.stop,
 * ctx_spend), executors every few milliseconds (interp_pause, vm_refuel), waits for pipes ten times
 * a second (mem.waiting). Work then ends by the longjmp of a failed allocation, so that nothing is
 * left half done; api_try finds the flag and makes WEFT_STOPPED of it. */
#include "api/api.h"

struct weft_stop {
    mem owner;       /* of this struct */
    atomic_bool set; /* free of locks, as a handler needs */
};

/* Memory is taken here, so that setting the flag takes none.
 *
 *     one flag may stop any number of contexts; it has to live longer than they do */
weft_status weft_stop_new(weft_stop **out)
{
    mem owner;
    if (!out)
        return WEFT_BAD_ARGUMENT;
    weft_stop *s = *out = api_new(&owner, sizeof *s);
    if (!s)
        return WEFT_NO_MEMORY;
    s->owner = owner;
    atomic_init(&s->set, false);
    return WEFT_OK;
}

/* Safe in a signal handler and from any thread. */
void weft_stop_set(weft_stop *s)
{
    if (s)
        atomic_store(&s->set, true);
}

/* For a stop that serves again: contexts that it ended may then be used. */
void weft_stop_clear(weft_stop *s)
{
    if (s)
        atomic_store(&s->set, false);
}

int weft_stop_is_set(const weft_stop *s)
{
    return s && atomic_load(&s->set);
}

/* The mem is copied first: it lies in the struct that it frees. */
void weft_stop_free(weft_stop *s)
{
    if (!s)
        return;
    mem owner = s->owner;
    mem_clear(&owner);
}

/* For mem.waiting, whose argument belongs to the mem's owner and is not changed. */
static int is_set(void *stop)
{
    return atomic_load((const atomic_bool *)stop);
}

/* The flag is read, never changed, through the mem of a context. */
void api_watch_stop(mem *m, const weft_stop *stop)
{
    if (!stop)
        return;
    m->stop = &stop->set;
    m->waiting = is_set;
    m->waiting_arg = (void *)(uintptr_t)&stop->set;
}

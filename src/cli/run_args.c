/* The parameters of a kernel filled by the options of `weft run`. */
#include "cli/run_args.h"

/* The text after "PATH=" among those given, the last one; or NULL. */
static const char *given_text(const run_args *r, const char *path)
{
    const size_t length = strlen(path);
    const char *found = NULL;
    for (uint32_t i = 0; i < r->ngiven; i++)
        if (strncmp(r->given[i], path, length) == 0 && r->given[i][length] == '=') {
            r->used[i] = true;
            found = r->given[i] + length + 1;
        }
    return found;
}

static launch_found find_array(void *arg, arena *a, const char *path, const type *item, int ndim,
                               npy *out)
{
    run_args *r = arg;
    const char *text = given_text(r, path);
    if (!text)
        return LAUNCH_ABSENT;
    return run_npy_read(r, a, path, text, item, ndim, out) ? LAUNCH_GIVEN : LAUNCH_REFUSED;
}

static launch_found find_value(void *arg, const char *path, const type *t, rvalue *out)
{
    run_args *r = arg;
    const char *text = given_text(r, path);
    if (!text)
        return LAUNCH_ABSENT;
    return run_value_read(r, path, t, text, out) ? LAUNCH_GIVEN : LAUNCH_REFUSED;
}

static void tell_wrong(void *arg, const char *path, const char *text)
{
    run_args *r = arg;
    if (text)
        run_refuse(r, CLI_BAD_INPUT, path, "%s", text);
    else
        run_refuse(r, CLI_USAGE, path, "it is not given: write --arg %s=...", path);
}

static void start(run_args *r)
{
    r->given = cli_all(r->args, r->from, &r->ngiven);
    r->used = arena_zero(&r->c->module, r->ngiven + 1);
    r->source = (launch_source){r, find_array, find_value, tell_wrong};
    arena_init(&r->texts, &r->c->mem);
    arena_alloc(&r->texts, 0); /* a small first chunk, which resetting keeps */
}

/* Everything that was given must have been asked for. */
static bool all_used(run_args *r, const kernel *k)
{
    for (uint32_t i = 0; i < r->ngiven; i++) {
        if (r->used[i])
            continue;
        if (r->from == OPT_ARG)
            cli_error("--arg %s: the kernel '%s' has no such parameter", r->given[i],
                      k->code.name->s);
        else
            cli_error("--adjoint %s: the kernel '%s' has no such array of floats", r->given[i],
                      k->code.name->s);
        r->status = CLI_USAGE;
        return false;
    }
    return true;
}

bool run_args_read(run_args *r, const kernel *k)
{
    start(r);
    return launch_args_read(&r->set, r->c, &r->source, k) && all_used(r, k);
}

bool run_args_mirror(run_args *r, const kernel *k, const run_args *primal)
{
    start(r);
    return launch_args_mirror(&r->set, r->c, &r->source, k, &primal->set) && all_used(r, k);
}

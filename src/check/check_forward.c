/* SPDX-License-Identifier: Apache-2.0 */
/* The forward proof: each text, read back and executed, leaves the same bits in all arrays as the
 * reference interpreter does on the source.
 *
 *     source  y[i] = 2.0 * x[i]            interpreter    y = {2, 4, 6}   expected
 *     text    var_5 = wp::mul(2.0, var_4)  text machine   y = {2, 4, 6}   equal
 *
 * An input set keeps its memory before the launch (initial) and what the reference made of it
 * (expected); both executors work on the same third piece (values). */
#include "base/assert.h"
#include "check/check_internal.h"

/* Generated kernels take some thousand steps; what takes this many does not end. */
enum { FUEL = 1000000 };

static const char *const devices[EMIT_DEVICES] = {[EMIT_CPU] = "CPU", [EMIT_CUDA] = "CUDA"};

/* Ends the proof with how a text failed. A text that cannot be executed, or does what C++ leaves
 * open, proves nothing; every other error is a wrong text. */
static bool end_with_text_error(checker *k, const textvm_error *e, const char *device,
                                const char *pass)
{
    static const struct {
        check_status status;
        check_reason reason;
    } of[] = {[TEXTVM_OK] = {CHECK_FAILED, CHECK_REASON_FAULT},
              [TEXTVM_UNREADABLE] = {CHECK_FAILED, CHECK_REASON_UNREADABLE},
              [TEXTVM_MISSING] = {CHECK_CANNOT, CHECK_REASON_MISSING},
              [TEXTVM_FAULT] = {CHECK_FAILED, CHECK_REASON_FAULT},
              [TEXTVM_UNSPECIFIED] = {CHECK_CANNOT, CHECK_REASON_UNSPECIFIED},
              [TEXTVM_UNSET] = {CHECK_FAILED, CHECK_REASON_UNINITIALISED},
              [TEXTVM_FUEL] = {CHECK_CANNOT, CHECK_REASON_FUEL}};
    return check_end(k, of[e->kind].status, of[e->kind].reason, "%s %s text, line %u: %s", device,
                     pass, e->line, e->text);
}

/* Does the text take the arguments of the source's kernel: names and kinds of types, in order? */
static bool has_params_of_source(checker *k, const textvm *vm)
{
    const textvm_param *p;
    const code *f = &k->s->kernel->code;
    const uint32_t n = textvm_params(vm, &p);
    bool same = n == f->nparams;
    for (uint32_t i = 0; same && i < n; i++)
        same = str_eq(p[i].name, sym_str(f->params[i].name)) &&
               p[i].type->kind == f->params[i].type->kind;
    return same;
}

/* Reads a text, if there is one, and checks that it is of this device, pass and kernel. */
static bool read_one(checker *k, str text, int device, bool backward, textvm **out)
{
    textvm_error e = {0};
    check_shared *texts = k->s->texts;
    textvm **shared = !texts ? NULL : backward ? &texts->backward[device] : &texts->forward[device];
    *out = NULL;
    if (!text.n)
        return true;
    if (shared && *shared) {
        *out = *shared;
        return true;
    }
    textvm *vm = *out = textvm_read(k->c, shared ? &k->c->module : &k->a, text, &e);
    const char *pass = backward ? "backward" : "forward";
    if (!vm)
        return end_with_text_error(k, &e, devices[device], pass);
    if (textvm_is_backward(vm) != backward || textvm_is_cuda(vm) != (device == EMIT_CUDA))
        return check_end(k, CHECK_FAILED, CHECK_REASON_TEXT, "the %s %s text is another one's",
                         devices[device], pass);
    if (!has_params_of_source(k, vm))
        return check_end(k, CHECK_FAILED, CHECK_REASON_TEXT,
                         "the %s %s text has other parameters than the source", devices[device],
                         pass);
    if (shared)
        *shared = vm;
    return true;
}

bool check_read(checker *k, int device, bool backward)
{
    WEFT_ASSERT(device >= 0 && device < EMIT_DEVICES);
    const str *texts = backward ? k->s->backward : k->s->forward;
    textvm **read = backward ? k->backward : k->forward;
    return read_one(k, texts[device], device, backward, &read[device]);
}

bool check_has_tiles(const checker *k)
{
    return k->reference && interp_has_tiles(k->reference);
}

static bool has_tile(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->vars.n; i++)
        if (type_strip_ref(u->vars.v[i].type)->kind == TYPE_TILE)
            return true;
    return false;
}

uint32_t check_tile_block(const ir_module *m)
{
    bool tiles = has_tile(m->kernel);
    for (uint32_t i = 0; i < m->funcs.n && !tiles; i++)
        tiles = has_tile(m->funcs.v[i]);
    return tiles ? CHECK_TILE_BLOCK : 0;
}

int check_block(const checker *k)
{
    return check_has_tiles(k) ? CHECK_TILE_BLOCK : CHECK_BLOCK;
}

uint64_t check_fuel(const checker *k, uint64_t fuel)
{
    return check_block(k) == CHECK_TILE_BLOCK ? 50 * fuel : fuel;
}

bool check_run_text(checker *k, textvm *vm, check_inputs *in, uint64_t fuel, textvm_error *error)
{
    uint64_t steps = 0;
    textvm_launch launch = {.args = in->values.args,
                            .ndim = in->ndim,
                            .block_dim = check_block(k),
                            .in_order = true,
                            .fuel = check_fuel(k, fuel),
                            .steps = &steps,
                            .unset_is_zero = k->s->foreign};
    memcpy(launch.dim, in->dim, sizeof launch.dim);
    memcpy(in->values.bytes, in->initial, in->size);
    const bool ran = textvm_run(vm, &launch, error);
    k->r->work += steps;
    check_note_volumes(k, in);
    return ran;
}

/* The source itself failed: unless it cannot be executed here, that is an error of the generator.
 */
bool check_end_with_reference_error(checker *k)
{
    const char *text = sb_cstr(&k->error);
    k->r->outside = interp_met_outside(k->reference);
    k->r->outside_set = k->r->inputs;
    switch (interp_ended(k->reference)) {
    case INTERP_UNSPECIFIED:
        return check_end(k, CHECK_CANNOT, CHECK_REASON_UNSPECIFIED, "%s", text);
    case INTERP_CANNOT: return check_end(k, CHECK_CANNOT, CHECK_REASON_MISSING, "%s", text);
    case INTERP_FUEL: return check_end(k, CHECK_CANNOT, CHECK_REASON_FUEL, "%s", text);
    default: return check_end(k, CHECK_FAILED, CHECK_REASON_REFERENCE, "%s", text);
    }
}

bool check_cuda_alone(const checker *k)
{
    return !k->s->forward[0].n;
}

static interp_launch source_launch(const checker *k, const check_inputs *in)
{
    const bool blocks = (k->s->foreign && check_cuda_alone(k)) || check_has_tiles(k);
    interp_launch launch = {.kernel = k->s->kernel,
                            .args = in->values.args,
                            .ndim = in->ndim,
                            .block_dim = blocks ? check_block(k) : 0,
                            .fuel = check_fuel(k, FUEL),
                            .cuda = check_cuda_alone(k)};
    memcpy(launch.dim, in->dim, sizeof launch.dim);
    return launch;
}

/* Runs the interpreter from in->initial; the memory after it is in in->values. */
bool check_run_source(checker *k, check_inputs *in, bool reversed)
{
    WEFT_ASSERT(in->initial != NULL);
    interp_launch launch = source_launch(k, in);
    launch.reversed = reversed;
    memcpy(in->values.bytes, in->initial, in->size);
    k->error.n = 0;
    const bool ran = interp_launch_run(k->reference, &launch, &k->error);
    k->r->work += interp_steps(k->reference);
    check_note_volumes(k, in);
    return ran || check_end_with_reference_error(k);
}

bool check_stores_meet(checker *k, check_inputs *in, size_t at)
{
    interp_launch launch = source_launch(k, in);
    launch.apart = true;
    launch.watched = in->values.bytes + at;
    check_restart(k, in);
    k->error.n = 0;
    return interp_launch_run(k->reference, &launch, &k->error) && interp_stores_met(k->reference);
}

/* The source's result becomes what is expected of the texts. */
static bool run_reference(checker *k, check_inputs *in)
{
    if (!check_run_source(k, in, false))
        return false;
    memcpy(in->expected, in->values.bytes, in->size);
    in->steps = interp_steps(k->reference);
    in->rounded = interp_met_gradient(k->reference);
    k->r->steps += in->steps;
    return true;
}

/* Ends the proof with the first difference. "Lanes counted": an index counts scalars, not vectors.
 */
static bool compare(checker *k, check_inputs *in, int device)
{
    WEFT_ASSERT(device >= 0 && device < EMIT_DEVICES);
    const check_difference d = check_states_differ(in, in->expected, in->values.bytes);
    if (!d.slot)
        return true;
    if (in->rounded) /* the texts call an adjoint, which rounds in another order than tangents */
        return check_end(k, CHECK_CANNOT, CHECK_REASON_MISSING,
                         "the %s text gives %s[%zu] = %.9g, the source %.9g with wp.grad, which "
                         "may be rounding",
                         devices[device], d.slot->name, d.lane, d.is, d.was);
    k->r->forward_error = d.error;
    return check_end(k, CHECK_FAILED, CHECK_REASON_FORWARD,
                     "the %s text gives %s[%zu] = %.9g, the source %.9g (lanes counted)",
                     devices[device], d.slot->name, d.lane, d.is, d.was);
}

bool check_device(checker *k, uint32_t set, int device)
{
    WEFT_ASSERT(set < CHECK_INPUTS_MAX && k->forward[device]);
    check_inputs *in = &k->sets[set];
    textvm_error e = {0};
    if (!check_run_text(k, k->forward[device], in, FUEL, &e))
        return end_with_text_error(k, &e, devices[device], "forward");
    return compare(k, in, device);
}

bool check_forward(checker *k, uint32_t set)
{
    if (!run_reference(k, &k->sets[set]))
        return false;
    for (int d = 0; d < EMIT_DEVICES; d++)
        if (k->forward[d] && !check_device(k, set, d))
            return false;
    k->r->inputs++;
    return true;
}

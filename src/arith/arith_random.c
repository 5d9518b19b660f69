/* Random numbers as warp/native/rand.h of Warp 1.19 makes them: the PCG hash and what follows from
 * it. The state is the first argument and is advanced in place. */
#include <math.h>

#include "arith/arith.h"

#define TWO_PI (2.0f * 3.14159265358979323846f)

uint32_t random_next(uint32_t state)
{
    const uint32_t b = state * 747796405u + 2891336453u;
    const uint32_t c = ((b >> ((b >> 28) + 4)) ^ b) * 277803737u;
    return (c >> 22) ^ c;
}

static uint32_t argument(const arith_call *call, uint32_t i)
{
    return (uint32_t)call->args[i].n.i;
}

static uint32_t draw(arith_call *call)
{
    const uint32_t state = random_next(argument(call, 0));
    call->args[0].n.i = state;
    return state;
}

static float draw_unit(arith_call *call)
{
    return (float)(draw(call) >> 8) * (1.0f / 16777216.0f);
}

static float draw_between(arith_call *call, float low, float high)
{
    return (high - low) * draw_unit(call) + low;
}

static arith_status give(arith_call *call, type_kind k, num x)
{
    call->result = rvalue_num(type_scalar(call->c, k), num_wrap(k, x));
    return ARITH_OK;
}

static arith_status give_float(arith_call *call, float x)
{
    return give(call, TYPE_FLOAT32, (num){.f = (double)x});
}

static arith_status give_vec(arith_call *call, int n, const float *lanes)
{
    const size_t size = (size_t)n * sizeof(float);
    call->result = (rvalue){.type = type_vec(call->c, type_scalar(call->c, TYPE_FLOAT32), n),
                            .bytes = memcpy(arena_alloc(call->a, size), lanes, size)};
    return ARITH_OK;
}

static arith_status integer(arith_call *call, type_kind k)
{
    uint32_t x = draw(call);
    if (call->n == 3) {
        const uint32_t low = argument(call, 1), width = argument(call, 2) - low;
        if (!width)
            return ARITH_DIVIDES_BY_ZERO;
        x = x % width + low;
    }
    return give(call, k, (num){.i = x});
}

static arith_status rand_init(arith_call *call)
{
    const uint32_t offset = call->n == 2 ? random_next(argument(call, 1)) : 0;
    return give(call, TYPE_UINT32, (num){.i = random_next(argument(call, 0) + offset)});
}

static arith_status randf(arith_call *call)
{
    if (call->n == 1)
        return give_float(call, draw_unit(call));
    return give_float(call, draw_between(call, (float)call->args[1].n.f, (float)call->args[2].n.f));
}

static arith_status randn(arith_call *call)
{
    const float radius = sqrtf(-2.0f * logf(draw_unit(call) + 5.96e-8f));
    return give_float(call, radius * cosf(TWO_PI * draw_unit(call)));
}

static arith_status box(arith_call *call, int n)
{
    float lanes[4];
    for (int i = 0; i < n; i++)
        lanes[i] = draw_unit(call) - 0.5f;
    return give_vec(call, n, lanes);
}

static arith_status disk(arith_call *call, bool ring)
{
    const float r = ring ? 1.0f : sqrtf(draw_unit(call));
    const float theta = draw_between(call, 0.0f, TWO_PI);
    return give_vec(call, 2, (float[]){r * cosf(theta), r * sinf(theta)});
}

static arith_status sphere(arith_call *call, float spread, bool surface)
{
    const float phi = acosf(1.0f - spread * draw_unit(call));
    const float theta = draw_between(call, 0.0f, TWO_PI);
    const float r = surface ? 1.0f : powf(draw_unit(call), 1.0f / 3.0f);
    const float x = r * cosf(theta) * sinf(phi), y = r * sinf(theta) * sinf(phi);
    return give_vec(call, 3, (float[]){x, y, r * cosf(phi)});
}

static arith_status triangle(arith_call *call)
{
    const float r = sqrtf(draw_unit(call));
    return give_vec(call, 2, (float[]){1.0f - r, draw_unit(call) * r});
}

arith_status arith_random(arith_call *call, const char *name)
{
    if (strcmp(name, "rand_init") == 0)
        return rand_init(call);
    if (strcmp(name, "randi") == 0)
        return integer(call, TYPE_INT32);
    if (strcmp(name, "randu") == 0)
        return integer(call, TYPE_UINT32);
    if (strcmp(name, "randf") == 0)
        return randf(call);
    if (strcmp(name, "randn") == 0)
        return randn(call);
    if (strcmp(name, "sample_unit_square") == 0)
        return box(call, 2);
    if (strcmp(name, "sample_unit_cube") == 0)
        return box(call, 3);
    if (strcmp(name, "sample_triangle") == 0)
        return triangle(call);
    if (strcmp(name, "sample_unit_ring") == 0)
        return disk(call, true);
    if (strcmp(name, "sample_unit_disk") == 0)
        return disk(call, false);
    if (strcmp(name, "sample_unit_sphere") == 0)
        return sphere(call, 2.0f, false);
    if (strcmp(name, "sample_unit_sphere_surface") == 0)
        return sphere(call, 2.0f, true);
    if (strcmp(name, "sample_unit_hemisphere") == 0)
        return sphere(call, 1.0f, false);
    if (strcmp(name, "sample_unit_hemisphere_surface") == 0)
        return sphere(call, 1.0f, true);
    return ARITH_MISSING;
}

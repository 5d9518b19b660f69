/* SPDX-License-Identifier: Apache-2.0 */
/* Calls operations (arith_op.h) on points that a script gives, for tests/oracle/arith_check.py.
 * stdin: lines "op NAME N TYPE... M TYPE..." (arguments, results; "=TYPE" for NAME: a constructor),
 * each followed by its points, one a line in hexadecimal: the bytes of the arguments, then of the
 * adjoints of what it gives: its results; argument 0 when it changes that; all when it does both.
 * stdout: "missing", or for each point the bytes of what it gives, then of the arguments' adjoints;
 * "unspecified" where C++ leaves that open, "status N" where it fails. A type is float32,
 * float16:vec3, float64:mat3x3, bfloat16:quat, ... */
#include <stdio.h>
#include <stdlib.h>

#include "arith/arith_op.h"
#include "builtin/builtin.h"

enum { VALUES_MAX = 40, VALUE_BYTES = 512, LINE_BYTES = 1 << 16 };

typedef struct caller {
    ctx c;
    arith_op op;
    bool found;
    double values[2 * VALUES_MAX][VALUE_BYTES / sizeof(double)]; /* as the operands of arith_fn */
} caller;

static void start(void *p)
{
    ctx *c = p;
    ctx_init(c);
    types_init(c);
    builtins_init(c);
}

static const type *parse_type(ctx *c, const char *text)
{
    char scalar[32] = "", shape[32] = "";
    int rows, cols;
    if (sscanf(text, "%31[^:]:%31s", scalar, shape) < 1)
        return NULL;
    const type *s = type_by_name(c, sym_c(&c->syms, scalar));
    if (!s || !shape[0])
        return s;
    if (sscanf(shape, "vec%d", &rows) == 1)
        return type_vec(c, s, rows);
    if (sscanf(shape, "mat%dx%d", &rows, &cols) == 2)
        return type_mat(c, s, rows, cols);
    return strcmp(shape, "quat") == 0 ? type_quat(c, s) : type_transform(c, s);
}

static uint32_t parse_types(ctx *c, const type **out)
{
    const char *word = strtok(NULL, " \n");
    const uint32_t n = word ? (uint32_t)strtoul(word, NULL, 10) : 0;
    for (uint32_t i = 0; i < n && i < VALUES_MAX; i++) {
        word = strtok(NULL, " \n");
        out[i] = word ? parse_type(c, word) : NULL;
        if (!out[i]) {
            fprintf(stderr, "call_arith: '%s' is no type\n", word ? word : "");
            exit(2);
        }
    }
    return n;
}

static void find(caller *k)
{
    ctx *c = &k->c;
    const char *name = strtok(NULL, " \n");
    const type **types = ARENA_ARRAY(&c->perm, const type *, 2 * VALUES_MAX);
    arith_request q = {.c = c, .a = &c->perm, .args = types, .results = types + VALUES_MAX};
    q.name = sym_c(&c->syms, name)->s;
    q.constructs = name[0] == '=' ? parse_type(c, name + 1) : NULL;
    q.n = parse_types(c, types);
    q.nresults = parse_types(c, types + VALUES_MAX);
    k->found = arith_find(&q, &k->op);
    if (!k->found)
        puts("missing");
}

static const char *read_value(const char *hex, void *out, size_t size)
{
    uint8_t *bytes = out;
    for (size_t i = 0; i < size; i++, hex += 2) {
        unsigned byte = 0;
        if (sscanf(hex, "%2x", &byte) != 1)
            exit(2);
        bytes[i] = (uint8_t)byte;
    }
    return hex;
}

static void write_value(const void *p, size_t size)
{
    const uint8_t *bytes = p;
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
}

static void call_point(caller *k, const char *hex)
{
    const arith_op *op = &k->op;
    const uint32_t n = op->n + op->nresults;
    void *operands[2 * VALUES_MAX];
    memset(k->values, 0, sizeof k->values);
    for (uint32_t i = 0; i < 2 * n; i++)
        operands[i] = k->values[i];
    for (uint32_t i = 0; i < op->n; i++)
        hex = read_value(hex, operands[i], layout_size(op->types[i]));
    const uint32_t first = op->in_place ? 0 : op->n, past = op->in_place && !op->nresults ? 1 : n;
    for (uint32_t i = first; i < past; i++)
        hex = read_value(hex, operands[n + i], layout_size(op->types[i]));
    arith_status status = op->run(op, operands);
    if (status == ARITH_OK && op->adjoint)
        status = op->adjoint(op, operands);
    if (status == ARITH_CONVERSION || status == ARITH_SHIFT || status == ARITH_NAN_SIGN) {
        puts("unspecified");
        return;
    }
    if (status != ARITH_OK) {
        printf("status %d\n", (int)status);
        return;
    }
    for (uint32_t i = first; i < past; i++)
        write_value(operands[i], layout_size(op->types[i]));
    for (uint32_t i = 0; i < op->n; i++)
        write_value(operands[n + i], layout_size(op->types[i]));
    putchar('\n');
}

static void serve(void *p)
{
    caller *k = p;
    char *line = arena_alloc(&k->c.perm, LINE_BYTES);
    while (fgets(line, LINE_BYTES, stdin))
        if (strncmp(line, "op ", 3) == 0) {
            strtok(line, " ");
            find(k);
        } else if (k->found) {
            call_point(k, line);
        }
}

int main(void)
{
    static caller k;
    mem_init(&k.c.mem);
    const bool ok = mem_try(&k.c.mem, start, &k.c) && mem_try(&k.c.mem, serve, &k);
    ctx_clear(&k.c);
    return ok ? 0 : 3;
}

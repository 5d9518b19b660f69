/* SPDX-License-Identifier: Apache-2.0 */
/* What metadata.json says of a program's files, and of what the program does.
 * The keys and their order come from record_field.def.
 *
 *     clamp.cu, its kernel   ->   {..., "standalone": {"launch": [277], "kernels": [{"name":
 *                                 "clamp", "parameters": [{"name": "x", "type": ...}]}], ...}} */
#include "record/record_program.h"

#include "base/assert.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/version.h"
#include "record/record_name.h"

static void put_hash(strbuf *b, str text)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, hex);
    json_string(b, (str){hex, SHA256_HEX});
}

static void put_name(strbuf *b, str name, const char *extension)
{
    sb_char(b, '"');
    sb_str(b, name);
    sb_c(b, extension);
    sb_char(b, '"');
}

/* --- kernels ------------------------------------------------------------------------------- */

static void put_parameters(strbuf *b, const cuda_param *params, uint32_t n)
{
    SB_LIT(b, "[");
    for (uint32_t i = 0; i < n; i++) {
        sb_c(b, i ? ", {" : "{");
        record_field_put_key(b, FIELD_PARAMETER_NAME, true);
        json_string(b, params[i].name);
        record_field_put_key(b, FIELD_PARAMETER_TYPE, false);
        json_string(b, params[i].type_text);
        SB_LIT(b, "}");
    }
    SB_LIT(b, "]");
}

/* One kernel with its parameters as C++ declares them, which the static checks compare with the
 * text:
 *
 *     {"name": "saxpy", "parameters": [{"name": "x", "type": "const float *"}, ...]} */
static void put_kernel(strbuf *b, str name, const cuda_param *params, uint32_t n)
{
    SB_LIT(b, "{");
    record_field_put_key(b, FIELD_FUNCTION_NAME, true);
    json_string(b, name);
    record_field_put_key(b, FIELD_FUNCTION_PARAMETERS, false);
    put_parameters(b, params, n);
    SB_LIT(b, "}");
}

static void put_kernels(strbuf *b, const cuda_kernel *k)
{
    SB_LIT(b, "[");
    put_kernel(b, k->forward_name, k->forward_params.v, k->forward_params.n);
    if (k->backward.n) {
        SB_LIT(b, ", ");
        put_kernel(b, k->backward_name, k->backward_params.v, k->backward_params.n);
    }
    SB_LIT(b, "]");
}

static void put_launch(strbuf *b, const standalone_program *p)
{
    SB_LIT(b, "[");
    for (int i = 0; i < p->launch_dim; i++) {
        sb_c(b, i ? ", " : "");
        sb_int(b, p->launch[i]);
    }
    SB_LIT(b, "]");
}

/* --- fields -------------------------------------------------------------------------------- */

static void put_value(strbuf *b, const record_program *r, record_field f)
{
    const standalone_program *p = r->p;
    switch (f) {
    case FIELD_FILES_MAKEFILE: put_name(b, STR("Makefile"), ""); break;
    case FIELD_FILES_CUDA: put_name(b, r->name, ".cu"); break;
    case FIELD_FILES_PYTHON: put_name(b, r->name, ".py"); break;
    case FIELD_FILE_SHA256_CUDA: put_hash(b, p->cu); break;
    case FIELD_FILE_SHA256_MAKEFILE: put_hash(b, p->makefile); break;
    case FIELD_FILE_SHA256_PYTHON: put_hash(b, r->python); break;
    case FIELD_FILE_BYTES_CUDA: sb_uint(b, p->cu.n); break;
    case FIELD_FILE_BYTES_MAKEFILE: sb_uint(b, p->makefile.n); break;
    case FIELD_FILE_BYTES_PYTHON: sb_uint(b, r->python.n); break;
    case FIELD_PROGRAM_LAUNCH: put_launch(b, p); break;
    case FIELD_PROGRAM_KERNELS: put_kernels(b, p->kernel); break;
    case FIELD_PROGRAM_BACKWARD: sb_c(b, p->backward ? "true" : "false"); break;
    case FIELD_PROGRAM_EXPECTED_VALUES: sb_uint(b, p->expected); break;
    case FIELD_PROGRAM_LARGEST_TOLERANCE: sb_float(b, p->tolerance); break;
    case FIELD_PROGRAM_WHY_NONE: json_string(b, str_c(p->why_none ? p->why_none : "")); break;
    case FIELD_PROGRAM_DIFFERS:
        json_string(b, str_c(p->backward && r->differs ? r->differs : ""));
        break;
    default: WEFT_ASSERT(false && "a field of a program without a value");
    }
}

void record_program_put(strbuf *b, const record_program *r, record_field object)
{
    bool first = true;
    for (record_field f = FIELD_TOP; (f = record_field_child(object, f)) != FIELD_TOP;) {
        record_field_put_key(b, f, first);
        put_value(b, r, f);
        first = false;
    }
}

/* All four with their keys, as members of an object. */
static void record_program_put_all(strbuf *b, const record_program *r, bool first)
{
    for (record_field f = FIELD_TOP; (f = record_field_child(FIELD_TOP, f)) != FIELD_TOP;) {
        if (record_fields[f].when != TRAIT_PROGRAM)
            continue;
        record_field_put_key(b, f, first);
        SB_LIT(b, "{");
        record_program_put(b, r, f);
        SB_LIT(b, "}");
        first = false;
    }
}

/* [{"name": "n", "type": "int"}, ...] */
static void put_arguments(strbuf *b, const kernel *k)
{
    SB_LIT(b, "[");
    for (uint32_t i = 0; i < k->code.nparams; i++) {
        sb_c(b, i ? ", {" : "{");
        record_field_put_key(b, FIELD_ARGUMENT_NAME, true);
        json_string(b, sym_str(k->code.params[i].name));
        record_field_put_key(b, FIELD_ARGUMENT_TYPE, false);
        json_string(b, k->code.params[i].type->pyname);
        SB_LIT(b, "}");
    }
    SB_LIT(b, "]");
}

void record_program_put_compiled(strbuf *b, const record_program *r, const kernel *k)
{
    SB_LIT(b, "{");
    record_field_put_key(b, FIELD_SCHEMA, true);
    SB_LIT(b, "\"" COMPILED_SCHEMA "\"");
    record_field_put_key(b, FIELD_WEFT_VERSION, false);
    SB_LIT(b, "\"" WEFT_VERSION "\"");
    record_field_put_key(b, FIELD_WARP_VERSION, false);
    SB_LIT(b, "\"" WARP_VERSION "\"");
    record_field_put_key(b, FIELD_KERNEL_NAME, false);
    json_string(b, k->key);
    record_field_put_key(b, FIELD_ARGUMENTS, false);
    put_arguments(b, k);
    record_program_put_all(b, r, false);
    SB_LIT(b, "}\n");
}

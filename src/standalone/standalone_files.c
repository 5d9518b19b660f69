/* What stands beside a program: facts for metadata.json. */
#include "base/json.h"
#include "base/sha256.h"
#include "standalone/standalone.h"

static void put_hash(strbuf *b, const char *key, str text, bool first)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, hex);
    json_key(b, key, first);
    json_string(b, (str){hex, SHA256_HEX});
}

static void put_name(strbuf *b, const char *key, str name, const char *extension)
{
    json_key(b, key, false);
    sb_char(b, '"');
    sb_str(b, name);
    sb_c(b, extension);
    sb_char(b, '"');
}

/* {"name": "saxpy", "parameters": [{"name": "x", "type": "const float *"}, ...]} */
static void put_kernel(strbuf *b, str name, const cuda_param *params, uint32_t n)
{
    SB_LIT(b, "{\"name\": ");
    json_string(b, name);
    SB_LIT(b, ", \"parameters\": [");
    for (uint32_t i = 0; i < n; i++) {
        sb_c(b, i ? ", {\"name\": " : "{\"name\": ");
        json_string(b, params[i].name);
        SB_LIT(b, ", \"type\": ");
        json_string(b, params[i].type_text);
        SB_LIT(b, "}");
    }
    SB_LIT(b, "]}");
}

static void put_kernels(strbuf *b, const cuda_kernel *k)
{
    json_key(b, "kernels", false);
    SB_LIT(b, "[");
    put_kernel(b, k->forward_name, k->forward_params.v, k->forward_params.n);
    if (k->backward.n) {
        SB_LIT(b, ", ");
        put_kernel(b, k->backward_name, k->backward_params.v, k->backward_params.n);
    }
    SB_LIT(b, "]");
}

void standalone_put_facts(strbuf *b, str name, str python, const standalone_program *p,
                          const char *differs)
{
    SB_LIT(b, "\"files\": {\"makefile\": \"Makefile\"");
    put_name(b, "cuda", name, ".cu");
    put_name(b, "python", name, ".py");
    SB_LIT(b, "}, \"file_sha256\": {");
    put_hash(b, "cuda", p->cu, true);
    put_hash(b, "makefile", p->makefile, false);
    put_hash(b, "python", python, false);
    SB_LIT(b, "}, \"file_bytes\": {\"cuda\": ");
    sb_uint(b, p->cu.n);
    json_key(b, "makefile", false);
    sb_uint(b, p->makefile.n);
    json_key(b, "python", false);
    sb_uint(b, python.n);
    SB_LIT(b, "}, \"standalone\": {\"launch\": [");
    for (int i = 0; i < p->launch_dim; i++) {
        sb_c(b, i ? ", " : "");
        sb_int(b, p->launch[i]);
    }
    SB_LIT(b, "]");
    put_kernels(b, p->kernel);
    SB_LIT(b, ", \"backward\": ");
    sb_c(b, p->backward ? "true" : "false");
    SB_LIT(b, ", \"expected_values\": ");
    sb_uint(b, p->expected);
    SB_LIT(b, ", \"largest_tolerance\": ");
    sb_float(b, p->tolerance);
    json_key(b, "without_expected_values_because", false);
    json_string(b, str_c(p->why_none ? p->why_none : ""));
    json_key(b, "gradient_is_no_derivative_because", false);
    json_string(b, str_c(p->backward && differs ? differs : ""));
    SB_LIT(b, "}");
}

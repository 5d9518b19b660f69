/* The compiler of `weft generate --with-ptx`. Its version is a part of the command that describes a
 * data set: bytes of PTX, and so records, are only equal where it is. */
#include "base/version.h"
#include "cli/generate.h"
#include "gpu/ptx_make.h"

bool generate_read_ptx(const cli_args *args, record_options *o)
{
    o->with_ptx = cli_has(args, OPT_WITH_PTX);
    o->ptx_compiler = cli_get(args, OPT_PTX_COMPILER);
    if (o->ptx_compiler && !o->with_ptx)
        return cli_usage_error(args, "--ptx-compiler is for --with-ptx"), false;
    if (o->with_ptx && !(o->devices & EMIT_FOR_CUDA))
        return cli_usage_error(args, "--with-ptx is for --device cuda or both"), false;
    return true;
}

/* "NVRTC 12.9" as a word of a command. */
static const char *as_word(arena *a, const char *compiler)
{
    char *word = arena_dup(a, compiler, strlen(compiler));
    for (char *p = word; *p; p++)
        if (*p == ' ')
            *p = '-';
    return word;
}

/* What makes the PTX of every record; NULL, and *why, if it is not here. */
static const char *compiler_of_set(const ptx_tools *tools, arena *a, bool programs,
                                   const char **why)
{
    if (!ptx_tools_can(tools, a, programs ? PTX_PLAIN : PTX_WARP, why))
        return NULL;
    if (!tools->has_nvrtc) {
        *why = tools->why_not;
        return NULL;
    }
    if (!programs) {
        const ptx_source part = {.dialect = PTX_WARP_PART};
        if (tools->warp_version && strcmp(tools->warp_version, WARP_VERSION) == 0)
            return ptx_compiler_of(tools, a, &part);
        *why = arena_printf(a, "'%s' holds no headers of warp-lang " WARP_VERSION, tools->warp);
        return NULL;
    }
    const ptx_source some = {.text = STR("#include <cuda_fp16.h>"), .dialect = PTX_PLAIN};
    if (tools->headers)
        return ptx_compiler_of(tools, a, &some);
    *why = ptx_no_headers;
    return NULL;
}

int generate_open_ptx(const cli_args *args, record_options *o)
{
    arena *a = args->arena;
    uint32_t n;
    const char *why = NULL, *const *sites = cli_all(args, OPT_INCLUDE, &n);
    if (!o->with_ptx)
        return CLI_OK;
    ptx_tools *tools = ARENA_NEW(a, ptx_tools);
    ptx_tools_open(tools, a, sites, n, cli_get(args, OPT_WARP_INCLUDE));
    const char *compiler = compiler_of_set(tools, a, o->format == STORE_STANDALONE, &why);
    if (!compiler) {
        cli_error("%s", why);
        return CLI_IO;
    }
    compiler = as_word(a, compiler);
    if (o->ptx_compiler && strcmp(o->ptx_compiler, compiler) != 0) {
        cli_error("the PTX is to be made by %s, and %s is what is here (WEFT_NVRTC names another)",
                  o->ptx_compiler, compiler);
        return CLI_IO;
    }
    o->ptx_compiler = compiler;
    o->ptx = tools; /* until the program ends */
    return CLI_OK;
}

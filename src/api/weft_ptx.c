/* SPDX-License-Identifier: Apache-2.0 */
/* weft_ptx_text and weft_ptx_statistics: one CUDA text to PTX, and what PTX consists of. What the
 * compiler refuses becomes diagnostics with the user's name and lines:
 *
 *     bad.cu:1: error: identifier "y" is undefined   ->   {"cuda-refused", ..., "bad.cu", 1}
 *
 * weft_ptx_paths.c does the same for files and data sets. */
#include "api/api.h"
#include "base/json.h"
#include "record/record_ptx.h"

/* A call, and what came of it. Texts live in the context's module arena. */
typedef struct ptx_request {
    weft_context *c;
    weft_ptx_options o;
    const char *name;
    str text, ptx, statistics;
    ptx_tools tools;
    weft_status status;
} ptx_request;

/* The text as a place of diagnostics; a copy, ended by a zero. */
static const source *source_of(ptx_request *r)
{
    arena *a = &r->c->p.c.module;
    source *src = ARENA_NEW(a, source);
    src->path = arena_dup(a, r->name, strlen(r->name));
    src->text = (str){arena_dup(a, r->text.p, r->text.n), r->text.n};
    return src;
}

/* One JSON object: the compiler (null if the caller gave PTX) and the figures of each function.
 *
 *     {"compiler": "NVRTC 12.9", ...}     {"compiler": null, ...} */
static void put_statistics(ptx_request *r, const char *compiler, const ptx_module *m)
{
    arena *a = &r->c->p.c.module;
    strbuf b;
    sb_init(&b, a->m);
    SB_LIT(&b, "{");
    json_key(&b, "compiler", true);
    json_string_or_null(&b, compiler);
    SB_LIT(&b, ", ");
    ptx_put_module(&b, r->ptx, m);
    SB_LIT(&b, "}");
    r->statistics = (str){arena_dup(a, b.p, b.n), b.n};
    sb_clear(&b);
}

/* PTX that cannot be read is an error at its line. */
static void count(ptx_request *r, const source *src, const char *compiler)
{
    ptx_module m;
    uint32_t line;
    const char *wrong = ptx_read(&r->c->p.c.module, r->ptx, &m, &line);
    if (wrong)
        diag_error(&r->c->p.c, (span){src, line, 0, line, 0}, DIAG_BAD_PTX, wrong);
    else
        put_statistics(r, compiler, &m);
}

/* Splits "NAME:3: error: words", as NVRTC prints an error; false: the line is something else, a
 * note, a source line or an error without a line.
 *
 *     a.cu:3: error: identifier "y" is undefined     line 3, words: identifier "y" is undefined
 *     a.cu:3: warning: ...                           false
 *         y = x;                                     false */
static bool read_error(str message, const char *name, uint32_t *line, str *words)
{
    static const char mark[] = ": error: ";
    const size_t n = strlen(name);
    size_t at = n + 1;
    if (message.n < at || memcmp(message.p, name, n) != 0 || message.p[n] != ':')
        return false;
    for (*line = 0;
         at < message.n && message.p[at] >= '0' && message.p[at] <= '9' && *line < 1u << 28; at++)
        *line = *line * 10 + (uint32_t)(message.p[at] - '0');
    const str rest = {message.p + at, message.n - at};
    if (!*line || rest.n < sizeof mark || memcmp(rest.p, mark, sizeof mark - 1) != 0)
        return false;
    *words = (str){rest.p + sizeof mark - 1, rest.n - (sizeof mark - 1)};
    return true;
}

/* One diagnostic for each error that the compiler gives a line; without any, one with the log's
 * beginning. Notes and source lines in between are left out.
 *
 *     a log with errors at lines 3 and 7    two diagnostics
 *     a log without "NAME:LINE: error:"     one, at line 1, with up to 2,000 bytes of the log */
static void report_refusal(ptx_request *r, const source *src, str log)
{
    ctx *c = &r->c->p.c;
    for (str rest = log; rest.n;) {
        uint32_t line;
        str words;
        const char *end = memchr(rest.p, '\n', rest.n);
        const str message = {rest.p, end ? (size_t)(end - rest.p) : rest.n};
        rest = (str){message.p + message.n + (end != NULL), rest.n - message.n - (end != NULL)};
        if (read_error(message, src->path, &line, &words))
            diag_error(c, (span){src, line, 0, line, 0}, DIAG_CUDA_REFUSED, (int)words.n, words.p);
    }
    const size_t most = log.n < 2000 ? log.n : 2000;
    if (!c->diags.n)
        diag_error(c, (span){src, 1, 0, 1, 0}, DIAG_CUDA_REFUSED, (int)most, log.n ? log.p : "");
}

/* Without a compiler that fits, the message names what is missing: that is no error of the text. */
static void compile(ptx_request *r, const ptx_arch *arch)
{
    WEFT_ASSERT(arch);
    arena *a = &r->c->p.c.module;
    const source *src = source_of(r);
    const ptx_source text = record_ptx_source(a, src->path, src->text);
    const char *why = NULL;
    if (!ptx_tools_can(&r->tools, a, text.dialect, &why)) {
        r->c->message = why;
        r->status = WEFT_FAILED;
        return;
    }
    const nvrtc_result made = ptx_make(&r->tools, a, &text, arch);
    r->ptx = made.ptx;
    if (made.stopped) {
        r->status = WEFT_STOPPED;
        return;
    }
    if (made.good) {
        count(r, src, ptx_compiler_of(&r->tools, a, &text));
    } else {
        report_refusal(r, src, made.log);
        r->c->message = arena_dup(a, made.log.p, made.log.n);
    }
    r->status = api_take_diagnostics(r->c);
}

/* For one architecture, since the result is one text. False: the options name none or several.
 *
 *     arch NULL   ->   PTX_DEFAULT_ARCH     "sm_75,sm_90"   ->   WEFT_BAD_ARGUMENT */
static bool open_tools(ptx_request *r, ptx_arch archs[PTX_ARCHS_MAX])
{
    uint32_t n;
    str unknown;
    const char *list = r->o.arch ? r->o.arch : PTX_DEFAULT_ARCH;
    if (!ptx_read_archs(list, archs, &n, &unknown) || n != 1) {
        r->c->message =
            arena_printf(&r->c->p.c.module, "arch is one architecture (sm_75), not '%s'", list);
        r->status = WEFT_BAD_ARGUMENT;
        return false;
    }
    ptx_tools_open(&r->tools, &r->c->p.c.module, r->o.package_dirs,
                   (uint32_t)r->o.package_dir_count, r->o.warp_include);
    return true;
}

/* For api_try. */
static void make_ptx(void *arg)
{
    ptx_request *r = arg;
    ptx_arch archs[PTX_ARCHS_MAX];
    if (open_tools(r, archs)) {
        r->tools.nvrtc.ends_at_signals = true;
        compile(r, archs);
    }
}

/* Warp's dialect needs more than plain CUDA: NVRTC and the native headers. */
static void look_for_tools(void *arg)
{
    ptx_request *r = arg;
    ptx_arch archs[PTX_ARCHS_MAX];
    const char *why;
    if (!open_tools(r, archs) || ptx_tools_can(&r->tools, &r->c->p.c.module, PTX_WARP, &why))
        return;
    r->c->message = why;
    r->status = WEFT_FAILED;
}

/* For PTX that the caller already has: no compiler is needed. */
static void only_count(void *arg)
{
    ptx_request *r = arg;
    const source *src = source_of(r);
    r->ptx = src->text;
    count(r, src, NULL);
    r->status = api_take_diagnostics(r->c);
}

/* Runs a request on an emptied context. */
static weft_status run(ptx_request *r, void (*what)(void *))
{
    r->status = api_try(r->c, what, r, &r->status);
    ptx_tools_close(&r->tools);
    if (r->status != WEFT_OK)
        r->ptx = r->statistics = (str){0};
    return r->status;
}

/* For callers that check a list before they compile. */
size_t weft_ptx_arch_count(const char *list)
{
    ptx_arch archs[PTX_ARCHS_MAX];
    uint32_t n;
    str unknown;
    return list && ptx_read_archs(list, archs, &n, &unknown) ? n : 0;
}

/* Looks for the tools without compiling anything. */
weft_status weft_ptx_available(weft_context *c, const weft_ptx_options *options)
{
    ptx_request r = {.c = c};
    if (!c || !api_take_options(&r.o, sizeof r.o, options))
        return WEFT_BAD_ARGUMENT;
    return run(&r, look_for_tools);
}

/* The texts live in the context until the next call. After an error there are none, and the
 * context's message says why. */
weft_status weft_ptx_text(weft_context *c, const char *name, const char *text, size_t size,
                          const weft_ptx_options *options, const char **ptx, size_t *ptx_size,
                          const char **statistics, size_t *statistics_size)
{
    if (!c || !name || (!text && size) || !ptx || !ptx_size || !statistics || !statistics_size)
        return WEFT_BAD_ARGUMENT;
    ptx_request r = {.c = c, .name = name, .text = {text ? text : "", size}};
    if (!api_take_options(&r.o, sizeof r.o, options))
        return WEFT_BAD_ARGUMENT;
    const weft_status status = run(&r, make_ptx);
    *ptx = r.ptx.p;
    *ptx_size = r.ptx.n;
    *statistics = r.statistics.p;
    *statistics_size = r.statistics.n;
    return status;
}

/* The same figures as weft_ptx_text gives. */
weft_status weft_ptx_statistics(weft_context *c, const char *name, const char *ptx, size_t size,
                                const char **statistics, size_t *statistics_size)
{
    if (!c || !name || (!ptx && size) || !statistics || !statistics_size)
        return WEFT_BAD_ARGUMENT;
    ptx_request r = {.c = c, .name = name, .text = {ptx ? ptx : "", size}};
    const weft_status status = run(&r, only_count);
    *statistics = r.statistics.p;
    *statistics_size = r.statistics.n;
    return status;
}

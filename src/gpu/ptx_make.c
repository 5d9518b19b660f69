/* SPDX-License-Identifier: Apache-2.0 */
/* The compilers of CUDA text, their options, and their messages with the user's names:
 *
 *     kernel.cu(23): error: identifier "y" is undefined     (20 header lines precede the text)
 *     bad.cu:3: error: identifier "y" is undefined
 *
 * The options of Warp's dialect are those that warp-lang 1.19.0 passes in release mode
 * (native/warp.cu, append_common_nvrtc_compile_options), but for warnings, which are about Warp's
 * own lines. Precompiled headers begin with NVRTC 12.8. */
#include "gpu/ptx_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/c_locale.h"
#include "base/file.h"
#include "base/io.h"
#include "base/process.h"

enum { PTX_OPTIONS_MAX = 24 };

/* The name under which compilers see every text. Names of internal variables in the PTX hold it,
 * and the same text must give the same bytes everywhere. */
static const char source_name[] = "kernel.cu";

const char ptx_no_headers[] =
    "CUDA's own headers (cuda_fp16.h, cuda_bf16.h) are not on this machine: install a CUDA toolkit "
    "or the Python package nvidia-cuda-runtime-cu12";

/* The arguments of a compiler, ended by NULL for execv: zeroed before the first is added. */
typedef struct words {
    char *v[PTX_OPTIONS_MAX];
    uint32_t n;
} words;

static void add(words *w, arena *a, const char *word)
{
    WEFT_ASSERT(w->n + 1 < PTX_OPTIONS_MAX);
    w->v[w->n++] = arena_dup(a, word, strlen(word));
}

/* --- architectures and dialects -------------------------------------------------------------- */

/* "75", "90a": two or three digits and a letter of a family. */
static bool is_arch(str s)
{
    size_t digits = 0;
    while (digits < s.n && s.p[digits] >= '0' && s.p[digits] <= '9')
        digits++;
    const bool letter = digits + 1 == s.n && (s.p[digits] == 'a' || s.p[digits] == 'f');
    return digits >= 2 && digits <= 3 && (digits == s.n || letter);
}

/* The text without its start, if it begins so and something follows. */
static str without(str s, str start)
{
    if (s.n > start.n && memcmp(s.p, start.p, start.n) == 0)
        return (str){s.p + start.n, s.n - start.n};
    return s;
}

/* Both prefixes are taken, since nvcc has both, and none; an empty list is no list. */
bool ptx_read_archs(const char *list, ptx_arch archs[PTX_ARCHS_MAX], uint32_t *n, str *unknown)
{
    for (*n = 0; *list; list += *list == ',') {
        const str word = {list, strcspn(list, ",")};
        const str name = without(without(word, STR("sm_")), STR("compute_"));
        list += word.n;
        *unknown = word;
        if (!is_arch(name) || *n == PTX_ARCHS_MAX)
            return false;
        WEFT_ASSERT(name.n < PTX_ARCH_NAME);
        memset(archs[*n].name, 0, PTX_ARCH_NAME);
        memcpy(archs[(*n)++].name, name.p, name.n);
    }
    *unknown = (str){0};
    return *n > 0;
}

/* memchr finds the candidates: texts are long, and the word rarely begins in them. */
bool ptx_contains(str text, str word)
{
    WEFT_ASSERT(word.n);
    for (const char *p = text.p, *end = text.p + text.n; (size_t)(end - p) >= word.n; p++) {
        p = memchr(p, word.p[0], (size_t)(end - p) - word.n + 1);
        if (!p)
            return false;
        if (memcmp(p, word.p, word.n) == 0)
            return true;
    }
    return false;
}

/* A whole module includes Warp's header; texts of a record are parts of one, known by the
 * namespace. */
ptx_dialect ptx_dialect_of(str text)
{
    if (ptx_contains(text, STR("#include \"builtin.h\"")))
        return PTX_WARP;
    return ptx_contains(text, STR("wp::")) ? PTX_WARP_PART : PTX_PLAIN;
}

/* --- the tools ------------------------------------------------------------------------------- */

void ptx_tools_open(ptx_tools *t, arena *a, const char *const *sites, uint32_t nsites,
                    const char *warp)
{
    gpu_places places;
    *t = (ptx_tools){0};
    gpu_places_find(&places, a, sites, nsites);
    t->has_nvrtc = nvrtc_open(&t->nvrtc, a, &places, 0, &t->why_not);
    if (t->has_nvrtc || !nvrtc_is_named()) /* who names a library does not mean nvcc */
        t->nvcc = gpu_find_program(&places, a, "nvcc");
    t->ptxas = gpu_find_program(&places, a, "ptxas");
    t->headers = gpu_find_headers(&places, a);
    t->headers_version = t->headers ? gpu_headers_version(a, t->headers) : NULL;
    t->warp = warp ? warp : gpu_find_warp(&places, a);
    t->warp_version = t->warp ? gpu_warp_version(a, t->warp) : NULL;
}

/* What NVRTC left in its folder goes with it. */
void ptx_tools_drop_headers(ptx_tools *t)
{
    DIR *folder = t->pch ? io_opendir(t->pch) : NULL;
    const struct dirent *e;
    char path[4096];
    while (folder && (e = io_readdir(folder))) {
        const int n = snprintf(path, sizeof path, "%s/%s", t->pch, e->d_name);
        if (e->d_name[0] != '.' && n > 0 && (size_t)n < sizeof path)
            io_unlink(path);
    }
    if (folder)
        closedir(folder);
    if (t->pch)
        io_rmdir(t->pch);
    t->pch = NULL;
}

void ptx_tools_close(ptx_tools *t)
{
    if (t->has_nvrtc)
        nvrtc_close(&t->nvrtc);
    ptx_tools_drop_headers(t);
}

/* A folder below TMPDIR for NVRTC's -pch; 12.8 is the first version that has it. Without a folder
 * every text reads the headers again, which takes longer and gives the same PTX. */
void ptx_tools_keep_headers(ptx_tools *t, arena *a)
{
    const char *folder = getenv("TMPDIR");
    if (t->pch || !t->has_nvrtc || 1000 * t->nvrtc.major + 10 * t->nvrtc.minor < 12080)
        return;
    char *path = arena_printf(a, "%s/weft-XXXXXX", folder && *folder ? folder : "/tmp");
    t->pch = mkdtemp(path);
}

/* NVRTC writes to the folder of precompiled headers, so each thread has its own. */
ptx_tools ptx_tools_share(const ptx_tools *t, arena *a)
{
    ptx_tools own = *t;
    own.pch = NULL;
    ptx_tools_keep_headers(&own, a);
    return own;
}

/* The first obstacle is the reason. nvcc alone serves plain CUDA: Warp's headers do not compile
 * with its host pass. */
bool ptx_tools_can(const ptx_tools *t, arena *a, ptx_dialect dialect, const char **why)
{
    const bool plain = dialect == PTX_PLAIN;
    if (!t->has_nvrtc && t->nvcc && !plain)
        *why = arena_printf(a, "%s (nvcc is here, but does not take Warp's headers)", t->why_not);
    else if (!t->has_nvrtc && !t->nvcc)
        *why = t->why_not;
    else if (!plain && !t->warp)
        *why = "Warp's native headers are not on this machine: install warp-lang, or name their "
               "folder (.../site-packages/warp/native) by --warp-include";
    else
        return true;
    return false;
}

/* --- compiling ------------------------------------------------------------------------------- */

/* The header lines and the text as one, ended by NUL as NVRTC wants it. */
static str whole_text(arena *a, const ptx_source *s)
{
    const size_t n = s->prelude.n + s->text.n;
    char *p = arena_alloc(a, n + 1);
    if (s->prelude.n)
        memcpy(p, s->prelude.p, s->prelude.n);
    if (s->text.n)
        memcpy(p + s->prelude.n, s->text.p, s->text.n);
    p[n] = 0;
    return (str){p, n};
}

/* As in Warp's append_common_nvrtc_compile_options, see the head; NVRTC keeps the headers compiled
 * in t->pch, if there is such a folder. */
static void add_warp_options(words *w, arena *a, const ptx_tools *t)
{
    static const char *const fixed[] = {"--define-macro=NDEBUG",
                                        "--undefine-macro=WP_VERIFY_FP",
                                        "--define-macro=WP_ENABLE_MATHDX=0",
                                        "--fmad=true",
                                        "--device-as-default-execution-space",
                                        "--extra-device-vectorization",
                                        "--restrict",
                                        "-w"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(w, a, fixed[i]);
    add(w, a, arena_printf(a, "--include-path=%s", t->warp));
    if (!t->pch)
        return;
    add(w, a, "-pch");
    add(w, a, "--pch-messages=false");
    add(w, a, arena_printf(a, "--pch-dir=%s", t->pch));
}

/* Machine code (sm_NN) only for a device whose driver is older than NVRTC; PTX otherwise. */
static nvrtc_result make_with_nvrtc(const ptx_tools *t, arena *a, const ptx_source *s, str text,
                                    const ptx_arch *arch)
{
    WEFT_ASSERT(t->has_nvrtc && (s->dialect == PTX_PLAIN || t->warp));
    words w = {.n = 0};
    add(&w, a,
        arena_printf(a, "--gpu-architecture=%s_%s", t->nvrtc.cubin ? "sm" : "compute", arch->name));
    add(&w, a, "--std=c++17");
    if (s->dialect != PTX_PLAIN)
        add_warp_options(&w, a, t);
    else if (t->headers)
        add(&w, a, arena_printf(a, "--include-path=%s", t->headers));
    return nvrtc_compile(&t->nvrtc, a, text.p, source_name, (const char *const *)w.v, w.n);
}

/* Through pipes: nothing is written to disk, and nothing is left there. */
static nvrtc_result make_with_nvcc(const ptx_tools *t, arena *a, str text, const ptx_arch *arch)
{
    WEFT_ASSERT(t->nvcc);
    words w = {.n = 0};
    process_result done;
    add(&w, a, t->nvcc);
    add(&w, a, arena_printf(a, "-arch=compute_%s", arch->name));
    add(&w, a, "-std=c++17");
    add(&w, a, "-x");
    add(&w, a, "cu");
    add(&w, a, "-ptx");
    add(&w, a, "-o");
    add(&w, a, "/dev/stdout");
    add(&w, a, "/dev/stdin");
    const int error = process_run(a, w.v, text, &done);
    if (error)
        return (nvrtc_result){.log = str_c(arena_printf(a, "%s: %s", t->nvcc, error_text(error)))};
    return (nvrtc_result){.good = done.status == 0 && done.out.n, .ptx = done.out, .log = done.err};
}

/* "(3)" -> 3 and its length; 0: it is no place. */
static size_t read_place(str s, uint32_t *line)
{
    size_t n = 1;
    for (*line = 0; n < s.n && s.p[n] >= '0' && s.p[n] <= '9' && *line < 1u << 28; n++)
        *line = *line * 10 + (uint32_t)(s.p[n] - '0');
    return n > 1 && n < s.n && s.p[0] == '(' && s.p[n] == ')' ? n + 1 : 0;
}

/* Of a log at `at`: the name that the text was given, at its start or within quotes? */
static size_t own_name(str log, size_t at)
{
    static const str names[] = {{"/dev/stdin", 10}, {"kernel.cu", 9}};
    for (size_t i = 0; i < 2; i++)
        if (log.n - at >= names[i].n && memcmp(log.p + at, names[i].p, names[i].n) == 0)
            return names[i].n;
    return 0;
}

/* "kernel.cu(23): error: ..." -> "NAME:3: error: ...", where 20 lines stood before the text. */
static str places_for_editors(arena *a, str log, const ptx_source *s)
{
    const uint32_t before = str_count(s->prelude, '\n');
    strbuf b;
    sb_init(&b, a->m);
    for (size_t i = 0; i < log.n;) {
        uint32_t line;
        const size_t name = own_name(log, i);
        if (!name) {
            sb_char(&b, log.p[i++]);
            continue;
        }
        i += name;
        sb_c(&b, s->name);
        const size_t place = read_place((str){log.p + i, log.n - i}, &line);
        if (place)
            sb_printf(&b, ":%u", line > before ? line - before : line);
        i += place;
    }
    const str text = {arena_dup(a, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

/* A whole program includes what only nvcc has, unless it hides that from NVRTC. */
static bool has_host(const ptx_source *s)
{
    return s->dialect == PTX_PLAIN && ptx_contains(s->text, STR("#include <cuda_runtime.h>")) &&
           !ptx_contains(s->text, STR("__CUDACC_RTC__"));
}

/* NVRTC is preferred, since it needs no host compiler; a whole program needs nvcc. */
static bool is_for_nvcc(const ptx_tools *t, const ptx_source *s)
{
    return !t->has_nvrtc || (t->nvcc && has_host(s));
}

/* Of CUDA's types, cuda_fp16.h and the like; Warp's dialect brings its own. */
static bool takes_headers(const ptx_source *s)
{
    return s->dialect == PTX_PLAIN && (ptx_contains(s->text, STR("#include <cuda_fp")) ||
                                       ptx_contains(s->text, STR("#include <cuda_bf")));
}

/* "... release 13.0, V13.0.88" */
static const char *nvcc_name(const ptx_tools *t, arena *a)
{
    static const char mark[] = "release ";
    words w = {.n = 0};
    process_result done;
    add(&w, a, t->nvcc);
    add(&w, a, "--version");
    if (process_run(a, w.v, STR(""), &done) != 0 || !done.out.n)
        return "nvcc";
    const char *at = strstr(arena_dup(a, done.out.p, done.out.n), mark);
    if (!at)
        return "nvcc";
    at += sizeof mark - 1;
    return arena_printf(a, "nvcc %.*s", (int)strspn(at, "0123456789."), at);
}

const char *ptx_compiler_of(const ptx_tools *t, arena *a, const ptx_source *source)
{
    if (is_for_nvcc(t, source))
        return nvcc_name(t, a);
    const char *name = arena_printf(a, "NVRTC %d.%d", t->nvrtc.major, t->nvrtc.minor);
    if (!takes_headers(source) || !t->headers)
        return name;
    return arena_printf(a, "%s with headers of CUDA %s", name,
                        t->headers_version ? t->headers_version : "(version not known)");
}

/* NVRTC names the header that is missing, but not where to get it. */
static str with_hint(const ptx_tools *t, arena *a, const ptx_source *s, str log)
{
    if (t->headers || !takes_headers(s))
        return log;
    return str_c(arena_printf(a, "%s\n%.*s", ptx_no_headers, (int)log.n, log.n ? log.p : ""));
}

/* The hint about headers is for NVRTC only: nvcc belongs to a toolkit and has them. */
nvrtc_result ptx_make(const ptx_tools *t, arena *a, const ptx_source *source, const ptx_arch *arch)
{
    const str text = whole_text(a, source);
    const bool by_nvcc = is_for_nvcc(t, source);
    nvrtc_result r =
        by_nvcc ? make_with_nvcc(t, a, text, arch) : make_with_nvrtc(t, a, source, text, arch);
    r.log = places_for_editors(a, r.log, source);
    if (!r.good && !by_nvcc)
        r.log = with_hint(t, a, source, r.log);
    return r;
}

/* ptxas writes its machine code to /dev/null; only what it prints counts. */
bool ptx_assemble(const ptx_tools *t, arena *a, str ptx, const ptx_arch *arch, ptx_module *m,
                  str *log)
{
    WEFT_ASSERT(t->ptxas && arch->name[0]);
    words w = {.n = 0};
    process_result done;
    add(&w, a, t->ptxas);
    add(&w, a, "-v");
    add(&w, a, arena_printf(a, "-arch=sm_%s", arch->name));
    add(&w, a, "-o");
    add(&w, a, "/dev/null");
    add(&w, a, "/dev/stdin");
    const int error = process_run(a, w.v, ptx, &done);
    *log = error ? str_c(arena_printf(a, "%s: %s", t->ptxas, error_text(error))) : done.err;
    if (error || done.status != 0)
        return false;
    ptx_add_assembled(a, m, done.err);
    return true;
}

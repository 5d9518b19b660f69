/* SPDX-License-Identifier: Apache-2.0 */
/* Finding libnvrtc and compiling with it. Candidates are tried in this order, the first usable one
 * is taken:
 *
 *     WEFT_NVRTC                                      and then no other
 *     SITE/nvidia/cuda_nvrtc/lib, SITE/nvidia/cu13/lib   of each site-packages folder
 *     TOOLKIT/lib64, TOOLKIT/lib
 *     libnvrtc.so.13, .12, .11.2                      of the system's loader
 *
 * Without any, the message is about the first library that was there and could not be used. */
#include "gpu/nvrtc.h"

#include <signal.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/file.h"

typedef struct search {
    nvrtc *n;            /* the result */
    arena *a;            /* of paths and messages */
    int newest;          /* version of CUDA that the driver takes; 0: no driver is concerned */
    const char *refused; /* why the first one that was there is not used */
} search;

/* Keeps the first reason. */
static bool refuse(search *s, const char *why)
{
    if (!s->refused)
        s->refused = why;
    return false;
}

/* --- the library ----------------------------------------------------------------------------- */

/* False: one that every version has is missing. The last five are optional: without them no machine
 * code is made, no architecture is chosen for a device, or signals wait for the end. */
static bool find_functions(nvrtc *n)
{
    const struct {
        const char *name;
        void *function;
    } wanted[] = {
        {"nvrtcCreateProgram", &n->create},
        {"nvrtcCompileProgram", &n->compile},
        {"nvrtcDestroyProgram", &n->destroy},
        {"nvrtcGetProgramLogSize", &n->log_size},
        {"nvrtcGetProgramLog", &n->log},
        {"nvrtcGetPTXSize", &n->ptx_size},
        {"nvrtcGetPTX", &n->ptx},
        {"nvrtcGetErrorString", &n->error_text},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!dynlib_find(&n->lib, wanted[i].name, wanted[i].function))
            return false;
    (void)dynlib_find(&n->lib, "nvrtcGetCUBINSize", &n->cubin_size);
    (void)dynlib_find(&n->lib, "nvrtcGetCUBIN", &n->get_cubin);
    (void)dynlib_find(&n->lib, "nvrtcGetNumSupportedArchs", &n->arch_count);
    (void)dynlib_find(&n->lib, "nvrtcGetSupportedArchs", &n->archs);
    (void)dynlib_find(&n->lib, "nvrtcSetFlowCallback", &n->set_flow);
    return true;
}

/* Machine code of one major version of CUDA runs with all drivers of that version. */
static bool can_make_cubin(const nvrtc *n, int newest)
{
    WEFT_ASSERT(newest > 0);
    return n->major == newest / 1000 && n->cubin_size && n->get_cubin;
}

/* The status of an empty program; 0: NVRTC works. */
static int compile_nothing(const nvrtc *n)
{
    nvrtc_program *program;
    int status = n->create(&program, "", "nothing.cu", 0, NULL, NULL);
    if (status != 0)
        return status;
    status = n->compile(program, 0, NULL);
    n->destroy(&program);
    return status;
}

/* NVRTC takes its built-in headers from a second library beside it, which incomplete installations
 * lack. Some versions carry them inside: if the library is missing, an empty program shows whether
 * it is needed. */
static bool is_whole(search *s, const char *path)
{
    enum { BUILTIN_FAILURE = 7 }; /* of nvrtcResult */
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    const char *name = arena_printf(s->a, "libnvrtc-builtins.so.%d.%d", s->n->major, s->n->minor);
    dynlib headers;
    if (dynlib_open(&headers, arena_printf(s->a, "%.*s%s", (int)folder, path, name)) ||
        dynlib_open(&headers, name)) {
        dynlib_close(&headers);
        return true;
    }
    if (compile_nothing(s->n) != BUILTIN_FAILURE)
        return true;
    return refuse(s, arena_printf(s->a, "NVRTC %d.%d ('%s') is not installed whole: %s is missing",
                                  s->n->major, s->n->minor, path, name));
}

/* Is it an NVRTC that can be used? If not, s->refused says why:
 *
 *     a function is missing              "'PATH' is no NVRTC"
 *     below 11.8                         "NVRTC 11.2 ('PATH') is too old: ..."
 *     newer than the driver, no cubins   "NVRTC 13.0 ('PATH') is newer than the driver, ..."
 *     its library of headers missing     "NVRTC 12.9 ('PATH') is not installed whole: ..." */
static bool is_usable(search *s, const char *path)
{
    WEFT_ASSERT(s->n->lib.handle);
    nvrtc *n = s->n;
    int (*version)(int *, int *);
    if (!dynlib_find(&n->lib, "nvrtcVersion", &version) || !find_functions(n) ||
        version(&n->major, &n->minor) != 0)
        return refuse(s, arena_printf(s->a, "'%s' is no NVRTC", path));
    const int found = 1000 * n->major + 10 * n->minor;
    if (found < 1000 * NVRTC_LEAST_MAJOR + 10 * NVRTC_LEAST_MINOR)
        return refuse(s,
                      arena_printf(s->a, "NVRTC %d.%d ('%s') is too old: %d.%d or newer is needed",
                                   n->major, n->minor, path, NVRTC_LEAST_MAJOR, NVRTC_LEAST_MINOR));
    n->cubin = s->newest && found > s->newest;
    if (n->cubin && !can_make_cubin(n, s->newest))
        return refuse(
            s, arena_printf(s->a,
                            "NVRTC %d.%d ('%s') is newer than the driver, which supports CUDA up "
                            "to %d.%d: install a newer driver, or name an older NVRTC by "
                            "WEFT_NVRTC",
                            n->major, n->minor, path, s->newest / 1000, s->newest % 1000 / 10));
    return is_whole(s, path);
}

/* A file that is not there is no reason; one that cannot be loaded is. */
static bool try_path(search *s, const char *path)
{
    nvrtc *n = s->n;
    if (!dynlib_open(&n->lib, path))
        return n->lib.why &&
               refuse(s, arena_printf(s->a, "NVRTC ('%s') cannot be loaded: %s", path, n->lib.why));
    n->path = arena_dup(s->a, path, strlen(path));
    if (is_usable(s, path))
        return true;
    dynlib_close(&n->lib);
    return false;
}

/* --- where it is looked for ------------------------------------------------------------------ */

/* Is it the library's name, and not that of what stands beside it? */
static bool is_name(const char *name)
{
    static const char start[] = "libnvrtc.so";
    const size_t n = sizeof start - 1;
    return strncmp(name, start, n) == 0 && (name[n] == 0 || name[n] == '.');
}

/* The newest by name comes first: libnvrtc.so.12 before libnvrtc.so.11.2 before libnvrtc.so. */
static bool try_folder(search *s, const char *folder)
{
    const char *const *names;
    uint32_t n;
    if (file_list(s->a, folder, &names, &n) != 0)
        return false;
    for (uint32_t i = n; i-- > 0;)
        if (is_name(names[i]) && try_path(s, path_join(s->a, folder, str_c(names[i]))))
            return true;
    return false;
}

/* The wheels nvidia-cuda-nvrtc (13) and nvidia-cuda-nvrtc-cu12. */
static bool try_sites(search *s, const gpu_places *places)
{
    for (uint32_t i = 0; i < places->site.n; i++) {
        const char *site = places->site.v[i];
        if (try_folder(s, path_join(s->a, site, STR("nvidia/cuda_nvrtc/lib"))) ||
            try_folder(s, path_join(s->a, site, STR("nvidia/cu13/lib"))))
            return true;
    }
    return false;
}

/* A toolkit's libraries lie in lib64 on most machines, in lib on some. */
static bool try_toolkits(search *s, const gpu_places *places)
{
    for (uint32_t i = 0; i < places->toolkit.n; i++)
        if (try_folder(s, path_join(s->a, places->toolkit.v[i], STR("lib64"))) ||
            try_folder(s, path_join(s->a, places->toolkit.v[i], STR("lib"))))
            return true;
    return false;
}

static bool try_system(search *s)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                        "libnvrtc.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (try_path(s, names[i]))
            return true;
    return false;
}

/* A folder or a file. Who names a library wants that one or an error. */
static bool open_named(search *s, const char *named, const char **why)
{
    if (try_folder(s, named) || try_path(s, named))
        return true;
    *why = s->refused ? s->refused
                      : arena_printf(s->a, "WEFT_NVRTC names '%s', which is no libnvrtc", named);
    return false;
}

bool nvrtc_is_named(void)
{
    const char *named = getenv("WEFT_NVRTC");
    return named && *named && strcmp(named, "none") != 0;
}

bool nvrtc_open(nvrtc *n, arena *a, const gpu_places *places, int newest, const char **why)
{
    *n = (nvrtc){0};
    search s = {.n = n, .a = a, .newest = newest};
    const char *named = getenv("WEFT_NVRTC");
    if (nvrtc_is_named())
        return open_named(&s, named, why);
    if (named && *named) {
        *why = "NVRTC is switched off by WEFT_NVRTC=none";
        return false;
    }
    if (try_sites(&s, places) || try_toolkits(&s, places) || try_system(&s))
        return true;
    *why = s.refused ? s.refused
                     : "NVRTC is not on this machine: install a CUDA toolkit or the Python package "
                       "nvidia-cuda-nvrtc-cu12, or name the library by WEFT_NVRTC";
    return false;
}

void nvrtc_close(nvrtc *n)
{
    dynlib_close(&n->lib);
}

/* PTX for an older architecture runs on newer devices; machine code only on those of the same major
 * version (7.x), hence the last condition. */
int nvrtc_arch_for(const nvrtc *n, arena *a, int device)
{
    int count = 0, best = 0;
    if (!n->arch_count || !n->archs || n->arch_count(&count) != 0 || count <= 0)
        return 0;
    int *archs = ARENA_ARRAY(a, int, (size_t)count);
    if (n->archs(archs) != 0)
        return 0;
    for (int i = 0; i < count; i++)
        if (archs[i] <= device && archs[i] > best && (!n->cubin || archs[i] / 10 == device / 10))
            best = archs[i];
    WEFT_ASSERT(best <= device);
    return best;
}

/* --- compiling ------------------------------------------------------------------------------- */

/* One compilation. */
typedef struct job {
    const nvrtc *n;
    arena *a;
    nvrtc_program *program;
    nvrtc_result *result;
    sigset_t held_before; /* signals that the caller holds back */
} job;

/* A compilation ends early at these signals. */
static const int ends[] = {SIGINT, SIGTERM, SIGALRM};

/* A text that NVRTC gives by size, its NUL counted, and content. */
static str take(const job *j, int (*size)(nvrtc_program *, size_t *),
                int (*text)(nvrtc_program *, char *))
{
    size_t n = 0;
    if (size(j->program, &n) != 0 || !n)
        return (str){0};
    char *p = arena_zero(j->a, n);
    if (text(j->program, p) != 0)
        return (str){0};
    return (str){p, strnlen(p, n)};
}

/* Machine code has zeros within: its size counts. */
static str take_cubin(const job *j)
{
    WEFT_ASSERT(j->n->cubin_size && j->n->get_cubin);
    size_t n = 0;
    if (j->n->cubin_size(j->program, &n) != 0 || !n)
        return (str){0};
    char *p = arena_zero(j->a, n + 1);
    return (str){p, j->n->get_cubin(j->program, p) == 0 ? n : 0};
}

/* Memory may run out here: nvrtc_compile guards it, since NVRTC's program must be given back. */
static void take_results(void *arg)
{
    job *j = arg;
    j->result->log = take(j, j->n->log_size, j->n->log);
    if (j->result->good && j->n->cubin)
        j->result->ptx = take_cubin(j);
    else if (j->result->good)
        j->result->ptx = take(j, j->n->ptx_size, j->n->ptx);
}

/* NVRTC calls this now and then, in the thread that compiles. It stops if the result is not 0: if a
 * signal waits that the caller had not blocked. */
static int stop_at_signal(void *arg, void *reserved)
{
    job *j = arg;
    sigset_t waiting;
    (void)reserved;
    if (sigpending(&waiting) != 0)
        return 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigismember(&waiting, ends[i]) == 1 && sigismember(&j->held_before, ends[i]) == 0)
            j->result->stopped = true;
    return j->result->stopped;
}

/* NVRTC takes SIGINT while it compiles, and its handler hangs on a lock of its own: interrupts wait
 * until it has returned, in this thread. */
static int compile_undisturbed(job *j, const char *const *options, uint32_t noptions)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaddset(&held, ends[i]);
    pthread_sigmask(SIG_BLOCK, &held, &j->held_before);
    if (j->n->ends_at_signals && j->n->set_flow)
        (void)j->n->set_flow(j->program, stop_at_signal, j);
    const int status = j->n->compile(j->program, (int)noptions, options);
    pthread_sigmask(SIG_SETMASK, &j->held_before, NULL);
    return status;
}

/* The results are copied before the program is destroyed, which owns them. A status of 0 without
 * PTX is an error as well. */
nvrtc_result nvrtc_compile(const nvrtc *n, arena *a, const char *text, const char *name,
                           const char *const *options, uint32_t noptions)
{
    WEFT_ASSERT(n->create && text && name && (options || !noptions));
    nvrtc_result r = {0};
    job j = {.n = n, .a = a, .result = &r};
    int status = n->create(&j.program, text, name, 0, NULL, NULL);
    if (status != 0) {
        r.log = str_c(arena_printf(a, "NVRTC: %s", n->error_text(status)));
        return r;
    }
    status = compile_undisturbed(&j, options, noptions);
    r.good = status == 0;
    r.stopped = r.stopped && !r.good;
    const bool enough = mem_try(a->m, take_results, &j); /* the program is given back either way */
    n->destroy(&j.program);
    if (!enough)
        mem_fail(a->m);
    r.good = r.good && r.ptx.n;
    if (!r.good && !r.log.n)
        r.log = str_c(arena_printf(a, "NVRTC: %s", n->error_text(status)));
    return r;
}

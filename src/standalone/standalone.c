/* SPDX-License-Identifier: Apache-2.0 */
/* A program's text, from its head to main, and the Makefile beside it:
 *
 *     // saxpy, a kernel and a host that runs it.
 *     head, includes, definitions, functions, kernels   what NVRTC can compile alone
 *     #ifndef __CUDACC_RTC__ // the host
 *     helpers, launchers, expected values, main         the host, hidden from NVRTC
 *     #endif
 *
 * The kernel is executed first, since the program holds its results. */
#include "standalone/standalone_internal.h"

#include "base/asset.h"
#include "base/version.h"

/* --- head ------------------------------------------------------------------------------------ */

/* Of the headers NVRTC, which compiles the device's half alone, has none, nor the macros of math.h
 * that kernels use. So they are behind a condition, and the macros are defined in its other branch.
 */
static void put_includes(strbuf *b, const cuda_kernel *k)
{
    strbuf macros;
    sb_init(&macros, b->m);
    sb_char(b, '\n');
    if (cuda_kernel_uses(k, CUDA_EXTERN_HALF) || cuda_kernel_uses(k, CUDA_EXTERN_BFLOAT16))
        SB_LIT(b, "#ifdef __CUDACC__\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#endif\n");
    SB_LIT(b, "#ifndef __CUDACC_RTC__ // NVRTC compiles the kernels alone\n");
    sb_c(b, k->asserts ? "#include <assert.h>\n" : "");
    SB_LIT(b, "#include <math.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
              "#include <string.h>\n"
              "#ifdef __CUDACC__\n#include <cuda_runtime.h>\n#else\n#include \"cuda_on_cpu.h\" // "
              "which weft writes with --cpu-shim\n"
              "#endif\n");
    cuda_put_rtc_macros(&macros, k);
    if (macros.n)
        SB_LIT(b, "#else\n");
    sb_str(b, sb_view(&macros));
    sb_clear(&macros);
    SB_LIT(b, "#endif\n\n");
}

/* `why` says what there is nothing to compare with: gradients, or anything at all. NULL: all is
 * compared. */
static void put_head(sa_text *t, const char *why)
{
    strbuf *b = t->b;
    const char *odd = sa_not_finite(t->c, t->run, false);
    const str doc = cuda_docstring(&t->s->kernel->code), name = t->s->name;
    sa_put(b, "// $", t->k->forward_name);
    sb_c(b, doc.n ? ":\n" : ", a kernel and a host that runs it.\n");
    cuda_put_comment(b, doc, "");
    sa_put(b, "//\n//   make && ./$            with nvcc; ARCH=sm_80 for another architecture\n",
           name);
    sa_put(
        b,
        "//   make cpu && ./$_cpu    with a C++17 compiler and cuda_on_cpu.h, without CUDA\n//\n",
        name);
    sa_put(b,
           "// Made from $ by weft " WEFT_VERSION ", for Warp " WARP_VERSION "'s meaning of it.\n",
           t->s->file);
    if (why)
        sa_put(b,
               t->run->good ? "// There are no expected gradients: $.\n"
                            : "// There are no expected values: $.\n",
               str_c(why));
    if (odd)
        sa_put(b, "// On all inputs tried, results of $ are NaN or infinite.\n", str_c(odd));
    put_includes(b, t->k);
}

/* --- the program ----------------------------------------------------------------------------- */

/* A part without the newlines at its end, then one empty line. Parts come from the CUDA text, where
 * each ends in its own way. */
static void put_part(strbuf *b, str text)
{
    while (text.n && text.p[text.n - 1] == '\n')
        text.n--;
    if (!text.n)
        return;
    sb_str(b, text);
    SB_LIT(b, "\n\n");
}

/* The whole text, in c->module. The host is made first: its calls decide which helpers it needs. */
static str put_program(sa_text *t, const char *why)
{
    WEFT_ASSERT(t->run != NULL && t->k != NULL);
    strbuf all, host;
    sb_init(&all, &t->c->mem);
    sb_init(&host, &t->c->mem);
    t->b = &host;
    sa_put_launcher(t, false);
    if (t->k->backward_params.n)
        sa_put_launcher(t, true);
    sa_put_main(t);
    t->b = &all;
    put_head(t, why);
    put_part(&all, t->k->definitions);
    put_part(&all, t->k->functions);
    put_part(&all, t->k->forward);
    put_part(&all, t->k->backward);
    SB_LIT(&all, "#ifndef __CUDACC_RTC__ // the host\n\n");
    sa_put_helpers(t);
    sb_str(&all, sb_view(&host));
    SB_LIT(&all, "\n#endif\n");
    const str text = {arena_dup(&t->c->module, all.p, all.n), all.n};
    sb_clear(&all);
    sb_clear(&host);
    return text;
}

/* "%" is the program's name. */
static const char *const makefile_text =
    "# % with nvcc; where cuda_on_cpu.h is, %_cpu with a C++ compiler.\n"
    "NVCC ?= nvcc\n"
    "ARCH ?= sm_75\n"
    "CXX ?= g++\n"
    "CXXFLAGS ?= -O2 -Wall -Wextra -Wno-unused-parameter\n"
    "# integers wrap around, and atomics look at a float's bits\n"
    "AS_CUDA = -fwrapv -fno-strict-aliasing -ffp-contract=off\n"
    "# the folder of cuda_on_cpu.h, which weft writes with --cpu-shim: this one, or the one above\n"
    "SHIM ?= $(if $(wildcard cuda_on_cpu.h),.,..)\n"
    "\n"
    "all: %\n"
    "\n"
    "%: %.cu\n"
    "\t$(NVCC) -std=c++17 -O2 -arch=$(ARCH) -o $@ $<\n"
    "\n"
    "ifeq ($(shell test -f \"$(SHIM)/cuda_on_cpu.h\" && echo found),found)\n"
    "cpu: %_cpu\n"
    "\n"
    "%_cpu: %.cu\n"
    "\t$(CXX) -std=c++17 $(CXXFLAGS) $(AS_CUDA) -I\"$(SHIM)\" -x c++ -o $@ $<\n"
    "else\n"
    "cpu:\n"
    "\t@echo 'cuda_on_cpu.h is not here: weft writes it with --cpu-shim' >&2; false\n"
    "endif\n"
    "\n"
    "run: %\n"
    "\t./%\n"
    "\n"
    "clean:\n"
    "\trm -f % %_cpu\n"
    "\n"
    ".PHONY: all cpu run clean\n";

/* Targets and files are named after the program: '%' stands for its name. The rules are explicit
 * ones, for '%' of make would match any program. */
static str makefile_of(ctx *c, str name)
{
    strbuf b;
    sb_init(&b, &c->mem);
    for (const char *p = makefile_text; *p; p++) {
        if (*p == '%')
            sb_str(&b, name);
        else
            sb_char(&b, *p);
    }
    const str text = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

/* What the kernels compute with: the tolerance grows with the functions that it calls. */
static str whole_text(ctx *c, const cuda_kernel *k)
{
    return sa_form(c, "$$$$", k->definitions, k->functions, k->forward, k->backward);
}

/* Are there floats in arrays of this type? */
static bool has_floats(const type *t)
{
    const type *elem = t->kind == TYPE_ARRAY ? t->elem : t, *scalar = type_scalar_of(elem);
    for (uint32_t i = 0; elem->kind == TYPE_STRUCT && i < elem->st->nfields; i++)
        if (has_floats(elem->st->fields[i].type))
            return true;
    return scalar && type_is_float(scalar);
}

/* Does the forward kernel write floats? Only these have gradients to begin with. */
static bool writes_floats(const cuda_kernel *k)
{
    bool any = false;
    for (uint32_t i = 0; i < k->forward_params.n; i++) {
        const cuda_param *p = &k->forward_params.v[i];
        any |= (p->kind == CUDA_PARAM_POINTER && !p->is_const && has_floats(p->type)) ||
               (p->kind == CUDA_PARAM_VALUE && p->type->kind == TYPE_STRUCT);
    }
    return any;
}

/* Can the backward kernel change a gradient? Some array must get one. */
static bool has_gradients(const cuda_kernel *k)
{
    bool to = false;
    for (uint32_t i = 0; i < k->backward_params.n; i++) {
        const cuda_param *p = &k->backward_params.v[i];
        to |=
            (p->kind == CUDA_PARAM_ADJ_POINTER && !p->is_const) || p->kind == CUDA_PARAM_ADJ_VALUE;
    }
    return to && writes_floats(k);
}

/* Diagnostics that are known already; a kernel's own are looked at without them, for one at a line
 * of a function that several kernels call would not be recorded again. */
typedef struct known_diags {
    diag *v;
    uint32_t n;
} known_diags;

static known_diags hide_diags(ctx *c)
{
    known_diags known = {ARENA_ARRAY(&c->module, diag, c->diags.n + 1), c->diags.n};
    if (known.n)
        memcpy(known.v, c->diags.v, known.n * sizeof *known.v);
    c->diags.n = 0;
    return known;
}

static bool is_among(const known_diags *known, const diag *d)
{
    for (uint32_t i = 0; i < known->n; i++) {
        const diag *o = &known->v[i];
        if (o->id == d->id && o->at.src == d->at.src && o->at.line == d->at.line &&
            o->at.col == d->at.col && !o->is_warning && !d->is_warning)
            return true;
    }
    return false;
}

/* The known ones, then those of the kernel. An error stands there once, a warning for each kernel.
 */
static void show_diags(ctx *c, const known_diags *known)
{
    const known_diags own = hide_diags(c);
    for (uint32_t i = 0; i < known->n; i++)
        VEC_PUSH(&c->module, &c->diags, known->v[i]);
    for (uint32_t i = 0; i < own.n; i++)
        if (!is_among(known, &own.v[i]) && c->diags.n < DIAG_MAX)
            VEC_PUSH(&c->module, &c->diags, own.v[i]);
}

/* The forward kernel alone, where the backward one has no form: the error becomes a warning, and
 * *why has its words. Where there are no gradients anyway, nothing is said. NULL: the forward
 * kernel has no form either. */
static const cuda_kernel *make_forward(ctx *c, standalone_subject *s, const char **why)
{
    const diag said = c->diags.v[0];
    const cuda_kernel *k = cuda_kernel_make(c, s->program, s->kernel, false);
    c->diags.n = 1;
    c->diags.v[0] = said;
    if (!k)
        return NULL;
    s->backward = STR("");
    if (!writes_floats(k)) {
        c->diags.n = 0;
        return k;
    }
    *why = said.text;
    c->diags.v[0].is_warning = true;
    c->diags.v[0].text =
        sa_form(c, "$: the program of '$' has no gradients", str_c(said.text), s->kernel->key).p;
    return k;
}

/* The kernel's texts. Without a promise, a backward kernel that can do nothing is left out, and one
 * without a form, too; *why says then why. */
static const cuda_kernel *make_kernel(ctx *c, standalone_subject *s, const char **why)
{
    const known_diags known = hide_diags(c);
    const cuda_kernel *k = cuda_kernel_make(c, s->program, s->kernel, s->backward.n > 0);
    if (!k && s->backward.n && !s->launch.n && c->diags.n == 1 &&
        c->diags.v[0].id == DIAG_NO_STANDALONE)
        k = make_forward(c, s, why);
    show_diags(c, &known);
    if (!k || s->launch.n || !s->backward.n || has_gradients(k))
        return k;
    s->backward = STR("");
    return cuda_kernel_make(c, s->program, s->kernel, false);
}

/* The texts and facts of the program that compares what these runs gave. False: there is an error.
 * Indices below zero count from the end in Python, which costs time in the text, so the kernel is
 * made anew only where a run met one or no run is good. `formless`: the backward kernel has no
 * form. */
static bool make_program(ctx *c, const standalone_subject *s, const cuda_kernel *k,
                         const sa_run *run, const char *why, bool formless, standalone_program *out)
{
    bool negative = !run->good;
    for (const sa_run *r = run; r; r = r->next)
        negative |= r->negative;
    if (negative)
        k = cuda_kernel_make_wrapping(c, s->program, s->kernel, s->backward.n > 0);
    if (!k)
        return false;
    sa_text t = {.c = c, .s = s, .k = k, .run = run, .formless = formless};
    out->cu = put_program(&t, why);
    out->forward_name = k->forward_name;
    out->backward_name = k->backward_name;
    out->makefile = makefile_of(c, s->name);
    out->kernel = k;
    out->launch_dim = run->plan.ndim;
    memcpy(out->launch, run->plan.dim, sizeof out->launch);
    out->expected = t.expected;
    out->tolerance = t.tolerance;
    out->backward = k->backward_params.n > 0;
    out->hangs = t.hangs;
    out->why_none = why;
    out->finite = !sa_not_finite(c, run, false) && !sa_not_finite(c, run, true);
    return true;
}

/* Runs the kernel first, since the text holds its results. */
bool standalone_make(ctx *c, const standalone_subject *given, standalone_program *out)
{
    standalone_subject subject = *given;
    const standalone_subject *s = &subject;
    const char *why = NULL, *no_form = NULL;
    const cuda_kernel *k = make_kernel(c, &subject, &no_form);
    sa_run run;
    *out = (standalone_program){0};
    if (!k)
        return false;
    const bool any = sa_run_choose(c, s, k, whole_text(c, k), &run, &why);
    why = why ? why : no_form;
    const bool made = any && make_program(c, s, k, &run, why, no_form != NULL, out);
    sa_run_release(&run);
    return any ? made
               : diag_error(c, node_span(s->kernel->code.src, &s->kernel->code.def->base),
                            DIAG_STANDALONE_INPUTS, s->kernel->code.name->s);
}

void standalone_put_shim(strbuf *out)
{
    sb_str(out, asset_cuda_on_cpu_h);
}

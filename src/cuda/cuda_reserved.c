/* SPDX-License-Identifier: Apache-2.0 */
/* Names that C++, CUDA, the C library and the program's host have taken. For names of parameters
 * and variables (cuda_varname.c, cuda_param.c) and of functions, structs and kernels
 * (cuda_kernel.c, cuda_func.c):
 *
 *     class    ->   class_         a word of C++
 *     cudaMem  ->   cudamem        may be a function of CUDA
 *     M_PI     ->   m_pi           may be a macro of a header
 *     _Name    ->   Name           the compiler's, as are names that begin with two underscores
 *     float3   ->   float3_        at file scope only: CUDA's vector type
 *
 * Single names are in cuda_reserved.def; families of names, such as all macros of the headers, are
 * the rules below, since nobody could list them. */
#include "cuda/cuda_varname.h"

/* Words with the same first letter. */
struct words {
    char letter;
    const char *words; /* each with a blank behind it */
};

#define AT_FILE_SCOPE(letter, words)
static const struct words anywhere[] = {
#define ANYWHERE(letter, words) {letter, words " "},
#include "cuda/cuda_reserved.def"
};
#undef ANYWHERE
#undef AT_FILE_SCOPE

#define ANYWHERE(letter, words)
static const struct words at_file_scope[] = {
#define AT_FILE_SCOPE(letter, words) {letter, words " "},
#include "cuda/cuda_reserved.def"
};
#undef ANYWHERE
#undef AT_FILE_SCOPE

/* Is the name among the words? */
static bool is_word(const char *words, str name)
{
    while (*words) {
        size_t n = 0;
        while (n < name.n && words[n] == name.p[n])
            n++;
        if (n == name.n && words[n] == ' ')
            return n > 0;
        while (words[n] != ' ')
            n++;
        words += n + 1;
    }
    return false;
}

/* Only rows of its letter are searched: names are looked up for each candidate of each kernel. */
static bool is_listed(const struct words *rows, size_t nrows, str name)
{
    for (size_t i = 0; i < nrows; i++)
        if (name.n && rows[i].letter == name.p[0] && is_word(rows[i].words, name))
            return true;
    return false;
}

static bool is_word_anywhere(str name)
{
    return is_listed(anywhere, sizeof anywhere / sizeof *anywhere, name);
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* "_Name" and "__name" are the compiler's: C++ [lex.name]. */
static bool is_internal(str name)
{
    return name.n > 1 && name.p[0] == '_' && (name.p[1] == '_' || is_capital(name.p[1]));
}

/* cudaMalloc, atomicAdd */
static bool is_call_of_cuda(str name)
{
    const size_t n = str_starts(name, "cuda") ? 4 : str_starts(name, "atomic") ? 6 : 0;
    return n && name.n > n && is_capital(name.p[n]);
}

/* M_PI, CHAR_BIT: headers have hundreds of them. A name of capitals and an underscore within it. */
static bool may_be_macro(str name)
{
    bool joined = false;
    for (size_t i = 0; i < name.n; i++) {
        joined |= name.p[i] == '_' && i && i + 1 < name.n;
        if (name.p[i] >= 'a' && name.p[i] <= 'z')
            return false;
    }
    return joined && is_capital(name.p[0]);
}

/* float3, ulonglong2 */
static bool is_cuda_vector(str name)
{
    static const char scalars[] = "char uchar short ushort int uint long ulong longlong ulonglong "
                                  "float double ";
    return name.n && name.p[name.n - 1] >= '1' && name.p[name.n - 1] <= '4' &&
           is_word(scalars, (str){name.p, name.n - 1});
}

/* Taken anywhere: no variable may have the name. */
bool cuda_is_reserved_word(str name)
{
    return is_internal(name) || is_call_of_cuda(name) || may_be_macro(name) ||
           is_word_anywhere(name);
}

/* tex2D, surf1Dread */
static bool is_texture_call(str name)
{
    const size_t n = str_starts(name, "tex") ? 3 : str_starts(name, "surf") ? 4 : 0;
    return n && name.n > n && name.p[n] >= '1' && name.p[n] <= '3' && name.p[name.n - 1] != '_';
}

/* Taken at file scope: a variable may hide it, a function may not have it. */
static bool is_library_name(str name)
{
    return is_cuda_vector(name) || is_texture_call(name) ||
           is_listed(at_file_scope, sizeof at_file_scope / sizeof *at_file_scope, name);
}

static str in_small_letters(ctx *c, str name)
{
    char *p = arena_dup(&c->module, name.p, name.n);
    for (size_t i = 0; i < name.n; i++)
        p[i] = (char)(is_capital(p[i]) ? p[i] - 'A' + 'a' : p[i]);
    return (str){p, name.n};
}

/* The name and an underscore behind it. */
static str with_underscore(ctx *c, str name)
{
    char *p = arena_alloc(&c->module, name.n + 1);
    memcpy(p, name.p, name.n);
    p[name.n] = '_';
    return (str){p, name.n + 1};
}

/* The name, or one like it that C++ and the headers leave free. Letters outside ASCII are replaced
 * by a word: compilers differ about them, and two such names become different when they are made
 * unique. */
str cuda_name_in_cpp(ctx *c, str name)
{
    WEFT_ASSERT(name.n);
    for (size_t i = 0; i < name.n; i++)
        if ((unsigned char)name.p[i] >= 0x80) /* C++ compilers differ about such letters */
            return STR("value");
    while (is_internal(name))
        name = (str){name.p + 1, name.n - 1};
    if (is_call_of_cuda(name) || may_be_macro(name))
        name = in_small_letters(c, name);
    return is_word_anywhere(name) ? with_underscore(c, name) : name;
}

/* Also names that stand at file scope of this program, so that nothing there has two meanings. */
static bool is_global(const cuda_job *job, str name)
{
    for (uint32_t i = 0; i < job->kernels.n; i++)
        if (str_eq(job->kernels.v[i], name))
            return true;
    return str_map_get(&job->taken, name) || cuda_is_reserved_word(name) || is_library_name(name);
}

/* A name for file scope: with as many underscores as make it free. */
str cuda_global_name(const cuda_job *job, str name)
{
    name = cuda_name_in_cpp(job->c, name);
    while (is_global(job, name))
        name = cuda_name_in_cpp(job->c, with_underscore(job->c, name));
    return name;
}

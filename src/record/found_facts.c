/* SPDX-License-Identifier: Apache-2.0 */
/* Category, difficulty, built-in functions, index and types of a kernel that was found
 * (found_facts.h). */
#include "record/found_facts.h"

#include <string.h>

#include "base/format.h"
#include "record/source_counts.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Indexes are below 10^15: exact in every JSON reader. */
#define INDEX_LIMIT UINT64_C(1000000000000000)

/* What a syntax tree has, as far as it decides the category. */
typedef struct shape_facts {
    bool atomic, random, matrix, vector, math;
} shape_facts;

static void look(void *arg, const node *n)
{
    static const char *const math[] = {"sin", "cos", "exp", "log", "sqrt", "pow", "tanh", "atan2"};
    shape_facts *f = arg;
    if (n->kind == AST_Attribute) {
        const char *name = AST(Attribute, n)->attr->s;
        f->atomic = f->atomic || strncmp(name, "atomic_", 7) == 0;
        f->random = f->random || strncmp(name, "rand", 4) == 0;
        f->matrix = f->matrix || strncmp(name, "mat", 3) == 0;
        f->vector = f->vector || strncmp(name, "vec", 3) == 0;
        f->math = f->math || STR_IS_IN(str_c(name), math);
    }
    ast_each_child(n, look, f);
}

/* The first of the generator's categories that fits, the rarer ones first. */
static gen_category category_of(const ast_FunctionDef *def, const source_counts *counts)
{
    shape_facts f = {0};
    look(&f, &def->base);
    return f.random                 ? GEN_RANDOM_MATH
           : f.atomic               ? GEN_ATOMIC
           : counts->loop_depth > 1 ? GEN_NESTED_LOOP
           : counts->branches > 2   ? GEN_MULTI_CONDITIONAL
           : f.matrix               ? GEN_MATRIX
           : counts->loop_depth     ? GEN_LOOP
           : counts->branches       ? GEN_CONDITIONAL
           : f.vector               ? GEN_VECTOR
           : f.math                 ? GEN_MATH
                                    : GEN_ARITHMETIC;
}

/* The built-in functions that the source mentions, by the generator's table. */
typedef struct builtin_search {
    bool found[256];
    /* Those of a key: `first` of them, then `next`, plus one; 0: no more. */
    uint16_t first[256], next[256];
} builtin_search;

/* Of the first letter and the length. */
static uint8_t key_of(const char *name, size_t n)
{
    return (uint8_t)((uint8_t)name[0] * 8u + n);
}

static void list_builtins(builtin_search *s)
{
    for (uint32_t i = gen_builtin_count() < 256 ? gen_builtin_count() : 256; i-- > 0;) {
        const char *name = gen_builtin_name(i);
        uint16_t *first = &s->first[key_of(name, strlen(name))];
        s->next[i] = *first;
        *first = (uint16_t)(i + 1);
    }
}

/* By name alone: a method of the same name counts, too, which a list for searching may do. */
static void find_builtins(void *arg, const node *n)
{
    builtin_search *s = arg;
    const sym *name = n->kind == AST_Attribute ? AST(Attribute, n)->attr
                      : n->kind == AST_Name    ? AST(Name, n)->id
                                               : NULL;
    for (uint32_t i = name ? s->first[key_of(name->s, name->len)] : 0; i; i = s->next[i - 1])
        if (strcmp(gen_builtin_name(i - 1), name->s) == 0)
            s->found[i - 1] = true;
    ast_each_child(n, find_builtins, s);
}

found_facts found_facts_of(const node *tree, const code *def)
{
    const source_counts counts = source_counts_of(def->def);
    found_facts f = {.category = category_of(def->def, &counts),
                     .level = gen_level_of(def->last_line - def->first_line + 1)};
    builtin_search search = {0};
    list_builtins(&search);
    find_builtins(&search, tree);
    for (uint32_t i = 0; i < 256 && f.nbuiltins < GEN_BUILTINS_MAX; i++)
        if (search.found[i])
            f.builtins[f.nbuiltins++] = (uint8_t)i;
    return f;
}

str record_type_text(arena *a, const type *t)
{
    if (t->kind != TYPE_ARRAY)
        return t->pyname;
    return str_c(arena_printf(a, "array(dtype=%.*s, ndim=%d)", (int)t->elem->pyname.n,
                              t->elem->pyname.p, t->ndim));
}

void record_see_sample(gen_sample *s, const ast_Module *tree, const kernel *k, arena *a)
{
    const found_facts f = found_facts_of(&tree->base, &k->code);
    s->nbuiltins = f.nbuiltins;
    memcpy(s->builtins, f.builtins, sizeof f.builtins);
    WEFT_ASSERT(s->nargs == k->code.nparams);
    for (uint32_t i = 0; i < s->nargs; i++)
        s->args[i].type = record_type_text(a, k->code.params[i].type);
}

/* Each with a newline behind it, so that letters that move from one to the next are seen. */
void found_hash_origin(const record_origin *o, uint8_t digest[SHA256_SIZE])
{
    char line[16];
    const size_t n = format_text(line, sizeof line, "%u", o->line);
    const str fields[] = {o->package, o->version,    o->path,     (str){line, n},
                          o->license, o->repository, o->instance, o->types_from};
    sha256 h;
    sha256_start(&h);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].n) /* an empty text may have no address */
            sha256_add(&h, fields[i].p, fields[i].n);
        sha256_add(&h, "\n", 1);
    }
    sha256_finish(&h, digest);
}

uint64_t found_index(const record_origin *o, str key, uint32_t ordinal, str own)
{
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, o->package.p, o->package.n);
    XXH3_64bits_update(&state, "/", 1);
    XXH3_64bits_update(&state, o->path.p, o->path.n);
    XXH3_64bits_update(&state, &o->line, sizeof o->line);
    XXH3_64bits_update(&state, own.p, own.n);
    XXH3_64bits_update(&state, key.p, key.n);
    if (ordinal)
        XXH3_64bits_update(&state, &ordinal, sizeof ordinal);
    return XXH3_64bits_digest(&state) % INDEX_LIMIT;
}

const char *found_types_name(found_types t)
{
    static const char *const names[] = {
        [FOUND_TYPES_NONE] = "",         [FOUND_TYPES_OVERLOAD] = "overload",
        [FOUND_TYPES_LAUNCH] = "launch", [FOUND_TYPES_CHOSEN] = "chosen",
        [FOUND_TYPES_CALL] = "call",     [FOUND_TYPES_DEFAULT] = "default"};
    WEFT_ASSERT(t < FOUND_TYPES);
    return names[t];
}

str found_instance(arena *a, const kernel *instance)
{
    str text = STR("");
    for (uint32_t i = 0; instance->generic && i < instance->code.nparams; i++) {
        const param *p = &instance->code.params[i];
        if (instance->generic->code.params[i].type->generic)
            text = str_c(arena_printf(a, "%.*s%s%s: %.*s", (int)text.n, text.p, text.n ? ", " : "",
                                      p->name->s, (int)p->type->pyname.n, p->type->pyname.p));
    }
    return text;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Which names a module has that is a table and no file to weft. Examples:
 *
 *     from math import *        binds acos, ..., pi, ..., trunc: module_star_names
 *     from math import sinn     math has no such name for certain: module_lacks */
#include "sema/sema.h"

typedef enum names_kind { NAMES_STAR, NAMES_MORE, NAMES_WHOLE } names_kind;

static const struct {
    names_kind kind;
    const char *module, *names;
} rows[] = {
#define MODULE_STAR(module, names) {NAMES_STAR, module, names},
#define MODULE_MORE(module, names) {NAMES_MORE, module, names},
#define MODULE_WHOLE(module)       {NAMES_WHOLE, module, ""},
#include "sema/module_names.def"
#undef MODULE_STAR
#undef MODULE_MORE
#undef MODULE_WHOLE
};

enum { ROWS = sizeof rows / sizeof *rows };

const char *module_star_names(const char *dotted)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].kind == NAMES_STAR && strcmp(rows[i].module, dotted) == 0)
            return rows[i].names;
    return NULL;
}

static bool has_name(const char *dotted, const sym *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].module, dotted) == 0 && str_has_word(rows[i].names, sym_str(name)))
            return true;
    return false;
}

void module_offer_names(const char *dotted, nearest *near)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char *names = strcmp(rows[i].module, dotted) == 0 ? rows[i].names : "";
        for (str name; (name = str_take_word(&names)).n;)
            nearest_offer(near, name);
    }
}

bool module_lacks(const ctx *c, const char *dotted, const sym *name)
{
    if (name->s[0] == '_' || (strncmp(dotted, "warp.", 5) == 0 && c->warp != WARP_DEFAULT))
        return false;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].kind == NAMES_WHOLE && strcmp(rows[i].module, dotted) == 0)
            return !has_name(dotted, name);
    return false;
}

bool is_module_without(const ctx *c, const value *v, const sym *name)
{
    if (v->kind != VALUE_WARP || strcmp(v->s->s, "warp") == 0)
        return false;
    return module_lacks(c, v->s->s, name) ||
           (strcmp(v->s->s, "numpy") == 0 && !has_name("numpy", name));
}

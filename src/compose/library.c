/* SPDX-License-Identifier: Apache-2.0 */
/* What the composer asks of the library, once it is read. */
#include "compose/library.h"
#include "compose/library_traits.h"

void library_free(library *l)
{
    if (!l)
        return;
    mem_clear(&l->c.mem);
    heap_free(l);
}

lib_quantity **library_slot(const library *l, const sym *id)
{
    uint32_t at = (uint32_t)((uintptr_t)id >> 4) * 2654435769u >> 19; /* 13 bits */
    while (l->slots[at] && l->slots[at]->id != id)
        at = (at + 1) % LIB_SLOTS;
    return &l->slots[at];
}

void library_add_quantity(library *l, lib_quantity *q)
{
    VEC_PUSH(&l->c.perm, &l->quantities, q);
    WEFT_ASSERT(l->quantities.n < LIB_SLOTS / 2);
    *library_slot(l, q->id) = q;
}

bool *library_flag(lib_quantity *q, str name)
{
    return str_eq(name, STR("uniform"))       ? &q->uniform
           : str_eq(name, STR("sums"))        ? &q->sums
           : str_eq(name, STR("reach"))       ? &q->reach
           : str_eq(name, STR("touch"))       ? &q->touch
           : str_eq(name, STR("varies"))      ? &q->varies
           : str_eq(name, STR("unit_length")) ? &q->unit_length
                                              : NULL;
}

bool library_thing(const lib_field *f, str word, str *out)
{
    const struct {
        const char *word;
        str is;
    } things[] = {{"element", f->element.one}, {"elements", f->element.many},
                  {"other", f->other.one},     {"others", f->other.many},
                  {"link", f->link.one},       {"links", f->link.many},
                  {"group", f->group.one},     {"groups", f->group.many}};
    if (str_eq(word, STR("partner"))) { /* of two particles the other one is no "particle" alone */
        const bool same = str_eq(f->other.one, f->element.one);
        *out = f->partner.n ? f->partner : same ? STR("partner") : f->other.one;
        return true;
    }
    if (str_eq(word, STR("nearby"))) { /* no "particles of each particle" */
        const bool same = str_eq(f->other.one, f->element.one);
        *out = same ? STR("neighbors") : f->other.many;
        return true;
    }
    for (size_t i = 0; i < sizeof things / sizeof *things; i++)
        if (str_eq(word, str_c(things[i].word))) {
            *out = things[i].is;
            return true;
        }
    return false;
}

bool library_means(const lib_quantity *q, str word)
{
    return q->means && str_has_word(q->means, word);
}

const char *library_place_name(lib_place p)
{
    static const char *const names[] = {
#define PLACE(ID, name) name,
#include "compose/library_place.def"
#undef PLACE
    };
    return names[p];
}

static lib_quantity *state_quantity(library *l)
{
    lib_quantity *q = ARENA_NEW(&l->c.perm, lib_quantity);
    *q = (lib_quantity){.id = l->words.random_state,
                        .type = LIB_UINT,
                        .noun = STR("state of the random numbers"),
                        .one = "state rng",
                        .many = "states"};
    return q;
}

/* A word that stands for a quantity. */
static const lib_quantity *add_word(library *l, const sym *word)
{
    lib_quantity *q = ARENA_NEW(&l->c.perm, lib_quantity);
    *q = (lib_quantity){.id = word, .noun = sym_str(word)};
    library_add_quantity(l, q);
    return q;
}

void library_add_words(library *l)
{
    library_add_quantity(l, state_quantity(l));
    l->same = add_word(l, l->words.same);
    l->also = add_word(l, l->words.also);
}

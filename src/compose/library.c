/* SPDX-License-Identifier: Apache-2.0 */
/* What the composer asks of the library, once it is read. */
#include "compose/library.h"

void library_free(library *l)
{
    if (!l)
        return;
    mem_clear(&l->c.mem);
    heap_free(l);
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

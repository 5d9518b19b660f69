/* Options of a run that are lists of names. */
#include "data/data.h"

bool data_choose_categories(data_options *o, const char *list, str *unknown)
{
    bool wanted[GEN_CATEGORY_COUNT] = {false};
    *unknown = STR("");
    for (const char *s = list; s && *s;) {
        const str name = {s, strcspn(s, ",")};
        gen_category c;
        if (!gen_category_find(name, &c)) {
            *unknown = name;
            return false;
        }
        wanted[c] = true;
        s += name.n + (s[name.n] == ',');
    }
    o->ncategories = 0;
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        if (!list || wanted[c])
            o->categories[o->ncategories++] = (gen_category)c;
    return o->ncategories > 0;
}

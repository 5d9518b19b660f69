/* SPDX-License-Identifier: Apache-2.0 */
/* The table of defects (defect.def): names, descriptions, and the diagnostics that show them. For
 * repair pairs (make/repair.c), their statistics and their validation.
 *
 *     defect_shown_by(DEFECT_UNDEFINED_NAME, "undefined-name")   ->   true */
#include "record/defect.h"

/* By defect_kind; the columns are those of defect.def. */
static const struct {
    const char *name, *shown, *what;
} defects[] = {
#define DEFECT(ID, name, shown, what) {name, shown, what},
#include "record/defect.def"
#undef DEFECT
};

const char *defect_name(defect_kind k)
{
    WEFT_ASSERT(k < DEFECTS);
    return defects[k].name;
}

const char *defect_what(defect_kind k)
{
    WEFT_ASSERT(k < DEFECTS);
    return defects[k].what;
}

bool defect_find(str name, defect_kind *k)
{
    for (int i = 0; i < DEFECTS; i++)
        if (str_eq(name, str_c(defects[i].name))) {
            *k = (defect_kind)i;
            return true;
        }
    return false;
}

/* `shown` is a list of words separated by single spaces. */
bool defect_shown_by(defect_kind k, const char *id)
{
    WEFT_ASSERT(k < DEFECTS);
    return str_has_word(defects[k].shown, str_c(id));
}

/* Texts of errors in the "C" locale. The locale is made for each call, since the library keeps no
 * global state. */
#include "base/c_locale.h"

#include <string.h>

/* Makes no locale where memory is short: the texts are then those of the caller's. */
static locale_t make_c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

const char *error_text(int error)
{
    const locale_t c = make_c_locale();
    if (!c)
        return strerror(error);
    const char *text = strerror_l(error, c); /* a constant, which outlives the locale */
    freelocale(c);
    return text;
}

/* Without memory for a locale the thread keeps its own: messages may then be translated, and
 * nothing else changes. */
void c_locale_enter(c_locale *l)
{
    l->own = make_c_locale();
    l->before = l->own ? uselocale(l->own) : (locale_t)0;
}

void c_locale_leave(c_locale *l)
{
    if (!l->own)
        return;
    uselocale(l->before);
    freelocale(l->own);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the C library in the "C" locale. The locale object is made for each call, since the
 * library keeps no global state; messages are rare, so that costs nothing that matters. Example:
 * in a program that has set de_DE.UTF-8, error_text(ENOENT) is "No such file or directory",
 * strerror's text "Datei oder Verzeichnis nicht gefunden". */
#include "base/c_locale.h"

#include <errno.h>
#include <string.h>

/* NULL where memory is short; the texts are then those of the caller's locale. */
static locale_t make_c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* ENOPKG is weft's own: see store/parquet_pipe.h. */
const char *error_text(int error)
{
    if (error == ENOPKG)
        return "Parquet is read and written by the Python package with pyarrow: pip install "
               "'weft[parquet]', then python -m weft in place of weft";
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

/* Restores the thread's own locale. */
void c_locale_leave(c_locale *l)
{
    if (!l->own)
        return;
    uselocale(l->before);
    freelocale(l->own);
}

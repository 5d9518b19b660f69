/* SPDX-License-Identifier: Apache-2.0 */
/* What of the C library depends on the locale and has no substitute of ours: the texts of errors
 * and the words of the dynamic loader. Here they are those of the "C" locale, whatever the program
 * that uses the library has set; tools/check_locale.py finds calls of such functions elsewhere. */
#ifndef WEFT_BASE_C_LOCALE_H
#define WEFT_BASE_C_LOCALE_H

#include <locale.h>

/* "No such file or directory" for ENOENT. The text is a constant of the C library. */
const char *error_text(int error);

/* Between c_locale_enter and c_locale_leave this thread is in the "C" locale; other threads are
 * not. own is 0 if no locale could be made. */
typedef struct c_locale {
    locale_t own, before;
} c_locale;

void c_locale_enter(c_locale *l);
void c_locale_leave(c_locale *l);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Counts files that are left out for their licence, and says why (unlicensed.h). */
#include "collect/unlicensed.h"

#include "base/format.h"

/* Why nothing of a file may be taken. */
const char *unlicensed_why(arena *a, const collect_file *file)
{
    if (file->license.n)
        return arena_printf(a, "its licence is %.*s, which is none of --licenses",
                            (int)file->license.n, file->license.p);
    if (file->custom.n)
        return arena_printf(a, "it states %.*s, and what that allows is not known",
                            (int)file->custom.n, file->custom.p);
    if (file->unread)
        return arena_printf(a, "the text of '%s' is not recognised as a licence",
                            files_shown(file, file->unread).p);
    return "no licence is stated for it";
}

/* Of licence files each once. */
void unlicensed_add(unlicensed_files *u, arena *a, collect_outcome *r, const collect_file *file)
{
    r->custom += file->custom.n > 0;
    if (!r->custom_license && file->custom.n)
        r->custom_license =
            arena_printf(a, "'%s' states %.*s", file->path, (int)file->custom.n, file->custom.p);
    if (!u->unwanted.n)
        u->unwanted = file->license;
    r->unlicensed++;
    r->unwanted += file->license.n > 0;
    r->unread += file->unread != NULL;
    bool is_new = file->unread;
    for (uint32_t i = 0; i < u->unread.n && is_new; i++)
        is_new = strcmp(u->unread.v[i], file->unread) != 0;
    if (is_new)
        VEC_PUSH(a, &u->unread, file->unread);
}

/* "the texts of 'a/LICENSE', 'b/LICENSE' and 3 other files are" */
static const char *name_unread(const unlicensed_files *u, arena *a)
{
    enum { NAMED = 3 };
    const uint32_t n = u->unread.n, named = n <= NAMED ? n : NAMED - 1;
    const char *list = "";
    for (uint32_t i = 0; i < named; i++)
        list = arena_printf(a, "%s%s'%s'", list,
                            i == 0       ? ""
                            : i + 1 == n ? " and "
                                         : ", ",
                            u->unread.v[i]);
    if (named < n)
        list = arena_printf(a, "%s and %u other files", list, n - named);
    return arena_printf(a, "the text%s of %s %s", plural_s(n), list, n == 1 ? "is" : "are");
}

void unlicensed_end(const unlicensed_files *u, arena *a, collect_outcome *r)
{
    r->unread_licenses = u->unread.n ? name_unread(u, a) : NULL;
}

/* Why the licences of those files are not known that have none which is. */
static const char *unknown_reason(arena *a, const collect_outcome *r)
{
    const uint64_t stated = r->unwanted + r->custom + r->unread;
    const char *some = stated < r->unlicensed ? "some has none, and " : "";
    if (r->unread)
        return arena_printf(a, "not known: %s%s not recognised", some, r->unread_licenses);
    if (r->custom)
        return arena_printf(a, "not known: %s%s", some, r->custom_license);
    return "not known: put a LICENSE file beside the code";
}

/* "none of --licenses: the first has MIT; that of 2 others is not known: ..." */
const char *unlicensed_reason(const unlicensed_files *u, arena *a, const collect_outcome *r)
{
    const uint64_t unknown = r->unlicensed - r->unwanted;
    if (!r->unwanted)
        return unknown_reason(a, r);
    const char *unwanted = arena_printf(a, "none of --licenses: the first has %.*s",
                                        (int)u->unwanted.n, u->unwanted.p);
    return unknown
               ? arena_printf(a, "%s; that of %llu other%s is %s", unwanted,
                              (unsigned long long)unknown, plural_s(unknown), unknown_reason(a, r))
               : unwanted;
}

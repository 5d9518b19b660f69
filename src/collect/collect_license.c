/* SPDX-License-Identifier: Apache-2.0 */
/* The licence of a kernel that needs functions of other files; see collect_license.h. */
#include "collect/collect_license.h"

#include "collect/license.h"
#include "record/spdx.h"

/* Why what stands in the file at `path` may not be taken. */
static const char *refusal(arena *a, const collect_file *file, const char *path,
                           const license_found *f)
{
    const bool unread = !f->id.n && f->unread;
    return arena_printf(a, "it needs '%s', whose licence is %s%s%s%s", files_shown(file, path).p,
                        f->id.n ? "not wanted" : "not known", unread ? ": the text of '" : "",
                        unread ? files_shown(file, f->unread).p : "",
                        unread ? "' is not recognised" : "");
}

const char *collect_join_licenses(arena *a, const collect_file *file, const char *wanted,
                                  const extract_sources *sources, bool *unread, str *all)
{
    *all = file->license;
    for (uint32_t i = 0; i < sources->n; i++) {
        const source *src = sources->v[i];
        const char *path = src->place ? src->place : src->path;
        if (strcmp(path, file->path) == 0)
            continue;
        const license_found other = files_license_of(a, file, path);
        *unread = *unread || other.error;
        if (wanted ? !spdx_is_listed(other.id, wanted) : !other.id.n)
            return refusal(a, file, path, &other);
        *all = spdx_join(a, *all, other.id);
    }
    return NULL;
}

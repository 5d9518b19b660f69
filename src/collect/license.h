/* SPDX-License-Identifier: Apache-2.0 */
/* The licence of a package or folder, as an SPDX expression. */
#ifndef WEFT_COLLECT_LICENSE_H
#define WEFT_COLLECT_LICENSE_H

#include "base/arena.h"
#include "base/str.h"

/* What is known of a licence. */
typedef struct license_found {
    str id;             /* empty: none is known */
    const char *unread; /* the licence file nearest to the code whose text is not known; or NULL */
    int error;          /* an errno value: a file or folder on the way cannot be read; or 0 */
    str custom;         /* LicenseRef-Ours: what the code says itself, and nobody knows; or empty */
} license_found;

/* By a source's own line in its head, "SPDX-License-Identifier: MIT", which goes before what lies
 * around it. An id that SPDX does not have is not known. */
license_found license_of_source(arena *a, const char *path, license_found around);
/* By the first LICENSE or COPYING file of a folder whose text is known. Without one it is that of
 * what lies around the folder. */
license_found license_of_folder(arena *a, const char *folder, license_found around);
/* By a package's METADATA: its expression, its licence's name or text, or a classifier. */
license_found license_of_metadata(arena *a, str metadata);
/* The value of a field of METADATA: "1.19.0" of Version; empty: not there. */
str metadata_field(str metadata, const char *name);

#endif

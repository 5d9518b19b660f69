/* SPDX-License-Identifier: Apache-2.0 */
/* Where the sources of what is collected are developed. */
#ifndef WEFT_COLLECT_REPOSITORY_H
#define WEFT_COLLECT_REPOSITORY_H

#include "base/arena.h"
#include "base/str.h"

/* By a distribution's METADATA, the web address of its repository; empty: it names none. */
str repository_of_metadata(arena *a, str metadata);
/* By git's settings of a folder that a repository begins in: the remote `origin`; or empty. */
str repository_of_folder(arena *a, const char *folder);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* How a run over many records ends: what the functions that make, merge, split, check and survey
 * data sets return. A positive value is an errno value. */
#ifndef WEFT_BASE_RUN_STATUS_H
#define WEFT_BASE_RUN_STATUS_H

enum {
    STATUS_OK = 0,
    STATUS_STOPPED = -1,   /* the caller's progress function returned false */
    STATUS_CLOSED = -2,    /* the reader of a pipe went away */
    STATUS_REFUSED = -3,   /* the folder holds something else, or is in use; with a message */
    STATUS_BROKEN = -4,    /* a pair cannot be made; with a message */
    STATUS_MEMORY = -5,    /* memory ran out */
    STATUS_EXHAUSTED = -6, /* the generator has no new structure left; with a message */
    STATUS_ABSENT = -7     /* what is named is not there; with a message */
};

#endif

/* The family of a kernel whose record does not say it: from its source. */
#ifndef WEFT_DATA_FAMILY_H
#define WEFT_DATA_FAMILY_H

#include "data/structure.h"
#include "driver/pipeline.h"

typedef struct family_finder {
    bool ready; /* the rest is there: it is made when it is first needed */
    pipeline p;
    structurer *structurer;
    str source; /* in work */
    structure found;
    bool good;
} family_finder;

/* False: memory ran out. *found tells whether the source has one kernel. Needs: storage that is
 * zeroed, or was used here before. */
bool family_find(family_finder *f, str source, bool *found, char hex[FINGERPRINT_HEX]);
void family_clear(family_finder *f);

#endif

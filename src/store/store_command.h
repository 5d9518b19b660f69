/* A run as a command line. */
#ifndef WEFT_STORE_STORE_COMMAND_H
#define WEFT_STORE_STORE_COMMAND_H

#include "record/record_options.h"

/* The command that makes this set, without what does not change its bytes. */
void store_put_command(strbuf *b, const record_options *o);

#endif

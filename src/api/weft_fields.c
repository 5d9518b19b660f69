/* SPDX-License-Identifier: Apache-2.0 */
/* weft_record_fields: what records consist of, for programs that make tables of them.
 *
 *     {.devices = WEFT_CUDA}   ->   [{"name": "id", "type": "string"}, ...
 *
 * From the one table of fields, record_field.def, as the card's features and the writer are. */
#include "api/api.h"
#include "api/run_options.h"
#include "store/manifest.h"

/* One call of weft_record_fields. */
typedef struct fields_request {
    mem m;
    arena a;
    weft_generate_options w;
    weft_callbacks c;
    bool any; /* no options: every field */
    void (*write)(void *arg, const char *text, size_t size);
    weft_status status;
} fields_request;

/* For mem_try. The options are checked as those of a run are. */
static void put_fields(void *arg)
{
    fields_request *r = arg;
    record_options o;
    strbuf text;
    r->status = r->any ? WEFT_OK : run_options_read(&r->a, &r->w, &r->c, &o);
    if (r->status != WEFT_OK)
        return;
    sb_init(&text, &r->m);
    card_put_schema(&text, r->any ? NULL : &o);
    r->write(r->c.arg, text.p, text.n);
    sb_clear(&text);
}

weft_status weft_record_fields(const weft_generate_options *options,
                               const weft_callbacks *callbacks,
                               void (*write)(void *arg, const char *text, size_t size))
{
    fields_request r = {.any = !options, .write = write};
    if (!write || (options && !api_take_options(&r.w, sizeof r.w, options)) ||
        !callbacks_take(&r.c, callbacks))
        return WEFT_BAD_ARGUMENT;
    mem_init(&r.m);
    arena_init(&r.a, &r.m);
    if (!mem_try(&r.m, put_fields, &r))
        r.status = callbacks_fail(&r.c, WEFT_NO_MEMORY, "out of memory");
    mem_clear(&r.m);
    return r.status;
}

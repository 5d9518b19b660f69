/* SPDX-License-Identifier: Apache-2.0 */
/* weft_records: the records of data sets handed to the caller as they stand, whatever the layout.
 *
 *     "set"   ->   {"set/data/train-00000-of-00001.jsonl", 1, "{\"id\": ...}"}, ... */
#include "api/api.h"
#include "api/callbacks.h"
#include "base/c_locale.h"
#include "store/dataset_reader.h"

/* One call. */
typedef struct records_request {
    mem m;
    arena a;
    const char *const *paths;
    size_t npaths;
    weft_callbacks c;
    int (*record)(void *arg, const weft_record *record);
    dataset_reader reader;
    weft_status status;
} records_request;

/* The end of the reading: an errno value, or one of dataset_reader.h. */
static weft_status report_end(const records_request *r, int end)
{
    const char *message = r->reader.message ? r->reader.message : r->paths[0];
    switch (end) {
    case DATASET_END: return WEFT_OK;
    case DATASET_DAMAGED: return callbacks_fail(&r->c, WEFT_INPUT_ERRORS, "%s", message);
    default:
        return callbacks_fail(&r->c, WEFT_IO_ERROR, "cannot read '%s': %s", message,
                              error_text(end));
    }
}

/* The text has no NUL behind it where it is a part of a shard, hence the size. */
static void read_records(void *arg)
{
    records_request *r = arg;
    dataset_record found;
    int end = dataset_open(&r->reader, &r->a, r->paths, (uint32_t)r->npaths);
    while (!end && (end = dataset_next(&r->reader, &found)) == 0) {
        const weft_record out = {.file = found.file,
                                 .line = found.line,
                                 .json = found.text.p,
                                 .json_size = found.text.n};
        if (r->record(r->c.arg, &out) != 0) {
            r->status = WEFT_STOPPED;
            return;
        }
    }
    r->status = report_end(r, end);
}

weft_status weft_records(const char *const *paths, size_t count, const weft_callbacks *callbacks,
                         int (*record)(void *arg, const weft_record *record))
{
    records_request r = {.paths = paths, .npaths = count, .record = record};
    if (!paths || !count || count > UINT32_MAX || !record || !callbacks_take(&r.c, callbacks))
        return WEFT_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (!paths[i])
            return WEFT_BAD_ARGUMENT;
    mem_init(&r.m);
    r.m.waiting = r.c.waiting;
    r.m.waiting_arg = r.c.arg;
    arena_init(&r.a, &r.m);
    if (!mem_try(&r.m, read_records, &r))
        r.status = callbacks_fail(&r.c, WEFT_NO_MEMORY, "out of memory");
    dataset_close(&r.reader);
    mem_clear(&r.m);
    return r.status;
}

/* What a record says, out of its JSON: pairs, conversations and programs. Everything is checked
 * that the record alone can tell: keys and types by the table of fields, id, versions, device,
 * which texts there are, counts, evidence. Whether it is true is for validate/ to find out. */
#ifndef WEFT_RECORD_RECORD_READ_H
#define WEFT_RECORD_RECORD_READ_H

#include "check/check.h"
#include "record/bundle.h"
#include "record/fingerprint.h"
#include "record/messages.h"
#include "record/record_field.h"

typedef struct record_arg {
    str name, type, shape;
    int mag;
} record_arg;

/* A file of a bundle and its line, or 0; NULL: the record is none. */
typedef struct bundle_place {
    const char *file;
    uint64_t line;
} bundle_place;

/* Strings belong to the JSON. */
typedef struct record_view {
    const json_value
        *v[FIELDS]; /* its fields; NULL: not there. Of a list's objects the last one's */
    str id, kernel, launch, target;
    str source; /* a conversation may show none, nor all of the texts */
    gen_category category;
    uint64_t level;
    unsigned devices; /* EMIT_FOR_... */
    uint64_t seed, index;
    record_texts texts;
    bool backward; /* has backward texts */
    str source_hash;
    fingerprint structure, family;
    uint32_t attempt;
    record_texts hashes;
    record_arg args[GEN_ARGS_MAX];
    uint32_t nargs;
    str builtins[GEN_BUILTINS_MAX];
    uint32_t nbuiltins;
    bool is_messages; /* a conversation, about: */
    record_task task;
    bool is_repair; /* it has these: */
    defect_kind defect;
    str broken, diagnostic;
    bool is_bundle;             /* it has these: */
    str files[BUNDLE_METADATA]; /* their texts */
    str line;                   /* as it was read */
} record_view;

/* Fills the view; false with the reason. *place is where something is wrong with a bundle, and is
 * left as it was where nothing better is known. */
bool record_read(const json_value *json, record_view *view, bundle_place *place, strbuf *why);

/* One of the numbers in metadata.counts. */
static inline uint64_t record_count(const record_view *view, record_field f)
{
    return json_count(view->v[f]);
}
/* metadata.verification.class; empty: Warp's backward text is right, or nobody looked. */
str record_class(const record_view *view);
/* The field of a text; "cuda_ir_forward", say. */
const char *record_text_key(emit_device d, bool backward);

/* record_read_proof.c: metadata.verification. */
bool record_read_proof(record_view *view, strbuf *why);
/* record_read_chat.c: the code in a conversation's blocks. */
bool record_read_messages(record_view *view, strbuf *why);
/* record_read_bundle.c: the members that only a program has. */
bool record_read_bundle(const json_value *json, record_view *view, bundle_place *place,
                        strbuf *why);

/* For these: appends the sentence; false. */
static inline bool record_say(strbuf *why, const char *what)
{
    sb_c(why, what);
    return false;
}

#endif

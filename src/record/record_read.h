/* SPDX-License-Identifier: Apache-2.0 */
/* Reads records from their JSON: pairs, conversations and programs. Everything is checked that
 * needs no other source than the record: keys and types by the table of fields, id, versions,
 * device, which texts there are, counts, evidence. validate/ finds out whether what it states is
 * true, by compiling and executing again; report/ shows it. */
#ifndef WEFT_RECORD_RECORD_READ_H
#define WEFT_RECORD_RECORD_READ_H

#include "check/check.h"
#include "record/bundle.h"
#include "record/fingerprint.h"
#include "record/messages.h"
#include "record/record_field.h"

/* One of metadata.arguments: "x", "array(dtype=float32, ndim=1)", "n", and the power of two that
 * bounds its numbers. */
typedef struct record_arg {
    str name, type, shape;
    int mag;
    str values; /* empty, but for a kernel that was found */
} record_arg;

enum { RECORD_KERNELS_MAX = 8 }; /* of a script */

/* Where something is wrong with a bundle: a file and its line, or 0 for the whole file. file: NULL
 * if the record is no bundle. */
typedef struct bundle_place {
    const char *file;
    uint64_t line;
} bundle_place;

/* Strings belong to the JSON. */
typedef struct record_view {
    /* Its fields; NULL: not there. Of a list's objects those of the last one. */
    const json_value *v[FIELDS];
    str id, kernel, launch, target;
    str prompt;                    /* of a pair with a purpose; else empty */
    const json_value *cuda_source; /* plain CUDA; NULL: not there */
    str source;                    /* a conversation may show none, nor all of the texts */
    gen_category category;
    uint64_t level;    /* metadata.difficulty, 1 to 5 */
    unsigned devices;  /* EMIT_FOR_... */
    warp_release warp; /* whose text the record has */
    uint64_t seed, index;
    record_texts texts;           /* empty where the record does not show one */
    bool backward;                /* the kernel has an adjoint */
    str source_hash;              /* 64 digits */
    str inputs_hash, origin_hash; /* is_collected: 64 digits */
    fingerprint structure, family;
    uint32_t attempt;
    record_texts hashes; /* 64 digits each; empty for texts that the record does not have */
    record_arg args[SAMPLE_ARGS_MAX];
    uint32_t nargs;
    str builtins[GEN_BUILTINS_MAX];
    uint32_t nbuiltins;
    bool is_collected; /* the kernel was found, and not made */
    bool is_composed;  /* it was made with a purpose: by compose/ */
    bool is_mixed;     /* an exercise of a set whose other kernels have a purpose */
    bool is_graded;    /* it has the columns for trainers and graders */
    unsigned foreign;  /* traits of other kinds of kernels: such fields may be there, and empty */
    bool is_script;    /* several kernels: */
    str kernels[RECORD_KERNELS_MAX];
    uint32_t nkernels;
    bool is_messages; /* a conversation: task is valid */
    record_task task;
    bool is_repair;   /* defect, broken and diagnostic are valid */
    bool two_defects; /* second is valid */
    defect_kind defect, second;
    str broken, diagnostic;
    bool is_bundle;             /* a program: files is valid */
    str files[BUNDLE_METADATA]; /* the texts of its files */
    str line;                   /* the record as it was read; set by the caller */
} record_view;

/* Fills the view; false with the reason. *place is where something is wrong with a bundle, and is
 * left as it was where nothing better is known. */
bool record_read(const json_value *json, record_view *view, bundle_place *place, strbuf *why);

/* One of the numbers in metadata.counts. Needs: a record that record_read accepted, or is reading
 * and has found them in. */
static inline uint64_t record_count(const record_view *view, record_field f)
{
    WEFT_ASSERT(f < FIELDS && view->v[f]);
    return json_count(view->v[f]);
}
/* Does metadata.verification say that nothing was executed? */
bool record_is_not_run(const record_view *view);
/* metadata.verification.class; empty: Warp's backward text is right, or nobody looked. */
str record_class(const record_view *view);
/* The field of a text; "cuda_ir_forward", say. */
const char *record_text_key(emit_device d, bool backward);

/* record_field_read into the view's v. Fields of other kinds of kernels, which a joined set has in
 * every row, count as not there if they are empty. */
bool record_read_fields(record_view *view, const json_value *object, record_field parent,
                        unsigned certain, unsigned possible, strbuf *why);
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

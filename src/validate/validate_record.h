/* One record under examination. */
#ifndef WEFT_VALIDATE_VALIDATE_RECORD_H
#define WEFT_VALIDATE_VALIDATE_RECORD_H

#include "base/json_tree.h"
#include "check/check.h"
#include "driver/pipeline.h"
#include "make/repair.h"
#include "record/bundle.h"
#include "record/record_write.h"
#include "similar/structure.h"
#include "validate/validate.h"

typedef struct record_arg {
    str name, type, shape;
    int mag;
} record_arg;

enum {
    COUNT_LINES,
    COUNT_KERNEL_LINES,
    COUNT_STATEMENTS,
    COUNT_VARIABLES,
    COUNT_LOOP_DEPTH,
    COUNT_BRANCHES,
    RECORD_COUNTS
};

/* A file of a bundle and its line, or 0; NULL: the record is none. */
typedef struct bundle_place {
    const char *file;
    uint64_t line;
} bundle_place;

/* What a record says; strings belong to its JSON. */
typedef struct record_view {
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
    uint64_t counts[RECORD_COUNTS];
    const json_value *verification, *ptx; /* ptx: NULL if there is none */
    const json_value *messages;           /* of a conversation; NULL: the record is a pair */
    record_task task;                     /* of a conversation */
    bool is_repair;                       /* it has these: */
    defect_kind defect;
    str broken, diagnostic;
    bool is_bundle;                                          /* it has these: */
    str files[BUNDLE_METADATA];                              /* their texts */
    const json_value *file_sha256, *file_bytes, *file_names; /* and what is said of them */
    const json_value *standalone;
    str line; /* as it was read */
} record_view;

/* What the checks across records need of one. */
typedef struct record_facts {
    str id;                    /* empty: not known, and nothing else */
    bool has_index;            /* seed and index are known */
    bool readable;             /* and the rest */
    uint64_t seed, index;      /* from the id */
    uint64_t id_key, body_key; /* fingerprints */
    fingerprint structure, family;
    uint64_t bytes;
    gen_category category;
    unsigned devices;
    bool backward;
    bool is_messages, is_repair, is_bundle;
} record_facts;

/* Fills the view from a record's JSON; false with the reason. Beyond keys and types, what can be
 * told from the record alone: id, versions, device, which texts there are, counts. */
bool record_read(const json_value *json, record_view *view, bundle_place *place, strbuf *why);
/* validate_bundle.c: the members that only a bundle has; then: are hashes, sizes and names of its
 * files right? *place is where it is not, and as it was before where nothing better is known. */
bool bundle_read(const json_value *json, record_view *view, bundle_place *place, strbuf *why);
bool bundle_hash(const record_view *view, bundle_place *place, strbuf *why);
/* Are the texts' hashes right? */
bool record_hash(const record_view *view, strbuf *why);
void record_summary(const record_view *view, size_t bytes, strbuf *scratch, record_facts *facts);

/* "KEY differs from what weft emits in line 12: 'var_0 = 1;', not 'var_0 = 2;'"; false. *line, if
 * it is wanted, is told there instead. */
bool record_tell_difference(const char *key, str is, str should, uint64_t *line, strbuf *why);

/* "cuda_ir_forward" */
const char *record_text_key(emit_device d, bool backward);

/* validate_verification.c: the keys and types of metadata.verification. */
bool verification_read(const json_value *object, strbuf *why);
/* Does it say what was found? One that was not run says nothing. */
bool verification_agrees(const json_value *object, const check_result *found);
/* And the measured error of an adjoint that is not the derivative: is it the one that was found? */
bool verification_repeats(const json_value *object, const check_result *found);

/* validate_messages.c: the code in a conversation's blocks, into the view. */
bool messages_read(const json_value *array, record_view *view, strbuf *why);

/* What the generator has to be asked for to make the record's source. */
gen_request record_request(gen *g, const record_view *view);

/* What needs the compiler: once per thread. */
typedef struct record_judge {
    pipeline p;
    gen *g;
    gen_sample sample; /* what seed, index and category stand for */
    bool has_sample;   /* its source is the record's */
    const program *program;
    compiled_kernel compiled;
    struct device *device; /* NULL: none is asked for */
    checker *checker;      /* made when it is first needed */
    structurer *structurer;
    structure structure; /* of the source, if it has one kernel */
    bool executes;       /* the texts are executed later on, and so read back */
    strbuf text;
    strbuf source, filled; /* what a conversation does not show */
    repairer repairer;
    bool has_repairer;
} record_judge;

/* False: memory ran out. */
bool judge_init(record_judge *j);
void judge_clear(record_judge *j);
/* Each runs inside mem_try of j->p.c.mem, in this order; false with the reason. */
bool judge_compile(record_judge *j, const record_view *view, strbuf *why);
bool judge_source(record_judge *j, const record_view *view, strbuf *why);
bool judge_text(record_judge *j, const record_view *view, strbuf *why);
/* validate_bundle.c: the files of a program, checked for themselves, then against those that weft
 * makes of the source; needs: judge_fill */
bool judge_bundle(record_judge *j, const record_view *view, bundle_place *place, strbuf *why);
/* validate_cuda.c: static checks of a CUDA text: its kernel, parameters, index and guard. */
bool judge_cuda(record_judge *j, const record_view *view, bool backward, strbuf *why);
/* validate_repeat.c: does the backward text compute what the forward text does? */
bool judge_repeat(record_judge *j, const record_view *view, strbuf *why);
/* validate_messages.c: finds the source, fills in the texts that a conversation does not show, and
 * compares its words. */
bool judge_find_source(record_judge *j, record_view *view, strbuf *why);
void judge_fill(record_judge *j, record_view *view);
bool judge_messages(record_judge *j, const record_view *view, strbuf *why);
/* validate_repair.c: is the diagnostic seen by executing the broken source? Then: is it as told? */
bool repair_runs(const record_view *view);
bool judge_repair(record_judge *j, const record_view *view, strbuf *why);
/* validate_execution.c */
bool judge_execution(record_judge *j, const record_view *view, strbuf *why);
/* validate_device.c */
bool judge_device(record_judge *j, const record_view *view, strbuf *why);

#endif

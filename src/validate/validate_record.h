/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of one record, which the files validate_*.c implement, and the state that they share.
 * For the threads of validate_work.c.
 *
 * All work alike: false is a problem, whose reason is then in `why` and fits after "CHECK: ":
 *
 *     metadata.sha256.python_source is a712..., the text's is 1b8d...
 *     cuda_ir_forward differs from what weft emits in line 48: 'var_1 = builtin_tid1d();', not
 *         'var_0 = builtin_tid1d();'
 *
 * `why` is empty or to be ignored after true. */
#ifndef WEFT_VALIDATE_VALIDATE_RECORD_H
#define WEFT_VALIDATE_VALIDATE_RECORD_H

#include "compose/compose.h"
#include "compose/script.h"
#include "driver/pipeline.h"
#include "make/repair.h"
#include "record/record_read.h"
#include "similar/structure.h"
#include "validate/validate_check.h"

/* What the checks across records need of one. */
typedef struct validate_facts {
    str id;                        /* empty: not known, and nothing else */
    bool has_index;                /* seed and index are known */
    bool readable;                 /* and the rest */
    uint64_t seed, index;          /* from the id */
    uint64_t id_key, body_key;     /* XXH3 of the id, and of the source without comments */
    fingerprint structure, family; /* as the metadata state them */
    uint64_t bytes;                /* as validate_line counts them */
    gen_category category;
    unsigned devices; /* EMIT_FOR_..., whose texts it has */
    warp_release warp;
    bool backward;     /* it has backward texts */
    bool forward_only; /* it has none, and its source says so, or is not there */
    bool is_messages, is_script, is_repair, is_bundle, is_collected;
    bool is_untested;     /* it says that --no-tests kept it from having tests */
    uint64_t license_key; /* XXH3 of its column; 0: it has none */
    uint64_t shape_key;   /* of its fields (record_shape.h); 0: a program, or not known */
    bool is_unverified;   /* it says that --no-verify kept it from being executed */
    str source_row; /* is_collected: "| PACKAGE | VERSION | LICENCE |", as the set's card has it */
} validate_facts;

uint64_t validate_license_key(const char *license);
/* validate_bundle.c: are hashes, sizes and names of a bundle's files right? *place is where it is
 * not, and as it was before where nothing better is known. */
bool validate_bundle_hash(const record_view *view, bundle_place *place, strbuf *why);
/* Are the texts' hashes right? */
bool validate_hash(const record_view *view, strbuf *why);
/* Fills the facts; strings belong to the view. `scratch` is overwritten. */
void validate_summary(const record_view *view, size_t bytes, strbuf *scratch,
                      validate_facts *facts);

/* "KEY differs from what weft emits in line 12: 'var_0 = 1;', not 'var_0 = 2;'"; false. The line
 * goes to *line, and not into the sentence, where `line` is not NULL. */
bool validate_put_difference(const char *key, str is, str should, uint64_t *line, strbuf *why);

/* The request with which the generator makes the record's source again. */
gen_request validate_request(gen *g, const record_view *view);

/* What needs the compiler: once per thread, for records of one release of Warp. */
typedef struct record_validator {
    pipeline p;
    gen *g;
    library *library; /* made with the first composed record, as is */
    composer *composer;
    scripter *scripter; /* made with the first script, as is: */
    pipeline_options scripts;
    script script;            /* that is made of seed and index */
    gen_sample sample;        /* that the generator makes of seed, index and category */
    bool has_sample;          /* its source is the record's */
    const program *program;   /* of the record's source, */
    compiled_kernel compiled; /* and its kernel: since validate_compile, until the next record */
    struct device *device;    /* NULL: the check `device` was not chosen */
    checker *checker;         /* made when it is first needed */
    structurer *structurer;
    structure structure;   /* of the source, if it has one kernel */
    bool executes;         /* the texts are executed later on, and so read back */
    strbuf text;           /* scratch of one check */
    strbuf source, filled; /* what a conversation does not show */
    repairer repairer;     /* made with the first repair record */
    bool has_repairer;
} record_validator;

/* Makes the sample that the record's seed, index and attempt stand for. */
bool validate_make(record_validator *rv, const record_view *view);
/* False: memory ran out. */
bool record_validator_init(record_validator *rv, warp_release warp, const char *const *dirs,
                           size_t ndirs);
void record_validator_clear(record_validator *rv);
/* Each runs inside mem_try of rv->p.c.mem, in this order; false with the reason. The first loads,
 * lowers and emits the source; those after it rely on what it leaves in rv. */
bool validate_compile(record_validator *rv, const record_view *view, strbuf *why);
bool validate_source(record_validator *rv, const record_view *view, strbuf *why);
/* validate_found.c: the metadata that only a collected record has */
bool validate_found(record_validator *rv, const record_view *view, strbuf *why);
bool validate_text(record_validator *rv, const record_view *view, strbuf *why);
/* validate_bundle.c: the files of a program, checked for themselves, then against those that weft
 * makes of the source; needs: validate_fill_texts */
void validate_fill_program(record_validator *rv, record_view *view); /* Warp's texts of it */
bool validate_bundle(record_validator *rv, const record_view *view, bundle_place *place,
                     strbuf *why);
/* validate_cuda.c: static checks of a CUDA text: its kernel, parameters, index and guard. */
bool validate_cuda(record_validator *rv, const record_view *view, bool backward, strbuf *why);
/* validate_repeat.c: does the backward text compute what the forward text does? */
bool validate_repeat(record_validator *rv, const record_view *view, strbuf *why);
/* validate_messages.c: finds the source, fills in the texts that a conversation does not show, and
 * compares its words. */
bool validate_find_source(record_validator *rv, record_view *view, strbuf *why);
void validate_fill_texts(record_validator *rv, record_view *view);
bool validate_messages(record_validator *rv, const record_view *view, strbuf *why);
/* validate_grade.c: problem_id and tokens; then, with the checker of validate_execution, tests and
 * verification_info. Needs: the record has them. */
bool validate_grade(const record_validator *rv, const record_view *view, strbuf *why);
bool validate_tests(record_validator *rv, const record_view *view, strbuf *why);
/* validate_repair.c: is the diagnostic seen by executing the broken source? Then: is it as the
 * record states it? */
bool validate_repair_runs(const record_view *view);
bool validate_repair(record_validator *rv, const record_view *view, strbuf *why);
/* validate_execution.c: the texts, on other inputs than those of the proof. */
bool validate_execution(record_validator *rv, const record_view *view, strbuf *why);
/* Does metadata.verification say what was found? False, with what was found. */
bool validate_say_other(const check_result *found, strbuf *why);
bool validate_agrees(const record_view *view, const check_result *found);
/* validate_script.c: the texts of all kernels of a script; are they what weft emits, do they
 * compute what their sources say? And the script itself, made again. */
bool validate_make_script(record_validator *rv, const record_view *view);
bool validate_script_text(record_validator *rv, const record_view *view, strbuf *why);
bool validate_script_cuda(record_validator *rv, const record_view *view, strbuf *why);
bool validate_script_execution(record_validator *rv, const record_view *view, strbuf *why);
/* validate_device.c: the kernel on rv->device, on the inputs of its proof. */
bool validate_device(record_validator *rv, const record_view *view, strbuf *why);

#endif

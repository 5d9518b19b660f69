/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of input on their way through the threads: lines go in, findings and facts come out.
 *
 *     validate.c        fills a piece with up to PIECE_LINES lines, and submits it
 *     validate_queue.c  hands it to a thread
 *     validate_work.c   checks its lines: findings, and facts for the checks across records
 *     validate.c        takes it back in order: reports findings, adds facts to the set
 *
 * A piece belongs to one thread at a time and owns all memory of its lines, so no lock is held
 * while records are checked. */
#ifndef WEFT_VALIDATE_VALIDATE_WORK_H
#define WEFT_VALIDATE_VALIDATE_WORK_H

#include "store/line_reader.h"
#include "validate/validate_record.h"

/* Limits of a piece. The line that crosses PIECE_BYTES still belongs to it. */
enum { PIECE_LINES = 32, PIECE_BYTES = 1 << 20 };

/* One problem of a line, before it has a path. */
typedef struct finding {
    validate_check check;
    uint32_t line;    /* index in the piece's lines */
    str reason;       /* in the piece's arena */
    const char *file; /* of a program, "NAME.cu"; NULL: the line's own file, and its number */
    uint64_t at;      /* a line of that file, from 1; 0: all of it */
} finding;

/* One record as it was read: where it comes from, its text, and what the checks learn from it. */
typedef struct validate_line {
    const char *path; /* of its file; a file of its own, with LINE_READER_WHOLE */
    line_reader_kind kind;
    uint32_t file;        /* number in validate_state.files, for the caller */
    uint64_t number;      /* of the line in the file, from 1 */
    line_status status;   /* LINE_GOOD, LINE_CUT or LINE_LONG */
    size_t at, n;         /* in the piece's text; an offset, as the text moves while it grows */
    uint64_t bytes;       /* with the newline; of a program, the sizes of its files */
    validate_facts facts; /* once a worker has run */
} validate_line;

/* Some consecutive lines. */
typedef struct validate_piece {
    mem mem; /* of all below: one for each piece, as a mem serves one thread at a time */
    strbuf text, scratch; /* the lines without newlines; the reason in the making */
    arena arena;          /* of findings and ids; until the piece is reset */
    arena tree;           /* JSON of the line in work */
    validate_line lines[PIECE_LINES];
    uint32_t n;            /* lines */
    VEC(finding) findings; /* by line, then in the order of the checks */
    bool done;             /* checked; under the queue's lock */
} validate_piece;

/* What one thread keeps from piece to piece, and its place in the piece that it works on. */
typedef struct validate_worker {
    const validate_options *o;
    record_validator validator;
    bool has_validator;      /* a record has needed the compiler, which is kept for the next */
    const json_value *json;  /* of the line in work, in piece->tree */
    validate_piece *piece;   /* in work, */
    uint32_t line;           /* and its line */
    const record_view *view; /* the record, while the compiler checks it */
    bundle_place place;      /* of the next finding; all zeros: the line itself */
    bool failed;             /* memory ran out */
} validate_worker;

/* One a thread. What needs the compiler is made with the first record that needs it. */
void validate_worker_init(validate_worker *w, const validate_options *o);
void validate_worker_clear(validate_worker *w);
/* Checks every line of a piece. False: memory ran out. */
bool validate_worker_run(validate_worker *w, validate_piece *piece);

void validate_piece_init(validate_piece *piece);
/* Gives all its memory back. */
void validate_piece_clear(validate_piece *piece);
/* Forgets lines and findings. */
void validate_piece_reset(validate_piece *piece);

typedef struct validate_queue validate_queue;

/* Starts o->jobs threads that run pieces. NULL: memory ran out or no thread could be started. */
validate_queue *validate_queue_start(const validate_options *o);
/* A piece to fill, or NULL: all are under way. The same one until it is submitted. */
validate_piece *validate_queue_free(validate_queue *q);
/* Hands the piece last given by validate_queue_free to the threads. */
void validate_queue_submit(validate_queue *q);
/* The oldest piece under way, when it is done; NULL: none is under way, or memory ran out. It is
 * the caller's until validate_queue_release. */
validate_piece *validate_queue_wait(validate_queue *q);
/* Gives the piece of validate_queue_wait back to be filled again. */
void validate_queue_release(validate_queue *q);
/* Did a thread run out of memory? */
bool validate_queue_failed(const validate_queue *q);
/* Ends the threads, after the pieces in work, and frees the queue. */
void validate_queue_stop(validate_queue *q);

#endif

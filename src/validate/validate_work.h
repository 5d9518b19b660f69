/* Pieces of input on their way through the threads: lines go in, findings and facts come out. */
#ifndef WEFT_VALIDATE_VALIDATE_WORK_H
#define WEFT_VALIDATE_VALIDATE_WORK_H

#include "store/line_reader.h"
#include "validate/validate_record.h"

enum { PIECE_LINES = 32, PIECE_BYTES = 1 << 20 };

typedef struct finding {
    validate_check check;
    uint32_t line; /* of the piece */
    str reason;
    const char *file; /* of a bundle; NULL: the line's own file, and its number */
    uint64_t at;      /* a line of it, or 0 */
} finding;

typedef struct validate_line {
    const char *path; /* of its file; a file of its own, with LINE_READER_WHOLE */
    line_reader_kind kind;
    uint32_t file;   /* number, for the caller */
    uint64_t number; /* of the line in the file, from 1 */
    line_status status;
    size_t at, n;   /* in the piece's text */
    uint64_t bytes; /* in its files */
    validate_facts facts;
} validate_line;

/* Some consecutive lines. */
typedef struct validate_piece {
    mem mem;
    strbuf text, scratch;
    arena arena; /* of findings */
    arena tree;  /* of the line in work */
    validate_line lines[PIECE_LINES];
    uint32_t n;
    VEC(finding) findings; /* by line, then by check */
    bool done;
} validate_piece;

typedef struct validate_worker {
    unsigned checks;
    record_validator validator;
    struct device *device;
    bool has_validator;
    const json_value *json;
    validate_piece *piece; /* in work, */
    uint32_t line;         /* and its line */
    const record_view *view;
    bundle_place place; /* of what is found next */
    bool failed;        /* memory ran out */
} validate_worker;

/* One a thread. What needs the compiler is made with the first record that needs it. */
void validate_worker_init(validate_worker *w, unsigned checks, struct device *device);
void validate_worker_clear(validate_worker *w);
/* Checks every line of a piece. False: memory ran out. */
bool validate_worker_run(validate_worker *w, validate_piece *piece);

void validate_piece_init(validate_piece *piece);
/* Gives all its memory back. */
void validate_piece_clear(validate_piece *piece);
/* Forgets lines and findings. */
void validate_piece_reset(validate_piece *piece);

typedef struct validate_queue validate_queue;

/* Starts threads that run pieces. NULL: memory ran out or no thread could be started. */
validate_queue *validate_queue_start(unsigned checks, uint32_t jobs, struct device *device);
/* A piece to fill, or NULL: all are under way. */
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

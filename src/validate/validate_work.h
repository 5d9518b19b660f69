/* Pieces of input on their way through the threads: lines go in, findings and facts come out. */
#ifndef WEFT_VALIDATE_VALIDATE_WORK_H
#define WEFT_VALIDATE_VALIDATE_WORK_H

#include "store/dataset_lines.h"
#include "validate/validate_record.h"

enum { PIECE_LINES = 32, PIECE_BYTES = 1 << 20 };

typedef struct finding {
    validate_check check;
    uint32_t line; /* of the piece */
    str reason;
    const char *file; /* of a bundle; NULL: the line's own file, and its number */
    uint64_t at;      /* a line of it, or 0 */
} finding;

typedef struct piece_line {
    const char *path; /* of its file; a file of its own, with LINES_WHOLE */
    lines_kind kind;
    uint32_t file;   /* number, for the caller */
    uint64_t number; /* of the line in the file, from 1 */
    line_status status;
    size_t at, n;   /* in the piece's text */
    uint64_t bytes; /* in its files */
    valid_facts facts;
} piece_line;

/* Some consecutive lines. */
typedef struct valid_piece {
    mem mem;
    strbuf text, scratch;
    arena arena; /* of findings */
    arena tree;  /* of the line in work */
    piece_line lines[PIECE_LINES];
    uint32_t n;
    VEC(finding) findings; /* by line, then by check */
    bool done;
} valid_piece;

typedef struct worker {
    unsigned checks;
    judge judge;
    struct device *device;
    bool has_judge;
    const json_value *json;
    valid_piece *piece; /* in work, */
    uint32_t line;      /* and its line */
    const record_view *view;
    bundle_place place; /* of what is found next */
    bool failed;        /* memory ran out */
} worker;

/* One a thread. What needs the compiler is made with the first record that needs it. */
void worker_init(worker *w, unsigned checks, struct device *device);
void worker_clear(worker *w);
/* Checks every line of a piece. False: memory ran out. */
bool worker_run(worker *w, valid_piece *piece);

void piece_init(valid_piece *piece);
/* Gives all its memory back. */
void piece_clear(valid_piece *piece);
/* Forgets lines and findings. */
void piece_reset(valid_piece *piece);

typedef struct valid_queue valid_queue;

/* Starts threads that run pieces. NULL: memory ran out or no thread could be started. */
valid_queue *valid_queue_start(unsigned checks, uint32_t jobs, struct device *device);
/* A piece to fill, or NULL: all are under way. */
valid_piece *valid_queue_free(valid_queue *q);
/* Hands the piece last given by valid_queue_free to the threads. */
void valid_queue_submit(valid_queue *q);
/* The oldest piece under way, when it is done; NULL: none is under way, or memory ran out. It is
 * the caller's until valid_queue_release. */
valid_piece *valid_queue_wait(valid_queue *q);
/* Gives the piece of valid_queue_wait back to be filled again. */
void valid_queue_release(valid_queue *q);
/* Did a thread run out of memory? */
bool valid_queue_failed(const valid_queue *q);
/* Ends the threads, after the pieces in work, and frees the queue. */
void valid_queue_stop(valid_queue *q);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks that conversations are about (task.def): what a record must have for one, and which
 * code blocks its question and its answer show.
 *
 *     cuda-to-warp   needs plain CUDA; asked: that; answered: the Python source */
#ifndef WEFT_RECORD_TASK_H
#define WEFT_RECORD_TASK_H

#include "base/str.h"
#include "emit/emit.h"

typedef enum record_task {
#define TASK(ID, name, needs, usual, asked, asked2, answered, answered2, phrases, what) TASK_##ID,
#include "record/task.def"
#undef TASK
    TASKS
} record_task;

/* What a record has; a set of them is an unsigned. */
enum task_need {
    TASK_CUDA = 1 << 0, /* Warp's text for this device */
    TASK_CPU = 1 << 1,
    TASK_BACKWARD_TEXT = 1 << 2,
    TASK_PROMPT = 1 << 3,
    TASK_PLAIN = 1 << 4,      /* the kernel as plain CUDA */
    TASK_NUMBERS = 1 << 5,    /* arguments are numbers, no ids of meshes and the like */
    TASK_OWN_RANDOM = 1 << 6, /* no random numbers or noise of Warp's making */
    TASK_THREADS = 1 << 7,    /* no tiles: threads work alone */
    TASK_MADE = 1 << 8        /* seed and index make the source again */
};

/* A code block of a message. */
typedef enum task_block {
    TASK_BLOCK_NONE,
    TASK_BLOCK_PYTHON,       /* the source */
    TASK_BLOCK_FORWARD,      /* Warp's text of the record's device; of both: CUDA */
    TASK_BLOCK_BARE_FORWARD, /* without the comments that hold the source */
    TASK_BLOCK_BACKWARD,
    TASK_BLOCK_CPP,         /* Warp's forward text for the CPU beside one in CUDA */
    TASK_BLOCK_PLAIN,       /* plain CUDA */
    TASK_BLOCK_DECLARATION, /* of its kernel, with the structs that it takes */
    TASK_BLOCK_SKELETON,    /* the source without the body of a function */
    TASK_BLOCK_FUNCTION,    /* that function */
    TASK_BLOCK_BROKEN,      /* the source with a defect */
    TASK_BLOCK_DIAGNOSTIC
} task_block;

enum { TASK_BLOCKS = 2 };

typedef struct task_row {
    const char *name; /* "cpu-to-cuda", as --tasks and records have it */
    unsigned needs;   /* of task_need */
    bool usual;
    task_block asked[TASK_BLOCKS], answered[TASK_BLOCKS];
    const char *what; /* for people */
} task_row;

const task_row *task_at(record_task t);
/* False: no task has this name. */
bool task_find(str name, record_task *t);
static inline bool task_is_repair(record_task t)
{
    return t >= TASK_REPAIR;
}
/* Does it show this block? */
bool task_shows(record_task t, task_block b);
/* Is what the record has enough? */
static inline bool task_fits(record_task t, unsigned has)
{
    return !(task_at(t)->needs & ~has);
}
/* What the texts of a record give: TASK_CUDA, TASK_CPU, TASK_BACKWARD_TEXT. */
unsigned task_has_texts(unsigned devices, bool backward);
/* What its fence says: "python", "cuda", "cpp" or "text". devices: EMIT_FOR_... */
const char *task_block_language(task_block b, unsigned devices);
/* The language of its answer. */
const char *task_language(record_task t, unsigned devices);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The table of tasks (task.def) and what follows from its rows.
 *
 *     task_fits(TASK_CPU_TO_CUDA, TASK_CUDA)   ->   false: it needs the text for the CPU, too */
#include "record/task.h"

/* The words that task.def uses in its column `needs`. */
enum {
    CUDA = TASK_CUDA,
    CPU = TASK_CPU,
    BACKWARD = TASK_BACKWARD_TEXT,
    PROMPT = TASK_PROMPT,
    PLAIN = TASK_PLAIN,
    NUMBERS = TASK_NUMBERS,
    OWN_RANDOM = TASK_OWN_RANDOM,
    THREADS = TASK_THREADS,
    MADE = TASK_MADE
};

static const task_row rows[TASKS] = {
#define TASK(ID, name, needs, usual, asked, asked2, answered, answered2, phrases, what)            \
    {name,                                                                                         \
     needs,                                                                                        \
     usual,                                                                                        \
     {TASK_BLOCK_##asked, TASK_BLOCK_##asked2},                                                    \
     {TASK_BLOCK_##answered, TASK_BLOCK_##answered2},                                              \
     what},
#include "record/task.def"
#undef TASK
};

const task_row *task_at(record_task t)
{
    WEFT_ASSERT(t < TASKS);
    return &rows[t];
}

bool task_find(str name, record_task *t)
{
    for (int i = 0; i < TASKS; i++)
        if (str_eq(name, str_c(rows[i].name))) {
            *t = (record_task)i;
            return true;
        }
    return false;
}

bool task_shows(record_task t, task_block b)
{
    const task_row *row = task_at(t);
    for (int i = 0; i < TASK_BLOCKS; i++)
        if (row->asked[i] == b || row->answered[i] == b)
            return true;
    return false;
}

unsigned task_has_texts(unsigned devices, bool backward)
{
    return (devices & EMIT_FOR_CUDA ? TASK_CUDA : 0u) | (devices & EMIT_FOR_CPU ? TASK_CPU : 0u) |
           (backward ? TASK_BACKWARD_TEXT : 0u);
}

const char *task_block_language(task_block b, unsigned devices)
{
    switch (b) {
    case TASK_BLOCK_FORWARD:
    case TASK_BLOCK_BARE_FORWARD:
    case TASK_BLOCK_BACKWARD: return devices & EMIT_FOR_CUDA ? "cuda" : "cpp";
    case TASK_BLOCK_CPP: return "cpp";
    case TASK_BLOCK_PLAIN:
    case TASK_BLOCK_DECLARATION: return "cuda";
    case TASK_BLOCK_DIAGNOSTIC: return "text";
    default: return "python";
    }
}

const char *task_language(record_task t, unsigned devices)
{
    return task_block_language(task_at(t)->answered[0], devices);
}

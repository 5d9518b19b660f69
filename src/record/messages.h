/* A pair told as a conversation: instruction and answer, for training on chat. The words are drawn
 * from the sample's own stream, so they are a function of the task, the pair, seed and index. */
#ifndef WEFT_RECORD_MESSAGES_H
#define WEFT_RECORD_MESSAGES_H

#include "base/str.h"
#include "emit/emit.h"
#include "record/defect.h"

typedef enum record_task {
#define TASK(ID, name, cuda, cpu, backward) TASK_##ID,
#include "record/task.def"
#undef TASK
    TASKS
} record_task;

const char *task_name(record_task t);
bool task_find(str name, record_task *t);
/* Can it be made of pairs for these devices? */
bool task_fits(record_task t, unsigned devices, bool backward);

/* The texts of a sample; an empty one where its device or pass was not asked for. */
typedef struct record_texts {
    str forward[EMIT_DEVICES], backward[EMIT_DEVICES];
} record_texts;

typedef struct messages_subject {
    record_task task;
    str source, kernel;
    const record_texts *texts;
    unsigned devices; /* EMIT_FOR_... */
    uint64_t seed, index;
    defect_kind defect;     /* of TASK_REPAIR, */
    str broken, diagnostic; /* as these */
} messages_subject;

enum { MESSAGES_MAX = 3 };

typedef struct chat_turn {
    const char *role;
    size_t at, n; /* in the text that was composed */
} chat_turn;

typedef struct chat {
    chat_turn v[MESSAGES_MAX];
    uint32_t n;
} chat;

/* Appends the contents to text, one after another. */
void messages_compose(strbuf *text, const messages_subject *s, chat *out);
/* Appends `[{"role": ..., "content": ...}, ...]`. */
void messages_put(strbuf *b, const messages_subject *s);

/* What of a conversation is code: its fenced blocks. */
typedef struct message_block {
    str language, text; /* of a role's content; the text ends with a newline */
} message_block;
/* The next fenced block from *at on; false: there is none. */
bool messages_next_block(str content, size_t *at, message_block *block);

#endif

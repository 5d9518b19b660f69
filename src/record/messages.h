/* SPDX-License-Identifier: Apache-2.0 */
/* A pair as a conversation: instruction and answer, for training on chat (generate --style
 * messages). The words are drawn from the sample's own stream, so they are a function of the task,
 * the pair, seed and index.
 *
 *     [{"role": "user", "content": "Lower my Warp kernel ..."},
 *      {"role": "assistant", "content": "```cuda\n..."}] */
#ifndef WEFT_RECORD_MESSAGES_H
#define WEFT_RECORD_MESSAGES_H

#include "base/str.h"
#include "emit/emit.h"
#include "record/defect.h"
#include "record/task.h"

/* The texts of a sample, by device; empty where the run leaves the device or the pass out. */
typedef struct record_texts {
    str forward[EMIT_DEVICES], backward[EMIT_DEVICES];
} record_texts;

/* What a conversation is about, and what its words are drawn by. */
typedef struct messages_subject {
    record_task task;
    str source, kernel;        /* the right source; the kernel's name */
    str prompt, plain;         /* the task in words, plain CUDA; those that it needs are there */
    const record_texts *texts; /* those that the task needs are there (task_fits) */
    unsigned devices;          /* EMIT_FOR_... */
    uint64_t seed, index;
    defect_kind defect;     /* of repairs only, as are: */
    defect_kind second;     /* TASK_REPAIR_TWO only */
    str broken, diagnostic; /* the source with the defect, and its diagnostic */
} messages_subject;

enum { MESSAGES_MAX = 3 }; /* system, user, assistant */

/* One message. */
typedef struct chat_turn {
    const char *role;
    size_t at, n; /* where its content is in the text that was composed, in bytes */
} chat_turn;

/* A conversation: two messages, or three with a system prompt. */
typedef struct chat {
    chat_turn v[MESSAGES_MAX];
    uint32_t n;
} chat;

/* Appends the contents to text, one after another; *out says which part belongs to whom. */
void messages_compose(strbuf *text, const messages_subject *s, chat *out);
/* Appends `[{"role": ..., "content": ...}, ...]`. Returns about how many tokens the contents have.
 */
uint64_t messages_put(strbuf *b, const messages_subject *s);

/* A fenced block of a message. Both parts point into the content; the text ends with a newline. */
typedef struct message_block {
    str language, text;
} message_block;
/* Finds the next fenced block from *at on and moves *at behind it; false: there is none. */
bool messages_next_block(str content, size_t *at, message_block *block);

#endif

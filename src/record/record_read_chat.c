/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a conversation: the fenced blocks of its messages must be those that its task shows
 * (task.def), in their order. What a validator cannot make of the rest is kept:
 *
 *     ```python   ->   source, or `broken` of a repair
 *     ```text     ->   diagnostic of a repair
 *
 * Any other text is made anew of the source, and compared as a part of its message. */
#include "record/record_read.h"

static const char wrong_roles[] = "messages: the roles are not system (or none), user, assistant";

/* Puts the n-th block of a turn into its place; false: the task has another one there. */
static bool take_block(record_view *r, const task_block *wanted, uint32_t n, const message_block *b,
                       strbuf *why)
{
    const task_block is = n < TASK_BLOCKS ? wanted[n] : TASK_BLOCK_NONE;
    if (!is)
        return record_say(why, "messages: more code blocks than the task has");
    if (!str_eq(b->language, str_c(task_block_language(is, r->devices))))
        return record_say(why, "messages: a code block in another language than the task has");
    if (is == TASK_BLOCK_PYTHON)
        r->source = b->text;
    else if (is == TASK_BLOCK_BROKEN)
        r->broken = b->text;
    else if (is == TASK_BLOCK_DIAGNOSTIC)
        r->diagnostic = b->text;
    return true;
}

static bool read_message(const json_value *e, const char *role, record_view *r, strbuf *why)
{
    static const task_block none[TASK_BLOCKS];
    WEFT_ASSERT(role);
    if (!json_is(e, JSON_TYPE_OBJECT))
        return record_say(why, "messages is no list of objects");
    if (!record_field_read(e, FIELD_MESSAGES, TRAIT_CHAT, TRAIT_CHAT, r->v, why))
        return false;
    if (!str_eq(r->v[FIELD_MESSAGE_ROLE]->text, str_c(role)))
        return record_say(why, wrong_roles);
    const task_row *row = task_at(r->task);
    const task_block *wanted = role[0] == 'u' ? row->asked : role[0] == 'a' ? row->answered : none;
    const str content = r->v[FIELD_MESSAGE_CONTENT]->text;
    message_block block;
    uint32_t n = 0;
    for (size_t at = 0; messages_next_block(content, &at, &block); n++)
        if (!take_block(r, wanted, n, &block, why))
            return false;
    return n == TASK_BLOCKS || !wanted[n] ||
           record_say(why, "messages: the code blocks are not those of the task");
}

/* Two or three messages in a fixed order of roles; their blocks are those that the task
 * shows. */
bool record_read_messages(record_view *r, strbuf *why)
{
    static const char *const roles[] = {"system", "user", "assistant"};
    const json_value *array = r->v[FIELD_MESSAGES];
    const uint32_t n = json_size(array);
    if (n < 2 || n > MESSAGES_MAX)
        return record_say(why, wrong_roles);
    uint32_t i = MESSAGES_MAX - n; /* two messages: no system prompt */
    for (const json_value *e = array->child; e; e = e->next)
        if (!read_message(e, roles[i++], r, why))
            return false;
    return true;
}

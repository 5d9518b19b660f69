/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a conversation: the code in the fenced blocks of its messages becomes the texts that a
 * pair has in fields. What the task does not show is left empty.
 *
 *     ```python            ->   source; of a repair the first block is `broken`
 *     ```cuda, ```cpp      ->   texts.backward if it defines NAME_kernel_backward, else forward
 *     ```text              ->   diagnostic of a repair */
#include "record/record_read.h"

static const char wrong_roles[] = "messages: the roles are not system (or none), user, assistant";

/* Puts a block into its place; false: the place is taken, or there is none. */
static bool take_block(record_view *r, const message_block *b, strbuf *why)
{
    str *to = NULL;
    if (str_eq(b->language, STR("python"))) {
        to = r->is_repair && !r->broken.n ? &r->broken : &r->source;
    } else if (r->is_repair && str_eq(b->language, STR("text"))) {
        to = &r->diagnostic;
    } else if (str_eq(b->language, STR("cuda")) || str_eq(b->language, STR("cpp"))) {
        const emit_device d = b->language.p[1] == 'u' ? EMIT_CUDA : EMIT_CPU;
        to = str_contains(b->text, STR("_kernel_backward(")) ? &r->texts.backward[d]
                                                             : &r->texts.forward[d];
    }
    if (!to)
        return record_say(why, "messages: a code block in another language than the task has");
    if (to->n)
        return record_say(why, "messages: two code blocks of the same kind");
    *to = b->text;
    return true;
}

static bool read_message(const json_value *e, const char *role, record_view *r, strbuf *why)
{
    WEFT_ASSERT(role);
    if (!json_is(e, JSON_TYPE_OBJECT))
        return record_say(why, "messages is no list of objects");
    if (!record_field_read(e, FIELD_MESSAGES, TRAIT_CHAT, TRAIT_CHAT, r->v, why))
        return false;
    if (!str_eq(r->v[FIELD_MESSAGE_ROLE]->text, str_c(role)))
        return record_say(why, wrong_roles);
    const str content = r->v[FIELD_MESSAGE_CONTENT]->text;
    message_block block;
    for (size_t at = 0; messages_next_block(content, &at, &block);)
        if (!take_block(r, &block, why))
            return false;
    return true;
}

/* Are the blocks there that the task needs, and no others? `d` is the device whose text is the
 * subject; the other one's forward text is shown only for cpu-to-cuda, which shows no Python. */
static bool check_blocks(const record_view *r, strbuf *why)
{
    const emit_device d = r->devices & EMIT_FOR_CUDA ? EMIT_CUDA : EMIT_CPU;
    const emit_device other = d == EMIT_CUDA ? EMIT_CPU : EMIT_CUDA;
    const bool ported = r->task == TASK_CPU_TO_CUDA;
    const bool forward = r->task != TASK_BACKWARD && r->task != TASK_REPAIR;
    const bool backward = r->task == TASK_BACKWARD || r->task == TASK_BOTH;
    if ((r->source.n > 0) == ported || (r->texts.forward[d].n > 0) != forward ||
        (r->texts.backward[d].n > 0) != backward || (r->texts.forward[other].n > 0) != ported ||
        r->texts.backward[other].n || (r->diagnostic.n > 0) != r->is_repair)
        return record_say(why, "messages: the code blocks are not those of the task");
    return true;
}

/* Two or three messages in a fixed order of roles; every block goes into the view, then the view
 * must have what the task shows. */
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
    return check_blocks(r, why);
}

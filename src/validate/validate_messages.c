/* SPDX-License-Identifier: Apache-2.0 */
/* Checks records that are conversations (--style messages), for validate_work.c. The texts that it
 * shows, and those that it does not, are made of its source and must have the hashes that the
 * record states; then the words, with all code, must be those that weft writes:
 *
 *     a task that shows only CUDA text
 *     ->  validate_find_source   the generator makes the Python source, checked by its hash
 *         validate_fill_texts    the emitter makes Warp's texts, checked by their hashes
 *         validate_messages      messages_compose makes each turn, compared byte for byte */
#include "base/sha256.h"
#include "cuda/cuda.h"
#include "validate/validate_record.h"

/* --- what is not shown --------------------------------------------------------------------- */

/* Is `hex` the SHA-256 of the text? */
static bool is_source(str text, str hex)
{
    uint8_t digest[SHA256_SIZE];
    char is[SHA256_HEX];
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, is);
    return str_eq(hex, (str){is, SHA256_HEX});
}

/* A conversation that shows no Python is checked against the source that the generator makes of
 * seed and index: its hash must be the record's. */
bool validate_find_source(record_validator *rv, record_view *r, strbuf *why)
{
    if (validate_make(rv, r) && is_source(rv->sample.source, r->source_hash)) {
        rv->source.n = 0;
        sb_str(&rv->source, rv->sample.source);
        r->source = sb_view(&rv->source);
        return true;
    }
    return record_say(why,
                      "metadata.sha256.python_source is of no source that weft generates for this "
                      "record");
}

/* What weft emits stands in for texts that the conversation does not show; their hashes are checked
 * after that. All go into one buffer, which moves as it grows: so first their ends are noted, and
 * only then are they set as strings. */
void validate_fill_texts(record_validator *rv, record_view *r)
{
    WEFT_ASSERT(rv->compiled.ir);
    size_t ends[EMIT_DEVICES][2] = {{0}};
    strbuf *b = &rv->filled;
    b->n = 0;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        const bool wanted = r->devices & 1u << d;
        if (wanted && !r->texts.forward[d].n)
            emit_record_forward(b, &rv->compiled.text[d]);
        ends[d][0] = b->n;
        if (wanted && r->backward && !r->texts.backward[d].n &&
            rv->compiled.ir->options.enable_backward)
            emit_record_backward(b, &rv->compiled.text[d]);
        ends[d][1] = b->n;
    }
    size_t at = 0;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        if (ends[d][0] > at)
            r->texts.forward[d] = (str){b->p + at, ends[d][0] - at};
        at = ends[d][0];
        if (ends[d][1] > at)
            r->texts.backward[d] = (str){b->p + at, ends[d][1] - at};
        at = ends[d][1];
    }
}

/* The task in words, where the conversation shows it: the generator makes it with the source. */
static str prompt_of(record_validator *rv, const record_view *r)
{
    const bool shown = task_at(r->task)->needs & TASK_PROMPT;
    return shown && validate_make(rv, r) ? rv->sample.prompt : STR("");
}

static str plain_of(record_validator *rv, const record_view *r)
{
    const bool shown = task_at(r->task)->needs & TASK_PLAIN;
    return shown ? cuda_plain_source(&rv->p.c, rv->program, rv->compiled.kernel, NULL) : STR("");
}

/* Composes the conversation again from seed and index, and compares role and content turn by turn.
 * The reason names the role of the first turn that differs. */
bool validate_messages(record_validator *rv, const record_view *r, strbuf *why)
{
    WEFT_ASSERT(r->is_messages && r->v[FIELD_MESSAGES]);
    const messages_subject subject = {.task = r->task,
                                      .source = r->source,
                                      .kernel = r->kernel,
                                      .prompt = prompt_of(rv, r),
                                      .plain = plain_of(rv, r),
                                      .texts = &r->texts,
                                      .devices = r->devices,
                                      .seed = r->seed,
                                      .index = r->index,
                                      .defect = r->defect,
                                      .second = r->second,
                                      .broken = r->broken,
                                      .diagnostic = r->diagnostic};
    chat m;
    uint32_t i = 0;
    rv->text.n = 0;
    messages_compose(&rv->text, &subject, &m);
    for (const json_value *e = r->v[FIELD_MESSAGES]->child; e; e = e->next, i++) {
        const json_value *role = json_get(e, record_fields[FIELD_MESSAGE_ROLE].name);
        const json_value *content = json_get(e, record_fields[FIELD_MESSAGE_CONTENT].name);
        WEFT_ASSERT(json_is(role, JSON_TYPE_STRING) && json_is(content, JSON_TYPE_STRING));
        if (i < m.n && strcmp(role->text.p, m.v[i].role) == 0 &&
            str_eq(content->text, (str){rv->text.p + m.v[i].at, m.v[i].n}))
            continue;
        SB_LIT(why, "messages: the ");
        sb_c(why, role->text.p);
        return record_say(why, "'s words are not those that weft writes");
    }
    return i == m.n || record_say(why, "messages: one that weft writes is missing");
}

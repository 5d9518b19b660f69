/* SPDX-License-Identifier: Apache-2.0 */
/* Composes conversations of the phrases in phrase.def, and finds the code in them again.
 *
 *     pair 2 of seed 7, task forward   ->
 *         user: Lower my Warp kernel `clip_waves_kernel` to CUDA. I only need the forward kernel.
 *               Just the code.
 *               ```python ... ```
 *         assistant: ```cuda ... ```
 *
 * Phrases are drawn by seed and index, so that validation can compose the same words and compare.
 * Every draw comes from one stream in a fixed order: adding or removing a draw changes all words
 * behind it, and with them the bytes of existing data sets. */
#include "record/messages.h"

#include "base/json.h"
#include "base/rng.h"
#include "record/grade.h"

/* "message" in ASCII: separates this stream from those of the generator. */
#define MESSAGES_STREAM UINT64_C(0x6d657373616765)

/* By record_task: the name, and which texts the task needs. */
static const struct {
    const char *name;
    bool cuda, cpu, backward;
} tasks[] = {
#define TASK(ID, name, cuda, cpu, backward) {name, cuda, cpu, backward},
#include "record/task.def"
#undef TASK
};

const char *task_name(record_task t)
{
    WEFT_ASSERT(t < TASKS);
    return tasks[t].name;
}

bool task_find(str name, record_task *t)
{
    for (int i = 0; i < TASKS; i++)
        if (str_eq(name, str_c(tasks[i].name))) {
            *t = (record_task)i;
            return true;
        }
    return false;
}

bool task_fits(record_task t, unsigned devices, bool backward)
{
    WEFT_ASSERT(t < TASKS);
    return (!tasks[t].cuda || devices & EMIT_FOR_CUDA) &&
           (!tasks[t].cpu || devices & EMIT_FOR_CPU) && (!tasks[t].backward || backward);
}

const char *task_language(record_task t, unsigned devices)
{
    return t == TASK_CUDA_TO_PYTHON || t == TASK_REPAIR ? "python"
           : devices & EMIT_FOR_CUDA                    ? "cuda"
                                                        : "cpp";
}

/* --- phrases ------------------------------------------------------------------------------- */

/* What a phrase is used for. Several phrases share a slot; one of them is drawn. */
typedef enum phrase_slot {
    PHRASE_KERNEL,
    PHRASE_FORWARD,
    PHRASE_BACKWARD,
    PHRASE_BOTH,
    PHRASE_CPU_TO_CUDA,
    PHRASE_CUDA_TO_PYTHON,
    PHRASE_REPAIR,
    PHRASE_KERNEL_BELOW,
    PHRASE_MESSAGE,
    PHRASE_LEAD_REPAIR,
    PHRASE_BARE_NOTE,
    PHRASE_NOTE,
    PHRASE_NOTE_PYTHON,
    PHRASE_NOTE_REPAIR,
    PHRASE_LEAD,
    PHRASE_LEAD_FORWARD,
    PHRASE_LEAD_BACKWARD,
    PHRASE_LEAD_PYTHON,
    PHRASE_SYSTEM,
    PHRASE_SYSTEM_REPAIR
} phrase_slot;

static const struct {
    phrase_slot slot;
    const char *text;
} phrases[] = {
#define PHRASE(SLOT, text) {PHRASE_##SLOT, text},
#include "record/phrase.def"
#undef PHRASE
};
enum { PHRASES = sizeof phrases / sizeof *phrases };

/* The state of composing one conversation. */
typedef struct composer {
    strbuf *out;        /* where words are appended */
    rng r;              /* the conversation's stream */
    str kernel;         /* for {name} */
    const char *target; /* "CUDA" or "C++", for {target} */
    defect_kind defect; /* for {defect}; TASK_REPAIR only */
} composer;

/* One of the phrases of a slot; they are adjacent rows of phrase.def. */
static const char *draw(composer *s, phrase_slot slot)
{
    uint32_t first = 0, n = 0;
    while (phrases[first].slot != slot)
        first++;
    while (first + n < PHRASES && phrases[first + n].slot == slot)
        n++;
    WEFT_ASSERT(n > 0);
    return phrases[first + rng_below(&s->r, n)].text;
}

static void put_phrase(composer *s, phrase_slot slot);

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Appends what "{...}" stands for; {kernel} and {kernel_below} are slots themselves. */
static void put_place(composer *s, const char *place)
{
    if (starts(place, "{kernel}"))
        put_phrase(s, PHRASE_KERNEL);
    else if (starts(place, "{kernel_below}"))
        put_phrase(s, PHRASE_KERNEL_BELOW);
    else if (starts(place, "{defect}"))
        sb_c(s->out, defect_what(s->defect));
    else if (starts(place, "{name}"))
        sb_str(s->out, s->kernel);
    else
        sb_c(s->out, s->target);
}

/* Appends a phrase of the slot with its places filled in:
 *
 *     "Lower {kernel} to {target}."   ->   "Lower my Warp kernel `saxpy` to CUDA." */
static void put_phrase(composer *s, phrase_slot slot)
{
    const char *text = draw(s, slot);
    while (*text) {
        const size_t n = strcspn(text, "{");
        sb_put(s->out, text, n);
        text += n;
        if (!*text)
            break;
        put_place(s, text);
        text += strcspn(text, "}") + 1;
    }
}

/* Appends a sentence and mends its end. {kernel} may end in a relative clause with a comma, which
 * goes before a full stop; a phrase without a mark at its end is a question, and gets one. */
static void put_sentence(composer *s, phrase_slot slot)
{
    strbuf *b = s->out;
    put_phrase(s, slot);
    WEFT_ASSERT(b->n > 1);
    const char last = b->p[b->n - 1];
    const bool stop = last == '.' || last == '?' || last == ':';
    const size_t end = stop ? b->n - 1 : b->n;
    if (b->p[end - 1] == ',') {
        b->n = end - 1;
        sb_char(b, stop ? last : '?');
    } else if (!stop) {
        sb_char(b, '?');
    }
}

/* A fenced block, whose last line always ends with a newline: messages_next_block relies on it. */
static void put_block(composer *s, const char *language, str text)
{
    SB_LIT(s->out, "```");
    sb_c(s->out, language);
    SB_LIT(s->out, "\n");
    sb_str(s->out, text);
    if (text.n && text.p[text.n - 1] != '\n')
        SB_LIT(s->out, "\n");
    SB_LIT(s->out, "```");
}

/* --- conversations ------------------------------------------------------------------------- */

/* The slot of the question itself. */
static phrase_slot question_slot(record_task t)
{
    static const phrase_slot slots[] = {[TASK_FORWARD] = PHRASE_FORWARD,
                                        [TASK_BACKWARD] = PHRASE_BACKWARD,
                                        [TASK_BOTH] = PHRASE_BOTH,
                                        [TASK_CPU_TO_CUDA] = PHRASE_CPU_TO_CUDA,
                                        [TASK_CUDA_TO_PYTHON] = PHRASE_CUDA_TO_PYTHON,
                                        [TASK_REPAIR] = PHRASE_REPAIR};
    WEFT_ASSERT(t < TASKS);
    return slots[t];
}

/* The slot of a second sentence, which adds a wish: other wishes suit Python than generated code.
 */
static phrase_slot wish_slot(record_task t)
{
    return t == TASK_REPAIR           ? PHRASE_NOTE_REPAIR
           : t == TASK_CUDA_TO_PYTHON ? PHRASE_NOTE_PYTHON
                                      : PHRASE_NOTE;
}

/* The device whose text is the answer, or for cuda-to-python the question. */
static emit_device device_of(const messages_subject *s)
{
    return s->devices & EMIT_FOR_CUDA ? EMIT_CUDA : EMIT_CPU;
}

/* What the fence of a block says. */
static const char *language(emit_device d)
{
    return d == EMIT_CUDA ? "cuda" : "cpp";
}

/* The user's turn: the question, perhaps a wish, the code, and for a repair the diagnostic. bare:
 * the answer will be code alone, and the question requests that. */
static void put_question(composer *k, const messages_subject *s, bool bare)
{
    const emit_device d = device_of(s);
    str shown = s->source;
    const char *in = "python";
    if (s->task == TASK_CPU_TO_CUDA) {
        shown = s->texts->forward[EMIT_CPU];
        in = language(EMIT_CPU);
    } else if (s->task == TASK_CUDA_TO_PYTHON) {
        shown = s->texts->forward[d];
        in = language(d);
    } else if (s->task == TASK_REPAIR) {
        shown = s->broken;
    }
    put_sentence(k, question_slot(s->task));
    if (bare || rng_chance(&k->r, 30)) {
        SB_LIT(k->out, " ");
        put_sentence(k, bare ? PHRASE_BARE_NOTE : wish_slot(s->task));
    }
    SB_LIT(k->out, "\n\n");
    put_block(k, in, shown);
    if (s->task != TASK_REPAIR)
        return;
    SB_LIT(k->out, "\n\n");
    put_sentence(k, PHRASE_MESSAGE);
    SB_LIT(k->out, "\n\n");
    put_block(k, "text", s->diagnostic);
}

/* A sentence before a block. */
static void put_lead(composer *k, phrase_slot slot, bool bare)
{
    if (bare)
        return;
    put_sentence(k, slot);
    SB_LIT(k->out, "\n\n");
}

/* The assistant's turn. A repair names its defect in the lead, so it has one unless `bare`; the
 * other tasks have one in half of the cases. */
static void put_answer(composer *k, const messages_subject *s, bool bare)
{
    const emit_device d = device_of(s);
    const record_texts *t = s->texts;
    const bool lead = !bare && rng_chance(&k->r, 50);
    switch (s->task) {
    case TASK_CUDA_TO_PYTHON:
        put_lead(k, PHRASE_LEAD_PYTHON, !lead);
        put_block(k, "python", s->source);
        return;
    case TASK_BOTH:
        put_lead(k, PHRASE_LEAD_FORWARD, !lead);
        put_block(k, language(d), t->forward[d]);
        SB_LIT(k->out, "\n\n");
        put_lead(k, PHRASE_LEAD_BACKWARD, !lead);
        put_block(k, language(d), t->backward[d]);
        return;
    case TASK_REPAIR:
        put_lead(k, PHRASE_LEAD_REPAIR, bare);
        put_block(k, "python", s->source);
        return;
    case TASK_BACKWARD:
        put_lead(k, PHRASE_LEAD, !lead);
        put_block(k, language(d), t->backward[d]);
        return;
    default: put_lead(k, PHRASE_LEAD, !lead); put_block(k, language(d), t->forward[d]);
    }
}

/* begin and end enclose one role's message: its place is noted as offsets, since the text moves as
 * it grows. */
static void begin(chat *m, const strbuf *text, const char *role)
{
    WEFT_ASSERT(m->n < MESSAGES_MAX);
    m->v[m->n++] = (chat_turn){role, text->n, 0};
}

static void end(chat *m, const strbuf *text)
{
    WEFT_ASSERT(m->n > 0 && text->n >= m->v[m->n - 1].at);
    m->v[m->n - 1].n = text->n - m->v[m->n - 1].at;
}

/* The order of draws is part of the format: another order gives other words. 40 % of conversations
 * have a system prompt, 30 % are bare. */
void messages_compose(strbuf *text, const messages_subject *s, chat *out)
{
    composer k = {.out = text,
                  .r = rng_stream(s->seed ^ MESSAGES_STREAM, s->index),
                  .kernel = s->kernel,
                  .defect = s->defect,
                  .target = device_of(s) == EMIT_CUDA ? "CUDA" : "C++"};
    const bool has_system = rng_chance(&k.r, 40), bare = rng_chance(&k.r, 30);
    *out = (chat){.n = 0};
    if (has_system) {
        begin(out, text, "system");
        put_sentence(&k, s->task == TASK_REPAIR ? PHRASE_SYSTEM_REPAIR : PHRASE_SYSTEM);
        end(out, text);
    }
    begin(out, text, "user");
    put_question(&k, s, bare);
    end(out, text);
    begin(out, text, "assistant");
    put_answer(&k, s, bare);
    end(out, text);
}

uint64_t messages_put(strbuf *b, const messages_subject *s)
{
    strbuf text;
    chat m;
    uint64_t tokens = 0;
    sb_init(&text, b->m);
    messages_compose(&text, s, &m);
    for (uint32_t i = 0; i < m.n; i++) {
        sb_c(b, i ? ", {\"role\": \"" : "[{\"role\": \"");
        sb_c(b, m.v[i].role);
        SB_LIT(b, "\", \"content\": ");
        const str content = {text.p + m.v[i].at, m.v[i].n};
        json_string(b, content);
        tokens += grade_tokens(content);
        SB_LIT(b, "}");
    }
    SB_LIT(b, "]");
    sb_clear(&text);
    return tokens;
}

/* --- reading ------------------------------------------------------------------------------- */

/* The line at *at without its newline; *at moves behind it. */
static str next_line(str s, size_t *at)
{
    const char *newline = *at < s.n ? memchr(s.p + *at, '\n', s.n - *at) : NULL;
    const size_t end = newline ? (size_t)(newline - s.p) : s.n;
    const str line = {s.p + *at, end - *at};
    *at = newline ? end + 1 : end;
    return line;
}

static bool is_fence(str line)
{
    return line.n >= 3 && memcmp(line.p, "```", 3) == 0;
}

/* The reverse of a composed block, for validation, which compares the code with what weft emits:
 *
 *     "Here it is:\n\n```cuda\nint x;\n```"   ->   {"cuda", "int x;\n"}
 *
 * A block begins at a line that starts with three backquotes, and ends at a line of three
 * backquotes alone; one that is not closed is none. */
bool messages_next_block(str content, size_t *at, message_block *block)
{
    while (*at < content.n) {
        const str line = next_line(content, at);
        if (!is_fence(line))
            continue;
        block->language = (str){line.p + 3, line.n - 3};
        const size_t from = *at;
        for (size_t to = from; to < content.n; to = *at) {
            const str inner = next_line(content, at);
            if (!is_fence(inner) || inner.n != 3)
                continue;
            block->text = (str){content.p + from, to - from};
            return true;
        }
    }
    return false;
}

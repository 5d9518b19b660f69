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
#include "record/task_text.h"

/* "message" in ASCII: separates this stream from those of the generator. */
#define MESSAGES_STREAM UINT64_C(0x6d657373616765)

/* --- phrases ------------------------------------------------------------------------------- */

/* What a phrase is used for. Several phrases share a slot; one of them is drawn. */
typedef enum phrase_slot {
    PHRASE_KERNEL,
    PHRASE_FORWARD,
    PHRASE_BACKWARD,
    PHRASE_BOTH,
    PHRASE_CPU_TO_CUDA,
    PHRASE_CUDA_TO_PYTHON,
    PHRASE_WARP_TO_CUDA,
    PHRASE_CUDA_TO_WARP,
    PHRASE_FORWARD_TO_BACKWARD,
    PHRASE_COMPLETION,
    PHRASE_REPAIR,
    PHRASE_REPAIR_TWO,
    PHRASE_KERNEL_BELOW,
    PHRASE_MESSAGE,
    PHRASE_DECLARATION,
    PHRASE_TASK,
    PHRASE_BARE_NOTE,
    PHRASE_NOTE,
    PHRASE_NOTE_PYTHON,
    PHRASE_NOTE_WARP,
    PHRASE_NOTE_PLAIN,
    PHRASE_NOTE_FUNCTION,
    PHRASE_NOTE_REPAIR,
    PHRASE_LEAD,
    PHRASE_LEAD_FORWARD,
    PHRASE_LEAD_BACKWARD,
    PHRASE_LEAD_PYTHON,
    PHRASE_LEAD_WARP,
    PHRASE_LEAD_PLAIN,
    PHRASE_LEAD_FUNCTION,
    PHRASE_LEAD_REPAIR,
    PHRASE_LEAD_REPAIR_TWO,
    PHRASE_SYSTEM,
    PHRASE_SYSTEM_WRITE,
    PHRASE_SYSTEM_REPAIR,
    PHRASE_PROMPT /* the record's own words: no phrase */
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
    defect_kind defect; /* for {defect}; of repairs only */
    const messages_subject *s;
    uint32_t function; /* of a completion: the number of the function whose body is missing */
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
    else if (starts(place, "{second}"))
        sb_c(s->out, defect_what(s->s->second));
    else if (starts(place, "{name}"))
        sb_str(s->out, s->kernel);
    else if (starts(place, "{function}"))
        sb_str(s->out, task_function_name(s->s->source, s->function));
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

/* The device whose text is the answer, or for cuda-to-python the question. */
static emit_device device_of(const messages_subject *s)
{
    return s->devices & EMIT_FOR_CUDA ? EMIT_CUDA : EMIT_CPU;
}

static void put_block_text(strbuf *b, const composer *k, task_block block)
{
    const messages_subject *s = k->s;
    const emit_device d = device_of(s);
    switch (block) {
    case TASK_BLOCK_FORWARD: sb_str(b, task_trim(s->texts->forward[d])); break;
    case TASK_BLOCK_BARE_FORWARD: task_put_bare(b, task_trim(s->texts->forward[d])); break;
    case TASK_BLOCK_BACKWARD: sb_str(b, task_trim(s->texts->backward[d])); break;
    case TASK_BLOCK_CPP: sb_str(b, task_trim(s->texts->forward[EMIT_CPU])); break;
    case TASK_BLOCK_PLAIN: sb_str(b, s->plain); break;
    case TASK_BLOCK_DECLARATION: task_put_declaration(b, s->plain, s->kernel); break;
    case TASK_BLOCK_SKELETON: task_put_skeleton(b, s->source, k->function); break;
    case TASK_BLOCK_FUNCTION: task_put_function(b, s->source, k->function); break;
    case TASK_BLOCK_BROKEN: sb_str(b, s->broken); break;
    case TASK_BLOCK_DIAGNOSTIC: sb_str(b, s->diagnostic); break;
    default: sb_str(b, s->source); break;
    }
}

/* A fenced block, whose last line always ends with a newline: messages_next_block relies on it. */
static void put_block(composer *k, task_block block)
{
    strbuf *b = k->out;
    SB_LIT(b, "```");
    sb_c(b, task_block_language(block, k->s->devices));
    SB_LIT(b, "\n");
    put_block_text(b, k, block);
    if (b->p[b->n - 1] != '\n')
        SB_LIT(b, "\n");
    SB_LIT(b, "```");
}

/* --- conversations ------------------------------------------------------------------------- */

/* The slots of a task: of its question, of a second sentence, which adds a wish, of the sentence
 * before the answer, and of the system prompt. */
typedef struct task_phrases {
    phrase_slot question, wish, lead, system;
} task_phrases;

static task_phrases phrases_of(record_task t)
{
    static const phrase_slot questions[TASKS] = {
#define TASK(ID, name, needs, usual, asked, asked2, answered, answered2, phrases, what)            \
    PHRASE_##phrases,
#include "record/task.def"
#undef TASK
    };
    task_phrases p = {questions[t], PHRASE_NOTE, PHRASE_LEAD, PHRASE_SYSTEM};
    const task_block answered = task_at(t)->answered[0];
    if (task_is_repair(t))
        p = (task_phrases){p.question, PHRASE_NOTE_REPAIR,
                           t == TASK_REPAIR_TWO ? PHRASE_LEAD_REPAIR_TWO : PHRASE_LEAD_REPAIR,
                           PHRASE_SYSTEM_REPAIR};
    else if (t == TASK_CUDA_TO_PYTHON)
        p.wish = PHRASE_NOTE_PYTHON, p.lead = PHRASE_LEAD_PYTHON;
    else if (answered == TASK_BLOCK_PLAIN)
        p = (task_phrases){p.question, PHRASE_NOTE_PLAIN, PHRASE_LEAD_PLAIN, PHRASE_SYSTEM_WRITE};
    else if (answered == TASK_BLOCK_FUNCTION)
        p = (task_phrases){p.question, PHRASE_NOTE_FUNCTION, PHRASE_LEAD_FUNCTION,
                           PHRASE_SYSTEM_WRITE};
    else if (answered == TASK_BLOCK_PYTHON)
        p = (task_phrases){p.question, PHRASE_NOTE_WARP, PHRASE_LEAD_WARP, PHRASE_SYSTEM_WRITE};
    return p;
}

/* The record's own words, in those of the language that is asked for. */
static void put_prompt(composer *k)
{
    strbuf *b = k->out;
    if (task_at(k->s->task)->answered[0] == TASK_BLOCK_PLAIN)
        task_put_cuda_prompt(b, k->s->prompt);
    else
        sb_str(b, k->s->prompt);
    while (b->n && b->p[b->n - 1] == '\n')
        b->n--;
}

/* A block of the question, with the sentence before it. */
static void put_asked(composer *k, task_block block)
{
    strbuf *b = k->out;
    SB_LIT(b, "\n\n");
    if (block == TASK_BLOCK_DIAGNOSTIC || block == TASK_BLOCK_DECLARATION) {
        put_sentence(k, block == TASK_BLOCK_DIAGNOSTIC ? PHRASE_MESSAGE : PHRASE_DECLARATION);
        SB_LIT(b, "\n\n");
    }
    const size_t from = b->n;
    put_block(k, block);
    if (block == TASK_BLOCK_DECLARATION) {
        const size_t to = b->n;
        SB_LIT(b, "\n\n");
        task_put_convention(b, from, to);
    }
}

/* The user's turn: the question, perhaps a wish, the code, and for a repair the diagnostic. bare:
 * the answer will be code alone, and the question requests that. */
static void put_question(composer *k, bool bare)
{
    const task_row *row = task_at(k->s->task);
    const task_phrases p = phrases_of(k->s->task);
    if (row->answered[0] == TASK_BLOCK_FUNCTION)
        k->function = rng_below(&k->r, task_functions(k->s->source));
    if (p.question == PHRASE_PROMPT)
        put_prompt(k);
    else
        put_sentence(k, p.question);
    if (bare || rng_chance(&k->r, 30)) {
        sb_c(k->out, p.question == PHRASE_PROMPT ? "\n\n" : " ");
        put_sentence(k, bare ? PHRASE_BARE_NOTE : p.wish);
    }
    for (int i = 0; i < TASK_BLOCKS && row->asked[i]; i++)
        put_asked(k, row->asked[i]);
    if (row->asked[0] == TASK_BLOCK_PYTHON && row->answered[0] != TASK_BLOCK_PLAIN)
        task_put_struct_names(k->out, k->s->source, k->s->texts->forward[device_of(k->s)]);
    if (row->answered[0] != TASK_BLOCK_FUNCTION)
        return;
    SB_LIT(k->out, "\n\n");
    put_sentence(k, PHRASE_TASK);
    SB_LIT(k->out, "\n\n");
    put_prompt(k);
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
 * other tasks have one in half of the cases, and of two texts each has its own. */
static void put_answer(composer *k, bool bare)
{
    const task_row *row = task_at(k->s->task);
    const bool lead = !bare && rng_chance(&k->r, 50), two = row->answered[1];
    const phrase_slot slot = phrases_of(k->s->task).lead;
    put_lead(k, two ? PHRASE_LEAD_FORWARD : slot, task_is_repair(k->s->task) ? bare : !lead);
    put_block(k, row->answered[0]);
    if (!two)
        return;
    SB_LIT(k->out, "\n\n");
    put_lead(k, PHRASE_LEAD_BACKWARD, !lead);
    put_block(k, row->answered[1]);
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
                  .s = s,
                  .defect = s->defect,
                  .target = device_of(s) == EMIT_CUDA ? "CUDA" : "C++"};
    const bool has_system = rng_chance(&k.r, 40), bare = rng_chance(&k.r, 30);
    *out = (chat){.n = 0};
    if (has_system) {
        begin(out, text, "system");
        put_sentence(&k, phrases_of(s->task).system);
        end(out, text);
    }
    begin(out, text, "user");
    put_question(&k, bare);
    end(out, text);
    begin(out, text, "assistant");
    put_answer(&k, bare);
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

/* Composes conversations of the phrases in phrase.def, and finds the code in them again.
 *
 *     pair, task forward   ->   user: "Translate ... ```python ... ```"
 *                               assistant: "... ```cuda ... ```"
 *
 * Phrases are drawn by seed and index, so that validation can compose the same words. */
#include "record/messages.h"

#include "base/json.h"
#include "base/rng.h"

#define MESSAGES_STREAM UINT64_C(0x6d657373616765)

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
    return (!tasks[t].cuda || devices & EMIT_FOR_CUDA) &&
           (!tasks[t].cpu || devices & EMIT_FOR_CPU) && (!tasks[t].backward || backward);
}

/* --- phrases ------------------------------------------------------------------------------- */

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

typedef struct speaker {
    strbuf *out;
    rng r;
    str kernel;
    const char *target;
    defect_kind defect;
} speaker;

/* One of the phrases of a slot; they stand together in phrase.def. */
static const char *draw(speaker *s, phrase_slot slot)
{
    uint32_t first = 0, n = 0;
    while (phrases[first].slot != slot)
        first++;
    while (first + n < PHRASES && phrases[first + n].slot == slot)
        n++;
    return phrases[first + rng_below(&s->r, n)].text;
}

static void say(speaker *s, phrase_slot slot);

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Says what stands for "{...}". */
static void say_place(speaker *s, const char *place)
{
    if (starts(place, "{kernel}"))
        say(s, PHRASE_KERNEL);
    else if (starts(place, "{kernel_below}"))
        say(s, PHRASE_KERNEL_BELOW);
    else if (starts(place, "{defect}"))
        sb_c(s->out, defect_what(s->defect));
    else if (starts(place, "{name}"))
        sb_str(s->out, s->kernel);
    else
        sb_c(s->out, s->target);
}

static void say(speaker *s, phrase_slot slot)
{
    const char *text = draw(s, slot);
    while (*text) {
        const size_t n = strcspn(text, "{");
        sb_put(s->out, text, n);
        text += n;
        if (!*text)
            break;
        say_place(s, text);
        text += strcspn(text, "}") + 1;
    }
}

/* A sentence: a comma before its end goes, and a question gets its mark. */
static void say_sentence(speaker *s, phrase_slot slot)
{
    strbuf *b = s->out;
    say(s, slot);
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

static void say_block(speaker *s, const char *language, str text)
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

static phrase_slot asking(record_task t)
{
    static const phrase_slot slots[] = {[TASK_FORWARD] = PHRASE_FORWARD,
                                        [TASK_BACKWARD] = PHRASE_BACKWARD,
                                        [TASK_BOTH] = PHRASE_BOTH,
                                        [TASK_CPU_TO_CUDA] = PHRASE_CPU_TO_CUDA,
                                        [TASK_CUDA_TO_PYTHON] = PHRASE_CUDA_TO_PYTHON,
                                        [TASK_REPAIR] = PHRASE_REPAIR};
    return slots[t];
}

/* What may be asked besides: of Python that is asked for, other things than of generated code. */
static phrase_slot noting(record_task t)
{
    return t == TASK_REPAIR           ? PHRASE_NOTE_REPAIR
           : t == TASK_CUDA_TO_PYTHON ? PHRASE_NOTE_PYTHON
                                      : PHRASE_NOTE;
}

/* The device whose text is asked for, or given to be decompiled. */
static emit_device device_of(const messages_subject *s)
{
    return s->devices & EMIT_FOR_CUDA ? EMIT_CUDA : EMIT_CPU;
}

static const char *language(emit_device d)
{
    return d == EMIT_CUDA ? "cuda" : "cpp";
}

static void say_question(speaker *k, const messages_subject *s, bool bare)
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
    say_sentence(k, asking(s->task));
    if (bare || rng_chance(&k->r, 30)) {
        SB_LIT(k->out, " ");
        say_sentence(k, bare ? PHRASE_BARE_NOTE : noting(s->task));
    }
    SB_LIT(k->out, "\n\n");
    say_block(k, in, shown);
    if (s->task != TASK_REPAIR)
        return;
    SB_LIT(k->out, "\n\n");
    say_sentence(k, PHRASE_MESSAGE);
    SB_LIT(k->out, "\n\n");
    say_block(k, "text", s->diagnostic);
}

static void say_lead(speaker *k, phrase_slot slot, bool bare)
{
    if (bare)
        return;
    say_sentence(k, slot);
    SB_LIT(k->out, "\n\n");
}

static void say_answer(speaker *k, const messages_subject *s, bool bare)
{
    const emit_device d = device_of(s);
    const record_texts *t = s->texts;
    const bool lead = !bare && rng_chance(&k->r, 50);
    switch (s->task) {
    case TASK_CUDA_TO_PYTHON:
        say_lead(k, PHRASE_LEAD_PYTHON, !lead);
        say_block(k, "python", s->source);
        return;
    case TASK_BOTH:
        say_lead(k, PHRASE_LEAD_FORWARD, !lead);
        say_block(k, language(d), t->forward[d]);
        SB_LIT(k->out, "\n\n");
        say_lead(k, PHRASE_LEAD_BACKWARD, !lead);
        say_block(k, language(d), t->backward[d]);
        return;
    case TASK_REPAIR:
        say_lead(k, PHRASE_LEAD_REPAIR, bare);
        say_block(k, "python", s->source);
        return;
    case TASK_BACKWARD:
        say_lead(k, PHRASE_LEAD, !lead);
        say_block(k, language(d), t->backward[d]);
        return;
    default: say_lead(k, PHRASE_LEAD, !lead); say_block(k, language(d), t->forward[d]);
    }
}

static void begin(chat *m, const strbuf *text, const char *role)
{
    m->v[m->n++] = (chat_turn){role, text->n, 0};
}

static void end(chat *m, const strbuf *text)
{
    m->v[m->n - 1].n = text->n - m->v[m->n - 1].at;
}

/* The order of draws is part of the format: another order gives other words. */
void messages_compose(strbuf *text, const messages_subject *s, chat *out)
{
    speaker k = {.out = text,
                 .r = rng_stream(s->seed ^ MESSAGES_STREAM, s->index),
                 .kernel = s->kernel,
                 .defect = s->defect,
                 .target = device_of(s) == EMIT_CUDA ? "CUDA" : "C++"};
    const bool has_system = rng_chance(&k.r, 40), bare = rng_chance(&k.r, 30);
    *out = (chat){.n = 0};
    if (has_system) {
        begin(out, text, "system");
        say_sentence(&k, s->task == TASK_REPAIR ? PHRASE_SYSTEM_REPAIR : PHRASE_SYSTEM);
        end(out, text);
    }
    begin(out, text, "user");
    say_question(&k, s, bare);
    end(out, text);
    begin(out, text, "assistant");
    say_answer(&k, s, bare);
    end(out, text);
}

void messages_put(strbuf *b, const messages_subject *s)
{
    strbuf text;
    chat m;
    sb_init(&text, b->m);
    messages_compose(&text, s, &m);
    for (uint32_t i = 0; i < m.n; i++) {
        sb_c(b, i ? ", {\"role\": \"" : "[{\"role\": \"");
        sb_c(b, m.v[i].role);
        SB_LIT(b, "\", \"content\": ");
        json_string(b, (str){text.p + m.v[i].at, m.v[i].n});
        SB_LIT(b, "}");
    }
    SB_LIT(b, "]");
    sb_clear(&text);
}

/* --- reading ------------------------------------------------------------------------------- */

/* From *at to behind the line's newline. */
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

/* A block ends at a line of three backquotes alone; one that is not closed is none. */
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

/* Records that are conversations: the code in their fenced blocks is checked as that of any pair;
 * what a conversation does not show is made again and has to have the hash that the record states;
 * the words have to be those that weft draws. */
#include "base/sha256.h"
#include "validate/validate_record.h"

static const json_field message_fields[] = {{"role", JSON_STRING, false},
                                            {"content", JSON_STRING, false}};

static bool say(strbuf *why, const char *what)
{
    sb_c(why, what);
    return false;
}

static bool has(str text, const char *what)
{
    const size_t n = strlen(what);
    for (size_t i = 0; i + n <= text.n; i++)
        if (memcmp(text.p + i, what, n) == 0)
            return true;
    return false;
}

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
        to = has(b->text, "_kernel_backward(") ? &r->texts.backward[d] : &r->texts.forward[d];
    }
    if (!to)
        return say(why, "messages: a code block in another language than the task has");
    if (to->n)
        return say(why, "messages: two code blocks of the same kind");
    *to = b->text;
    return true;
}

static bool read_message(const json_value *e, const char *role, record_view *r, strbuf *why)
{
    const json_value *f[2];
    if (!json_is(e, JSON_TYPE_OBJECT) ||
        !json_fields(e, message_fields, 2, true, "messages[].", f, why))
        return why->n ? false : say(why, "messages is no list of objects");
    if (strcmp(f[0]->text.p, role) != 0)
        return say(why, "messages: the roles are not system (or none), user, assistant");
    const str content = f[1]->text;
    message_block block;
    for (size_t at = 0; messages_next_block(content, &at, &block);)
        if (!take_block(r, &block, why))
            return false;
    return true;
}

/* Are the blocks there that the task needs, and no others? */
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
        return say(why, "messages: the code blocks are not those of the task");
    return true;
}

bool messages_read(const json_value *array, record_view *r, strbuf *why)
{
    static const char *const roles[] = {"system", "user", "assistant"};
    const int n = (int)json_size(array);
    if (n < 2 || n > MESSAGES_MAX)
        return say(why, "messages: the roles are not system (or none), user, assistant");
    int i = MESSAGES_MAX - n;
    for (const json_value *e = array->child; e; e = e->next)
        if (!read_message(e, roles[i++], r, why))
            return false;
    r->messages = array;
    return check_blocks(r, why);
}

/* --- what is not shown --------------------------------------------------------------------- */

static bool is_source(str text, str hex)
{
    uint8_t digest[SHA256_SIZE];
    char is[SHA256_HEX];
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, is);
    return str_eq(hex, (str){is, SHA256_HEX});
}

bool judge_find_source(record_judge *j, record_view *r, strbuf *why)
{
    const gen_request q = record_request(j->g, r);
    if (gen_make(j->g, &q, &j->sample) && is_source(j->sample.source, r->source_hash)) {
        j->source.n = 0;
        sb_str(&j->source, j->sample.source);
        r->source = sb_view(&j->source);
        return true;
    }
    return say(why, "metadata.sha256.python_source is of no source that weft generates for this "
                    "record");
}

void judge_fill(record_judge *j, record_view *r)
{
    size_t ends[EMIT_DEVICES][2] = {{0}};
    strbuf *b = &j->filled;
    b->n = 0;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        const bool wanted = r->devices & 1u << d;
        if (wanted && !r->texts.forward[d].n)
            emit_record_forward(b, &j->compiled.text[d]);
        ends[d][0] = b->n;
        if (wanted && r->backward && !r->texts.backward[d].n)
            emit_record_backward(b, &j->compiled.text[d]);
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

bool judge_messages(record_judge *j, const record_view *r, strbuf *why)
{
    const messages_subject subject = {.task = r->task,
                                      .source = r->source,
                                      .kernel = r->kernel,
                                      .texts = &r->texts,
                                      .devices = r->devices,
                                      .seed = r->seed,
                                      .index = r->index,
                                      .defect = r->defect,
                                      .broken = r->broken,
                                      .diagnostic = r->diagnostic};
    chat m;
    uint32_t i = 0;
    j->text.n = 0;
    messages_compose(&j->text, &subject, &m);
    for (const json_value *e = r->messages->child; e; e = e->next, i++) {
        const json_value *role = json_get(e, "role");
        const json_value *content = json_get(e, "content");
        if (i < m.n && strcmp(role->text.p, m.v[i].role) == 0 &&
            str_eq(content->text, (str){j->text.p + m.v[i].at, m.v[i].n}))
            continue;
        SB_LIT(why, "messages: the ");
        sb_c(why, role->text.p);
        return say(why, "'s words are not those that weft writes");
    }
    return i == m.n || say(why, "messages: one that weft writes is missing");
}

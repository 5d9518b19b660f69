/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of one record, in their order: the line, its JSON and fields (schema), its hashes,
 * then what needs the compiler: source, texts, execution, device.
 *
 *     line 2, with `return` misspelt in its source
 *     ->  {VALIDATE_HASH,   1, "metadata.sha256.python_source is a712..., the text's is 1b8d..."}
 *         {VALIDATE_SOURCE, 1, "the source does not compile: line 9: name 'retrun' is not defined"}
 *
 * and facts for the checks across records. Runs in the threads. A check that fails does not keep
 * the next from running, except where the next needs what it found broken: without JSON there are
 * no fields, without a compiled source no texts to compare. */
#include "validate/validate_work.h"
#include "record/record_name.h"

void validate_worker_init(validate_worker *w, const validate_options *o)
{
    *w = (validate_worker){.o = o};
}

void validate_worker_clear(validate_worker *w)
{
    if (w->has_validator)
        record_validator_clear(&w->validator);
    w->has_validator = false;
}

void validate_piece_init(validate_piece *piece)
{
    *piece = (validate_piece){0};
    mem_init(&piece->mem);
    sb_init(&piece->text, &piece->mem);
    sb_init(&piece->scratch, &piece->mem);
    arena_init(&piece->arena, &piece->mem);
    arena_init(&piece->tree, &piece->mem);
}

void validate_piece_clear(validate_piece *piece)
{
    mem_clear(&piece->mem);
}

/* Pieces are used again and again; a buffer that one huge record made is not kept. */
void validate_piece_reset(validate_piece *piece)
{
    enum { KEPT = 4 << 20 };
    if (piece->text.cap > KEPT)
        sb_clear(&piece->text);
    arena_reset(&piece->arena);
    memset(&piece->findings, 0, sizeof piece->findings);
    piece->text.n = 0;
    piece->n = 0;
    piece->done = false;
}

/* Where a problem of a program is, as long as nothing better is known: in its only JSON. */
static const bundle_place metadata_place = {"metadata.json", 1};

static bool wants(const validate_worker *w, validate_check c)
{
    return w->o->checks & 1u << c;
}

/* Makes a finding of the reason in the scratch buffer, whether or not the check was chosen: what
 * cannot be read at all is always reported. */
static void add_always(validate_worker *w, validate_check check)
{
    validate_piece *piece = w->piece;
    WEFT_ASSERT(w->line < piece->n && check < VALIDATE_CHECKS);
    WEFT_ASSERT(!piece->findings.n || piece->findings.v[piece->findings.n - 1].line <= w->line);
    const char *text = arena_dup(&piece->arena, piece->scratch.p, piece->scratch.n);
    const bundle_place at = w->place;
    const char *file = at.file ? arena_dup(&piece->arena, at.file, strlen(at.file)) : NULL;
    const finding f = {check, w->line, {text, piece->scratch.n}, file, at.line};
    VEC_PUSH(&piece->arena, &piece->findings, f);
    w->place = at.file ? metadata_place : at;
}

/* The same, if the check was chosen. */
static void add(validate_worker *w, validate_check check)
{
    if (wants(w, check))
        add_always(w, check);
}

/* The scratch buffer, emptied for the reason of the next check. */
static strbuf *why(validate_worker *w)
{
    w->piece->scratch.n = 0;
    return &w->piece->scratch;
}

static void add_text(validate_worker *w, validate_check check, const char *text)
{
    sb_c(why(w), text);
    add(w, check);
}

/* --- source, text, execution --------------------------------------------------------------- */

/* Hashes and words of a conversation. Its hashes are checked only here, as the texts that it does
 * not show have been filled in only now. False: a hash is wrong, and with it every comparison of
 * texts. */
static bool validate_conversation(validate_worker *w, record_view *view)
{
    validate_fill_texts(&w->validator, view);
    if (wants(w, VALIDATE_HASH) && !validate_hash(view, why(w))) {
        add(w, VALIDATE_HASH);
        return false;
    }
    if (wants(w, VALIDATE_TEXT) && !validate_messages(&w->validator, view, why(w)))
        add(w, VALIDATE_TEXT);
    return true;
}

/* A source that does not compile is one finding, of the first chosen check that needs it. */
static void add_uncompiled(validate_worker *w)
{
    add(w, wants(w, VALIDATE_SOURCE)      ? VALIDATE_SOURCE
           : wants(w, VALIDATE_TEXT)      ? VALIDATE_TEXT
           : wants(w, VALIDATE_EXECUTION) ? VALIDATE_EXECUTION
                                          : VALIDATE_DEVICE);
}

/* The text of a record, or the files of a bundle. */
static void check_texts(validate_worker *w, record_view *view)
{
    record_validator *rv = &w->validator;
    const bool good = view->is_bundle ? validate_bundle(rv, view, &w->place, why(w))
                                      : validate_text(rv, view, why(w));
    if (!good)
        add(w, VALIDATE_TEXT);
}

/* The checks that need the compiler, in the order of validate_check.def. Runs inside mem_try of the
 * compiler's memory. The view is a copy, as a conversation gets its source and texts filled in. */
static void check_record(void *arg)
{
    validate_worker *w = arg;
    record_validator *rv = &w->validator;
    record_view view = *w->view;
    rv->executes = wants(w, VALIDATE_EXECUTION);
    if ((!view.source.n && !validate_find_source(rv, &view, why(w))) ||
        !validate_compile(rv, &view, why(w))) {
        add_uncompiled(w);
        return;
    }
    if (view.is_messages && !validate_conversation(w, &view))
        return;
    if (view.is_bundle)
        validate_fill_program(rv, &view);
    if (wants(w, VALIDATE_SOURCE) && !validate_source(rv, &view, why(w)))
        add(w, VALIDATE_SOURCE);
    else if (view.v[FIELD_TOKENS] && wants(w, VALIDATE_SOURCE) &&
             !validate_grade(rv, &view, why(w)))
        add(w, VALIDATE_SOURCE);
    const validate_check showing =
        validate_repair_runs(&view) ? VALIDATE_EXECUTION : VALIDATE_SOURCE;
    if (view.is_repair && wants(w, showing) && !validate_repair(rv, &view, why(w)))
        add(w, showing);
    if (wants(w, VALIDATE_TEXT))
        check_texts(w, &view);
    if (wants(w, VALIDATE_EXECUTION) && (!validate_execution(rv, &view, why(w)) ||
                                         (view.is_graded && !validate_tests(rv, &view, why(w)))))
        add(w, VALIDATE_EXECUTION);
    if (wants(w, VALIDATE_DEVICE) && !view.is_script && !validate_device(rv, &view, why(w)))
        add(w, VALIDATE_DEVICE);
}

/* Compiling a source that somebody made may take any amount of memory. Over the limit that is the
 * record's fault and is reported; the record_validator is cleared, as its state is that of an
 * interrupted compilation, and the next record makes a new one. */
static void check_with_compiler(validate_worker *w, const record_view *view)
{
    WEFT_ASSERT(w->line < w->piece->n && !w->failed);
    enum {
        NEEDED = 1 << VALIDATE_SOURCE | 1 << VALIDATE_TEXT | 1 << VALIDATE_EXECUTION |
                 1 << VALIDATE_DEVICE
    };
    if (!(w->o->checks & NEEDED))
        return;
    /* Sets are of one release; a file of several is slow, not wrong. */
    if (w->has_validator && w->validator.p.c.warp != view->warp)
        validate_worker_clear(w);
    if (!w->has_validator) {
        w->has_validator = true;
        if (!record_validator_init(&w->validator, view->warp, w->o->dirs, w->o->ndirs)) {
            w->failed = true;
            return;
        }
    }
    w->validator.device = w->o->device;
    w->view = view;
    if (mem_try(&w->validator.p.c.mem, check_record, w))
        return;
    w->failed = !w->validator.p.c.mem.over_limit;
    record_validator_clear(&w->validator);
    w->has_validator = false;
    sb_c(why(w), "compiling the source takes more than 512 MB");
    if (!w->failed)
        add_always(w, VALIDATE_SOURCE);
}

/* --- schema, hash -------------------------------------------------------------------------- */

/* The id in a line that is no JSON, so that the report can name the record: records of weft begin
 * with {"id": "7-000000001". Empty where the line does not. */
static str guess_id(str text)
{
    static const char head[] = "{\"id\": \"";
    enum { N = sizeof head - 1, ID_MAX = 48 };
    uint64_t seed, index;
    if (text.n < N || memcmp(text.p, head, N) != 0)
        return (str){0};
    str id = {text.p + N, 0};
    while (id.n < ID_MAX && N + id.n < text.n && id.p[id.n] != '"')
        id.n++;
    return record_read_id(id, &seed, &index) ? id : (str){0};
}

/* Copies the id out of the JSON, which lives no longer than its line is in work. */
static void keep_id(validate_worker *w, validate_line *line, str id)
{
    validate_facts *f = &line->facts;
    enum { ID_MAX = 64 };
    if (id.n > ID_MAX)
        id.n = ID_MAX;
    f->id = (str){arena_dup(&w->piece->arena, id.p, id.n), id.n};
    f->has_index = record_read_id(f->id, &f->seed, &f->index);
}

/* What the card counts a found kernel under, kept as the id is. */
static str keep_source_row(validate_worker *w, const record_view *view)
{
    const json_value *const *v = view->v;
    const str license = v[FIELD_ORIGIN_LICENSE]->text;
    strbuf *b = why(w);
    SB_LIT(b, "| ");
    sb_str(b, v[FIELD_ORIGIN_PACKAGE]->text);
    SB_LIT(b, " | ");
    sb_str(b, v[FIELD_ORIGIN_VERSION]->text);
    SB_LIT(b, " | ");
    sb_str(b, license.n ? license : STR("unknown"));
    SB_LIT(b, " |");
    return (str){arena_dup(&w->piece->arena, b->p, b->n), b->n};
}

static str last_part(str path)
{
    for (size_t i = path.n; i-- > 0;)
        if (path.p[i] == '/')
            return (str){path.p + i + 1, path.n - i - 1};
    return path;
}

/* A file of one record is CATEGORY/ID.json: loop/7-000000042.json. A file in a folder of any other
 * name is somebody's own arrangement, and only its own name is checked. */
static void check_path(validate_worker *w, const validate_line *line, const record_view *view)
{
    str path = str_c(line->path), name = last_part(path);
    if (name.n < 5 || !str_eq(view->id, (str){name.p, name.n - 5})) {
        add_text(w, VALIDATE_SCHEMA, "the file is not named after the record's id");
        return;
    }
    if (name.n == path.n)
        return;
    gen_category c;
    path.n -= name.n + 1;
    if (gen_category_find(last_part(path), &c) && c != view->category)
        add_text(w, VALIDATE_SCHEMA, "the file stands in another category's folder");
}

/* A program's folder is ID_CATEGORY: 7-000000042_loop. Operands such as "." and ".." have no name
 * to check. */
static void check_folder(validate_worker *w, const validate_line *line, const record_view *view)
{
    const str name = last_part(str_c(line->path));
    uint64_t seed, index;
    gen_category c;
    const bool good = !name.n || name.p[0] == '.' ||
                      (bundle_folder_read(name, &seed, &index, &c) && seed == view->seed &&
                       index == view->index && c == view->category);
    if (!good)
        add_text(w, VALIDATE_SCHEMA, "the folder is not named after the record's id and category");
}

static bool check_hash(validate_worker *w, const record_view *view)
{
    return validate_hash(view, why(w)) &&
           (!view->is_bundle || validate_bundle_hash(view, &w->place, why(w)));
}

/* Without a record's fields there is nothing further to check; its id is kept for the report. */
static void check_json(validate_worker *w, validate_line *line, str text)
{
    record_view view;
    w->json = json_read(&w->piece->tree, text, why(w));
    if (!w->json) {
        add_always(w, VALIDATE_SCHEMA);
        keep_id(w, line, guess_id(text));
        return;
    }
    const json_value *id = json_get(w->json, "id");
    keep_id(w, line, json_is(id, JSON_TYPE_STRING) ? id->text : (str){0});
    if (!record_read(w->json, &view, &w->place, why(w))) {
        add_always(w, VALIDATE_SCHEMA);
        return;
    }
    const str kept = line->facts.id;
    view.line = text;
    validate_summary(&view, line->bytes, why(w), &line->facts);
    line->facts.id = kept;
    if (view.is_collected)
        line->facts.source_row = keep_source_row(w, &view);
    if (line->kind == LINE_READER_WHOLE)
        check_path(w, line, &view);
    if (line->kind == LINE_READER_BUNDLE)
        check_folder(w, line, &view);
    if (wants(w, VALIDATE_HASH) && !check_hash(w, &view))
        add(w, VALIDATE_HASH);
    check_with_compiler(w, &view);
}

/* Checks the line itself, then the record in it. A missing newline, a byte order mark and CRLF are
 * findings, but the record is then read without them: one editor's habit must not hide what else
 * is wrong. */
static void check_line(validate_worker *w, validate_line *line)
{
    str text = {line->n ? w->piece->text.p + line->at : "", line->n};
    line->facts = (validate_facts){0};
    w->place = line->kind == LINE_READER_BUNDLE ? metadata_place : (bundle_place){0};
    if (line->status == LINE_LONG) {
        sb_c(why(w), line->kind == LINE_READER_BUNDLE ? "more than 16 MiB of files"
                                                      : "a line longer than 16 MiB");
        add_always(w, VALIDATE_SCHEMA);
        return;
    }
    if (line->kind == LINE_READER_BUNDLE && !text.n) {
        sb_c(why(w), "it is missing, or empty");
        add_always(w, VALIDATE_SCHEMA);
        return;
    }
    if (line->status == LINE_CUT)
        add_text(w, VALIDATE_SCHEMA, "the last line has no newline at its end");
    if (line->number == 1 && text.n >= 3 && memcmp(text.p, "\xef\xbb\xbf", 3) == 0) {
        add_text(w, VALIDATE_SCHEMA, "the file begins with a byte order mark");
        text = (str){text.p + 3, text.n - 3};
    }
    if (text.n && text.p[text.n - 1] == '\r') {
        add_text(w, VALIDATE_SCHEMA, "the line ends in CRLF");
        text.n--;
    }
    check_json(w, line, text);
    arena_reset(&w->piece->tree);
}

static void run_lines(void *arg)
{
    validate_worker *w = arg;
    for (w->line = 0; w->line < w->piece->n && !w->failed; w->line++)
        check_line(w, &w->piece->lines[w->line]);
}

/* The piece's mem holds its findings: where that fails, the run ends. */
bool validate_worker_run(validate_worker *w, validate_piece *piece)
{
    WEFT_ASSERT(piece->n <= PIECE_LINES && !piece->findings.n);
    w->piece = piece;
    if (!mem_try(&piece->mem, run_lines, w))
        w->failed = true;
    return !w->failed;
}

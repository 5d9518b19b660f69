/* SPDX-License-Identifier: Apache-2.0 */
/* The self-contained source of a kernel: its definition, the definitions that this uses, and so on,
 * each a piece of text; then the pieces in an order in which each stands behind what it uses.
 *
 *     kernel -> square, wp, N      square -> wp
 *     wp; N; square; kernel */
#include "collect/extract.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/format.h"
#include "collect/extract_internal.h"

/* Later reasons are consequences of the first. */
uint32_t extract_fail(extract *x, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!x->why)
        x->why = arena_printf_v(&x->c->module, fmt, ap);
    va_end(ap);
    return NO_PIECE;
}

str extract_text(extract *x, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const str text = str_c(arena_printf_v(&x->c->module, fmt, ap));
    va_end(ap);
    return text;
}

/* --- pieces ---------------------------------------------------------------------------------- */

/* An import is the module's wherever it was found; other pieces belong to the body in work. */
uint32_t piece_new(extract *x, piece_kind kind, const void *key, str text)
{
    if (x->pieces.n >= EXTRACT_PIECES)
        return extract_fail(x, "it uses too many definitions");
    const text_piece fresh = {.kind = kind,
                              .owner = kind == PIECE_IMPORT ? NO_PIECE : x->scope,
                              .key = key,
                              .text = text};
    VEC_PUSH(&x->c->module, &x->pieces, fresh);
    return x->pieces.n - 1;
}

uint32_t piece_find(const extract *x, const void *key)
{
    for (uint32_t i = 0; i < x->pieces.n; i++)
        if (x->pieces.v[i].key == key)
            return i;
    return NO_PIECE;
}

/* Only pieces of one body have an order among themselves: the need goes up to the body of both. */
void piece_need(extract *x, uint32_t user, uint32_t used)
{
    if (used == NO_PIECE)
        return;
    while (user != NO_PIECE && x->pieces.v[user].owner != x->pieces.v[used].owner)
        user = x->pieces.v[user].owner;
    if (user == NO_PIECE || user == used)
        return;
    text_piece *p = &x->pieces.v[user];
    for (uint32_t i = 0; i < p->needs.n; i++)
        if (p->needs.v[i] == used)
            return;
    VEC_PUSH(&x->c->module, &p->needs, used);
}

/* --- text of definitions --------------------------------------------------------------------- */

static str line_at(const source *src, uint32_t line)
{
    const size_t from = src->lines[line - 1];
    const size_t end = line < src->nlines ? src->lines[line] : src->text.n;
    return (str){src->text.p + from, end > from ? end - from : 0};
}

static size_t indent_of(str line)
{
    size_t n = 0;
    while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
        n++;
    return n;
}

/* Is it a comment that stands as far to the right as the definition below? */
static bool is_comment(str line, uint32_t col)
{
    const size_t n = indent_of(line);
    return n == col && n < line.n && line.p[n] == '#';
}

/* A line without up to `col` spaces at its begin. Lines within strings that stand further to the
 * left stay. */
static void put_line(strbuf *b, str line, uint32_t col)
{
    size_t cut = indent_of(line);
    cut = cut < col ? cut : col;
    while (line.n > cut && (line.p[line.n - 1] == '\n' || line.p[line.n - 1] == '\r'))
        line.n--;
    sb_put(b, line.p + cut, line.n - cut);
    sb_char(b, '\n');
}

static void add_source(extract *x, const source *src)
{
    for (uint32_t i = 0; i < x->sources.n; i++)
        if (x->sources.v[i] == src)
            return;
    VEC_PUSH(&x->c->module, &x->sources, src);
}

/* The comment right above a definition belongs to it. Lines of strings keep what is not
 * indentation. */
str extract_lines(extract *x, const source *src, uint32_t first, uint32_t last, uint32_t col)
{
    strbuf b;
    WEFT_ASSERT(src->lines && first >= 1 && last <= src->nlines);
    add_source(x, src);
    sb_init(&b, &x->c->mem);
    while (first > 1 && is_comment(line_at(src, first - 1), col))
        first--;
    for (uint32_t i = first; i <= last; i++)
        put_line(&b, line_at(src, i), col);
    const str text = {arena_dup(&x->c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

/* --- where a definition stands --------------------------------------------------------------- */

static void look(void *arg, const node *n)
{
    def_place *s = arg;
    if (s->found || n->end_line < s->what->line || n->line > s->what->end_line)
        return;
    if (n == s->what) {
        s->found = true;
        return;
    }
    const bool scope = n->kind == AST_ClassDef || n->kind == AST_FunctionDef;
    if (scope && s->n == sizeof s->around / sizeof *s->around)
        return;
    if (scope)
        s->around[s->n++] = n;
    ast_each_child(n, look, s);
    if (scope && !s->found)
        s->n--;
}

/* A search by lines: of each level only the statement is entered that spans the definition. */
static def_place place_of(const module *m, const node *what)
{
    def_place s = {.what = what};
    if (module_tree(m))
        ast_each_child(&module_tree(m)->base, look, &s);
    return s;
}

/* Enters the body that a definition stands in, as x->scope; gives the one before. False, after
 * extract_fail: it cannot be written there. */
static bool enter(extract *x, const module *m, const node *what, const namespace *env,
                  const char *name, uint32_t *before)
{
    const def_place at = place_of(m, what);
    *before = x->scope;
    if (!at.found)
        return extract_fail(x, "'%s' has no definition", name), false;
    const uint32_t call = extract_call_around(x, &at, env, name);
    if (x->why)
        return false;
    x->scope = call;
    x->has_eager_call = x->has_eager_call || (call != NO_PIECE && !module_has_late_annotations(m));
    return true;
}

/* --- definitions ----------------------------------------------------------------------------- */

static str text_of_code(extract *x, const code *f)
{
    return extract_lines(x, f->src, f->first_line, f->last_line, f->def->base.col);
}

/* A function with its overloads, gradients and replays, in the order of their lines. */
typedef VEC(const code *) func_parts;

/* Sorted by line: an overload list of Warp's own need not follow the text. */
static void add_part(extract *x, func_parts *p, const func *f)
{
    uint32_t at;
    for (uint32_t i = 0; i < p->n; i++)
        if (f && p->v[i]->def == f->code.def)
            return;
    if (!f)
        return;
    VEC_PUSH(&x->c->module, p, &f->code);
    for (at = p->n - 1; at > 0 && p->v[at - 1]->first_line > f->code.first_line; at--)
        p->v[at] = p->v[at - 1];
    p->v[at] = &f->code;
}

/* All overloads are copied: which of them a call takes is decided by types. The piece is made
 * before what it uses is looked at, as a function may call itself. */
uint32_t extract_func(extract *x, const func *f)
{
    const func *head = f->head ? f->head : f;
    const uint32_t known = piece_find(x, head);
    func_parts parts = {0};
    strbuf b;
    if (known != NO_PIECE)
        return known;
    for (const func *o = head; o; o = o->next) {
        add_part(x, &parts, o);
        add_part(x, &parts, o->custom_grad);
        add_part(x, &parts, o->custom_replay);
    }
    uint32_t before, unused;
    if (!enter(x, head->code.mod, &head->code.def->base, head->code.env, head->code.name->s,
               &before))
        return NO_PIECE;
    const uint32_t scope = x->scope;
    for (uint32_t i = 0; i < parts.n; i++)
        if (!enter(x, parts.v[i]->mod, &parts.v[i]->def->base, parts.v[i]->env, parts.v[i]->name->s,
                   &unused) ||
            x->scope != scope) {
            x->scope = before;
            return extract_fail(x, "parts of '%s' stand in several places", head->code.name->s);
        }
    sb_init(&b, &x->c->mem);
    for (uint32_t i = 0; i < parts.n; i++) {
        sb_c(&b, i ? "\n\n" : "");
        sb_str(&b, text_of_code(x, parts.v[i]));
    }
    const str text = {arena_dup(&x->c->module, b.p, b.n), b.n};
    sb_clear(&b);
    const uint32_t piece = piece_new(x, PIECE_BLOCK, head, text);
    /* Its own name: a gradient's decorator mentions it, and must not look for another piece. */
    const value v = {.kind = VALUE_FUNC, .p = head};
    const bound_name own = {head->code.name, v, piece, x->scope};
    bool is_bound = piece == NO_PIECE;
    for (uint32_t i = 0; i < x->names.n; i++)
        is_bound = is_bound || (x->names.v[i].name == own.name && x->names.v[i].scope == own.scope);
    if (!is_bound)
        VEC_PUSH(&x->c->module, &x->names, own);
    for (uint32_t i = 0; i < parts.n && !x->why; i++) {
        x->late = x->late || module_has_late_annotations(parts.v[i]->mod);
        extract_scan_def(x, parts.v[i]->def, parts.v[i]->env, piece);
    }
    x->scope = before;
    return piece;
}

/* A struct or an enum: copied whole, as its fields decide its layout and hash. */
static uint32_t class_lines(extract *x, const module *m, const ast_ClassDef *cls,
                            const namespace *ns)
{
    const uint32_t known = piece_find(x, cls);
    const namespace *env = scope_around(ns);
    uint32_t before;
    if (known != NO_PIECE)
        return known;
    env = env ? env : module_scope(m);
    if (!enter(x, m, &cls->base, env, cls->name->s, &before))
        return NO_PIECE;
    const uint32_t first = cls->decorator_list.n ? cls->decorator_list.v[0]->line : cls->base.line;
    const str text = extract_lines(x, module_source(m), first, cls->base.end_line, cls->base.col);
    const uint32_t piece = piece_new(x, PIECE_BLOCK, cls, text);
    if (piece != NO_PIECE)
        extract_scan(x, &cls->base, env, piece);
    x->late = x->late || module_has_late_annotations(m);
    x->scope = before;
    return piece;
}

uint32_t extract_struct(extract *x, const type *t)
{
    const namespace *ns;
    const ast_ClassDef *cls = origin_struct(t->st, &ns);
    if (!cls)
        return extract_fail(x, "the struct '%s' has no definition", t->st->name->s);
    return class_lines(x, scope_module(ns), cls, ns);
}

uint32_t extract_class(extract *x, const namespace *ns)
{
    const module *m = NULL;
    const ast_ClassDef *cls = origin_class(ns, &m);
    WEFT_ASSERT(cls);
    return class_lines(x, m, cls, ns);
}

/* A plain Python function, which wp.static or a constant calls. */
/* Imports in the body of a function, of other files of the program: their statements are not
 * copied, for the text has the names in its own module.
 *
 *     from .tools import square, cube as c     ->     c = cube */
typedef struct body_imports {
    extract *x;
    const module *m;
    uint32_t user;
    strbuf text;
    uint32_t line, col; /* of the next line to copy */
} body_imports;

static const module *imported_file(const body_imports *b, const node *n)
{
    const ast_ImportFrom *from = AST(ImportFrom, n);
    const sym *dotted = origin_dotted(b->m, from);
    const module *home = dotted ? origin_loaded(b->m, dotted) : NULL;
    for (uint32_t i = 0; home && i < from->names.n; i++) {
        const value *v = origin_own(module_scope(home), AST(alias, from->names.v[i])->name);
        if (!v || v->kind == VALUE_MODULE)
            return NULL;
    }
    return home;
}

static void copy_lines(body_imports *b, uint32_t end)
{
    if (b->line < end)
        sb_str(&b->text, extract_lines(b->x, module_source(b->m), b->line, end - 1, b->col));
    b->line = end;
}

static void put_names(body_imports *b, const ast_ImportFrom *n, const module *home)
{
    sb_repeat(&b->text, ' ', n->base.col - b->col);
    SB_LIT(&b->text, "pass");
    for (uint32_t i = 0; i < n->names.n; i++) {
        const ast_alias *a = AST(alias, n->names.v[i]);
        extract_bind_path(b->x, module_scope(home), a->name, NULL, 0, b->user);
        if (a->asname && a->asname != a->name)
            sb_printf(&b->text, "; %s = %s", a->asname->s, a->name->s);
    }
    SB_LIT(&b->text, "\n");
}

static void look_for_imports(void *arg, const node *n)
{
    body_imports *b = arg;
    const module *home = n->kind == AST_ImportFrom ? imported_file(b, n) : NULL;
    if (home && n->line >= b->line && n->col >= b->col) {
        copy_lines(b, n->line);
        put_names(b, AST(ImportFrom, n), home);
        b->line = n->end_line + 1;
    }
    ast_each_child(n, look_for_imports, b);
}

/* The text of a definition without such imports, which `user` is the piece of. */
static str text_of_def(extract *x, const ast_FunctionDef *def, const module *m, uint32_t first,
                       uint32_t user)
{
    body_imports b = {.x = x, .m = m, .user = user, .line = first, .col = def->base.col};
    sb_init(&b.text, &x->c->mem);
    for (uint32_t i = 0; i < def->body.n; i++)
        look_for_imports(&b, def->body.v[i]);
    copy_lines(&b, def->base.end_line + 1);
    const str text = {arena_dup(&x->c->module, b.text.p, b.text.n), b.text.n};
    sb_clear(&b.text);
    return text;
}

uint32_t extract_def(extract *x, const ast_FunctionDef *def, const namespace *env)
{
    const module *m = scope_module(env);
    const uint32_t known = piece_find(x, def);
    uint32_t before;
    if (known != NO_PIECE)
        return known;
    if (!enter(x, m, &def->base, env, def->name->s, &before))
        return NO_PIECE;
    const uint32_t first = def->decorator_list.n ? def->decorator_list.v[0]->line : def->base.line;
    const uint32_t piece = piece_new(x, PIECE_BLOCK, def, STR(""));
    if (piece != NO_PIECE) {
        const str text = text_of_def(x, def, m, first, piece);
        x->pieces.v[piece].text = text;
        extract_scan_def(x, def, env, piece);
    }
    x->scope = before;
    return piece;
}

/* --- options --------------------------------------------------------------------------------- */

static void put_option(strbuf *b, const char *name, const char *text)
{
    sb_c(b, b->n ? ", \"" : "\"");
    sb_c(b, name);
    SB_LIT(b, "\": ");
    sb_c(b, text);
}

/* wp.set_module_options({...}) with what differs from Warp's defaults; empty: nothing does. */
static str options_text(extract *x, uint32_t user)
{
    const code_options o = module_options(x->kernel->code.mod);
    strbuf b;
    char number[24];
    str text = STR("");
    sb_init(&b, &x->c->mem);
    if (o.enable_backward == 0)
        put_option(&b, "enable_backward", "False");
    if (o.max_unroll >= 0 && o.max_unroll != 16) {
        format_text(number, sizeof number, "%d", o.max_unroll);
        put_option(&b, "max_unroll", number);
    }
    if (o.block_dim >= 0 && o.block_dim != 256) {
        format_text(number, sizeof number, "%d", o.block_dim);
        put_option(&b, "block_dim", number);
    }
    if (o.fast_math == 1)
        put_option(&b, "fast_math", "True");
    if (o.grid_stride >= 0)
        put_option(&b, "default_grid_stride", o.grid_stride ? "True" : "False");
    if (o.deterministic > 0) { /* both modes have one text */
        const sym *wp = extract_warp(x, user);
        const str mode = extract_text(x, "%s.DeterministicMode.RUN_TO_RUN", wp->s);
        put_option(&b, "deterministic", mode.p);
    }
    if (b.n) {
        const sym *wp = extract_warp(x, user);
        text = extract_text(x, "%s.set_module_options({%s})\n", wp->s, sb_cstr(&b));
    }
    if (o.enable_vector_component_overwrites == 1) {
        const sym *wp = extract_warp(x, user);
        text = extract_text(x, "%s.config.enable_vector_component_overwrites = True\n%.*s", wp->s,
                            (int)text.n, text.p);
    }
    sb_clear(&b);
    return text;
}

/* --- the text -------------------------------------------------------------------------------- */

/* A piece stands behind all that it needs; in a cycle, behind as much as can be. Where annotations
 * are evaluated at once, a cycle may be one of these, and has no order. */
static void put_in_order(extract *x, piece_list *order, uint32_t piece)
{
    text_piece *p = &x->pieces.v[piece];
    if (p->ordered) {
        if (x->eager && !p->placed)
            extract_fail(x, "of its files, not all evaluate annotations late");
        return;
    }
    p->ordered = true;
    for (uint32_t i = 0; i < p->needs.n; i++)
        if (p->needs.v[i] != piece)
            put_in_order(x, order, p->needs.v[i]);
    p->placed = true;
    VEC_PUSH(&x->c->module, order, piece);
}

/* Members of one inner class stand together, so that it is opened once. */
static int by_path_and_line(const void *a, const void *b)
{
    const scope_member *x = a, *y = b;
    const size_t n = x->path.n < y->path.n ? x->path.n : y->path.n;
    const int order = n ? memcmp(x->path.p, y->path.p, n) : 0;
    if (order || x->path.n != y->path.n)
        return order ? order : x->path.n < y->path.n ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return strcmp(x->name->s, y->name->s);
}

/* Empty lines stay empty. */
void extract_put_indented(strbuf *b, str text, size_t indent)
{
    for (size_t i = 0; i < text.n;) {
        const char *end = memchr(text.p + i, '\n', text.n - i);
        const size_t n = end ? (size_t)(end - text.p) - i + 1 : text.n - i;
        if (n > 1)
            sb_repeat(b, ' ', indent);
        sb_put(b, text.p + i, n);
        i += n;
    }
}

/* Opens the classes of a member's path that the member before did not have open. Gives their
 * number. */
static size_t open_classes(strbuf *b, str before, str path)
{
    size_t depth = 0;
    for (size_t i = 0; i < path.n;) {
        size_t end = i;
        while (end < path.n && path.p[end] != '.')
            end++;
        const bool same = before.n >= end && memcmp(before.p, path.p, end) == 0 &&
                          (before.n == end || before.p[end] == '.');
        depth++;
        if (!same) {
            sb_repeat(b, ' ', 4 * depth);
            SB_LIT(b, "class ");
            sb_put(b, path.p + i, end - i);
            SB_LIT(b, ":\n");
        }
        i = end + 1;
    }
    return depth;
}

/* class tools:
 *     square = square */
static void put_scope(strbuf *b, const text_piece *p)
{
    if (p->members.n)
        qsort(p->members.v, p->members.n, sizeof *p->members.v, by_path_and_line);
    SB_LIT(b, "class ");
    sb_c(b, p->name->s);
    SB_LIT(b, ":\n");
    if (!p->members.n)
        SB_LIT(b, "    pass\n");
    str before = STR("");
    for (uint32_t i = 0; i < p->members.n; i++) {
        const scope_member *m = &p->members.v[i];
        if (i && m->line && !m->path.n)
            SB_LIT(b, "\n");
        const size_t depth = open_classes(b, before, m->path);
        extract_put_indented(b, m->text, 4 * (depth + 1));
        before = m->path;
    }
}

/* `import a` before `from a import b`, each sorted. */
static int by_import(const void *a, const void *b)
{
    const str x = *(const str *)a, y = *(const str *)b;
    const bool from = str_starts(x, "from ");
    if (from != str_starts(y, "from "))
        return from ? 1 : -1;
    const int order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
    return order ? order : x.n < y.n ? -1 : x.n > y.n;
}

/* Python wants the __future__ import first. */
static void put_imports(extract *x, strbuf *b)
{
    str *lines = ARENA_ARRAY(&x->c->module, str, x->order.n);
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->order.n; i++)
        if (x->pieces.v[x->order.v[i]].kind == PIECE_IMPORT)
            lines[n++] = x->pieces.v[x->order.v[i]].text;
    if (n)
        qsort(lines, n, sizeof *lines, by_import);
    if (x->late && !x->eager)
        SB_LIT(b, "from __future__ import annotations\n\n");
    for (uint32_t i = 0; i < n; i++)
        sb_str(b, lines[i]);
}

static void put_body(extract *x, strbuf *b, uint32_t call);

static void put_piece(extract *x, strbuf *b, uint32_t piece)
{
    const text_piece *p = &x->pieces.v[piece];
    if (p->kind == PIECE_SCOPE)
        put_scope(b, p);
    else if (p->kind == PIECE_CALL)
        put_body(x, b, piece);
    else
        sb_str(b, p->text);
}

/* The function of a PIECE_CALL, made of the pieces that it owns; one empty line around defs. */
static void put_body(extract *x, strbuf *b, uint32_t call)
{
    piece_list order = {0};
    strbuf body;
    sb_init(&body, &x->c->mem);
    for (uint32_t i = 0; i < x->pieces.n; i++)
        if (x->pieces.v[i].owner == call)
            put_in_order(x, &order, i);
    for (uint32_t i = 0; i < order.n; i++) {
        const bool block = x->pieces.v[order.v[i]].kind >= PIECE_BLOCK ||
                           (i && x->pieces.v[order.v[i - 1]].kind >= PIECE_BLOCK);
        sb_c(&body, i && block ? "\n" : "");
        put_piece(x, &body, order.v[i]);
    }
    extract_put_call(b, &x->pieces.v[call], sb_view(&body));
    sb_clear(&body);
}

/* Two empty lines around a def or class, one between the imports and other lines. */
static void put_pieces(extract *x, strbuf *b, str options)
{
    piece_kind last = PIECE_IMPORT;
    put_imports(x, b);
    if (options.n) {
        SB_LIT(b, "\n");
        sb_str(b, options);
        last = PIECE_LINE;
    }
    for (uint32_t i = 0; i < x->order.n; i++) {
        const piece_kind kind = x->pieces.v[x->order.v[i]].kind;
        if (kind == PIECE_IMPORT)
            continue;
        const bool block = kind >= PIECE_BLOCK || last >= PIECE_BLOCK;
        sb_c(b, block ? "\n\n" : last == PIECE_IMPORT ? "\n" : "");
        put_piece(x, b, x->order.v[i]);
        last = kind;
    }
}

/* The class around a kernel, with what the kernel uses of it. */
static uint32_t kernel_in_class(extract *x, const sym *name, str text)
{
    const code *f = &x->kernel->code;
    value v;
    if (!env_lookup(module_scope(f->mod), name, &v) || v.kind != VALUE_CLASS)
        return extract_fail(x, "its class '%s' is not known", name->s);
    const uint32_t piece = extract_scope(x, name, &v, NO_PIECE);
    if (piece != NO_PIECE)
        extract_add_member(x, piece,
                           (scope_member){.name = f->name, .text = text, .line = f->first_line});
    return piece;
}

/* Ends the key in "__locals__" and this name, or is it the name? */
static bool is_natural_key(str key, str name)
{
    static const char before[] = "__locals__";
    const size_t n = name.n + sizeof before - 1;
    return str_eq(key, name) ||
           (key.n > n && memcmp(key.p + key.n - n, before, sizeof before - 1) == 0 &&
            memcmp(key.p + key.n - name.n, name.p, name.n) == 0);
}

/* The decorator of a function that wp.Kernel(...) made a kernel: the same kernel, with the function
 * and what it is in one place. */
static void add_decorator(extract *x, uint32_t piece)
{
    const sym *name = x->kernel->code.def->name;
    const str key = x->kernel->key, text = x->pieces.v[piece].text;
    const char *wp = extract_warp(x, piece)->s;
    const char *backward =
        x->kernel->code.options.enable_backward == 0 ? "enable_backward=False" : "";
    if (!is_natural_key(key, sym_str(name)))
        x->pieces.v[piece].text =
            extract_text(x, "@%s.kernel(name=\"%.*s\"%s%s)\n%.*s", wp, (int)key.n, key.p,
                         *backward ? ", " : "", backward, (int)text.n, text.p);
    else
        x->pieces.v[piece].text =
            *backward ? extract_text(x, "@%s.kernel(%s)\n%.*s", wp, backward, (int)text.n, text.p)
                      : extract_text(x, "@%s.kernel\n%.*s", wp, (int)text.n, text.p);
}

/* The kernel's own piece, and its name there; one in a class gets the class around it. Of one in a
 * function, the piece of the outermost function, which returns it. */
static uint32_t kernel_piece(extract *x, const sym **name)
{
    const code *f = &x->kernel->code;
    const value v = {.kind = VALUE_KERNEL, .p = x->kernel};
    const def_place at = place_of(f->mod, &f->def->base);
    const str text = text_of_code(x, f);
    const bool in_class = at.n == 1 && at.around[0]->kind == AST_ClassDef;
    uint32_t before, piece;
    *name = f->def->name;
    if (in_class) {
        piece = kernel_in_class(x, AST(ClassDef, at.around[0])->name, text);
        if (piece != NO_PIECE)
            extract_scan_def(x, f->def, f->env, piece);
        return piece;
    }
    if (!enter(x, f->mod, &f->def->base, f->env, f->name->s, &before))
        return NO_PIECE;
    piece = piece_new(x, PIECE_BLOCK, f->def, text);
    if (piece != NO_PIECE)
        extract_scan_def(x, f->def, f->env, piece);
    if (piece != NO_PIECE && !f->def->decorator_list.n)
        add_decorator(x, piece);
    x->scope = before;
    if (piece != NO_PIECE && !x->why)
        *name = extract_visible(x, &piece, *name, *name, &v);
    return piece;
}

/* wp.overload(k, [wp.array(dtype=wp.float32, ndim=1)]): behind the generic kernel, which was made
 * for these types. */
static uint32_t overload_piece(extract *x, uint32_t kernel_at, const sym *name)
{
    const code *f = &x->kernel->code;
    const text_piece *around = &x->pieces.v[kernel_at];
    const char *owner = around->kind == PIECE_SCOPE ? around->name->s : NULL;
    const uint32_t piece = piece_new(x, PIECE_LAST, NULL, STR(""));
    strbuf b;
    sb_init(&b, &x->c->mem);
    bool good = piece != NO_PIECE;
    piece_need(x, piece, kernel_at);
    if (good)
        sb_printf(&b, "%s.overload(%s%s%s, [", extract_warp(x, piece)->s, owner ? owner : "",
                  owner ? "." : "", name->s);
    for (uint32_t i = 0; i < f->nparams && good; i++) {
        const value v = {.kind = VALUE_TYPE, .type = f->params[i].type};
        sb_c(&b, i ? ", " : "");
        good = extract_put_value(x, &b, &v, piece);
    }
    SB_LIT(&b, "])\n");
    if (good)
        x->pieces.v[piece].text = (str){arena_dup(&x->c->module, b.p, b.n), b.n};
    else
        extract_fail(x, "a type of the overload cannot be written as Python");
    sb_clear(&b);
    return piece;
}

/* The kernel's piece first: it pulls in all others. Then the options, which stand before them. */
static void write_kernel(extract *x, extract_options options, strbuf *out)
{
    const kernel *k = x->kernel;
    const sym *name;
    x->late = module_has_late_annotations(k->code.mod);
    uint32_t piece = kernel_piece(x, &name);
    if (!x->why && k->generic)
        piece = overload_piece(x, piece, name);
    if (x->why)
        return;
    str settings = STR("");
    if (options == EXTRACT_MODULE_OPTIONS)
        settings = options_text(x, piece);
    else if (options == EXTRACT_NO_BACKWARD)
        settings =
            extract_text(x, "%s.config.enable_backward = False\n", extract_warp(x, piece)->s);
    put_in_order(x, &x->order, piece);
    if (!x->why)
        put_pieces(x, out, settings);
}

/* One text has one way to evaluate annotations. A function's own names are unknown to late ones,
 * so that its file's way is taken where the files differ. */
const char *extract_kernel(ctx *c, const kernel *k, extract_options options, strbuf *out,
                           extract_sources *sources)
{
    extract x = {.c = c, .kernel = k, .scope = NO_PIECE};
    const size_t start = out->n;
    write_kernel(&x, options, out);
    if (!x.why && x.late && x.has_eager_call) {
        out->n = start;
        x = (extract){.c = c, .kernel = k, .scope = NO_PIECE, .eager = true};
        write_kernel(&x, options, out);
    }
    *sources = (extract_sources){x.sources.v, x.sources.n};
    return x.why;
}

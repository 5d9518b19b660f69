/* SPDX-License-Identifier: Apache-2.0 */
/* What a name of a module stands for, and the piece of text that binds it.
 *
 *     from tools import square as sq     the def of square, then `sq = square`
 *     import tools                       class tools: with the members that are used
 *     import warp as wp                  the same import
 *     N = 4                              the same assignment, and what its right side uses
 *     A, B = sizes()                     `A = 3`, if that is its value */
#include "collect/extract_internal.h"

enum { BINDINGS_MAX = 16 };

/* --- statements that bind a name ------------------------------------------------------------- */

/* The statements of a module that bind a name, at any depth of if and try. */
typedef struct binding_search {
    const sym *name;
    const node *found[BINDINGS_MAX]; /* Assign, AnnAssign, alias, ClassDef, FunctionDef */
    const node *from[BINDINGS_MAX];  /* the import statement of an alias */
    uint32_t n;
    bool nested; /* one of them stands in another statement */
    bool other;  /* there are bindings of other forms: loops, tuples, del, with */
    uint32_t depth;
    const node *import;
} binding_search;

/* With more bindings than there is room for, the value is written instead of a statement. */
static void add_binding(binding_search *s, const node *n, const node *from)
{
    if (s->n == BINDINGS_MAX) {
        s->other = true;
        return;
    }
    s->nested = s->nested || s->depth > 1;
    s->from[s->n] = from;
    s->found[s->n++] = n;
}

/* The root of a dotted name is what `import a.b` binds. */
static bool alias_binds(const ast_alias *a, const sym *name)
{
    if (a->asname)
        return a->asname == name;
    return a->name == name ||
           (strncmp(a->name->s, name->s, name->len) == 0 && a->name->s[name->len] == '.');
}

static void search(void *arg, const node *n);

/* `a, b = f()` binds as well, but cannot be copied for one of the names. */
static void search_assign(binding_search *s, const ast_Assign *n)
{
    const bool one = n->targets.n == 1 && n->targets.v[0]->kind == AST_Name;
    if (one && AST(Name, n->targets.v[0])->id == s->name)
        add_binding(s, &n->base, NULL);
    else if (!one)
        ast_each_child(&n->base, search, s);
}

static void search(void *arg, const node *n)
{
    binding_search *s = arg;
    switch (n->kind) {
    case AST_FunctionDef:
        if (AST(FunctionDef, n)->name == s->name)
            add_binding(s, n, NULL);
        return;
    case AST_ClassDef:
        if (AST(ClassDef, n)->name == s->name)
            add_binding(s, n, NULL);
        return;
    case AST_Assign: search_assign(s, AST(Assign, n)); return;
    case AST_AnnAssign:
        if (AST(AnnAssign, n)->target->kind == AST_Name &&
            AST(Name, AST(AnnAssign, n)->target)->id == s->name && AST(AnnAssign, n)->value)
            add_binding(s, n, NULL);
        return;
    case AST_Import:
    case AST_ImportFrom: s->import = n; break;
    case AST_alias:
        if (s->import->kind == AST_ImportFrom && strcmp(AST(alias, n)->name->s, "*") == 0)
            add_binding(s, n, s->import);
        else if (alias_binds(AST(alias, n), s->name))
            add_binding(s, n, s->import);
        return;
    case AST_Name:
        if (AST(Name, n)->ctx != CTX_Load && AST(Name, n)->id == s->name)
            s->other = true;
        return;
    case AST_Lambda:
    case AST_ListComp:
    case AST_DictComp:
    case AST_SetComp:
    case AST_GeneratorExp:
    case AST_AsyncFunctionDef: return;
    default: break;
    }
    s->depth++;
    ast_each_child(n, search, s);
    s->depth--;
}

/* --- names of the text ----------------------------------------------------------------------- */

enum { SAME_DEPTH = 20 }; /* a container may hold itself */

static bool is_same_deep(const value *a, const value *b, int depth);

/* Two tuples, lists or dicts. */
static bool are_same(const value *a, const value *b, int depth)
{
    const uint32_t n = value_count(a), width = a->kind == VALUE_DICT ? 2 : 1;
    if (value_has_cells(a) && a->cells == b->cells)
        return true;
    bool same = n == value_count(b) && depth < SAME_DEPTH;
    for (uint32_t i = 0; i < width * n && same; i++)
        same = is_same_deep(&value_array(a)[i], &value_array(b)[i], depth + 1);
    return same;
}

static bool is_same_composite(const value *a, const value *b)
{
    const int n = a->type->rows * (a->type->kind == TYPE_MAT ? a->type->cols : 1);
    for (int i = 0; i < n; i++)
        if (type_is_float(a->type->elem) ? a->elems[i] != b->elems[i]
                                         : a->ielems[i] != b->ielems[i])
            return false;
    return true;
}

static bool is_same_number(const value *a, const value *b)
{
    return value_has_f(a) == value_has_f(b) && (value_has_f(a) ? a->f == b->f : a->i == b->i);
}

/* Do two values mean the same, as far as a name is concerned? */
static bool is_same_deep(const value *a, const value *b, int depth)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case VALUE_COMPOSITE: return type_equal(a->type, b->type) && is_same_composite(a, b);
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT: return are_same(a, b, depth);
    case VALUE_NONE: return true;
    case VALUE_SCALAR: return type_equal(a->type, b->type) && is_same_number(a, b);
    case VALUE_ENUM: return a->cls == b->cls && a->n == b->n && is_same_number(a, b);
    case VALUE_WARP: return a->s == b->s;
    case VALUE_FUNC:
    case VALUE_KERNEL:
    case VALUE_BUILTIN:
    case VALUE_PYFUNC: return a->p == b->p;
    case VALUE_MODULE:
    case VALUE_CLASS:
    case VALUE_OBJECT: return a->ns == b->ns;
    case VALUE_SPECIAL:
    case VALUE_PYTYPE: return a->n == b->n;
    case VALUE_TYPE: return a->type == b->type || type_equal(a->type, b->type);
    default:
        return value_is_number(a) ? is_same_number(a, b) : a->kind == VALUE_STR && a->s == b->s;
    }
}

static bool is_same(const value *a, const value *b)
{
    return is_same_deep(a, b, 0);
}

/* Binds the name to a piece. False: it has another meaning already. */
static bool bind(extract *x, const sym *name, const value *v, uint32_t piece, uint32_t user)
{
    for (uint32_t i = 0; i < x->names.n; i++) {
        const bound_name *b = &x->names.v[i];
        if (b->name != name || b->scope != x->scope)
            continue;
        if (!is_same(&b->v, v) && b->piece != piece)
            return extract_fail(x, "'%s' has two meanings in the modules that it uses", name->s),
                   false;
        piece_need(x, user, b->piece);
        return true;
    }
    const bound_name fresh = {name, *v, piece, x->scope};
    VEC_PUSH(&x->c->module, &x->names, fresh);
    piece_need(x, user, piece);
    const bool is_warp = v->kind == VALUE_WARP && strcmp(v->s->s, "warp") == 0;
    if (is_warp && !x->wp && x->scope == NO_PIECE)
        x->wp = name;
    return true;
}

/* The piece that binds this name to this value already; NO_PIECE: none does. */
static uint32_t bound(const extract *x, const sym *name, const value *v)
{
    for (uint32_t i = 0; i < x->names.n; i++)
        if (x->names.v[i].name == name && x->names.v[i].scope == x->scope &&
            is_same(&x->names.v[i].v, v))
            return x->names.v[i].piece;
    return NO_PIECE;
}

/* The program may say `import warp` or use it through another module: then `wp` is added. */
const sym *extract_warp(extract *x, uint32_t user)
{
    if (!x->wp) {
        const sym *wp = sym_c(&x->c->syms, "wp");
        const value v = {.kind = VALUE_WARP, .s = sym_c(&x->c->syms, "warp")};
        const uint32_t scope = x->scope;
        x->scope = NO_PIECE;
        bind(x, wp, &v, piece_new(x, PIECE_IMPORT, NULL, STR("import warp as wp\n")), user);
        x->scope = scope;
        return wp;
    }
    for (uint32_t i = 0; i < x->names.n; i++)
        if (x->names.v[i].name == x->wp && x->names.v[i].scope == NO_PIECE)
            piece_need(x, user, x->names.v[i].piece);
    return x->wp;
}

/* typing.Any, which needs an import of its own. NULL: the name is another value's, and it fails. */
const sym *extract_any(extract *x, uint32_t user)
{
    const sym *any = sym_c(&x->c->syms, "Any");
    const value v = {.kind = VALUE_TYPE, .type = type_scalar(x->c, TYPE_ANY)};
    const uint32_t scope = x->scope;
    x->scope = NO_PIECE;
    uint32_t piece = bound(x, any, &v);
    if (piece == NO_PIECE)
        piece = piece_new(x, PIECE_IMPORT, NULL, STR("from typing import Any\n"));
    const bool good = piece != NO_PIECE && bind(x, any, &v, piece, user);
    x->scope = scope;
    return good ? any : NULL;
}

/* `name` is bound by `piece`, or is a second name of what that defines as `own`. */
static void bind_as(extract *x, const sym *name, const sym *own, const value *v, uint32_t piece,
                    uint32_t user)
{
    if (piece == NO_PIECE || x->why)
        return;
    own = extract_visible(x, &piece, own, name, v);
    const bool is_here = x->pieces.v[piece].owner == x->scope;
    if (!is_here && name == own) {
        piece_need(x, user, piece);
        return;
    }
    if (is_here && (!bind(x, own, v, piece, name == own ? user : piece) || name == own))
        return;
    const str text = extract_text(x, "%s = %s\n", name->s, own->s);
    const uint32_t alias = piece_new(x, PIECE_LINE, NULL, text);
    if (alias == NO_PIECE)
        return;
    piece_need(x, alias, piece);
    bind(x, name, v, alias, user);
}

static void bind_name(extract *x, const namespace *env, const sym *name, uint32_t user);

/* --- imports --------------------------------------------------------------------------------- */

/* The piece that binds the name by this very import; NO_PIECE: none does. Of what weft does not
 * evaluate, the text alone tells whether two modules import the same. */
static uint32_t known_import(const extract *x, const sym *name, str text)
{
    for (uint32_t i = 0; i < x->names.n; i++) {
        const bound_name *b = &x->names.v[i];
        if (b->name == name && b->scope == x->scope && b->piece != NO_PIECE &&
            x->pieces.v[b->piece].kind == PIECE_IMPORT && str_eq(x->pieces.v[b->piece].text, text))
            return b->piece;
    }
    return NO_PIECE;
}

/* An import of what is no file of the program: Warp, and Python's own modules. */
static bool bind_import(extract *x, const module *m, const binding_search *s, uint32_t i,
                        const value *v, uint32_t user)
{
    const ast_alias *a = AST(alias, s->found[i]);
    str text;
    if (s->from[i]->kind == AST_Import) {
        text = a->asname ? extract_text(x, "import %s as %s\n", a->name->s, a->asname->s)
                         : extract_text(x, "import %s\n", a->name->s);
    } else {
        const sym *from = origin_dotted(m, AST(ImportFrom, s->from[i]));
        if (!from)
            return false;
        const sym *what = strcmp(a->name->s, "*") == 0 ? s->name : a->name;
        text = what == s->name
                   ? extract_text(x, "from %s import %s\n", from->s, what->s)
                   : extract_text(x, "from %s import %s as %s\n", from->s, what->s, s->name->s);
    }
    const uint32_t known = known_import(x, s->name, text);
    return bind(x, s->name, v, known == NO_PIECE ? piece_new(x, PIECE_IMPORT, NULL, text) : known,
                user);
}

/* `from typing import Final`, `from warp._src.types import Any`: the import stands in the text as
 * it is. Only annotations use the one, and the other is there wherever Warp is. */
static bool is_there(const module *m, const binding_search *s, uint32_t i)
{
    const sym *from =
        s->from[i]->kind == AST_ImportFrom ? origin_dotted(m, AST(ImportFrom, s->from[i])) : NULL;
    return from && (strcmp(from->s, "typing") == 0 || strncmp(from->s, "warp.", 5) == 0);
}

/* The module of the program that an alias of `from M import ...` names; NULL: M is no file. */
static const module *imported_module(const module *m, const binding_search *s, uint32_t i)
{
    if (s->from[i]->kind != AST_ImportFrom)
        return NULL;
    const sym *from = origin_dotted(m, AST(ImportFrom, s->from[i]));
    return from ? origin_loaded(m, from) : NULL;
}

/* Follows `from M import name` to the module that defines it. */
static bool bind_imported(extract *x, const module *m, const binding_search *s, uint32_t i,
                          const value *v, uint32_t user)
{
    const module *home = imported_module(m, s, i);
    if (!home || home == m)
        return false;
    const bool star = strcmp(AST(alias, s->found[i])->name->s, "*") == 0;
    const sym *name = star ? s->name : AST(alias, s->found[i])->name;
    const value *own = origin_own(module_scope(home), name);
    if (!own || !is_same(own, v))
        return false;
    if (name == s->name) {
        bind_name(x, module_scope(home), name, user);
        return true;
    }
    const str text = extract_text(x, "%s = %s\n", s->name->s, name->s);
    const uint32_t alias = piece_new(x, PIECE_LINE, NULL, text);
    if (alias == NO_PIECE)
        return true;
    bind_name(x, module_scope(home), name, alias);
    return bind(x, s->name, v, alias, user);
}

/* --- constants ------------------------------------------------------------------------------- */

/* Does an expression consist of literals, names, and calls of warp's? Then its own text says more
 * than its value. */
typedef struct plainness {
    extract *x;
    const namespace *env;
    bool plain;
} plainness;

static void look_plain(void *arg, const node *n)
{
    plainness *p = arg;
    value v;
    switch (n->kind) {
    case AST_Name:
        if (!env_lookup(p->env, AST(Name, n)->id, &v) &&
            !warp_or_python_name(p->x->c, AST(Name, n)->id, &v))
            p->plain = false;
        else if (v.kind == VALUE_UNKNOWN || v.kind == VALUE_PYFUNC || v.kind == VALUE_OBJECT ||
                 v.kind == VALUE_MODULE || v.kind == VALUE_CLASS)
            p->plain = false;
        return;
    case AST_Lambda:
    case AST_ListComp:
    case AST_DictComp:
    case AST_SetComp:
    case AST_GeneratorExp:
    case AST_JoinedStr: p->plain = false; return;
    default: ast_each_child(n, look_plain, p);
    }
}

/* Such a statement is copied; of others the value is written, since their names may stand for code
 * that cannot be. */
static bool is_plain(extract *x, const namespace *env, const node *expression)
{
    plainness p = {x, env, true};
    look_plain(&p, expression);
    return p.plain;
}

/* `NAME = value`; false: the value has no expression. */
static bool bind_value(extract *x, const sym *name, const value *v, uint32_t user)
{
    strbuf b;
    const uint32_t piece = piece_new(x, PIECE_LINE, NULL, STR(""));
    if (piece == NO_PIECE)
        return true;
    sb_init(&b, &x->c->mem);
    sb_c(&b, name->s);
    SB_LIT(&b, " = ");
    const bool good = extract_put_value(x, &b, v, piece);
    SB_LIT(&b, "\n");
    if (good) {
        x->pieces.v[piece].text = (str){arena_dup(&x->c->module, b.p, b.n), b.n};
        bind(x, name, v, piece, user);
    }
    sb_clear(&b);
    return good;
}

/* The statement itself, and what it uses. */
static void bind_statement(extract *x, const module *m, const node *n, const sym *name,
                           const value *v, uint32_t user)
{
    const uint32_t known = piece_find(x, n);
    if (known != NO_PIECE) {
        bind(x, name, v, known, user);
        return;
    }
    const str text = extract_lines(x, module_source(m), n->line, n->end_line, n->col);
    const uint32_t piece = piece_new(x, PIECE_LINE, n, text);
    if (piece == NO_PIECE || !bind(x, name, v, piece, user))
        return;
    extract_scan(x, n, module_scope(m), piece);
}

static const node *assigned(const node *n)
{
    return n->kind == AST_Assign      ? AST(Assign, n)->value
           : n->kind == AST_AnnAssign ? AST(AnnAssign, n)->value
                                      : NULL;
}

/* One plain statement is copied; else the value is written. */
static void bind_assigned(extract *x, const module *m, const binding_search *s, const value *v,
                          uint32_t user)
{
    const node *right = s->n ? assigned(s->found[s->n - 1]) : NULL;
    const bool alone = s->n == 1 && !s->nested && !s->other && right;
    if (alone && is_plain(x, module_scope(m), right)) {
        bind_statement(x, m, s->found[0], s->name, v, user);
        return;
    }
    if (bind_value(x, s->name, v, user) || x->why)
        return;
    if (s->n == 1 && right)
        bind_statement(x, m, s->found[0], s->name, v, user);
    else
        extract_fail(x, "the value of '%s' cannot be written as Python", s->name->s);
}

/* --- names ----------------------------------------------------------------------------------- */

/* Forgets `from M import *` where M has no such name, and of a module that was not read where
 * another statement binds the name. */
static void drop_stars(const module *m, binding_search *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const bool star = s->from[i] && strcmp(AST(alias, s->found[i])->name->s, "*") == 0;
        const module *home = star ? imported_module(m, s, i) : NULL;
        if (star && (home ? !origin_own(module_scope(home), s->name) : s->n > 1))
            continue;
        s->from[n] = s->from[i];
        s->found[n++] = s->found[i];
    }
    s->n = n;
}

/* Does an expression call anything but what makes a type for annotations? */
static void look_for_calls(void *arg, const node *n)
{
    static const char *const makers[] = {"TypeVar", "ParamSpec", "NewType"};
    bool *other = arg;
    if (n->kind == AST_Call) {
        const node *f = AST(Call, n)->func;
        const char *name = f->kind == AST_Name        ? AST(Name, f)->id->s
                           : f->kind == AST_Attribute ? AST(Attribute, f)->attr->s
                                                      : "";
        *other = *other || !STR_IS_IN(str_c(name), makers);
    }
    ast_each_child(n, look_for_calls, arg);
}

/* `F = TypeVar("F")`, `Axis = int | str`: weft has no value for these, and no text depends on one.
 * A statement that may compute something is not copied: it might read a file, say. */
static bool is_for_annotations(const node *statement)
{
    bool other = !assigned(statement);
    ast_each_child(statement, look_for_calls, &other);
    return !other;
}

/* Names that are defined by a statement of the module itself, or imported. */
static void bind_by_statement(extract *x, const module *m, const sym *name, const value *v,
                              uint32_t user)
{
    binding_search s = {.name = name};
    if (module_tree(m))
        ast_each_child(&module_tree(m)->base, search, &s);
    drop_stars(m, &s);
    for (uint32_t i = s.n; i-- > 0;)
        if (s.from[i] && bind_imported(x, m, &s, i, v, user))
            return;
    bool is_imported = s.n > 0;
    for (uint32_t i = 0; i < s.n; i++)
        is_imported = is_imported && s.from[i];
    for (uint32_t i = 0; is_imported && i < s.n; i++)
        if (!imported_module(m, &s, i)) {
            if (v->kind == VALUE_UNKNOWN && !is_there(m, &s, i))
                extract_fail(x, "it uses '%s': %s", name->s, v->why);
            else
                bind_import(x, m, &s, i, v, user);
            return;
        }
    if (v->kind != VALUE_UNKNOWN)
        bind_assigned(x, m, &s, v, user);
    else if (s.n == 1 && !s.nested && !s.other && is_for_annotations(s.found[0]))
        bind_statement(x, m, s.found[0], s.name, v, user);
    else
        extract_fail(x, "it uses '%s': %s", name->s, v->why);
}

/* A struct is bound by its class statement. */
static void bind_struct(extract *x, const sym *name, const value *v, uint32_t user)
{
    bind_as(x, name, v->type->st->name, v, extract_struct(x, v->type), user);
}

/* A name of a function: its value, without the statements that found it. */
static void bind_in_call(extract *x, const sym *name, const value *v, uint32_t user)
{
    if (v->kind == VALUE_UNKNOWN) {
        extract_fail(x, "it uses '%s': %s", name->s, v->why);
    } else if (v->kind == VALUE_WARP && strcmp(v->s->s, "warp") == 0) {
        const uint32_t piece = piece_new(x, PIECE_LINE, NULL, STR(""));
        if (piece == NO_PIECE)
            return;
        x->pieces.v[piece].text = extract_text(x, "%s = %s\n", name->s, extract_warp(x, piece)->s);
        if (x->wp == name) /* `wp = wp` in a function reads its own name */
            x->pieces.v[piece].text = STR("");
        bind(x, name, v, piece, user);
    } else if (!bind_value(x, name, v, user)) {
        extract_fail(x, "the value of '%s' cannot be written as Python", name->s);
    }
}

/* typing.override: Python 3.11, for one, has none to import, and typing_extensions may be missing.
 */
static void bind_override(extract *x, const sym *name, const value *v, uint32_t user)
{
    const str text = extract_text(x, "def %s(method):\n    return method\n", name->s);
    bind(x, name, v, piece_new(x, PIECE_BLOCK, NULL, text), user);
}

/* Definitions become pieces of their own; other values keep the statement that made them. */
static void bind_known(extract *x, const namespace *env, const sym *name, const value *v,
                       uint32_t user)
{
    const module *m = scope_module(env);
    const namespace *where = NULL;
    const module *home = NULL;
    const ast_FunctionDef *def = origin_function(v, &where);
    if (v->kind == VALUE_FUNC) {
        const func *f = v->p;
        bind_as(x, name, f->code.name, v, extract_func(x, f), user);
    } else if (v->kind == VALUE_TYPE && v->type->kind == TYPE_STRUCT) {
        bind_struct(x, name, v, user);
    } else if (v->kind == VALUE_CLASS && origin_class(v->ns, &home)) {
        bind_as(x, name, origin_class(v->ns, &home)->name, v, extract_class(x, v->ns), user);
    } else if (def) {
        bind_as(x, name, def->name, v, extract_def(x, def, where), user);
    } else if (v->kind == VALUE_MODULE) {
        extract_fail(x, "the module '%s' is used as a value", name->s);
    } else if (v->kind == VALUE_KERNEL) {
        extract_fail(x, "it uses the kernel '%s'", name->s);
    } else if (v->kind == VALUE_SPECIAL && strcmp(v->s->s, "override") == 0) {
        bind_override(x, name, v, user);
    } else if (x->scope != NO_PIECE) {
        bind_in_call(x, name, v, user);
    } else {
        bind_by_statement(x, m, name, v, user);
    }
}

/* Names that no module defines are Python's or Warp's own. */
static void bind_name(extract *x, const namespace *env, const sym *name, uint32_t user)
{
    value v;
    const uint32_t before = x->scope;
    if (x->why || !env_lookup(env, name, &v))
        return;
    x->scope = extract_scope_of(x, env, name);
    const uint32_t known = bound(x, name, &v);
    if (known != NO_PIECE) {
        piece_need(x, user, known);
    } else if (x->depth >= EXTRACT_DEPTH) {
        extract_fail(x, "its definitions use each other too deeply");
    } else if (!x->why) {
        x->depth++;
        bind_known(x, env, name, &v, user);
        x->depth--;
    }
    x->scope = before;
}

/* --- attributes ------------------------------------------------------------------------------ */

/* One class stands for all uses of the name; members are added as they are met. */
uint32_t extract_scope(extract *x, const sym *root, const value *v, uint32_t user)
{
    uint32_t piece = bound(x, root, v);
    if (piece == NO_PIECE) {
        piece = piece_new(x, PIECE_SCOPE, NULL, STR(""));
        if (piece == NO_PIECE)
            return piece;
        x->pieces.v[piece].name = root;
    }
    return bind(x, root, v, piece, user) ? piece : NO_PIECE;
}

/* The first one of a name stays: both say the same. */
void extract_add_member(extract *x, uint32_t piece, scope_member m)
{
    text_piece *p = &x->pieces.v[piece];
    for (uint32_t i = 0; i < p->members.n; i++)
        if (p->members.v[i].name == m.name && str_eq(p->members.v[i].path, m.path))
            return;
    VEC_PUSH(&x->c->module, &p->members, m);
}

/* `name = name` for what the module defines, `name = value` for a constant. */
static void add_attribute(extract *x, uint32_t piece, str path, const namespace *home,
                          const sym *name, const value *v)
{
    strbuf b;
    scope_member m = {.path = path, .name = name};
    if (value_is_number(v)) {
        sb_init(&b, &x->c->mem);
        if (extract_put_value(x, &b, v, piece))
            m.text = extract_text(x, "%s = %s\n", name->s, sb_cstr(&b));
        sb_clear(&b);
    }
    if (!m.text.n && home) {
        bind_name(x, home, name, piece);
        m.text = extract_text(x, "%s = %s\n", name->s, name->s);
    } else if (!m.text.n) {
        sb_init(&b, &x->c->mem);
        if (extract_put_value(x, &b, v, piece))
            m.text = extract_text(x, "%s = %s\n", name->s, sb_cstr(&b));
        else
            extract_fail(x, "the attribute '%s' cannot be written as Python", name->s);
        sb_clear(&b);
    }
    if (!x->why)
        extract_add_member(x, piece, m);
}

/* A statement of a class body, for an attribute of a plain class. False: none binds it. */
static bool add_class_member(extract *x, uint32_t piece, str path, const namespace *ns,
                             const sym *name)
{
    const module *m = NULL;
    const ast_ClassDef *cls = origin_class(ns, &m);
    binding_search s = {.name = name};
    for (uint32_t i = 0; cls && i < cls->body.n; i++)
        search(&s, cls->body.v[i]);
    const node *n = s.n ? s.found[0] : NULL;
    if (!n || s.from[0])
        return false;
    uint32_t first = n->line;
    if (n->kind == AST_FunctionDef && AST(FunctionDef, n)->decorator_list.n)
        first = AST(FunctionDef, n)->decorator_list.v[0]->line;
    if (n->kind == AST_ClassDef && AST(ClassDef, n)->decorator_list.n)
        first = AST(ClassDef, n)->decorator_list.v[0]->line;
    extract_add_member(
        x, piece,
        (scope_member){.path = path,
                       .name = name,
                       .text = extract_lines(x, module_source(m), first, n->end_line, n->col),
                       .line = first});
    if (n->kind == AST_FunctionDef)
        extract_scan_def(x, AST(FunctionDef, n), ns, piece);
    else
        extract_scan(x, n, ns, piece);
    return true;
}

/* Is it looked into for attributes? Enums, structs and what Warp has are bound whole. */
static bool is_scope(const value *v)
{
    return v->kind == VALUE_MODULE || (v->kind == VALUE_OBJECT && !origin_is_enum(v->ns)) ||
           (v->kind == VALUE_CLASS && !origin_is_enum(v->ns));
}

static void bind_attributes(extract *x, const sym *root, value v, const sym *const *path,
                            uint32_t n, uint32_t user);

/* A class of a module stands beside the module's scope, since its functions are named after it and
 * not after the module. Returns false if its name is not known.
 *
 *     tools.Box.size     class Box: ...
 *                        class tools:
 *                            Box = Box */
static bool bind_class(extract *x, uint32_t piece, str between, const sym *alias, const value *cls,
                       const sym *const *path, uint32_t n)
{
    const module *m = NULL;
    const ast_ClassDef *def = origin_class(cls->ns, &m);
    if (!def)
        return false;
    bind_attributes(x, def->name, *cls, path, n, piece);
    const str text = extract_text(x, "%s = %s\n", alias->s, def->name->s);
    if (!x->why)
        extract_add_member(x, piece, (scope_member){.path = between, .name = alias, .text = text});
    return true;
}

/* root.path[0]...: root is a value that is looked into. */
static void bind_attributes(extract *x, const sym *root, value v, const sym *const *path,
                            uint32_t n, uint32_t user)
{
    value next;
    const uint32_t piece = extract_scope(x, root, &v, user);
    str between = STR("");
    for (uint32_t i = 0; piece != NO_PIECE && i < n; i++) {
        if (!value_getattr(x->c, &v, path[i], &next))
            return; /* as in a branch that is never compiled */
        if (!is_scope(&next) || i + 1 == n) {
            if (v.kind == VALUE_CLASS && add_class_member(x, piece, between, v.ns, path[i]))
                return;
            add_attribute(x, piece, between, v.kind == VALUE_MODULE ? v.ns : NULL, path[i], &next);
            return;
        }
        if (v.kind == VALUE_MODULE && next.kind == VALUE_CLASS &&
            bind_class(x, piece, between, path[i], &next, path + i + 1, n - i - 1))
            return;
        between = between.n ? extract_text(x, "%.*s.%s", (int)between.n, between.p, path[i]->s)
                            : sym_str(path[i]);
        v = next;
    }
}

void extract_bind_path(extract *x, const namespace *env, const sym *root, const sym *const *path,
                       uint32_t n, uint32_t user)
{
    value v;
    if (!n || !env_lookup(env, root, &v) || !is_scope(&v)) {
        bind_name(x, env, root, user);
        return;
    }
    const uint32_t before = x->scope;
    x->scope = extract_scope_of(x, env, root);
    if (!x->why)
        bind_attributes(x, root, v, path, n, user);
    x->scope = before;
}

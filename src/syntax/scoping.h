/* SPDX-License-Identifier: Apache-2.0 */
/* The errors that CPython 3.11 finds when it compiles a tree that its parser has accepted: those of
 * its future.c, symtable.c and compile.c. Example:
 *
 *     def f(x):
 *         global x      '"x" is a parameter and cannot be declared global'
 *         return x
 *
 * scoping_walk.c visits the tree once, in the order of symtable.c, with one `scope` for each block
 * that has names of its own; scoping_expr.c has its expressions. scoping_names.c remembers what
 * each scope does to each name, scoping_pattern.c checks the patterns of a match statement. CPython
 * compiles in several passes and stops at the first error. So that the same one is reported, an
 * error says which pass finds it (scoping_pass). */
#ifndef WEFT_SYNTAX_SCOPING_H
#define WEFT_SYNTAX_SCOPING_H

#include "base/ctx.h"
#include "syntax/ast.h"

/* Checks a tree. False: CPython refuses it, and the error is in c->diags. declares: there may be a
 * global or nonlocal statement in it; without one it does not matter where names are used. */
bool scoping_check(ctx *c, const source *src, const ast_Module *m, bool declares);

/* ---- shared by the files of the pass ---- */

typedef enum scoping_kind {
    SCOPE_MODULE,
    SCOPE_CLASS,
    SCOPE_ANNOTATION, /* one that is not evaluated: from __future__ import annotations */
    SCOPE_FUNCTION,   /* from here on, what CPython calls a function block */
    SCOPE_ASYNC,
    SCOPE_LAMBDA,
    SCOPE_COMPREHENSION
} scoping_kind;

/* What a scope does to a name; the flags DEF_... and USE of symtable.c. */
enum {
    NAME_USED = 1,
    NAME_ASSIGNED = 2, /* also by def, class, for, with, except, del, case */
    NAME_PARAMETER = 4,
    NAME_IMPORTED = 8,
    NAME_ANNOTATED = 16,
    NAME_GLOBAL = 32,
    NAME_NONLOCAL = 64,
    NAME_ITERATED = 128, /* by a for clause of the scope, which is a comprehension */
    NAME_BOUND = NAME_ASSIGNED | NAME_PARAMETER | NAME_IMPORTED
};

/* The statements around the current one, in its scope: what `break` and `return` have to leave. */
typedef struct scoping_blocks {
    uint8_t depth;        /* CPython's count of blocks */
    bool in_loop;         /* `break` finds a loop */
    bool star_first;      /* ... but has to leave an except* block before */
    bool in_star_handler; /* `return` has to leave an except* block */
} scoping_blocks;

typedef struct scope {
    struct scope *outer;
    const sym *class_name;    /* of the innermost class, for private names; NULL: none */
    const node *value_return; /* a `return` with a value; NULL: none so far */
    uint32_t number;          /* in order of their beginnings */
    uint32_t in_iterable;     /* the iterables of comprehensions that are open */
    scoping_kind kind;
    scoping_blocks blocks;
    bool in_target; /* of a for clause */
    bool awaits;    /* it is a coroutine */
    bool yields;    /* it is a generator */
} scope;

/* What is remembered of a name in a scope: an open hash table with the two as key. */
typedef struct scoping_name {
    const sym *name; /* NULL: the slot is free */
    uint32_t scope, flags;
} scoping_name;

/* A `global` or `nonlocal` of a name: a statement, or ":=" in a comprehension. */
typedef struct scoping_directive {
    const scope *in;
    const sym *name;
    const node *at;
} scoping_directive;

/* The passes of CPython, in their order. */
typedef enum scoping_pass {
    PASS_FUTURE,
    PASS_NAMES,
    PASS_ANALYSIS,
    PASS_COMPILE,
    PASS_COUNT
} scoping_pass;

/* An error. The arguments are those of the row in diag.def, NULL where it has fewer. */
typedef struct scoping_error {
    scoping_pass pass; /* PASS_COUNT: there is none */
    uint64_t order;    /* the least one is reported of those of one pass */
    span at;
    diag_id id;
    const char *args[2];
} scoping_error;

typedef struct scoping_walk {
    ctx *c;
    const source *src;
    scope *in;
    scoping_error error; /* the one to report, of those found so far */
    scoping_name *names; /* nslots, a power of two */
    uint32_t nslots, nnames;
    uint32_t nscopes;
    bool notes_uses;           /* NAME_USED is kept */
    uint32_t not_compiled;     /* annotations around that CPython does not compile */
    uint32_t future_line;      /* of the last `from __future__ import` at the beginning */
    bool future_annotations;   /* one of them names annotations */
    const sym *debug, *super_; /* the names with a meaning of their own; NULL: not in the file */
    VEC(scoping_directive) directives;
} scoping_walk;

/* scoping_walk.c */
void scoping_visit(scoping_walk *w, const node *n);
/* NULLs in the list are skipped. */
void scoping_visit_list(scoping_walk *w, node_list list);
void scoping_visit_children(scoping_walk *w, const node *n);
void scoping_visit_lambda(scoping_walk *w, const ast_Lambda *n);
/* Begins a scope; it stays until the end of the pass. w->in = s->outer ends it. */
scope *scoping_enter(scoping_walk *w, scoping_kind kind);

/* Is the current scope what CPython calls a function block? */
static inline bool scoping_in_function(const scoping_walk *w)
{
    return w->in->kind >= SCOPE_FUNCTION;
}

/* scoping_expr.c */
/* A node that is no statement. */
void scoping_visit_expression(scoping_walk *w, const node *n);
/* Elements that may be starred: of calls, class heads, tuples, lists and sets. */
void scoping_visit_elements(scoping_walk *w, node_list elements);
/* The keywords of a call or class head. */
void scoping_visit_keywords(scoping_walk *w, node_list keywords);

/* scoping_names.c */
void scoping_names_init(scoping_walk *w);
/* What a set (a scope's number) knows of a name, to read or to add to; 0 if nothing. */
uint32_t scoping_flags(const scoping_walk *w, uint32_t set, const sym *name);
/* Adds flags to it; returns those that were there. */
uint32_t scoping_add_flags(scoping_walk *w, uint32_t set, const sym *name, uint32_t flags);
/* The current scope does this to a name, at a node or (for a parameter) at its beginning. */
void scoping_define(scoping_walk *w, const sym *name, uint32_t flags, const node *at);
/* A `global` (NAME_GLOBAL) or `nonlocal` (NAME_NONLOCAL) statement. */
void scoping_declare(scoping_walk *w, const sym_list *names, uint32_t flag, const node *at);
/* `x: T` of a plain name; simple: it is not in parentheses. */
void scoping_annotate(scoping_walk *w, const ast_AnnAssign *n, const ast_Name *target);
/* The target of ":=" in the current scope. */
void scoping_named_target(scoping_walk *w, const ast_Name *target, const node *at);
/* After all scopes: every `nonlocal` needs a variable of a function around it. */
void scoping_analyze(scoping_walk *w);
/* Notes an error at a node; `width` columns of its first line are underlined, 0: all of it. */
void scoping_refuse(scoping_walk *w, scoping_pass pass, const node *at, uint32_t width, diag_id id,
                    const char *arg, const char *arg2);
/* The same of an error that CPython's compile.c finds. */
#define SCOPING_REFUSE(w, at, id) scoping_refuse(w, PASS_COMPILE, at, 0, DIAG_##id, NULL, NULL)
/* `__debug__` can be no target. */
void scoping_check_target(scoping_walk *w, const sym *name, const node *at);

/* scoping_pattern.c */
/* The patterns of all cases, whose names the walk defines. */
void scoping_check_patterns(scoping_walk *w, const ast_Match *m);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions that are raised while a module is evaluated, for certain or maybe, and what takes
 * them. */
#ifndef WEFT_SEMA_CATCHER_H
#define WEFT_SEMA_CATCHER_H

#include "sema/module.h"

typedef struct py_class py_class;
typedef struct evaluator evaluator;

/* The type of an exception: one of Python's, or a class of the program; neither: not known. */
typedef struct exception {
    const char *name;
    const py_class *cls;
} exception;

/* What may take exceptions while the body of a statement runs (exceptions.c). */
typedef struct catcher {
    struct catcher *outer;  /* around it; NULL: none */
    const exception *types; /* that it takes */
    uint32_t ntypes;
    /* An exception may have been raised that may come to it: x, unless there were several. */
    bool is_unsure;
    exception x;
    bool passes; /* one may have been raised that goes on to an outer catcher */
} catcher;

exception exception_of(const char *name); /* needs: it is one of Python's */
bool is_exception(const sym *name);       /* is it one of Python's? */
exception exception_named(evaluator *e, const node *n);
/* The exception that is one of both. */
exception exception_either(const exception *a, const exception *b);
/* Does a handler of these types, or a catcher, take x? 1, 0, or -1 where that is not known. */
int exceptions_have(evaluator *e, const exception *types, uint32_t n, const exception *x);
int catcher_takes(evaluator *e, const catcher *k, const exception *x);
/* What is left of x, which may be of k, behind it: one that is not known may be SystemExit, which
 * `except Exception` does not take. */
exception exception_rest(const catcher *k, const exception *x);
/* x is raised here: for certain, or maybe. What follows does not run then, or in "maybe" mode. It
 * has no effect where nothing around could take it. */
void raise_exception(evaluator *e, exception x);
void may_raise(evaluator *e, exception x);
void may_raise_any(evaluator *e);
/* The same where no evaluator is at hand. The value is unknown; `name` is one of Python's
 * exceptions (NULL: any). */
value raises(ctx *c, const char *name, const char *why);
void may_raise_named(ctx *c, const char *name);
/* Something ended that may not run: what it raised may be raised. */
void branch_ended(evaluator *e);

#endif

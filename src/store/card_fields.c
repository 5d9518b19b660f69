/* The fields of a data set's records, as the card explains them and as `datasets` wants them typed:
 * columns that hold only null in the first rows would else get no type. */
#include "store/manifest.h"

typedef enum field_type { STRING, INT, FLOAT, BOOL, NAMES, INTS, STRUCT, LIST } field_type;
typedef enum field_when {
    ALWAYS,
    CUDA,
    CPU,
    CUDA_ADJOINT,
    CPU_ADJOINT,
    PAIR,
    CUDA_PAIR,
    CPU_PAIR,
    CHAT,
    REPAIR,
    REPAIR_PAIR,
    PTX,
    PTX_ADJOINT,
    PTX_OF_TEXTS,
    PTX_OF_PROGRAM,
    PROGRAM
} field_when;

typedef struct card_field {
    uint32_t depth;
    const char *name;
    field_type type;
    field_when when;
    const char *what;
} card_field;

static const card_field fields[] = {
#define FIELD(depth, name, type, when, what) {depth, name, type, when, what},
#include "store/card_field.def"
#undef FIELD
};

enum { FIELDS = sizeof fields / sizeof *fields, DEPTH = 4 };

static bool is_there(const card_field *f, const record_options *o)
{
    const bool cuda = o->devices & EMIT_FOR_CUDA, cpu = o->devices & EMIT_FOR_CPU;
    const bool programs = o->format == STORE_STANDALONE;
    const bool pair = o->style == RECORD_PAIR && !programs, repair = o->job == RECORD_REPAIR;
    switch (f->when) {
    case CUDA: return cuda && !programs;
    case CPU: return cpu;
    case CUDA_ADJOINT: return cuda && !programs && !o->no_backward;
    case CPU_ADJOINT: return cpu && !o->no_backward;
    case PAIR: return pair;
    case CUDA_PAIR: return cuda && pair;
    case CPU_PAIR: return cpu && pair;
    case CHAT: return o->style == RECORD_MESSAGES;
    case PROGRAM: return programs;
    case REPAIR: return repair;
    case REPAIR_PAIR: return repair && pair;
    case PTX: return o->with_ptx;
    case PTX_OF_TEXTS: return o->with_ptx && !programs;
    case PTX_OF_PROGRAM: return o->with_ptx && programs;
    case PTX_ADJOINT: return o->with_ptx && !o->no_backward;
    default: return true;
    }
}

/* "  - name: id\n    dtype: string\n", fields of structs and lists further in. */
void card_put_features(strbuf *b, const record_options *o)
{
    static const char *const types[] = {
        [STRING] = "dtype: string", [INT] = "dtype: int64", [FLOAT] = "dtype: float64",
        [BOOL] = "dtype: bool",     [INTS] = "list: int64", [NAMES] = "list: string",
        [STRUCT] = "struct:",       [LIST] = "list:"};
    SB_LIT(b, "dataset_info:\n  features:\n");
    for (uint32_t i = 0; i < FIELDS; i++) {
        if (!is_there(&fields[i], o))
            continue;
        sb_repeat(b, ' ', 2 + 2 * fields[i].depth);
        SB_LIT(b, "- name: ");
        sb_c(b, fields[i].name);
        SB_LIT(b, "\n");
        sb_repeat(b, ' ', 4 + 2 * fields[i].depth);
        sb_c(b, types[fields[i].type]);
        SB_LIT(b, "\n");
    }
}

/* A table, a field a row, with the names of those that it belongs to. */
void card_put_fields(strbuf *b, const record_options *o)
{
    static const char *const types[] = {
        [STRING] = "text",        [INT] = "whole number",     [FLOAT] = "number or null",
        [BOOL] = "true or false", [INTS] = "list of numbers", [NAMES] = "list of texts",
        [STRUCT] = "object",      [LIST] = "list of objects"};
    const char *above[DEPTH] = {0};
    SB_LIT(b, "## Fields\n\n| field | type | meaning |\n|---|---|---|\n");
    for (uint32_t i = 0; i < FIELDS; i++) {
        const card_field *f = &fields[i];
        above[f->depth] = f->name;
        if (!is_there(f, o))
            continue;
        SB_LIT(b, "| `");
        for (uint32_t d = 0; d < f->depth; d++) {
            sb_c(b, above[d]);
            SB_LIT(b, ".");
        }
        sb_c(b, f->name);
        SB_LIT(b, "` | ");
        sb_c(b, types[f->type]);
        SB_LIT(b, " | ");
        sb_c(b, f->what);
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\nEvery row has the same keys; numbers are finite; texts are UTF-8.\n\n");
}

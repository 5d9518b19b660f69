/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts the patterns of ir_op.def into pieces, once per emitter, for emit_stmt.c:
 *
 *     "$0 = $1($2..);"   ->   {"", 0} {" = ", 1} {"(", 2, rest} {");", end}
 *
 * A pattern that has more pieces, or longer ones, than an emit_piece can hold fails an assertion.
 */
#include "base/assert.h"
#include "emit/emitter.h"

static const char *const patterns[IR_OP_COUNT] = {
#define OP(name, operands, pattern) [IR_##name] = pattern,
#define OP_SPECIAL(name, operands)
#include "ir/ir_op.def"
#undef OP
#undef OP_SPECIAL
};

/* Cuts one pattern. '$' and a digit is an operand, ".." behind it stands for all from there on. */
static void cut(emit_piece *piece, const char *p)
{
    const emit_piece *end = piece + PIECES_PER_OP;
    for (;; piece++) {
        WEFT_ASSERT(piece < end);
        (void)end;
        const size_t len = strcspn(p, "$");
        WEFT_ASSERT(len <= PIECE_TEXT);
        *piece = (emit_piece){.len = (uint8_t)len, .operand = PIECE_END};
        memcpy(piece->text, p, len);
        if (!p[len])
            return;
        piece->operand = (uint8_t)(p[len + 1] - '0');
        p += len + 2;
        if (p[0] == '.' && p[1] == '.') {
            piece->rest = true;
            p += 2;
        }
    }
}

/* Operations without a pattern (OP_SPECIAL) have an empty one; emit_stmt prints them itself. */
void emit_compile_patterns(emitter *e)
{
    for (uint32_t op = 0; op < IR_OP_COUNT; op++)
        cut(e->pieces[op], patterns[op] ? patterns[op] : "");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* `#line` directives, which map C++ to the lines of Python for debuggers and profilers (Warp 1.19
 * Adjoint.get_line_directive). A module has them with the option lineinfo, and in debug mode:
 *
 *     #line 7 "/home/me/saxpy.py"
 *         var_4 = wp::mul(var_a, var_3);
 */
#include "emit/emitter.h"

/* Warp 1.19 _escape_line_directive_filename. */
static void put_escaped(strbuf *out, const char *path)
{
    for (const char *c = path; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (*c == '"')
            SB_LIT(out, "\\\"");
        else if (*c == '\\')
            sb_char(out, '/');
        else if (*c == '\n')
            SB_LIT(out, "\\n");
        else if (*c == '\r')
            SB_LIT(out, "\\r");
        else if (*c == '\t')
            SB_LIT(out, "\\t");
        else if (byte < 32 || byte == 127)
            sb_printf(out, "\\%03o", byte);
        else
            sb_char(out, *c);
    }
}

void emit_line_directive(strbuf *out, const ir_unit *u, uint32_t line)
{
    if (!line)
        return;
    WEFT_ASSERT(u->line_directives);
    const source *src = u->code->src;
    SB_LIT(out, "#line ");
    sb_uint(out, line);
    SB_LIT(out, " \"");
    put_escaped(out, src->place ? src->place : src->path);
    SB_LIT(out, "\"\n");
}

void emit_def_directive(strbuf *out, const ir_unit *u)
{
    if (u->line_directives)
        emit_line_directive(out, u, u->code->def->base.line - u->code->first_line + u->first_line);
}

void emit_lined(strbuf *out, const ir_unit *u, const char *text)
{
    if (!u->line_directives) {
        sb_c(out, text);
        return;
    }
    while (*text) {
        const char *end = strchr(text, '\n') + 1, *first = text + strspn(text, " ");
        if (*first != '\n' && *first != '{' && *first != '/')
            emit_def_directive(out, u);
        sb_put(out, text, (size_t)(end - text));
        text = end;
    }
}

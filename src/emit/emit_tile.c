/* SPDX-License-Identifier: Apache-2.0 */
/* What tiles add to the text: adjoint variables, template parameters of functions, and the members
 * and helpers of structs that tiles hold (Warp 1.19 tile_struct_member_ops_template and
 * tile_struct_helpers_template). Examples:
 *
 *     wp::tile_shared_t<...>& adj_3 = var_3;        a shared tile holds its gradient itself
 *     wp::tile_register_t<...> adj_3{};             a register tile's is another tile
 *     template<typename tile_x>                     a function with a tile parameter x */
#include "emit/emitter.h"

/* A tile or a tile stack: both are declared and passed alike. */
bool emit_is_tile(const type *t)
{
    return t->kind == TYPE_TILE || t->kind == TYPE_STACK;
}

/* The declaration of a tile variable's adjoint. */
void emit_tile_dual(strbuf *out, const type *t, str label)
{
    WEFT_ASSERT(emit_is_tile(t));
    const bool shared = t->kind == TYPE_TILE && t->shared;
    sb_str(out, t->cname);
    sb_c(out, shared ? "& adj_" : " adj_");
    sb_str(out, label);
    if (shared) {
        SB_LIT(out, " = var_");
        sb_str(out, label);
    } else if (t->kind == TYPE_TILE) {
        SB_LIT(out, "{}");
    }
    sb_char(out, ';');
}

/* "template<typename tile_x>": any storage of the tile may be passed. */
void emit_tile_template(strbuf *out, const ir_unit *u)
{
    bool any = false;
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        if (!emit_is_tile(v->type))
            continue;
        sb_c(out, any ? ", typename tile_" : "template<typename tile_");
        sb_str(out, ir_param_name(u, i));
        /* All parameters of tiles share one list. */
        any = true;
    }
    if (any)
        SB_LIT(out, ">\n");
}

void emit_tile_param(strbuf *out, bool *first, const ir_unit *u, uint32_t i, const char *before,
                     str name)
{
    WEFT_ASSERT(emit_is_tile(emit_param(u, i)->type));
    emit_separator(out, first);
    SB_LIT(out, "tile_");
    emit_str(out, ir_param_name(u, i));
    sb_c(out, before);
    emit_str(out, name);
}

/* Is t the struct, or a struct that contains it? */
static bool holds(const type *t, const struct_def *st)
{
    if (t->kind != TYPE_STRUCT)
        return false;
    if (t->st == st)
        return true;
    for (uint32_t i = 0; i < t->st->nfields; i++)
        if (holds(t->st->fields[i].type, st))
            return true;
    return false;
}

/* Does some tile of the unit hold the struct, or a struct that contains it? */
bool emit_unit_tiles_struct(const ir_unit *u, const struct_def *st)
{
    for (uint32_t i = 0; i < u->declared.n; i++) {
        const type *t = type_strip_ref(u->vars.v[u->declared.v[i]].type);
        if (emit_is_tile(t) && holds(t->elem, st))
            return true;
    }
    return false;
}

/* The form once per field; accumulated_only: of those that take part in sums. */
static void put_fields(strbuf *out, const struct_def *st, const char *form, bool accumulated_only)
{
    for (uint32_t i = 0; i < st->nfields; i++)
        if (!accumulated_only || emit_accumulates(&st->fields[i]))
            emit_named(out, form, sym_str(st->fields[i].name));
}

/* operator -= and the unary minus. */
void emit_struct_tile_members(strbuf *out, const struct_def *st)
{
    emit_named(out, "\n\n    CUDA_CALLABLE @& operator -= (const @& rhs)\n    {", st->native_name);
    put_fields(out, st, "    @ -= rhs.@;\n", true);
    emit_named(out,
               "\n        return *this;}\n\n    CUDA_CALLABLE @ operator - () const\n    {\n"
               "        @ ret = *this;\n",
               st->native_name);
    put_fields(out, st, "    ret.@ = -ret.@;\n", true);
    SB_LIT(out, "\n        return ret;\n    }\n");
}

/* One line per field of the atomic add that returns the old value: "old.x = wp::atomic_add(&p->x,
 * t.x);". Fields that take no part in sums are only read. */
static void put_atomic_fields(strbuf *out, const struct_def *st)
{
    for (uint32_t i = 0; i < st->nfields; i++) {
        const type *t = st->fields[i].type;
        const char *form = "    old.@ = p->@;\n";
        if (t->kind != TYPE_ARRAY && emit_accumulates(&st->fields[i]))
            form = emit_lives_in_wp(t) ? "    old.@ = wp::atomic_add(&p->@, t.@);\n"
                                       : "    old.@ = atomic_add(&p->@, t.@);\n";
        emit_named(out, form, sym_str(st->fields[i].name));
    }
}

/* One line per field of warp_shuffle_down or warp_shuffle_xor. A field that cannot be shuffled is
 * copied. */
static void put_shuffles(strbuf *out, const struct_def *st, bool down)
{
    for (uint32_t i = 0; i < st->nfields; i++) {
        const type *t = st->fields[i].type;
        /* Fixed arrays have no shuffle; other arrays are descriptors, which have. */
        const bool plain_array = t->kind == TYPE_ARRAY && t->array_class != ARRAY_FIXED;
        str name = sym_str(st->fields[i].name);
        const bool is_value = type_is_value(t) && !st->fields[i].is_handle;
        if (!plain_array && !is_value && t->kind != TYPE_STRUCT) {
            emit_named(out, "    ret.@ = val.@;\n", name);
            continue;
        }
        emit_named(out, "    ret.@ = ", name);
        sb_c(out, t->kind == TYPE_STRUCT ? "" : "wp::");
        sb_c(out, down ? "warp_shuffle_down" : "warp_shuffle_xor");
        emit_named(out, "(val.@, ", name);
        sb_c(out, down ? "offset, mask);\n" : "lane_mask);\n");
    }
}

/* Functions that tile.h finds by the type of their arguments. */
static void put_tile_arithmetic(strbuf *out, str name)
{
    WEFT_ASSERT(name.n > 0);
    emit_named(out,
               "\n// Required by tile templates. The overloads are found by ADL when tile.h is\n"
               "// instantiated with a generated struct type.\n"
               "CUDA_CALLABLE void adj_add(const @& a, const @& b, @& adj_a, @& adj_b, const @& "
               "adj_ret)\n{\n    adj_a += adj_ret;\n    adj_b += adj_ret;\n}\n\n"
               "CUDA_CALLABLE @ sub(const @& a, const @& b)\n{\n    @ ret = a;\n    ret -= b;\n"
               "    return ret;\n}\n\n"
               "CUDA_CALLABLE void adj_sub(const @& a, const @& b, @& adj_a, @& adj_b, const @& "
               "adj_ret)\n{\n    adj_a += adj_ret;\n    adj_b -= adj_ret;\n}\n\n"
               "CUDA_CALLABLE @ atomic_add(@* p, @ t)\n{\n    @ old {};\n",
               name);
}

/* Behind the struct: sums, atomic operations and shuffles. */
void emit_struct_tile_helpers(strbuf *out, const struct_def *st)
{
    put_tile_arithmetic(out, st->native_name);
    put_atomic_fields(out, st);
    emit_named(out,
               "\n    return old;\n}\n\n"
               "CUDA_CALLABLE @ tile_atomic_add_value(@* p, @ t)\n{\n    return atomic_add(p, t);\n"
               "}\n\nCUDA_CALLABLE @ tile_adj_atomic_add_value(@* p, @ t)\n{\n"
               "    // Tile adjoint struct atomics accumulate only for side effects; callers\n"
               "    // currently ignore the returned old value, so avoid a second atomic here.\n"
               "    @ old {};\n    adj_atomic_add(p, t);\n    return old;\n}\n\n"
               "#if defined(__CUDA_ARCH__)\n"
               "CUDA_CALLABLE @ warp_shuffle_down(@ val, int offset, int mask)\n{\n"
               "    @ ret {};\n",
               st->native_name);
    /* Shuffles exist on the device alone. */
    put_shuffles(out, st, true);
    emit_named(out,
               "\n    return ret;\n}\n\n"
               "CUDA_CALLABLE @ warp_shuffle_xor(@ val, int lane_mask)\n{\n    @ ret {};\n",
               st->native_name);
    put_shuffles(out, st, false);
    SB_LIT(out, "\n    return ret;\n}\n#endif\n");
}

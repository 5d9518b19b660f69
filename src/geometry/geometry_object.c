/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of a context, by their ids.
 *
 *     first object   1        second object   2        0 names none */
#include "geometry/geometry_internal.h"

uint64_t geometry_add(ctx *c, geometry_object object)
{
    WEFT_ASSERT(object.grid || object.tree || object.mesh || object.volume || object.texture);
    if (!c->geometry)
        c->geometry = ARENA_NEW(&c->module, geometry_set);
    VEC_PUSH(&c->module, &c->geometry->objects, object);
    if (object.volume)
        VEC_PUSH(&c->module, &c->geometry->volumes, object.volume);
    return c->geometry->objects.n;
}

geometry_object geometry_find(const ctx *c, uint64_t id)
{
    if (!c->geometry || id == 0 || id > c->geometry->objects.n)
        return (geometry_object){0};
    return c->geometry->objects.v[id - 1];
}

bool geometry_tree_of(const ctx *c, uint64_t id, geometry_tree *out)
{
    const geometry_object o = geometry_find(c, id);
    const bvh *t = o.mesh ? o.mesh->tree : o.tree;
    if (!t)
        return false;
    *out = (geometry_tree){t->lowers, t->uppers, t->primitives, t->n, t->nnodes, t->nodes};
    return true;
}

float geometry_mesh_edge(const ctx *c, uint64_t id)
{
    const mesh *m = geometry_find(c, id).mesh;
    return m ? m->edge : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of the family of rotations, in the order in which they build on each other. No guard:
 * see arith_template.h. */
#include "arith/body_rotation.h"

#include "arith/body_quat.h"
#include "arith/body_quat_angle.h"
#include "arith/body_quat_matrix.h"
#include "arith/body_spatial.h"
#include "arith/body_transform.h"

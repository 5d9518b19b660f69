/* SPDX-License-Identifier: Apache-2.0 */
/* The version of Warp whose text weft writes. weft's own version is WEFT_VERSION, given by the
 * build. */
#ifndef WEFT_BASE_VERSION_H
#define WEFT_BASE_VERSION_H

#define WARP_VERSION "1.19.0"

#endif

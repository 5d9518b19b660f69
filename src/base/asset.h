/* SPDX-License-Identifier: Apache-2.0 */
/* The files of assets/ as bytes in the program: assets/report.js is asset_report_js.
 * cmake/embed.cmake writes the definitions at build time; a new file needs a line in CMakeLists.txt
 * and one here. */
#ifndef WEFT_BASE_ASSET_H
#define WEFT_BASE_ASSET_H

#include "base/str.h"

extern const str asset_report_css, asset_report_js;     /* of the page of `weft report` */
extern const str asset_cuda_on_cpu_h;                   /* what --cpu-shim writes */
extern const str asset_geometry_cuh, asset_mesh_cuh;    /* of programs of their own */
extern const str asset_texture_cuh;                     /* the same */
extern const str asset_triangles_cuh, asset_volume_cuh; /* the same */
extern const str asset_diagnostics_txt;                 /* what weft explain prints */

#endif

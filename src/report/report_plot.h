/* SPDX-License-Identifier: Apache-2.0 */
/* Plots as inline SVG. Each is a figure with a title, axes with units, and words for those who do
 * not see it; colours come from the page's style. */
#ifndef WEFT_REPORT_REPORT_PLOT_H
#define WEFT_REPORT_REPORT_PLOT_H

#include "base/vec.h"
#include "report/html.h"

/* A row of a plot of bars. */
typedef struct plot_bar {
    str label;        /* any text; long ones are cut in the plot */
    uint64_t n;       /* its count, which is the bar's length */
    const char *kind; /* a class of assets/report.css that colours the bar, or NULL */
} plot_bar;

typedef VEC(plot_bar) plot_bars;

/* Lying bars, a row each; shares are of `of`, and left out if it is 0. */
void plot_put_bars(strbuf *b, const char *title, const char *axis, const plot_bars *bars,
                   uint64_t of);

/* Bin i counts the values from first + i * step up to the next bin. */
typedef struct plot_histogram {
    const char *title, *x, *y; /* x, y: names of the axes, with their units */
    const uint64_t *bins;      /* n counts */
    uint32_t n;
    double first, step; /* the first bin begins at `first`; each is so wide */
    bool whole;         /* bins stand for whole numbers from `first` on, not for ranges */
    double mark;        /* a line there, with its name; none if `mark_name` is NULL */
    const char *mark_name;
    const char *note; /* a further sentence, or NULL */
} plot_histogram;

/* Bins from left to right, with ticks at round numbers. */
void plot_put_histogram(strbuf *b, const plot_histogram *h);

/* A table of counts as a heat map: cells[row * columns + column]. */
enum { HEAT_NONE = -1 }; /* there is no such thing: no cell */
typedef struct plot_heat {
    const char *title, *rows_name; /* rows_name: not drawn */
    const str *rows, *columns;     /* names: nrows and ncolumns of them */
    uint32_t nrows, ncolumns;
    const int64_t *cells; /* row by row: a count, or HEAT_NONE */
} plot_heat;

void plot_put_heat(strbuf *b, const plot_heat *h);

#endif

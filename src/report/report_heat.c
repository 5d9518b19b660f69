/* SPDX-License-Identifier: Apache-2.0 */
/* Heat maps: a cell for each pair of names, darker for more records. A pair that is possible and
 * did not come has a crossed cell; an impossible one has none.
 *
 *     row "sin", column "float64", 1 record   ->   <g><title>sin, float64: 1</title>
 *                                                  <rect class="h1" .../></g>
 *
 * The scale is logarithmic, one shade for each power of ten up to 100,000, because the counts of a
 * data set range from one record to nearly all. Colour is not the only sign: each cell's title has
 * its count. */
#include "report/report_plot.h"

/* In pixels: the side of a cell, the width reckoned for a character; and the number of shades. */
enum { CELL = 18, CHAR = 8, STEPS = 6 };

/* 0 for none, then 1 to STEPS: 1, 10, 100, ... records. */
static int shade(int64_t n)
{
    int s = 0;
    for (; n > 0 && s < STEPS; n /= 10)
        s++;
    return s;
}

/* The width that the longest name needs, cut at 40 characters. */
static double room(const str *names, uint32_t n)
{
    size_t most = 3;
    for (uint32_t i = 0; i < n; i++)
        if (names[i].n > most)
            most = names[i].n;
    return (double)(most < 40 ? most : 40) * CHAR + 12;
}

/* HEAT_NONE: there can be no such pair, and no cell is drawn. */
static void put_cell(strbuf *b, const plot_heat *h, uint32_t row, uint32_t column, double left,
                     double top)
{
    const int64_t n = h->cells[row * h->ncolumns + column];
    WEFT_ASSERT(row < h->nrows && column < h->ncolumns && n >= HEAT_NONE);
    const double x = left + (double)column * CELL, y = top + (double)row * CELL;
    if (n == HEAT_NONE)
        return;
    sb_printf(b, "<g><title>");
    html_text(b, h->rows[row]);
    if (h->columns[column].n) {
        SB_LIT(b, ", ");
        html_text(b, h->columns[column]);
    }
    SB_LIT(b, ": ");
    html_count(b, (uint64_t)n);
    sb_printf(b, "</title><rect class=\"h%d\" x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\"/>",
              shade(n), x + 1, y + 1, CELL - 2, CELL - 2);
    if (!n)
        sb_printf(b, "<path class=\"never\" d=\"M%.0f %.0fl8 8m0-8l-8 8\"/>", x + 5, y + 5);
    SB_LIT(b, "</g>");
}

/* Names of columns run upwards above the cells, those of rows stand left of them; (left, top) is
 * the corner of the first cell. */
static void put_names(strbuf *b, const plot_heat *h, double left, double top)
{
    for (uint32_t i = 0; i < h->ncolumns; i++) {
        sb_printf(b, "\n<text class=\"start\" transform=\"translate(%.0f %.0f) rotate(-90)\">",
                  left + (double)i * CELL + 13, top - 6);
        html_text(b, h->columns[i]);
        SB_LIT(b, "</text>");
    }
    for (uint32_t i = 0; i < h->nrows; i++) {
        sb_printf(b, "\n<text class=\"label\" x=\"%.0f\" y=\"%.0f\">", left - 6,
                  top + (double)i * CELL + 13);
        html_text(b, h->rows[i]);
        SB_LIT(b, "</text>");
    }
}

/* A small cell of each shade with the counts that it stands for. */
static void put_legend(strbuf *b)
{
    SB_LIT(b, "<p class=\"legend\">records: ");
    static const char *const names[STEPS + 1] = {"none",   "1 to 9",  "10+",     "100+",
                                                 "1,000+", "10,000+", "100,000+"};
    for (int i = 0; i <= STEPS; i++) {
        sb_printf(b,
                  "<span><svg class=\"key\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><rect "
                  "class=\"h%d\" x=\"1\" y=\"1\" width=\"14\" height=\"14\"/>%s</svg> ",
                  i, i ? "" : "<path class=\"never\" d=\"M4 4l8 8m0-8l-8 8\"/>");
        sb_c(b, names[i]);
        SB_LIT(b, "</span> ");
    }
    SB_LIT(b, "</p>");
}

/* Drawn in its natural size within a box that scrolls: a map of all types is wider than a screen,
 * and scaled down its names could not be read. */
void plot_put_heat(strbuf *b, const plot_heat *h)
{
    WEFT_ASSERT(h->nrows && h->ncolumns && h->cells);
    const double left = room(h->rows, h->nrows), top = room(h->columns, h->ncolumns);
    const double width = left + (double)h->ncolumns * CELL + 4;
    const double height = top + (double)h->nrows * CELL + 4;
    SB_LIT(b, "<figure class=\"plot heat\"><figcaption>");
    html_c(b, h->title);
    SB_LIT(b, "</figcaption>");
    put_legend(b);
    sb_printf(b,
              "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"heat map, can be "
              "scrolled\"><svg width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
              "role=\"img\" aria-label=\"",
              width, height, width, height);
    html_c(b, h->title);
    SB_LIT(b, "\">");
    put_names(b, h, left, top);
    for (uint32_t row = 0; row < h->nrows; row++)
        for (uint32_t column = 0; column < h->ncolumns; column++)
            put_cell(b, h, row, column, left, top);
    SB_LIT(b, "</svg></div></figure>\n");
}

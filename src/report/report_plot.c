/* SPDX-License-Identifier: Apache-2.0 */
/* Bars and histograms as SVG.
 *
 *     {"1", 21}, {"2", 9} of 30   ->
 *
 *     <g><title>1: 21</title><text class="label" x="34.4" y="15.0">1</text>
 *     <rect class="bar " x="42.4" y="4.0" width="313.6" height="14"/>
 *     <text class="value" x="362.0" y="15.0">21 <tspan class="share">70.0 %</tspan></text></g>
 *
 * and the same for the second row, above an axis with ticks at 0, 10 and 20.
 *
 * Coordinates are those of a view of fixed width, so that text stays readable on a phone, where the
 * view is hardly scaled. */
#include "report/report_plot.h"

/* Units of the view across; ticks of an axis, the first one at 0 included. */
enum { WIDTH = 460, TICKS = 5 };

#define CHARACTER 7.6 /* the mean width of the widest usual font */

/* The least of 1, 2, 5, 10, 20, ... of which `most` steps reach x: 10 for (21, 4). */
static double nice_step(double x, int most)
{
    WEFT_ASSERT(most > 0);
    double step = 1;
    while (step * most < x) {
        if (step * 2 * most >= x)
            return step * 2;
        if (step * 5 * most >= x)
            return step * 5;
        step *= 10;
    }
    return step;
}

/* A number in little room: 1500, 25k, 3M. */
static void put_tick_label(strbuf *b, double x)
{
    if (x >= 1e6)
        sb_printf(b, "%.6gM", x / 1e6);
    else if (x >= 1e4)
        sb_printf(b, "%.6gk", x / 1e3);
    else
        sb_printf(b, "%.6g", x);
}

/* Opens the figure with its title, which is also what screen readers read out for the drawing. Ends
 * within the attribute aria-label, to which the caller may add words before it writes `">`. */
static void open_figure(strbuf *b, const char *title, double height)
{
    SB_LIT(b, "<figure class=\"plot\"><figcaption>");
    html_c(b, title);
    sb_printf(b, "</figcaption>\n<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", WIDTH,
              height);
    html_c(b, title);
}

/* Ends what open_figure began; `note` is a sentence below the plot, or NULL. */
static void close_figure(strbuf *b, const char *note)
{
    SB_LIT(b, "</svg>");
    if (note) {
        SB_LIT(b, "<p class=\"note\">");
        html_c(b, note);
        SB_LIT(b, "</p>");
    }
    SB_LIT(b, "</figure>\n");
}

static void put_line(strbuf *b, const char *kind, double x1, double y1, double x2, double y2)
{
    sb_printf(b, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", kind, x1,
              y1, x2, y2);
}

static void open_text(strbuf *b, const char *kind, double x, double y)
{
    sb_printf(b, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", kind, x, y);
}

static void put_text(strbuf *b, const char *kind, double x, double y, const char *text)
{
    open_text(b, kind, x, y);
    html_c(b, text);
    SB_LIT(b, "</text>");
}

/* --- lying bars ---------------------------------------------------------------------------- */

/* Heights of a row, of its bar and of the axis; room for count and share; characters of a label. */
enum { ROW = 22, BAR = 14, AXIS = 38, VALUES = 104, LABEL_MOST = 28 };

/* Code points of UTF-8: bytes that continue no other. */
static size_t characters(str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return n;
}

/* Long labels are cut; the whole one is in the title. */
static void put_label(strbuf *b, str s)
{
    size_t n = 0, at = 0;
    while (at < s.n && (n < LABEL_MOST || ((unsigned char)s.p[at] & 0xc0) == 0x80))
        n += ((unsigned char)s.p[at++] & 0xc0) != 0x80;
    html_text(b, (str){s.p, at});
    if (at < s.n)
        SB_LIT(b, "\xe2\x80\xa6");
}

/* SVG does not measure text, so room is reckoned by characters. */
static double label_room(const plot_bars *bars)
{
    size_t n = 4;
    for (uint32_t i = 0; i < bars->n; i++)
        if (characters(bars->v[i].label) > n)
            n = characters(bars->v[i].label);
    return (double)(n < LABEL_MOST ? n : LABEL_MOST + 1) * CHARACTER + 12;
}

/* One row: label left of `left`, bar from there, count and share (of `of`; 0: none) behind the bar.
 * The title, which browsers show and screen readers read, has the whole label. */
static void put_bar(strbuf *b, const plot_bar *bar, double left, double y, double width,
                    uint64_t of)
{
    SB_LIT(b, "\n<g><title>");
    html_text(b, bar->label);
    SB_LIT(b, ": ");
    html_count(b, bar->n);
    SB_LIT(b, "</title>");
    open_text(b, "label", left - 8, y + BAR - 3);
    put_label(b, bar->label);
    sb_printf(b, "</text><rect class=\"bar %s\"", bar->kind ? bar->kind : "");
    html_place(b, "x", left);
    html_place(b, "y", y);
    html_place(b, "width", width);
    sb_printf(b, " height=\"%d\"/>", BAR);
    open_text(b, "value", left + width + 6, y + BAR - 3);
    html_count(b, bar->n);
    if (of) {
        SB_LIT(b, " <tspan class=\"share\">");
        html_share(b, bar->n, of);
        SB_LIT(b, "</tspan>");
    }
    SB_LIT(b, "</text></g>");
}

/* The longest bar takes all the room that labels and counts leave. */
void plot_put_bars(strbuf *b, const char *title, const char *axis, const plot_bars *bars,
                   uint64_t of)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < bars->n; i++)
        if (bars->v[i].n > most)
            most = bars->v[i].n;
    const double left = label_room(bars), room = WIDTH - left - (of ? VALUES : VALUES - 44);
    const double bottom = (double)bars->n * ROW + 4;
    const double step = nice_step((double)most, TICKS - 1), scale = room / (double)most;
    open_figure(b, title, bottom + AXIS);
    SB_LIT(b, "\">");
    for (double x = 0; x <= (double)most; x += step) {
        put_line(b, x > 0 ? "grid" : "axis", left + x * scale, 0, left + x * scale, bottom);
        open_text(b, "tick", left + x * scale, bottom + 14);
        put_tick_label(b, x);
        SB_LIT(b, "</text>");
    }
    for (uint32_t i = 0; i < bars->n; i++)
        put_bar(b, &bars->v[i], left, (double)i * ROW + 4, (double)bars->v[i].n * scale, of);
    put_text(b, "name", left + room / 2, bottom + 31, axis);
    close_figure(b, NULL);
}

/* --- histograms ---------------------------------------------------------------------------- */

/* Margins around the bins, and the height of the largest bin. */
enum { LEFT = 52, TOP = 18, HEIGHT = 190, RIGHT = 12 };

/* The x coordinate of a value: the bins together take the width between the margins. */
static double x_of(const plot_histogram *h, double value)
{
    WEFT_ASSERT(h->step > 0);
    const double span = h->step * (h->n ? h->n : 1);
    return LEFT + (value - h->first) / span * (WIDTH - LEFT - RIGHT);
}

/* Horizontal lines at round counts up to the largest bin, and the axis' name, turned upwards. */
static void put_y_axis(strbuf *b, const plot_histogram *h, uint64_t most)
{
    WEFT_ASSERT(most);
    const double step = nice_step((double)most, TICKS - 1);
    for (double y = 0; y <= (double)most; y += step) {
        const double at = TOP + HEIGHT - y / (double)most * HEIGHT;
        put_line(b, y > 0 ? "grid" : "axis", LEFT, at, WIDTH - RIGHT, at);
        open_text(b, "label", LEFT - 6, at + 4);
        put_tick_label(b, y);
        SB_LIT(b, "</text>");
    }
    sb_printf(b, "<text class=\"name\" transform=\"translate(12 %d) rotate(-90)\">",
              TOP + HEIGHT / 2);
    html_c(b, h->y);
    SB_LIT(b, "</text>");
}

/* Ticks at round numbers. Where bins stand for whole numbers, a tick is in the middle of its bin.
 */
static void put_x_axis(strbuf *b, const plot_histogram *h)
{
    const double end = h->first + h->step * h->n - (h->whole ? h->step : 0);
    const double step = nice_step(end - h->first, 9), half = h->whole ? h->step / 2 : 0;
    double x = 0;
    while (x < h->first)
        x += step;
    for (; x <= end; x += step) {
        open_text(b, "tick", x_of(h, x + half), TOP + HEIGHT + 16);
        put_tick_label(b, x);
        SB_LIT(b, "</text>");
    }
    put_text(b, "name", LEFT + (WIDTH - LEFT - RIGHT) / 2.0, TOP + HEIGHT + 34, h->x);
}

/* A bin, with its range and count as title. Where there are many, the gap between two is narrower.
 */
static void put_bin(strbuf *b, const plot_histogram *h, uint32_t i, uint64_t most)
{
    WEFT_ASSERT(i < h->n && h->bins[i] <= most);
    const double low = h->first + h->step * i, gap = h->n > 60 ? 0.2 : 1;
    const double x = x_of(h, low), width = x_of(h, low + h->step) - x;
    const double height = (double)h->bins[i] / (double)most * HEIGHT;
    SB_LIT(b, "\n<rect class=\"bar\"");
    html_place(b, "x", x + gap / 2);
    html_place(b, "y", TOP + HEIGHT - height);
    html_place(b, "width", width > gap ? width - gap : width);
    html_place(b, "height", height);
    SB_LIT(b, "><title>");
    if (h->whole && h->step <= 1)
        sb_printf(b, "%.6g: ", low);
    else
        sb_printf(b, "%.6g to %.6g: ", low, low + h->step - (h->whole ? 1 : 0));
    html_count(b, h->bins[i]);
    SB_LIT(b, "</title></rect>");
}

/* The name of the mark stands right of its line, or left of it near the right edge. */
void plot_put_histogram(strbuf *b, const plot_histogram *h)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < h->n; i++)
        if (h->bins[i] > most)
            most = h->bins[i];
    open_figure(b, h->title, TOP + HEIGHT + 44);
    SB_LIT(b, "\">");
    put_y_axis(b, h, most);
    for (uint32_t i = 0; i < h->n; i++)
        if (h->bins[i])
            put_bin(b, h, i, most);
    put_x_axis(b, h);
    if (h->mark_name) {
        const double x = x_of(h, h->mark + (h->whole ? h->step / 2 : 0));
        put_line(b, "mark", x, TOP - 4, x, TOP + HEIGHT);
        put_text(b, x > WIDTH - 90 ? "marked end" : "marked", x + (x > WIDTH - 90 ? -4 : 4),
                 TOP + 4, h->mark_name);
    }
    close_figure(b, h->note);
}

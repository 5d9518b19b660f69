/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of long work: a bar on a terminal, ten times a second at most; else a line every ten
 * seconds, so that logs of batch jobs stay short.
 *
 *     [##########----------] 20000 / 40000 pairs, 7134 pairs/s, 3 s left, 92.5 % of tries pass
 *
 * and, where there is room, why the others are made anew. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/format.h"
#include "cli/reporter.h"

static const double every_line = 10.0, every_bar = 0.1; /* seconds */

/* Text of a line; what does not fit is left out. */
typedef struct line {
    char text[512];
    size_t n;
} line;

static void add(line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(line *l, const char *fmt, ...)
{
    va_list ap;
    WEFT_ASSERT(l->n < sizeof l->text);
    va_start(ap, fmt);
    l->n += format_text_v(l->text + l->n, sizeof l->text - l->n, fmt, ap);
    va_end(ap);
    if (l->n >= sizeof l->text)
        l->n = sizeof l->text - 1;
}

/* Two units at most: "95 s", "12 min 30 s", "3 h 5 min". */
static void add_time(line *l, double left)
{
    const unsigned long long s = (unsigned long long)(left + 0.5);
    if (s < 100)
        add(l, ", %llu s left", s);
    else if (s < 6000)
        add(l, ", %llu min %llu s left", s / 60, s % 60);
    else
        add(l, ", %llu h %llu min left", s / 3600, s / 60 % 60);
}

/* The share of candidates that passed execution, and why others were made anew, in the words of the
 * summary. */
static void add_refused(line *l, const weft_progress *p)
{
    if (p->verified > p->failed)
        add(l, ", %.1f %% of tries pass",
            100.0 * (double)(p->verified - p->failed) / (double)p->verified);
    for (size_t i = 0; i < p->refused_count; i++)
        add(l, "%s%s %llu", i ? ", " : ", made anew: ", p->refused[i].name,
            (unsigned long long)p->refused[i].records);
}

/* Time left stands early, as a narrow terminal cuts the end off. */
static void add_figures(line *l, const reporter *t, const weft_progress *p, const char *unit,
                        double now)
{
    WEFT_ASSERT(p->kept <= p->done && p->done <= p->total);
    const uint64_t made = p->done - p->kept;
    const double rate = now > t->start ? (double)made / (now - t->start) : 0;
    add(l, "%llu / %llu %s", (unsigned long long)p->done, (unsigned long long)p->total, unit);
    if (made && rate > 0) {
        add(l, ", %.*f %s/s", rate < 10 ? 1 : 0, rate, unit);
        add_time(l, (double)(p->total - p->done) / rate);
    }
    add_refused(l, p);
}

/* How much of a line fits: up to a comma, so that no number is cut short. */
static size_t cut_at(const line *l, size_t room)
{
    size_t n = room;
    if (l->n <= room)
        return l->n;
    while (n && l->text[n] != ',')
        n--;
    return n ? n : room;
}

/* 80 where the terminal does not say. */
static size_t columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        return size.ws_col;
    return 80;
}

/* One column stays free: a full line would make some terminals go on to the next. Where "20000 /
 * 40000 pairs" does not fit behind the bar, it stands alone. */
static void draw_bar(reporter *t, const weft_progress *p, const char *unit, double now)
{
    enum { WIDTH = 20 };
    line bar = {.n = 0}, l = {.n = 0}, most = {.n = 0};
    const int full = p->total ? (int)((double)p->done / (double)p->total * WIDTH) : WIDTH;
    size_t room = columns() - 1;
    WEFT_ASSERT(full >= 0 && full <= WIDTH);
    add_figures(&l, t, p, unit, now);
    add(&bar, "[%.*s%.*s] ", full, "####################", WIDTH - full, "--------------------");
    add(&most, "%llu / %llu %s", (unsigned long long)p->total, (unsigned long long)p->total, unit);
    if (bar.n + most.n > room)
        bar.text[bar.n = 0] = 0;
    room -= bar.n;
    fprintf(stderr, "\r%s%.*s\033[K", bar.text, (int)cut_at(&l, room), l.text);
    t->drawn = true;
}

static void print_line(const reporter *t, const weft_progress *p, const char *unit, double now)
{
    line l = {.n = 0};
    add_figures(&l, t, p, unit, now);
    fprintf(stderr, "weft: %s\n", l.text);
}

/* The clock of the rate starts with the first new unit, so that pairs kept by --resume do not
 * count. Returns 1 after an interrupt, which ends the run. */
static int show(reporter *t, const weft_progress *p, const char *unit)
{
    if (cli_interrupted())
        return 1;
    if (t->quiet)
        return 0;
    const double now = clock_seconds();
    if (p->done <= p->kept || t->start == 0) /* what an earlier run made says nothing of the rate */
        t->start = now;
    if (t->last == 0)
        t->last = now;
    if (now - t->last < (t->terminal ? every_bar : every_line))
        return 0;
    t->last = now;
    if (t->terminal)
        draw_bar(t, p, unit, now);
    else
        print_line(t, p, unit, now);
    return 0;
}

/* weft_callbacks.progress of generate and merge. */
int reporter_pairs(void *arg, const weft_progress *p)
{
    return show(arg, p, "pairs");
}

/* weft_callbacks.progress of collect, while it searches for files, too. */
int reporter_files(void *arg, const weft_progress *p)
{
    if (p->total)
        return show(arg, p, "files");
    reporter_search(arg, p->done, "found", 0);
    return cli_interrupted();
}

/* weft_run_options.progress. An interrupt ends the run by the context's switch. */
void reporter_threads(void *arg, uint64_t done, uint64_t total)
{
    (void)show(arg, &(weft_progress){.done = done, .total = total}, "threads");
}

/* Only on a terminal: such commands print diagnostics on stderr, for programs, too. Nothing is
 * drawn for work that ends at once. */
static bool is_time_to_draw(reporter *t)
{
    if (!t->terminal || t->quiet)
        return false;
    const double now = clock_seconds();
    if (t->start == 0)
        t->start = t->last = now;
    if (now - t->last < every_bar)
        return false;
    t->last = now;
    return true;
}

/* Redraws the only line that there is. */
static void draw_line(reporter *t, const line *l)
{
    fprintf(stderr, "\r%.*s\033[K", (int)cut_at(l, columns() - 1), l->text);
    t->drawn = true;
}

void reporter_search(reporter *t, uint64_t files, const char *what, uint64_t folders)
{
    line l = {.n = 0};
    if (!is_time_to_draw(t))
        return;
    add(&l, "%llu file%s %s", (unsigned long long)files, plural_s(files), what);
    if (folders)
        add(&l, ", %llu folder%s searched", (unsigned long long)folders, plural_s(folders));
    draw_line(t, &l);
}

void reporter_sources(reporter *t, uint64_t done, uint64_t total)
{
    if (is_time_to_draw(t))
        draw_bar(t, &(weft_progress){.done = done, .total = total}, "files", t->last);
}

void reporter_count(reporter *t, uint64_t records, const char *what)
{
    line l = {.n = 0};
    if (!is_time_to_draw(t))
        return;
    add(&l, "%llu record%s %s", (unsigned long long)records, plural_s(records), what);
    draw_line(t, &l);
}

int reporter_records(void *arg, const weft_progress *p)
{
    reporter_count(arg, p->done, "read");
    return cli_interrupted();
}

void reporter_end(reporter *t)
{
    if (t->drawn)
        fputs("\r\033[K", stderr);
    t->drawn = false;
}

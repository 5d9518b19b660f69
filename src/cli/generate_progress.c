/* Progress: a bar on a terminal, else a line every ten seconds. */
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/format.h"
#include "cli/cli.h"
#include "cli/generate.h"
#include "store/stats.h"

static const double every_line = 10.0, every_bar = 0.1;

/* Text of a line; what does not fit is left out. */
typedef struct line {
    char text[512];
    size_t n;
} line;

static void add(line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(line *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    l->n += format_text_v(l->text + l->n, sizeof l->text - l->n, fmt, ap);
    va_end(ap);
    if (l->n >= sizeof l->text)
        l->n = sizeof l->text - 1;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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

/* Candidates that were executed and did not pass: the others were refused before, or for a
 * structure that is there already. */
static uint64_t failed_to_verify(const store_stats *s)
{
    static const stats_rejection others[] = {STATS_REJECT_COMPILE,  STATS_REJECT_SIZE,
                                             STATS_REJECT_EXCLUDED, STATS_REJECT_DUPLICATE,
                                             STATS_REJECT_NEAR,     STATS_REJECT_DEFECT};
    uint64_t n = stats_rejected(s);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        n -= s->rejected[others[i]];
    return n;
}

static void add_rejections(line *l, const progress *p, const store_stats *s)
{
    const uint64_t good =
        stats_records(s) + s->rejected[STATS_REJECT_DUPLICATE] + s->rejected[STATS_REJECT_NEAR];
    const char *before = ", rejected: ";
    if (!p->o->no_verify && good)
        add(l, ", %.1f %% verified", 100.0 * (double)good / (double)(good + failed_to_verify(s)));
    for (uint32_t i = 0; i < STATS_REJECTIONS; i++) {
        if (!s->rejected[i])
            continue;
        add(l, "%s%s %llu", before, stats_rejection_name(i), (unsigned long long)s->rejected[i]);
        before = ", ";
    }
}

/* Time left stands early, as a narrow terminal cuts the end off. */
static void add_figures(line *l, const progress *p, const make_progress *d, double now)
{
    const store_outcome *r = d->result;
    const uint64_t made = d->done - r->kept;
    const double rate = now > p->start ? (double)made / (now - p->start) : 0;
    add(l, "%llu / %llu pairs", (unsigned long long)d->done, (unsigned long long)r->rows);
    if (made && rate > 0) {
        add(l, ", %.0f pairs/s", rate);
        add_time(l, (double)(r->rows - d->done) / rate);
    }
    add_rejections(l, p, &r->stats);
}

static size_t columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        return size.ws_col;
    return 80;
}

static void draw_bar(progress *p, const make_progress *d, double now)
{
    enum { WIDTH = 20 };
    line l = {.n = 0};
    const uint64_t rows = d->result->rows;
    const int full = rows ? (int)((double)d->done / (double)rows * WIDTH) : WIDTH;
    const size_t room = columns() - 1;
    add(&l, "[%.*s%.*s] ", full, "####################", WIDTH - full, "--------------------");
    add_figures(&l, p, d, now);
    fprintf(stderr, "\r%.*s\033[K", (int)(l.n < room ? l.n : room), l.text);
    p->drawn = true;
}

static void print_line(const progress *p, const make_progress *d, double now)
{
    line l = {.n = 0};
    add_figures(&l, p, d, now);
    fprintf(stderr, "weft: %s\n", l.text);
}

void progress_start(progress *p, const record_options *o, bool quiet)
{
    *p = (progress){.o = o, .shown = !quiet, .terminal = isatty(STDERR_FILENO) != 0};
    p->start = p->last = seconds();
}

bool progress_step(void *arg, const make_progress *d)
{
    progress *p = arg;
    if (cli_interrupted())
        return false;
    if (!p->shown)
        return true;
    const double now = seconds();
    if (d->done <= d->result->kept) /* what an earlier run made says nothing of the rate */
        p->start = now;
    if (now - p->last < (p->terminal ? every_bar : every_line))
        return true;
    p->last = now;
    if (p->terminal)
        draw_bar(p, d, now);
    else
        print_line(p, d, now);
    return true;
}

void progress_end(progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}

void progress_note(void *arg, const char *text)
{
    progress *p = arg;
    progress_end(p);
    if (p->shown)
        fprintf(stderr, "weft: %s\n", text);
}

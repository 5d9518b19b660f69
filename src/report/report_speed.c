/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how fast a report's set is made: makes its first samples again by the command in its
 * manifest, for about two seconds, and writes the section "Throughput".
 *
 *     "command": "weft generate --count 5000 --seed 7 ..."   ->   pairs per second, stages
 *
 * Only a set that this version made is measured, as another version may make other samples. */
#include "report/report_speed.h"

#include "base/run_status.h"
#include "base/version.h"

/* How long is measured. The start counts too: the plan of a run takes some of it. */
enum { NANOSECONDS = 2000000000 };

/* A measurement in work: the argument of take(). */
typedef struct measure {
    const report_options *o; /* for o->progress, which may end the report */
    const survey *s;         /* what o->progress is called with */
    report_speed *speed;     /* the result */
    bool interrupted;        /* o->progress returned false: no mere end of the time */
} measure;

/* Receives finished records instead of a writer, counts them, and stops the run when its time is
 * over or the user interrupts. */
static int take(void *arg, str text, const uint64_t *ends, uint32_t n)
{
    measure *m = arg;
    report_speed *speed = m->speed;
    WEFT_ASSERT(n && ends[n - 1] == text.n);
    (void)ends;
    speed->samples += n;
    speed->bytes += text.n;
    stage_switch_on(&speed->clock, STAGE_OTHER);
    speed->ns = speed->clock.spent[STAGE_OTHER];
    m->interrupted = m->o->progress && !m->o->progress(m->o->arg, m->s);
    return m->interrupted || speed->ns >= NANOSECONDS ? STATUS_STOPPED : STATUS_OK;
}

static const char *text_in(const json_value *object, const char *key)
{
    const json_value *v = json_get(object, key);
    return json_is(v, JSON_TYPE_STRING) ? v->text.p : "";
}

/* Notes why nothing can be measured; the page prints it. */
static bool refuse(report_speed *speed, str why)
{
    speed->why_not = why;
    return false;
}

/* Fills speed->o with the options of the set's command. False: nothing can be measured, and
 * speed->why_not has the reason. Files that the command names by --exclude may be anywhere, or
 * gone: they are not read, and the page says so. */
static bool read_options(const report_options *o, const json_value *manifest, report_speed *speed)
{
    const char *command = text_in(manifest, "command");
    if (!manifest)
        return refuse(speed, STR("there is no manifest.json that says how the set was made."));
    if (strncmp(command, "weft generate ", 14) != 0)
        return refuse(speed, STR("the set's manifest names no command of weft generate."));
    if (strcmp(text_in(manifest, "weft_version"), WEFT_VERSION) != 0)
        return refuse(speed, STR("another version of weft made the set."));
    if (!o->read_command(o->arg, command, &speed->o))
        return refuse(speed, STR("the command in the set's manifest cannot be read."));
    speed->excluded = strstr(command, " --exclude ") != NULL;
    return true;
}

/* Records go to take(), neither packed nor written, so that the disk is not measured. Until
 * make_run returns, speed->clock is a stopwatch for take(); afterwards it has the times of the
 * run's threads. STATUS_STOPPED is also how take() ends a run whose time is over: only
 * `interrupted` means the user. */
int report_measure(arena *a, const report_options *o, const survey *s, const json_value *manifest,
                   report_speed *speed)
{
    measure m = {o, s, speed, false};
    store_outcome *r = ARENA_NEW(a, store_outcome);
    *speed = (report_speed){.why_not = STR("")};
    if (!read_options(o, manifest, speed))
        return STATUS_OK;
    record_options *run = &speed->o;
    run->output = NULL;
    run->compress = PACK_NONE;
    run->timings = true;
    run->take = take;
    run->take_arg = &m;
    stage_start(&speed->clock);
    const int end = make_run(a, run, r);
    speed->clock = r->clock;
    if (m.interrupted || end == STATUS_MEMORY)
        return m.interrupted ? STATUS_STOPPED : end;
    if (end != STATUS_OK && end != STATUS_STOPPED)
        speed->why_not = r->message ? str_c(r->message) : STR("the samples cannot be made.");
    else if (!speed->samples)
        speed->why_not = STR("the set has no samples.");
    return STATUS_OK;
}

/* --- the section --------------------------------------------------------------------------- */

/* Only where something was measured: speed->samples and speed->ns are not 0. */
static void put_tiles(report_page *p)
{
    WEFT_ASSERT(p->speed->samples && p->speed->ns && !p->speed->why_not.n);
    const report_speed *speed = p->speed;
    const double seconds = (double)speed->ns * 1e-9;
    SB_LIT(p->b, "<dl class=\"tiles\">");
    report_open_tile(p, "Pairs per second");
    html_count(p->b, (uint64_t)((double)speed->samples / seconds + 0.5));
    SB_LIT(p->b, "</dd></div>");
    report_open_tile(p, "JSON per second");
    sb_printf(p->b, "%.1f MB</dd></div>", (double)speed->bytes / seconds / 1e6);
    report_open_tile(p, "Threads");
    html_count(p->b, speed->o.jobs);
    SB_LIT(p->b, "</dd></div>");
    report_open_tile(p, "Executed and proved");
    sb_c(p->b, speed->o.no_verify ? "no" : "yes");
    SB_LIT(p->b, "</dd></div></dl>\n");
}

/* The time of all threads by stage. Waiting and what belongs to no stage have a colour of their
 * own. */
static void put_stages(report_page *p)
{
    plot_bars bars = {0};
    uint64_t all = 0;
    for (work_stage s = 0; s < STAGE_COUNT; s++) {
        const uint64_t ms = (p->speed->clock.spent[s] + 500000) / 1000000;
        const bool work = s != STAGE_OTHER && s != STAGE_WAIT;
        const plot_bar bar = {str_c(stage_name(s)), ms, work ? NULL : "other"};
        all += ms;
        if (ms)
            VEC_PUSH(p->a, &bars, bar);
    }
    SB_LIT(p->b, "<div class=\"plots\">\n");
    if (bars.n)
        plot_put_bars(p->b, "Where the time goes, by stage", "ms, all threads together", &bars,
                      all);
    SB_LIT(p->b, "</div>\n");
}

void report_put_speed(report_page *p)
{
    const report_speed *speed = p->speed;
    report_open_section(p, "throughput", "Throughput");
    if (speed->why_not.n) {
        SB_LIT(p->b, "<p class=\"absent\">Nothing was measured: ");
        html_text(p->b, speed->why_not);
        SB_LIT(p->b, "</p>\n</section>\n");
        return;
    }
    SB_LIT(p->b, "<p>Measured by making the set's first ");
    html_count(p->b, speed->samples);
    sb_printf(p->b,
              " samples again, in %.2f s with the start, on the machine that wrote this report; "
              "nothing was compressed or written to a disk",
              (double)speed->ns * 1e-9);
    sb_c(p->b, speed->excluded ? ", and what the set excludes was not kept out.</p>\n" : ".</p>\n");
    put_tiles(p);
    put_stages(p);
    SB_LIT(p->b, "</section>\n");
}

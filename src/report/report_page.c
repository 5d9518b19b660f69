/* SPDX-License-Identifier: Apache-2.0 */
/* The page around the sections of a report: head, style and script, which are files of assets/.
 *
 *     report_page   ->   <!DOCTYPE html> ... <main> <section id="summary" class="part"> ...
 *                        <section id="samples" class="part"> ... </main> <script> ... </html>
 *
 * Records may come from anyone, so two things keep their text from doing harm: html_text escapes
 * it, and a Content-Security-Policy in the head lets the browser run only this one script, named by
 * its SHA-256, and fetch nothing. The second holds even if the first has a gap. */
#include "report/report_page.h"
#include "base/asset.h"
#include "base/sha256.h"

/* Base64 with padding, as the policy writes the hash of a script. */
static void put_base64(strbuf *b, const uint8_t *p, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        const uint32_t left = n - i < 3 ? (uint32_t)(n - i) : 3;
        WEFT_ASSERT(left >= 1);
        uint32_t x = (uint32_t)p[i] << 16;
        if (left > 1)
            x |= (uint32_t)p[i + 1] << 8;
        if (left > 2)
            x |= p[i + 2];
        for (uint32_t k = 0; k < 4; k++)
            sb_char(b, k <= left ? digits[x >> (18 - 6 * k) & 63] : '=');
    }
}

/* Styles may stand in the page, as they cannot run anything; images only as data within it. */
static void put_policy(strbuf *b)
{
    uint8_t digest[SHA256_SIZE];
    sha256_of(asset_report_js.p, asset_report_js.n, digest);
    SB_LIT(b, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
              "script-src 'sha256-");
    put_base64(b, digest, sizeof digest);
    SB_LIT(b, "'\">\n");
}

/* The last part of the path, without the slashes that may end it: "set" of "/data/set/". */
static str name_of(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t at = n;
    while (at && path[at - 1] != '/')
        at--;
    return (str){path + at, n - at};
}

/* The policy comes before everything that it covers. The empty icon keeps browsers from requesting
 * /favicon.ico. */
static void put_head(report_page *p)
{
    strbuf *b = p->b;
    SB_LIT(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put_policy(b);
    SB_LIT(b, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n"
              "<meta name=\"generator\" content=\"weft " WEFT_VERSION "\">\n"
              "<link rel=\"icon\" href=\"data:,\">\n<title>");
    html_text(b, name_of(p->o->path));
    SB_LIT(b, " \xc2\xb7 data set report</title>\n<style>\n");
    sb_str(b, asset_report_css);
    SB_LIT(b, "</style>\n</head>\n");
}

/* Links, one for each section that follows, and the title. */
static void put_top(report_page *p)
{
    strbuf *b = p->b;
    SB_LIT(b, "<body>\n<a class=\"skip\" href=\"#summary\">To the contents</a>\n<header>\n"
              "<div class=\"bar\"><nav aria-label=\"sections\"><a href=\"#summary\">Summary</a>"
              "<a href=\"#contents\">Contents</a><a href=\"#verification\">Verification</a>"
              "<a href=\"#making\">Making</a><a href=\"#coverage\">Coverage</a>");
    if (p->speed)
        SB_LIT(b, "<a href=\"#throughput\">Throughput</a>");
    if (p->o->samples)
        SB_LIT(b, "<a href=\"#samples\">Samples</a>");
    SB_LIT(b, "</nav><button id=\"theme\" type=\"button\" hidden>Colours: auto</button></div>\n"
              "</header>\n<main>\n<h1>");
    html_text(b, name_of(p->o->path));
    SB_LIT(b, "</h1>\n<p class=\"lead\">Python kernels for NVIDIA Warp, each with the text that is "
              "made of it. Counted from the records themselves.</p>\n");
}

void report_open_section(report_page *p, const char *id, const char *title)
{
    sb_printf(p->b, "<section id=\"%s\" class=\"part\">\n<h2>", id);
    html_c(p->b, title);
    SB_LIT(p->b, "</h2>\n");
}

/* How many records there are, and by which rule they were chosen. */
static void put_rule(report_page *p, uint32_t shown)
{
    strbuf *b = p->b;
    SB_LIT(b, "<p class=\"hint\">");
    html_count(b, shown);
    SB_LIT(b, " of ");
    html_count(b, p->s->records);
    sb_c(b, p->s->records == 1 ? " record" : " records");
    if (shown < p->s->records)
        SB_LIT(b, ", spread evenly over categories and, in each, over difficulties. Of those with "
                  "the same category and difficulty, the ids with the lowest hashes (XXH3) count: "
                  "the choice depends on the records' ids alone. <code>--samples N</code> shows "
                  "more or fewer");
    SB_LIT(b, ".");
    if (p->samples->too_long) {
        SB_LIT(b, " Records above 1 MiB are not shown: ");
        html_count(b, p->samples->too_long);
        SB_LIT(b, ".");
    }
    SB_LIT(b, "</p>\n");
}

static void put_hint(strbuf *b)
{
    SB_LIT(b, "<p class=\"hint\">Point at a line, or tap it, to see which lines it became: Warp "
              "marks them with <code>&lt;L n&gt;</code>. With the keyboard: tab to a text, then "
              "the arrow keys; Escape lets go. The gaps before the marks are narrower here than "
              "in the text that is copied. Standalone CUDA is what <code>weft generate --format "
              "standalone</code> makes of the source.</p>\n");
}

/* Records of all groups, one after the other. Making their programs takes milliseconds each, so the
 * caller may stop between them. */
static void put_records(report_page *p)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < p->samples->groups.n; i++) {
        const sample_group *g = &p->samples->groups.v[i];
        for (uint32_t k = 0; k < g->shown && !p->stopped; k++) {
            WEFT_ASSERT(k < g->lines.n);
            report_put_record(p, sb_view(&g->lines.v[k].text), ++number);
            p->stopped = p->o->progress && !p->o->progress(p->o->arg, p->s);
        }
    }
}

static void put_samples(report_page *p)
{
    const uint32_t shown = samples_choose(p->samples);
    report_open_section(p, "samples", "Samples");
    if (shown) {
        put_rule(p, shown);
        put_hint(p->b);
        SB_LIT(p->b, "<div class=\"records\">\n");
        put_records(p);
        SB_LIT(p->b, "</div>\n");
    } else {
        SB_LIT(p->b, "<p>There is no record to show.</p>");
    }
    SB_LIT(p->b, "</section>\n");
}

/* The script comes last: the elements that it works on exist when it runs. */
void report_put_page(report_page *p)
{
    put_head(p);
    put_top(p);
    report_put_summary(p);
    report_put_contents(p);
    report_put_verification(p);
    report_put_making(p);
    report_put_coverage(p);
    if (p->speed)
        report_put_speed(p);
    if (p->o->samples)
        put_samples(p);
    SB_LIT(p->b, "</main>\n<footer>made by weft " WEFT_VERSION "</footer>\n<script>");
    sb_str(p->b, asset_report_js);
    SB_LIT(p->b, "</script>\n</body>\n</html>\n");
}

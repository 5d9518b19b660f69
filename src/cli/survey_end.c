/* How a survey's problems and its end are told. */
#include "cli/survey_end.h"

#include "base/c_locale.h"
#include "cli/cli.h"
#include "make/make.h"

/* Control characters of hostile names and records do not reach the terminal. */
static void print_shown(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)p[i];
        fputc(c < 0x20 || c == 0x7f ? '?' : c, stderr);
    }
}

void cli_survey_problem(const survey_problem *p)
{
    print_shown(p->file, strlen(p->file));
    if (p->line)
        fprintf(stderr, ":%llu", (unsigned long long)p->line);
    fputs(": error: ", stderr);
    print_shown(p->reason.p, p->reason.n);
    fputc('\n', stderr);
}

int cli_survey_end(int end, const survey *s, const char *message)
{
    switch (end) {
    case STATUS_OK: return s->problems ? CLI_BAD_INPUT : CLI_OK;
    case STATUS_STOPPED: return CLI_INTERRUPTED;
    case STATUS_MEMORY: cli_error("out of memory"); return CLI_IO;
    default: cli_error("cannot read '%s': %s", message, error_text(end)); return CLI_IO;
    }
}

/* What commands that read a data set through share (survey_end.c). */
#ifndef WEFT_CLI_SURVEY_END_H
#define WEFT_CLI_SURVEY_END_H

#include "report/survey.h"

/* "FILE:LINE: error: reason" on stderr. */
void cli_survey_problem(const survey_problem *p);
/* The exit status for what survey_run gave, after a message. */
int cli_survey_end(int end, const survey *s, const char *message);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a report in the same lines as Slurm's seff, for scripts that read seff's output. */
#ifndef STINT_SEFF_H
#define STINT_SEFF_H

#include <stdio.h>

#include "reports/model/report.h"

/*
 * Prints @report as seff 2.1 does (contribs of Slurm). Uses seff's units, so 1 GB is 1024 MB. If a value is not
 * known, leaves out its line, because seff has no word for an unknown value, and prints a message about it on
 * standard error. Prints another message if the report is not complete.
 *
 * @who: begins each message on standard error
 */
void seff_print(const struct report *report, const char *who, FILE *out);

#endif

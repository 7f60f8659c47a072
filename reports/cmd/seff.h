/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a report in the lines of Slurm's seff, for scripts that read them. */
#ifndef STINT_SEFF_H
#define STINT_SEFF_H

#include <stdio.h>

#include "reports/model/report.h"

/*
 * Prints @report as seff 2.1 does (contribs of Slurm), with 1 GB as 1024 MB.
 * Leaves out values that are not known: seff has no word for them.
 * Prints a message about each gap, and about an incomplete report, on standard error.
 *
 * @who: begins each message
 */
void seff_print(const struct report *report, const char *who, FILE *out);

#endif

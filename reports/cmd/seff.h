/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the report in exactly the lines of Slurm's seff, for scripts that read these. */
#ifndef STINT_SEFF_H
#define STINT_SEFF_H

#include <stdio.h>

#include "reports/model/report.h"

/*
 * Prints @report as seff 2.1 (Slurm's contribs) does, with its units, so that GB is 1024 MB. seff has no word for an
 * unknown value: such a line is left out. Standard error then says so, and also says if the report is not complete.
 *
 * @who: begins each message on standard error
 */
void seff_print(const struct report *report, const char *who, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the report in exactly the lines of Slurm's seff, for scripts that read these lines. */
#ifndef STINT_SEFF_H
#define STINT_SEFF_H

#include <stdio.h>

#include "reports/model/report.h"

/*
 * Prints @report as seff 2.1 (Slurm's contribs) does, with seff's units, so 1 GB is 1024 MB. seff has no word for an
 * unknown value, so lines with such a value are left out. A message on standard error says so. Another message says if
 * the report is not complete.
 *
 * @who: begins each message on standard error
 */
void seff_print(const struct report *report, const char *who, FILE *out);

#endif

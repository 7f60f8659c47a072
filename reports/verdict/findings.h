/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the findings. The table in rules.h has their codes, severities, thresholds and hints. */
#ifndef STINT_FINDINGS_H
#define STINT_FINDINGS_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/* Appends all findings to @report, the worst first. */
void findings_put(const struct facts *facts, struct report *report);

/* Appends only the codes, in the order of enum finding. */
void findings_put_codes(const struct facts *facts, struct report *report);

#endif

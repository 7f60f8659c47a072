/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the rules of this host. */
#ifndef STINT_SITE_RULES_H
#define STINT_SITE_RULES_H

#include "reports/rules/rules.h"

/*
 * Sets @rules to the rules of stint.conf, or to the defaults if stint.conf cannot be read.
 *
 * @config: path of stint.conf; NULL for the default path
 */
void site_rules_load(const char *config, struct rules *rules);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/site_rules.h"

#include "common/conf.h"

void site_rules_load(const char *config, struct rules *rules)
{
	struct error warning, err;
	struct conf conf;

	rules_defaults(rules);
	if (conf_load_known(&conf, config, &warning, &err) == 0)
		rules_of_site(rules, &conf, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes stint.conf: accepted values are within their limits, and a message names the place of each other value. */
#include <string.h>

#include "common/conf.h"
#include "common/pattern.h"
#include "reports/rules/rules.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct conf *conf)
{
	struct rules rules;
	struct error err;

	HOLDS(conf->mode <= CONF_MODE_TIMELINE && pattern_check(conf->output, &err) == 0);
	HOLDS(conf->run_dir[0] == '/' && conf->spool_dir[0] == '/' && conf->bpf_dir[0] == '/');
	HOLDS(conf->sample_interval_s >= 1 && conf->sample_interval_s <= 3600 && conf->merge_wait_s <= 3600);
	HOLDS(conf->timeline_entries >= 16 && conf->timeline_entries <= 1000000 && conf->stall_s >= 1);
	HOLDS(conf->rule_count <= CONF_RULES_MAX && !conf->programs_off[PROGRAM_process_exit]);
	rules_defaults(&rules);
	for (unsigned int i = 0; i < conf->rule_count; i++) {
		bool known = rules_known(conf->rules[i].name);

		HOLDS(rules_set(&rules, conf->rules[i].name, conf->rules[i].value, &err) < 0 || known);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(0, data, size);
	struct error err = { "" };
	struct conf conf;

	conf_defaults(&conf);
	if (conf_load(&conf, path, &err) == 0)
		check(&conf);
	else
		HOLDS_OF(strncmp(err.text, path, strlen(path)) == 0 && strlen(err.text) > strlen(path) + 2, err.text);
	return 0;
}

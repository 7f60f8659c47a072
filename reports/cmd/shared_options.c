/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/shared_options.h"

#include <stdbool.h>

#include "common/conf.h"

static error_t parse_config(int key, char *value, struct argp_state *state)
{
	const char **config = state->input;

	if (key != 'c')
		return ARGP_ERR_UNKNOWN;
	*config = value;
	return 0;
}

static const struct argp_option config_options[] = {
	{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
	{ 0 },
};

const struct argp config_argp = { .options = config_options, .parser = parse_config };

static error_t parse_verbose(int key, char *value, struct argp_state *state)
{
	bool *verbose = state->input;

	(void)value;
	if (key != 'v')
		return ARGP_ERR_UNKNOWN;
	*verbose = true;
	return 0;
}

static const struct argp_option verbose_options[] = {
	{ "verbose", 'v', NULL, 0, "Say where stint looked for a job that it did not find", 0 },
	{ 0 },
};

const struct argp verbose_argp = { .options = verbose_options, .parser = parse_verbose };

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/ingest_options.h"

#include "common/usage.h"
#include "reports/cmd/shared_options.h"
#include "reports/ingest/site_conf.h"

enum { KEY_REBUILD = 256, KEY_CHECKSUM, KEY_WATCH, KEY_RECONCILE };

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct ingest_options *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		state->child_inputs[0] = &arguments->config;
		return 0;
	case 's':
		arguments->site = value;
		return 0;
	case KEY_REBUILD:
		arguments->rebuild = true;
		return 0;
	case KEY_CHECKSUM:
		arguments->checksum = true;
		return 0;
	case KEY_WATCH:
		arguments->watch = true;
		return 0;
	case KEY_RECONCILE:
		arguments->reconcile = true;
		return 0;
	case ARGP_KEY_ARG:
		usage_fail(state, "'%s': only options are allowed", value);
	case ARGP_KEY_END:
		if (arguments->rebuild + arguments->checksum + arguments->watch + arguments->reconcile > 1)
			usage_fail(state, "only one of --rebuild, --reconcile, --checksum and --watch");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "rebuild", KEY_REBUILD, NULL, 0, "Empty the database, and fill it from the archive", 0 },
	{ "reconcile", KEY_RECONCILE, NULL, 0,
	  "Import waiting batches, compare the store with Slurm's accounting, update access rights, delete expired data",
	  0 },
	{ "checksum", KEY_CHECKSUM, NULL, 0, "Print a checksum of each table, and change nothing", 0 },
	{ "watch", KEY_WATCH, NULL, 0, "Keep running, and look for new batches every 10 seconds", 0 },
	{ "site", 's', "FILE", 0, "Read FILE instead of " SITE_CONF_PATH, 0 },
	{ 0 },
};

static const struct argp_child children[] = { { .argp = &config_argp }, { 0 } };

const struct argp ingest_argp = {
	.children = children,
	.options = options,
	.parser = parse_option,
	.doc = "Import the nodes' batches into the store's database.\v"
	       "Each batch is imported once, even if stint ingest is killed and restarted. Imported batches are moved to "
	       "the archive.",
};

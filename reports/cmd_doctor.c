/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint doctor: what this node can and cannot measure, and how to mend it. */

#include <argp.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "reports/cmd.h"
#include "reports/doctor.h"
#include "collector/common/escape.h"
#include "collector/common/usage.h"

struct arguments {
	const char *config;
};

void doctor_say(struct doctor *doctor, enum doctor_level level, const char *subject, const char *mend,
		const char *format, ...)
{
	static const char *const words[] = { [DOCTOR_OK] = "ok", [DOCTOR_WARN] = "warn", [DOCTOR_FAIL] = "FAIL" };
	char found[2048], line[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(found, sizeof(found), format, args);
	va_end(args);
	doctor->warnings += level == DOCTOR_WARN;
	doctor->failures += level == DOCTOR_FAIL;
	printf("%-4s  %s: ", words[level], escape_text(subject, line, sizeof(line)));
	fputs(escape_text(found, line, sizeof(line)), stdout);
	if (mend)
		printf(" -> %s", escape_text(mend, line, sizeof(line)));
	putchar('\n');
}

static void check_conf(struct doctor *doctor, const char *config)
{
	const char *path = config ? config : CONF_PATH;

	if (access(path, F_OK) == 0)
		doctor_say(doctor, DOCTOR_OK, "stint.conf", NULL, "%s", path);
	else
		doctor_say(doctor, DOCTOR_OK, "stint.conf", NULL, "no %s: the defaults stand", path);
	if (doctor->conf->mode == CONF_MODE_OFF)
		doctor_say(doctor, DOCTOR_WARN, "mode", "set mode = timeline in stint.conf",
			   "off: only jobs with --stint=summary or timeline are told of");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		return 0;
	case 'c':
		arguments->config = value;
		return 0;
	case ARGP_KEY_ARG:
		usage_fail(state, "what is '%s'? There are options only", value);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_doctor(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.doc = "Say what this node can and cannot measure, and how to mend it.\n"
		       "\v"
		       "One line a check: ok, warn (something cannot be measured or looked at) or FAIL (no "
		       "report will come). The exit code is 1 when one FAILs.",
	};
	struct arguments arguments = { 0 };
	struct conf conf;
	struct doctor doctor = { .conf = &conf };
	struct error err;

	usage_parse(&argp, argc, argv, 0, &arguments);
	if (conf_load_default(&conf, arguments.config, &err) < 0) {
		fprintf(stderr, "stint doctor: %s\n", err.text);
		return EXIT_FAILURE;
	}
	check_conf(&doctor, arguments.config);
	doctor_kernel(&doctor);
	doctor_slurm(&doctor);
	doctor_daemon(&doctor);
	printf("%u warnings, %u failures\n", doctor.warnings, doctor.failures);
	return doctor.failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

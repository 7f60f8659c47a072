/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint doctor: shows what this host can and cannot measure, and how to fix problems. */

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/json_writer.h"
#include "common/pattern.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/shared_options.h"
#include "reports/doctor/doctor.h"
#include "reports/json/field.h"
#include "reports/json/plural.h"
#include "reports/read/find.h"
#include "reports/rules/rules.h"

#define KEY_ROLE 256
#define FORM 1 /* version of the output of --json (stint(1)) */

struct arguments {
	const char *config, *site;
	unsigned int roles;
	bool json, quiet;
};

static void check_role(struct doctor *doctor, unsigned int given)
{
	char why[128] = "given by --role", names[128] = "";
	size_t used = 0;

	doctor->roles = given ? given : doctor_role_guess(why, sizeof(why));
	for (unsigned int role = DOCTOR_NODE; role <= DOCTOR_LAST_ROLE; role <<= 1)
		if (doctor->roles & role)
			used += snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "", doctor_role_name(role));
	doctor_say(doctor, DOCTOR_OK, "role", NULL, "%s: %s", names, why);
}

/* Checks the rules in stint.conf. stintd does not check them, because it does not have the table of rules. */
static void check_rules(struct doctor *doctor)
{
	cleanup_json struct json_object *gaps = json_object_new_array();
	struct rules rules;

	rules_of_site(&rules, doctor->conf, gaps);
	for (size_t i = 0; i < field_length(gaps); i++)
		doctor_say(doctor, DOCTOR_WARN, "rules", "fix that line of stint.conf: the default applies, and the gaps of each "
							 "report name the line", "%s",
			   field_text(json_object_array_get_idx(gaps, i), "reason"));
}

/*
 * @config: path of stint.conf; NULL for the default path
 * @bad: a message about the first line that was not understood; may be empty
 */
static void check_conf(struct doctor *doctor, const char *config, const char *bad)
{
	const char *path = config ? config : CONF_PATH;
	char mend[2 * PATH_MAX + 64];

	/* if the user cannot even see the file, it is the directory that needs more permissions */
	snprintf(mend, sizeof(mend), "let each user read it: chmod %s", access(path, F_OK) == 0 ? "o+r " CONF_PATH : "o+x " SYSCONFDIR "/stint");
	if (!config && access(path, R_OK) < 0 && errno == EACCES)
		doctor_say(doctor, DOCTOR_WARN, "stint.conf", mend, "%s", bad);
	else if (*bad)
		doctor_say(doctor, DOCTOR_FAIL, "stint.conf", "fix that line: stintd does not start with it", "%s", bad);
	else if (access(path, F_OK) == 0)
		doctor_say(doctor, DOCTOR_OK, "stint.conf", NULL, "%s", path);
	else
		doctor_say(doctor, DOCTOR_OK, "stint.conf", NULL, "no %s: the defaults apply", path);
	if (access(path, R_OK) == 0)
		doctor_shared(doctor, DOCTOR_WARN, "stint.conf", path, DOCTOR_READ);
	check_rules(doctor);
	if (!pattern_tells_jobs_apart(doctor->conf->output))
		doctor_say(doctor, DOCTOR_WARN, "output", "put %i into output = in stint.conf",
			   "'%s' does not contain the job's number: in one directory, the report of each job replaces that of the job "
			   "before",
			   doctor->conf->output);
	if (doctor->conf->mode == CONF_MODE_OFF)
		doctor_say(doctor, DOCTOR_INFO, "mode", "set mode = timeline in stint.conf",
			   "off: only jobs with --stint=summary or timeline get a report");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		state->child_inputs[0] = &arguments->config;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case 'q':
		arguments->quiet = true;
		return 0;
	case 's':
		arguments->site = value;
		return 0;
	case KEY_ROLE:
		arguments->roles = doctor_role_parse(value);
		if (!arguments->roles)
			usage_fail(state, "--role=%s: expected node, submit, controller, database or store, separated by commas", value);
		return 0;
	case ARGP_KEY_ARG:
		usage_fail(state, "unknown argument '%s': only options are allowed", value);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void look(struct doctor *doctor, const struct arguments *arguments, const char *bad)
{
	check_role(doctor, arguments->roles);
	check_conf(doctor, arguments->config, bad);
	if (doctor->roles & DOCTOR_NODE)
		doctor_kernel(doctor);
	doctor_slurm(doctor);
	doctor_programs(doctor);
	if (doctor->roles & DOCTOR_NODE)
		doctor_daemon(doctor);
	if (doctor->roles & DOCTOR_STORE)
		doctor_store(doctor, arguments->site, arguments->config);
}

static int print_json(struct doctor *doctor)
{
	struct json_object *root = json_object_new_object(), *roles;
	cleanup_free char *text = NULL;
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	put_count(root, "stint_doctor", FORM);
	put_text(root, "version", PACKAGE_VERSION);
	put_text(root, "host", host);
	roles = put_array(root, "roles");
	for (unsigned int role = DOCTOR_NODE; role <= DOCTOR_LAST_ROLE; role <<= 1)
		if (doctor->roles & role)
			json_object_array_add(roles, json_object_new_string(doctor_role_name(role)));
	put_count(root, "warnings", doctor->warnings);
	put_count(root, "failures", doctor->failures);
	json_object_object_add(root, "checks", doctor->checks);
	text = escape_json(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE), NULL);
	json_object_put(root);
	return text ? puts(text) : EOF;
}

int cmd_doctor(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "json", 'j', NULL, 0, "Print one JSON object, for programs", 0 },
		{ "quiet", 'q', NULL, 0, "Say only what is wrong: warn and FAIL", 0 },
		{ "role", KEY_ROLE, "ROLE,...", 0, "What this host is: node, submit, controller, database, store (default: detected)", 0 },
		{ "site", 's', "FILE", 0, "Read FILE instead of site.conf, on the host of the store", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &config_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.doc = "Say what this host can and cannot measure, and how to fix it.\n"
		       "\v"
		       "One line for each check: ok, info (not a fault: the site chose this), warn (something cannot be measured or "
		       "checked) or FAIL (no report will come). The exit code is 1 if any check FAILs.",
	};
	struct arguments arguments = { 0 };
	struct conf conf;
	struct doctor doctor = { .conf = &conf };
	struct error bad, err;

	usage_parse(&argp, argc, argv, 0, &arguments);
	if (conf_load_known(&conf, arguments.config, &bad, &err) < 0) {
		find_complain("stint doctor", err.text);
		return EXIT_FAILURE;
	}
	doctor.quiet = arguments.quiet;
	doctor.checks = arguments.json ? json_object_new_array() : NULL;
	look(&doctor, &arguments, bad.text);
	if (doctor.checks)
		print_json(&doctor);
	else if (!doctor.quiet)
		printf("%u warning%s, %u failure%s\n", doctor.warnings, plural(doctor.warnings), doctor.failures,
		       plural(doctor.failures));
	return doctor.failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/site_cmd/opened_stores.h"
#include "reports/site_cmd/verbs.h"
#include "reports/site_doctor/site_doctor.h"

int verb_doctor(int argc, char *argv[])
{
	const char *config = *argv[argc - 1] ? argv[argc - 1] : NULL;
	cleanup_json struct json_object *checks = json_object_new_array();
	struct conf conf;
	struct doctor doctor = { .conf = &conf, .roles = DOCTOR_STORE, .checks = checks };
	struct error bad, err;

	if (conf_load_known(&conf, config, &bad, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return EXIT_FAILURE;
	}
	site_doctor_look(&(struct site_doctor){ .doctor = &doctor, .path = opened_stores_site(argc, argv) });
	puts(json_object_to_json_string_ext(checks, JSON_C_TO_STRING_PLAIN));
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

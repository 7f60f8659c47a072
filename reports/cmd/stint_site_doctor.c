/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/stint_site_doctor.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/site_doctor/site_doctor.h"

int stint_site_doctor(const char *site, const char *config)
{
	cleanup_json struct json_object *checks = json_object_new_array();
	struct conf conf;
	struct doctor doctor = { .conf = &conf, .roles = DOCTOR_STORE, .checks = checks };
	struct error bad, err;

	if (conf_load_known(&conf, config, &bad, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return EXIT_FAILURE;
	}
	site_doctor_look(&(struct site_doctor){ .doctor = &doctor, .path = site });
	puts(json_object_to_json_string_ext(checks, JSON_C_TO_STRING_PLAIN));
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

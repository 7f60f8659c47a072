/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records and Slurm's answers for the tests of reports. Include this after cmocka.h. */
#ifndef STINT_FIXTURE_H
#define STINT_FIXTURE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/json/field.h"

/* Reads tests/data/@name. The test fails if it cannot. The caller must put the result. */
static struct json_object *load(const char *name)
{
	const char *source = getenv("srcdir");
	cleanup_free char *data = NULL;
	struct json_object *json;
	struct error err = { "" };
	char path[512];
	size_t len;

	snprintf(path, sizeof(path), "%s/tests/data/%s", source ? source : ".", name);
	data = file_read(AT_FDCWD, path, 1 << 20, &len, &err);
	if (!data)
		fail_msg("%s", err.text);
	json = field_parse(data, len, name, json_type_object, &err);
	if (!json)
		fail_msg("%s", err.text);
	return json;
}

#endif

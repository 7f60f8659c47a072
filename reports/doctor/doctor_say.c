/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the line of one check of stint doctor. */
#include <stdarg.h>
#include <stdio.h>

#include "common/escape.h"
#include "common/json_writer.h"
#include "reports/doctor/doctor.h"

static const char *const levels[] = {
	[DOCTOR_OK] = "ok", [DOCTOR_INFO] = "info", [DOCTOR_WARN] = "warn", [DOCTOR_FAIL] = "FAIL",
};

const char *doctor_level_name(enum doctor_level level)
{
	return levels[level];
}

static void keep_check(struct json_object *checks, const char *level, const char *subject, const char *found,
		       const char *mend)
{
	struct json_object *check = json_object_new_object();

	put_text(check, "level", level);
	put_text(check, "subject", subject);
	put_text(check, "found", found);
	put_text(check, "mend", mend);
	json_object_array_add(checks, check);
}

void doctor_say(struct doctor *doctor, enum doctor_level level, const char *subject, const char *mend,
		const char *format, ...)
{
	char found[4096], line[8192], of[512];
	va_list args;

	if (doctor->whose) {
		snprintf(of, sizeof(of), "%s of %s", subject, doctor->whose);
		subject = of;
	}
	va_start(args, format);
	vsnprintf(found, sizeof(found), format, args);
	va_end(args);
	doctor->warnings += level == DOCTOR_WARN;
	doctor->failures += level == DOCTOR_FAIL;
	if (doctor->quiet && level < DOCTOR_WARN)
		return;
	if (doctor->checks) {
		keep_check(doctor->checks, levels[level], subject, found, mend);
		return;
	}
	printf("%-4s  %s: ", levels[level], escape_text(subject, line, sizeof(line)));
	fputs(escape_text(found, line, sizeof(line)), stdout);
	if (mend)
		printf(" -> %s", escape_text(mend, line, sizeof(line)));
	putchar('\n');
}

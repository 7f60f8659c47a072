/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of stint doctor: one line each, with how to mend what is wrong. */
#ifndef STINT_DOCTOR_H
#define STINT_DOCTOR_H

#include <stdbool.h>

#include "collector/common/conf.h"

enum doctor_level {
	DOCTOR_OK,
	DOCTOR_WARN, /* something cannot be measured, or could not be looked at */
	DOCTOR_FAIL, /* no report will come */
};

struct doctor {
	const struct conf *conf;
	unsigned int warnings, failures;
};

/*
 * Prints one check's line.
 *
 * @subject: what was looked at
 * @mend: what to do, or NULL when there is nothing to mend
 * @format: what was found
 */
void doctor_say(struct doctor *doctor, enum doctor_level level, const char *subject, const char *mend,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* What the kernel offers: BTF, bpffs, rights, cgroups. */
void doctor_kernel(struct doctor *doctor);

/* Slurm's version and configuration, and the plugin's line in it. */
void doctor_slurm(struct doctor *doctor);

/* stintd: its directories, its socket, and which kernel programs it has loaded. */
void doctor_daemon(struct doctor *doctor);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint doctor asks stint-site for the checks of the store's host. */
#ifndef STINT_SITE_DOCTOR_CMD_H
#define STINT_SITE_DOCTOR_CMD_H

/*
 * stint-site doctor [--site=FILE] CONFIG: prints the checks as a JSON array, for stint doctor. CONFIG is the path of
 * stint.conf, or empty. Returns the exit code.
 */
int stint_site_doctor(const char *site, const char *config);

#endif

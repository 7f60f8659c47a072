/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the checks of the store's host. stint doctor runs stint-site for them. */
#ifndef STINT_SITE_DOCTOR_CMD_H
#define STINT_SITE_DOCTOR_CMD_H

/*
 * Does the work of 'stint-site doctor [--site=FILE] CONFIG': prints the results of the checks as a JSON array,
 * which stint doctor reads. Returns the exit code.
 *
 * @site: path of site.conf; NULL for the default path
 * @config: path of stint.conf; may be empty
 */
int stint_site_doctor(const char *site, const char *config);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the verbs of stint-site. argv[0] is the verb's name, which messages begin with. */
#ifndef STINT_SITE_VERBS_H
#define STINT_SITE_VERBS_H

/*
 * Each of these functions returns the exit code.
 *
 * verb_report() does the work of 'stint-site report [--site=FILE] CONFIG CLUSTER ATTEMPT JOB': prints the report, which
 * stint report reads. CONFIG is the path of stint.conf, or empty. CLUSTER is the job's cluster, or empty. ATTEMPT 0
 * means the last attempt.
 *
 * verb_doctor() does the work of 'stint-site doctor [--site=FILE] CONFIG': prints the results of the checks as a JSON
 * array, which stint doctor reads.
 */
int verb_ingest(int argc, char *argv[]);
int verb_summary(int argc, char *argv[]);
int verb_report(int argc, char *argv[]);
int verb_doctor(int argc, char *argv[]);

#endif

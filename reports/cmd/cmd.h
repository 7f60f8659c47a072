/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verbs of the stint command. Each verb parses its own arguments.
 * argv[0] is the verb's name, with which messages begin.
 */
#ifndef STINT_CMD_H
#define STINT_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

/* Each function returns the exit code of the command. */
int cmd_report(int argc, char *argv[]);
int cmd_compare(int argc, char *argv[]);
int cmd_list(int argc, char *argv[]);
int cmd_watch(int argc, char *argv[]);
int cmd_timeline(int argc, char *argv[]);
int cmd_export(int argc, char *argv[]);
int cmd_summary(int argc, char *argv[]);
int cmd_doctor(int argc, char *argv[]);
int cmd_ingest(int argc, char *argv[]);

/*
 * Replaces this process with stint-site, which does the work of @verb.
 * If stint-site cannot be started, prints a message and returns the exit code.
 */
int site_run(char *verb, int argc, char *argv[]);

/*
 * Returns whether the user named a site.conf, or can read the default one.
 *
 * @site: the site.conf that the user named; may be NULL
 */
bool site_there(const char *site);

/* A job to look up in the store. */
struct site_job {
	const char *name;    /* "12", "10_2", "12+1" */
	int64_t attempt;     /* 0: the last */
	const char *cluster; /* NULL: any */
};

/*
 * Runs stint-site to build the report of @job from the store.
 *
 * @site: path of site.conf; NULL for the default path
 * @config: path of stint.conf; NULL for the default path
 *
 * Returns the report, which the caller must release with report_free().
 * On failure returns NULL with @err set, and errno says why:
 *   ENOTUNIQ: several clusters have a job of this name
 *   ENODATA: Slurm knows the job, but there is no record of it
 *   ENOENT: the store has no job of this name that this user may see
 *   0: the store could not be asked
 */
struct report *site_find_report(const struct site_job *job, const char *site, const char *config, struct error *err);

/* The first character of stint-site's output, if stint-site cannot build the report. */
#define SITE_ASK '?'  /* the line asks for the cluster */
#define SITE_WHY '!'  /* Slurm knows the job; the line says why there is no record */
#define SITE_NONE '-' /* the store has no job of this name that this user may see */

struct jobs_summary;

/*
 * Reads the jobs for stint summary from the store, if the user names no file or directory.
 * Only stint-site sets the pointer. In stint it is NULL.
 */
extern int (*summary_store)(struct jobs_summary *summary, struct error *err);

/*
 * Prints this user's latest jobs, for stint without a verb.
 * Returns 0; -1 with @err set, and nothing printed.
 */
int cmd_latest(struct error *err);

/*
 * Shows the page of the job @what, and redraws it each second until the job ends.
 *
 * @config: path of stint.conf; NULL for the default path
 *
 * Returns 0; -1 after a message.
 */
int watch_job(const char *what, const char *config, const struct page_options *page);

#endif

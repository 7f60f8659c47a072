/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the verbs of the stint command. The function of a verb parses its own arguments. argv[0] is the verb's
 * name, which messages begin with.
 */
#ifndef STINT_CMD_H
#define STINT_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

/* Each of these functions returns the exit code of the command. */
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
 * Replaces this process with stint-site, which does the work of @verb with the same arguments. Returns only if
 * stint-site cannot be started. Then prints a message and returns the exit code.
 */
int site_run(char *verb, int argc, char *argv[]);

/*
 * Returns whether this host seems to have a store that this user may read: if the user named a site.conf, or if
 * the default one is readable.
 *
 * @site: the site.conf that the user named; NULL if none
 */
bool site_there(const char *site);

/* Names a job whose report the store is asked for. */
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
 * Returns the report, which the caller must release with report_free(); NULL with @err set. If NULL, errno says
 * why:
 *   ENOTUNIQ: several clusters have such a job; @err asks which cluster is meant
 *   ENODATA: Slurm knows the job, but the job left no record; @err says why
 *   ENOENT: the store has no such job that this user may see
 *   0: the store could not be asked
 */
struct report *site_find_report(const struct site_job *job, const char *site, const char *config, struct error *err);

/*
 * If stint-site cannot build the report, it prints one line instead. The first character of the line is one of
 * these.
 */
#define SITE_ASK '?'  /* the line asks which cluster is meant */
#define SITE_WHY '!'  /* Slurm knows the job; the line says why there is no record */
#define SITE_NONE '-' /* the store has no such job that this user may see */

struct jobs_summary;

/*
 * Reads the jobs for stint summary from the store if the user names no file or directory. Only stint-site sets
 * this pointer. It is NULL in stint, which starts stint-site to read the store.
 */
extern int (*summary_store)(struct jobs_summary *summary, struct error *err);

/*
 * Prints this user's latest jobs. stint without a verb does this. Returns 0; -1 with @err set, and nothing
 * printed, if it fails.
 */
int cmd_latest(struct error *err);

/*
 * Shows the page of the job @what, and redraws it each second until the job ends. stint watch does this.
 *
 * @config: path of stint.conf; NULL for the default path
 *
 * Returns 0; -1 on failure, after printing a message.
 */
int watch_job(const char *what, const char *config, const struct page_options *page);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of the stint command. Each function reads its own arguments. @argv[0] is the verb's name for messages. */
#ifndef STINT_CMD_H
#define STINT_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

/* Each function returns the command's exit code. */
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
 * Starts stint-site to do @verb's work, with the same arguments. If stint-site cannot be started, prints a message and
 * returns the exit code.
 */
int site_run(char *verb, int argc, char *argv[]);

/* Returns true if this host has a store that may be read. @site: the site.conf that the user named, or NULL */
bool site_there(const char *site);

/* A job whose report is looked for in the store. */
struct site_job {
	const char *name;    /* "12", "10_2", "12+1" */
	int64_t attempt;     /* 0: the last */
	const char *cluster; /* NULL: any */
};

/*
 * Makes stint-site build the report of @job from the store.
 *
 * @site, @config: files to read instead of site.conf and stint.conf; may be NULL
 *
 * Returns the report, for report_free(); NULL with @err set. errno is then
 *   ENOTUNIQ: several clusters have such a job; @err asks which cluster is meant
 *   ENODATA: Slurm knows the job, but the job left no record; @err says why
 *   ENOENT: the store has no such job that this user may see
 *   0: the store could not be asked
 */
struct report *site_find_report(const struct site_job *job, const char *site, const char *config, struct error *err);

/* The first character of stint-site's output if the output is not a report, but one line. */
#define SITE_ASK '?'  /* the line asks which cluster is meant */
#define SITE_WHY '!'  /* Slurm knows the job; the line says why there is no record */
#define SITE_NONE '-' /* the store has no such job that this user may see */

struct jobs_summary;

/*
 * Reads the jobs of stint summary if no file or directory is named. In stint, this is NULL, because stint starts
 * stint-site to read the store. stint-site sets it.
 */
extern int (*summary_store)(struct jobs_summary *summary, struct error *err);

/*
 * Prints this user's latest jobs, as stint without a verb does. Returns 0. On failure prints nothing, and returns -1
 * with @err set.
 */
int cmd_latest(struct error *err);

/*
 * Shows the page of the running job @what, redrawn each second until the job ends, as stint watch does.
 *
 * @config: the file to read instead of stint.conf; may be NULL
 *
 * Returns 0; -1 on failure, after printing a message.
 */
int watch_job(const char *what, const char *config, const struct page_options *page);

#endif

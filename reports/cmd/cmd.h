/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of the stint command. Each reads its own arguments; @argv[0] is its name for messages. */
#ifndef STINT_CMD_H
#define STINT_CMD_H

#include <stdbool.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

/*
 * Each returns the command's exit code.
 */
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
 * Has stint-site do @verb's work, with the same arguments. Returns the exit code where it cannot be started, after a
 * message.
 */
int site_run(char *verb, int argc, char *argv[]);

/* Returns whether this host has a store that may be read; @site: the site.conf that was named, or NULL. */
bool site_there(const char *site);

/*
 * Has stint-site make the report of @job, which is a number, of what the store has.
 *
 * @cluster: the job's; NULL: it may be of any
 * @site, @config: read instead of site.conf and stint.conf; may be NULL
 *
 * Returns it, for report_free(); NULL with @err set. errno is ENOTUNIQ where several clusters have such a job: @err asks
 * which one is meant.
 */
struct report *site_find_report(const char *job, const char *cluster, const char *site, const char *config,
				struct error *err);

#define SITE_ASK '?' /* what stint-site prints begins so where it is that question, and no report */

struct jobs_summary;

/*
 * Where stint summary has its jobs from when no file or directory is named. In stint this is NULL: it has stint-site
 * read the store, which sets it.
 */
extern int (*summary_store)(struct jobs_summary *summary, struct error *err);

/*
 * Prints this user's latest jobs, as stint without a verb does. Returns 0; -1 with @err set, and nothing printed.
 */
int cmd_latest(struct error *err);

/*
 * Shows the page of the running job @what, drawn again each second until the job ends, as stint watch does.
 *
 * @config: read instead of stint.conf; may be NULL
 *
 * Returns 0; -1 when a message said what is wrong.
 */
int watch_job(const char *what, const char *config, const struct page_options *page);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/store_keep.h"

#include <ctype.h>
#include <errno.h>
#include <unistd.h>

#include "common/escape.h"
#include "common/log_line.h"
#include "reports/slurm/slurm_conf.h"
#include "reports/store/store_backlog.h"

static struct {
	enum { KEEP_NEW, KEEP_MADE, KEEP_DONE } stage;
	struct store_backlog backlog;
	struct store_backlog_line line;
} keep;

static void complain(const struct writer_job *job, const struct error *err)
{
	char whose[WRITER_WHOSE_MAX], shown[4 * WRITER_WHOSE_MAX];

	log_line(LOG_WARNING, "stint-epilog", "%s: the store does not get this record: %s",
		 escape_text(writer_whose(job, whose), shown, sizeof(shown)), err->text);
}

/* Adds the cluster's name in lower case, like Slurm. Without an epilog and a batch step, the record lacks this name. */
static void name_cluster(struct record *record)
{
	char name[256];

	if (record->identity.cluster || !slurm_conf_ask("ClusterName", name, sizeof(name)) || !*name)
		return;
	for (char *at = name; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	record->identity.cluster = report_copy(record_memory(record), name);
}

void store_keep_make(const struct writer_job *job, const char *path)
{
	const char *spool_dir = job->conf->spool_dir;
	struct error err;

	if (keep.stage != KEEP_NEW)
		return;
	keep.stage = KEEP_DONE;
	/* without a spool, there is no stintd to send the line */
	if (!conf_has_store(job->conf) || geteuid() != 0 || (access(spool_dir, F_OK) < 0 && errno == ENOENT))
		return;
	name_cluster(job->record);
	if (store_backlog_open(&keep.backlog, spool_dir, &err) < 0 ||
	    store_backlog_make(&keep.line, job->record, job->slurm, job->conf->store_scripts, path, &err) < 0)
		complain(job, &err);
	else
		keep.stage = KEEP_MADE;
}

void store_keep_put(const struct writer_job *job, const char *path)
{
	struct error err;

	if (job->option_unknown) /* perhaps --stint=off */
		return;
	store_keep_make(job, path);
	if (keep.stage != KEEP_MADE)
		return;
	keep.stage = KEEP_DONE;
	if (store_backlog_put(&keep.backlog, &keep.line, &err) < 0)
		complain(job, &err);
}

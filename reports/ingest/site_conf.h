/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site.conf: where the store and its database are. It may have a password, so not everybody can read it. */
#ifndef STINT_SITE_CONF_H
#define STINT_SITE_CONF_H

#include <limits.h>

#include "common/conf.h"
#include "common/error.h"
#include "reports/ingest/retention.h"

#define SITE_CONF_PATH SYSCONFDIR "/stint/site.conf"
#define SITE_TEXT 512

struct site_conf {
	char database[PATH_MAX];   /* a file, or postgresql://... */
	char store_dir[PATH_MAX];  /* from which batches are taken */
	char archive_dir[PATH_MAX];
	char store_user[SITE_TEXT]; /* to whom batches belong; empty: to the user of this process */
	char view_groups[SITE_TEXT]; /* whose members see all jobs */
	struct retention keep;
	char time_zone[SITE_TEXT];  /* of days; empty: as the database has it, or the machine's */
};

/*
 * Fills @conf from the file @path; NULL: from SITE_CONF_PATH, if that exists. Where the nodes write, and who does, is
 * said once: what the file does not say of it, @nodes says.
 *
 * @nodes: stint.conf; NULL: it could not be read
 *
 * Returns 0; -1 with @err set, which names file and line.
 */
int site_conf_load(struct site_conf *conf, const char *path, const struct conf *nodes, struct error *err);

#endif

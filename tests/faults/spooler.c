/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts a.record into a spool and tries to deliver it, as stintd does each minute. Delivery always fails.
 *
 *   spooler SPOOL_DIR RUN_DIR
 *
 * Exits with 0 if the record is kept.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/record/spool.h"
#include "common/spool/waiting.h"

static const char record[] = "{\"stint_record\":1,\"identity\":{\"job_id\":1}}";

static bool nobody(const char *name, void *data)
{
	(void)name;
	(void)data;
	return false;
}

static enum spool_try no_luck(const char *name, const char *path, void *data)
{
	(void)name;
	(void)path;
	(void)data;
	return SPOOL_LATER;
}

static int complain(const struct error *err)
{
	fprintf(stderr, "spooler: %s\n", err->text);
	return 1;
}

int main(int argc, char *argv[])
{
	struct waiting_seen seen = {};
	struct waiting waiting;
	struct spool spool;
	struct conf conf;
	struct error err;
	int run_fd;

	umask(077); /* tests/faults/run begins here */
	if (argc != 3)
		return 2;
	conf_defaults(&conf);
	snprintf(conf.spool_dir, sizeof(conf.spool_dir), "%s", argv[1]);
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s", argv[2]);
	run_fd = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (run_fd < 0)
		return complain(&(struct error){ "no run directory" });
	if (spool_open(&spool, &conf, run_fd, &err) < 0)
		return complain(&err);
	if (spool_put(&spool, "a.record", record, strlen(record), &err) < 0)
		return complain(&err);
	waiting_look(&waiting, &seen, &conf);
	spool_note(&spool, waiting.records.count, waiting.records.bytes);
	spool_damaged(&spool);
	spool_pass(&spool, time(NULL), nobody, no_luck, NULL);
	return 0;
}

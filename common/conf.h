/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads stint.conf: lines "key = value", see stint.conf(5). */
#ifndef STINT_CONF_H
#define STINT_CONF_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"
#include "common/map_bounds.h"
#include "common/program_names.h"

#define CONF_PATH SYSCONFDIR "/stint/stint.conf"
#define CONF_STORE_DIR LOCALSTATEDIR "/lib/stint/store" /* stint makes no other store directory */
#define CONF_STORE_USER_MAX 64

enum conf_mode {
	CONF_MODE_OFF,
	CONF_MODE_SUMMARY,
	CONF_MODE_TIMELINE,
};

enum conf_comment {
	CONF_COMMENT_NONE,
	CONF_COMMENT_JS1, /* the job summary: reports/deliver/js1.h */
};

#define CONF_REPORT_MODE_JOB (-1) /* the mode of the job's output file */

#define CONF_RULES_MAX 64

struct conf_rule {
	char name[64];
	double value;
};

#define CONF_LAST_LINES_MOST 100

struct conf {
	enum conf_mode mode;
	char output[PATH_MAX];    /* pattern of the report's path, relative to the job's working directory */
	char run_dir[PATH_MAX];   /* for stintd.sock, journal and notes; only root writes */
	/* Where node records wait. Only root may write there. */
	char spool_dir[PATH_MAX];
	unsigned int spool_max_age_h; /* for a node record, in hours */
	unsigned int spool_max_mb;    /* for all node records, in MiB */
	char bpf_dir[PATH_MAX];   /* for pins; below a mounted bpffs */
	unsigned int sample_interval_s;
	unsigned int epilog_wait_s;     /* if no epilog comes in this time, stintd closes the job itself */
	unsigned int merge_wait_s;      /* wait for other nodes' records */
	unsigned int last_lines; /* lines of a failed job's output that the page shows */
	enum conf_comment admin_comment;
	int report_mode;                /* mode of a report's file, or CONF_REPORT_MODE_JOB */
	/* Socket of the munged that makes credentials. If empty, libmunge's default. */
	char munge_socket[PATH_MAX];
	/* Most entries in the timeline of a node record. If there are more, short runs are grouped into bursts. */
	unsigned int timeline_entries;
	unsigned int stall_s;           /* a process that uses nothing for this time has stalled */
	/* A job that waits more often than this, on more than follow_cpus CPUs, is no longer followed as a whole. */
	unsigned int follow_waits_per_s;
	unsigned int follow_cpus;
	bool files;
	bool gpus; /* stint-gpu may run */
	char metrics[PATH_MAX]; /* directory of stint.prom; empty: none */
	bool programs_off[PROGRAMS];
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* 0: the kernel program's default */
	char store_dir[PATH_MAX];       /* for batches of store lines; empty: none */
	/* A command that gets each batch on its standard input, instead of store_dir. Empty: none. */
	char store_command[PATH_MAX];
	char store_user[CONF_STORE_USER_MAX]; /* writes to the store; empty: Slurm's user */
	bool store_scripts;
	unsigned int store_backlog_mb;  /* limit for data that waits on the node, in MiB */
	unsigned int store_interval_s;  /* wait for more store lines, in seconds */
	unsigned int store_wait_s;      /* limit for storing a batch, in seconds */
	struct conf_rule rules[CONF_RULES_MAX];
	unsigned int rule_count;
};

void conf_defaults(struct conf *conf);

/*
 * Reads the file @path into @conf. Keys that the file does not set keep their values.
 *
 * Returns 0; -1 with @err set. @err names the file and the line.
 * If the file cannot be read, errno is as open() sets it. With ENOENT, @conf is unchanged.
 */
int conf_load(struct conf *conf, const char *path, struct error *err);

/*
 * Calls @tell for each line that conf_load() would reject. @tell gets the file name, line number and reason.
 * If several lines are not "key = value", reports only the first.
 *
 * Returns the number of calls; -1 with @err set if the file cannot be read.
 */
int conf_mistakes(const char *path, void (*tell)(const char *mistake), struct error *err);

/*
 * Fills @conf with the defaults, then reads the file @path.
 * If @path is NULL, reads CONF_PATH, which may be missing.
 *
 * Returns 0; -1 with @err set.
 */
int conf_load_default(struct conf *conf, const char *path, struct error *err);

/*
 * Works like conf_load_default(), but leaves out lines that it does not understand.
 * Users who read reports need this: another person's mistake must not stop them.
 * CONF_PATH may be missing, or not readable.
 *
 * @warning: the first line left out, or why the file could not be read; empty if all is well
 *
 * Returns 0; -1 with @err set if the file cannot be read.
 */
int conf_load_known(struct conf *conf, const char *path, struct error *warning, struct error *err);

/* Returns whether the site keeps a store. */
static inline bool conf_has_store(const struct conf *conf)
{
	return conf->store_dir[0] || conf->store_command[0];
}

/* @text: "off", "summary" or "timeline". Returns 0; -1 for any other text. */
int conf_mode_parse(const char *text, enum conf_mode *mode);

#endif

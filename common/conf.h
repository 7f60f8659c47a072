/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads stint.conf, which has lines "key = value". stint.conf(5) documents each key. */
#ifndef STINT_CONF_H
#define STINT_CONF_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"
#include "common/map_bounds.h"
#include "common/program_names.h"

#define CONF_PATH SYSCONFDIR "/stint/stint.conf"
#define CONF_STORE_DIR LOCALSTATEDIR "/lib/stint/store" /* the only store directory that stint itself makes */
#define CONF_STORE_USER_MAX 64

enum conf_mode {
	CONF_MODE_OFF,
	CONF_MODE_SUMMARY,
	CONF_MODE_TIMELINE,
};

/* The AdminComment that stint sets for a job. */
enum conf_comment {
	CONF_COMMENT_NONE,
	CONF_COMMENT_JS1, /* the job summary, in the form that jobstats uses: see reports/deliver/js1.h */
};

#define CONF_REPORT_MODE_JOB (-1) /* the mode that Slurm gives to the file of the job's own output */

#define CONF_RULES_MAX 64

struct conf_rule {
	char name[64]; /* without "rule." */
	double value;
};

#define CONF_LAST_LINES_MOST 100

struct conf {
	enum conf_mode mode;      /* mode of a job that does not choose one */
	char output[PATH_MAX];    /* pattern of the report's path, relative to the job's working directory */
	char run_dir[PATH_MAX];   /* directory for stintd.sock, journal and notes; only root may write there */
	/* directory for node records that wait to be merged into a report; only root may write there */
	char spool_dir[PATH_MAX];
	unsigned int spool_max_age_h; /* the longest that a node record may wait in spool_dir, in hours */
	unsigned int spool_max_mb;    /* the most that all node records in spool_dir may hold, in MiB */
	char bpf_dir[PATH_MAX];   /* directory for pins, below a mounted bpffs */
	unsigned int sample_interval_s; /* time between samples */
	unsigned int epilog_wait_s;     /* a job that left the node without an epilog is closed after this time */
	unsigned int merge_wait_s;      /* the longest that the batch node waits for the other nodes' records */
	unsigned int last_lines; /* the most lines of a failed job's own output that its page shows */
	enum conf_comment admin_comment; /* AdminComment that stint sets for a job */
	int report_mode;                /* mode of a report's file, or CONF_REPORT_MODE_JOB */
	/* Socket of the munged that makes and checks the credentials of parts. Empty: libmunge's default. */
	char munge_socket[PATH_MAX];
	/* the most timeline entries in a node record; if there are more, short runs become bursts */
	unsigned int timeline_entries;
	unsigned int stall_s;           /* if a process uses nothing for this long, it has stalled */
	/* If a job waits more often than this, on more than follow_cpus CPUs, it is no longer followed as a whole. */
	unsigned int follow_waits_per_s;
	unsigned int follow_cpus;
	bool files;                     /* whether the bytes and opens of each file are counted */
	bool programs_off[PROGRAMS];    /* kernel programs to leave out */
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* the most entries of each map; 0: the kernel programs' default */
	char store_dir[PATH_MAX];       /* directory to which batches of store lines go; empty: none */
	/* command that receives each batch on its standard input, instead of store_dir; empty: none */
	char store_command[PATH_MAX];
	char store_user[CONF_STORE_USER_MAX]; /* the user who writes to the store; empty: Slurm's own user */
	bool store_scripts;             /* whether store lines have the names of scripts */
	unsigned int store_backlog_mb;  /* the most that may wait for the store, in MiB */
	unsigned int store_interval_s;  /* the longest time that a line waits for other lines of its batch */
	unsigned int store_wait_s;      /* the longest time that storing one batch may take */
	struct conf_rule rules[CONF_RULES_MAX]; /* thresholds of the reports for which the site has set a value */
	unsigned int rule_count;
};

/*
 * Fills @conf with the defaults.
 */
void conf_defaults(struct conf *conf);

/*
 * Reads the file @path into @conf. Keys that the file does not set remain unchanged.
 *
 * Returns 0; -1 with @err set. If a line is wrong, @err names the file and the line. If the file could not be read,
 * errno is that of the open (ENOENT: there is no file, and @conf is unchanged).
 */
int conf_load(struct conf *conf, const char *path, struct error *err);

/*
 * Calls @tell for each line of the file @path that conf_load() would reject, with the file and the line number. If
 * several lines do not have the form "key = value", reports only the first of them.
 *
 * Returns the number of calls; -1 with @err set if the file could not be read.
 */
int conf_mistakes(const char *path, void (*tell)(const char *mistake), struct error *err);

/*
 * Fills @conf with the defaults, and then reads @path, or CONF_PATH if @path is NULL and that file exists.
 *
 * Returns 0; -1 with @err set.
 */
int conf_load_default(struct conf *conf, const char *path, struct error *err);

/*
 * Like conf_load_default(), for users who read reports. Another person's mistake in the file must not stop them. So
 * lines that are not understood are left out, and all others are used. It is no failure either if CONF_PATH does not
 * exist, or if the user may not read it.
 *
 * @warning: set to the first line that was left out, with file and line number, or to the reason why nothing could be
 * read; empty if everything was understood
 *
 * Returns 0; -1 with @err set if the file could not be read.
 */
int conf_load_known(struct conf *conf, const char *path, struct error *warning, struct error *err);

/* Returns whether store lines are made at all. */
static inline bool conf_has_store(const struct conf *conf)
{
	return conf->store_dir[0] || conf->store_command[0];
}

/* Reads @text, which is "off", "summary" or "timeline". Returns 0; -1 for any other text. */
int conf_mode_parse(const char *text, enum conf_mode *mode);

#endif

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

#define CONF_REPORT_MODE_JOB (-1) /* give the report the mode that Slurm gives to the job's output file */

#define CONF_RULES_MAX 64

struct conf_rule {
	char name[64]; /* name of the rule, without the prefix "rule." */
	double value;
};

#define CONF_LAST_LINES_MOST 100

struct conf {
	enum conf_mode mode;      /* mode of a job that does not choose one */
	char output[PATH_MAX];    /* pattern of the report's path, relative to the job's working directory */
	char run_dir[PATH_MAX];   /* directory for stintd.sock, journal and notes; only root may write there */
	/* directory where node records wait to be merged into a report; only root may write there */
	char spool_dir[PATH_MAX];
	unsigned int spool_max_age_h; /* the longest that a node record may wait in spool_dir, in hours */
	unsigned int spool_max_mb;    /* the most that all node records in spool_dir may hold, in MiB */
	char bpf_dir[PATH_MAX];   /* directory for pins, below a mounted bpffs */
	unsigned int sample_interval_s; /* time between samples */
	unsigned int epilog_wait_s;     /* if no epilog closes a job that has left the node, stintd closes it after this time */
	unsigned int merge_wait_s;      /* the longest that the batch node waits for the other nodes' records */
	unsigned int last_lines; /* if a job failed, its page shows at most this many lines of the job's own output */
	enum conf_comment admin_comment; /* AdminComment that stint sets for a job */
	int report_mode;                /* mode of a report's file, or CONF_REPORT_MODE_JOB */
	/* Socket of the munged that makes and checks the credentials of parts. If empty, libmunge's default socket. */
	char munge_socket[PATH_MAX];
	/* the most timeline entries in a node record; if a job has more, short runs are grouped into bursts */
	unsigned int timeline_entries;
	unsigned int stall_s;           /* a process has stalled if it uses nothing for this many seconds */
	/*
	 * stintd stops following a job as a whole if the job waits more often than follow_waits_per_s on more than
	 * follow_cpus CPUs.
	 */
	unsigned int follow_waits_per_s;
	unsigned int follow_cpus;
	bool files;                     /* whether the bytes and opens of each file are counted */
	bool programs_off[PROGRAMS];    /* kernel programs to leave out */
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* the most entries of each map; 0: the default that the kernel program sets */
	char store_dir[PATH_MAX];       /* directory to which batches of store lines go; empty: none */
	/* command that receives each batch on its standard input, and replaces store_dir; empty: none */
	char store_command[PATH_MAX];
	char store_user[CONF_STORE_USER_MAX]; /* the user who writes to the store; empty: the user that Slurm itself runs as */
	bool store_scripts;             /* whether store lines have the names of scripts */
	unsigned int store_backlog_mb;  /* the most data that may wait on this node to be sent to the store, in MiB */
	unsigned int store_interval_s;  /* the longest time that a store line waits for other lines to join its batch, in seconds */
	unsigned int store_wait_s;      /* the longest time that storing one batch may take, in seconds */
	struct conf_rule rules[CONF_RULES_MAX]; /* the thresholds that the site has set for the rules of reports */
	unsigned int rule_count;
};

/*
 * Fills @conf with the defaults.
 */
void conf_defaults(struct conf *conf);

/*
 * Reads the file @path into @conf. If the file does not set a key, the value of that key in @conf stays.
 *
 * Returns 0; -1 with @err set. If a line is wrong, @err names the file and the line. If the file could not be read,
 * errno is set as open() sets it. If errno is ENOENT, there is no such file, and @conf is unchanged.
 */
int conf_load(struct conf *conf, const char *path, struct error *err);

/*
 * Calls @tell for each line of the file @path that conf_load() would reject. Each call gets the file name, the line
 * number and the reason. If several lines do not have the form "key = value", reports only the first of those lines.
 *
 * Returns the number of calls; -1 with @err set if the file could not be read.
 */
int conf_mistakes(const char *path, void (*tell)(const char *mistake), struct error *err);

/*
 * Fills @conf with the defaults, and then reads the file @path. If @path is NULL, reads CONF_PATH instead, unless
 * that file does not exist.
 *
 * Returns 0; -1 with @err set.
 */
int conf_load_default(struct conf *conf, const char *path, struct error *err);

/*
 * Like conf_load_default(), but for users who read reports, because another person's mistake in the file must not
 * stop them. Leaves out each line that it does not understand, and uses all other lines. Also succeeds if CONF_PATH
 * does not exist, or if the user may not read it.
 *
 * @warning: set to the first line that was left out, with file name and line number, or to the reason why the file
 * could not be read; empty if every line was understood
 *
 * Returns 0; -1 with @err set if the file could not be read.
 */
int conf_load_known(struct conf *conf, const char *path, struct error *warning, struct error *err);

/* Returns whether the site keeps a store. If it does not, no store lines are made. */
static inline bool conf_has_store(const struct conf *conf)
{
	return conf->store_dir[0] || conf->store_command[0];
}

/* Reads @text, which is "off", "summary" or "timeline". Returns 0; -1 for any other text. */
int conf_mode_parse(const char *text, enum conf_mode *mode);

#endif

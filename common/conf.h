/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint.conf: "key = value" lines; stint.conf(5) documents each key. */
#ifndef STINT_CONF_H
#define STINT_CONF_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"
#include "common/map_bounds.h"
#include "common/program_names.h"

#define CONF_PATH SYSCONFDIR "/stint/stint.conf"
#define CONF_STORE_DIR LOCALSTATEDIR "/lib/stint/store" /* stint itself makes only this one */
#define CONF_STORE_USER_MAX 64

enum conf_mode {
	CONF_MODE_OFF,
	CONF_MODE_SUMMARY,
	CONF_MODE_TIMELINE,
};

/* What stint sets as a job's AdminComment. */
enum conf_comment {
	CONF_COMMENT_NONE,
	CONF_COMMENT_JS1, /* the job summary, in the form of jobstats: see reports/deliver/js1.h */
};

#define CONF_REPORT_MODE_JOB (-1) /* the mode that Slurm gives the job's own output */

#define CONF_RULES_MAX 64

struct conf_rule {
	char name[64]; /* without "rule." */
	double value;
};

#define CONF_LAST_LINES_MOST 100

struct conf {
	enum conf_mode mode;      /* of a job that does not choose one */
	char output[PATH_MAX];    /* pattern of the report's path, from the job's working directory */
	char run_dir[PATH_MAX];   /* for stintd.sock, journal and notes; only root may write there */
	char spool_dir[PATH_MAX]; /* node records on their way to a report; only root may write there */
	unsigned int spool_max_age_h; /* how long a node record may wait there */
	unsigned int spool_max_mb;    /* how much all node records there may hold, in MiB */
	char bpf_dir[PATH_MAX];   /* pins, below a mounted bpffs */
	unsigned int sample_interval_s; /* time between samples */
	unsigned int epilog_wait_s;     /* a job that left the node without an epilog is closed after this */
	unsigned int merge_wait_s;      /* how long the batch node waits for the other nodes' records */
	unsigned int last_lines; /* how many lines of a failed job's own output its page shows at most */
	enum conf_comment admin_comment; /* what a job's AdminComment is set to */
	int report_mode;                /* of a report's file, or CONF_REPORT_MODE_JOB */
	/* of the munged that makes and checks parts' credentials; empty: libmunge's default */
	char munge_socket[PATH_MAX];
	unsigned int timeline_entries;  /* the most in a node record; beyond that, short runs become bursts */
	unsigned int stall_s;           /* a process that uses nothing for this long has stalled */
	/* a job that waits more often, on more than follow_cpus CPUs, is no longer followed as a whole */
	unsigned int follow_waits_per_s;
	unsigned int follow_cpus;
	bool files;                     /* whether each file's bytes and opens are counted */
	bool programs_off[PROGRAMS];    /* kernel programs to leave out */
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* 0: the kernel programs' default */
	char store_dir[PATH_MAX];       /* where batches of store lines go; empty: nowhere */
	char store_command[PATH_MAX];   /* receives each batch on its standard input, instead of store_dir; empty:
		 * none */
	char store_user[CONF_STORE_USER_MAX]; /* the user who writes there; empty: Slurm's own user */
	bool store_scripts;             /* whether store lines have the names of scripts */
	unsigned int store_backlog_mb;  /* how much may wait for the store, in MiB */
	unsigned int store_interval_s;  /* the longest time that a line waits for others of its batch */
	unsigned int store_wait_s;      /* the longest time that one batch may take */
	struct conf_rule rules[CONF_RULES_MAX]; /* the reports' thresholds for which the site has its own value */
	unsigned int rule_count;
};

/*
 * Fills @conf with the defaults.
 */
void conf_defaults(struct conf *conf);

/*
 * Reads @path into @conf. Keys that the file does not set stay unchanged.
 *
 * Returns 0; -1 with @err naming file and line, and errno of the open if the file could not be read (ENOENT: there is
 * no file, and @conf is unchanged).
 */
int conf_load(struct conf *conf, const char *path, struct error *err);

/*
 * Passes each line of @path that conf_load() would reject to @tell, with file and line number. For lines not of the
 * form "key = value", only the first.
 *
 * Returns the number of such lines; -1 with @err set if the file could not be read.
 */
int conf_mistakes(const char *path, void (*tell)(const char *mistake), struct error *err);

/*
 * Reads @path if given, otherwise CONF_PATH if that exists.
 *
 * Returns 0; -1 with @err set.
 */
int conf_load_default(struct conf *conf, const char *path, struct error *err);

/*
 * The same for a reader, who must not be stopped by another person's mistake: leaves out lines that it does not
 * understand, and uses all others. Also accepts a CONF_PATH that only others may read. @warning: set to the first such
 * line, with file and line number, or to why nothing could be read; empty if everything is understood.
 *
 * Returns 0; -1 with @err set if the file could not be read.
 */
int conf_load_known(struct conf *conf, const char *path, struct error *warning, struct error *err);

/* Whether store lines are made at all. */
static inline bool conf_has_store(const struct conf *conf)
{
	return conf->store_dir[0] || conf->store_command[0];
}

/*
 * Reads "off", "summary" or "timeline". Returns 0, or -1 for anything else.
 */
int conf_mode_parse(const char *text, enum conf_mode *mode);

#endif

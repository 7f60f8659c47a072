/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint.conf: "key = value" lines; stint.conf(5) documents each key. */
#ifndef STINT_CONF_H
#define STINT_CONF_H

#include <limits.h>
#include <stdbool.h>

#include "collector/common/error.h"
#include "collector/common/maps.h"
#include "collector/common/programs.h"

#define CONF_PATH SYSCONFDIR "/stint/stint.conf"

enum conf_mode {
	CONF_MODE_OFF,
	CONF_MODE_SUMMARY,
	CONF_MODE_TIMELINE,
};

/* What is kept in a job's AdminComment. */
enum conf_comment {
	CONF_COMMENT_NONE,
	CONF_COMMENT_JS1, /* the summary of jobstats, see reports/js1.h */
};

#define CONF_RULES_MAX 64

struct conf_rule {
	char name[64]; /* what stands behind "rule." */
	double value;
};

struct conf {
	enum conf_mode mode;      /* of a job that does not say */
	char output[PATH_MAX];    /* pattern of the report's path, from the job's working directory */
	char run_dir[PATH_MAX];   /* stintd.sock and the open jobs' notes; root's alone */
	char spool_dir[PATH_MAX]; /* node records on their way to a report; root's alone */
	unsigned int spool_max_age_h; /* how long one may wait there */
	unsigned int spool_max_mb;    /* how much all may hold, in MiB */
	char bpf_dir[PATH_MAX];   /* pins, below a mounted bpffs */
	unsigned int sample_interval_s; /* between two looks at the jobs */
	unsigned int merge_wait_s;      /* how long the batch node waits for the other nodes' records */
	enum conf_comment admin_comment; /* what Slurm is given to keep of a job */
	unsigned int timeline_entries;  /* of a node's record at most; beyond, short runs become bursts */
	unsigned int stall_s;           /* a process that uses nothing for as long has stalled */
	bool files;                     /* whether each file's bytes and opens are counted */
	bool programs_off[PROGRAMS];    /* kernel programs that are left out */
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* 0: as the kernel programs have it */
	struct conf_rule rules[CONF_RULES_MAX]; /* the reports' thresholds that the site has its own value for */
	unsigned int rule_count;
};

/*
 * Fills @conf with the defaults.
 */
void conf_defaults(struct conf *conf);

/*
 * Reads @path over what @conf holds.
 *
 * Returns 0; -1 with @err naming file and line, and errno of the open when the
 * file could not be read (ENOENT: there is none, the defaults stand).
 */
int conf_load(struct conf *conf, const char *path, struct error *err);

/*
 * Reads @path if it is given, else CONF_PATH if that exists.
 *
 * Returns 0; -1 with @err set.
 */
int conf_load_default(struct conf *conf, const char *path, struct error *err);

/*
 * Reads "off", "summary" or "timeline". Returns 0, or -1 for anything else.
 */
int conf_mode_parse(const char *text, enum conf_mode *mode);

#endif

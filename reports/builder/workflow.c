/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/workflow.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "common/suffix.h"
#include "reports/model/report_make.h"

#define TEXT_MAX 4096 /* no engine makes a longer name */
#define GROUPS 5

/*
 * How to recognize jobs of Nextflow (AbstractGridExecutor, SlurmExecutor).
 *
 * Nextflow submits .command.run from the task's directory, whose name is a hash.
 * The job's name is "nf-", the process with its scopes, and in brackets the tag or the task's number.
 * Nextflow replaces ' ', '/', ':', '@', '*', '?' and '=' by '_', and cuts the name after 256 characters.
 * Without brackets, the name does not show where the process ends.
 *
 * If a site sets executor.jobName, the job's name usually has the form "SCOPE:PROCESS (TAG)".
 */
#define NEXTFLOW_DIR "/[0-9a-f]{2}/[0-9a-f]{30}/?$"
#define NEXTFLOW_NAME "^nf-([A-Za-z_][A-Za-z0-9_]*)(_\\((.*)\\))?$"
#define NEXTFLOW_OWN_NAME "^([A-Za-z_][A-Za-z0-9_:]*)([_ ]\\((.*)\\))$"
#define NEXTFLOW_CUT "^nf-([A-Za-z_][A-Za-z0-9_]*)_\\("
#define NEXTFLOW_NAME_MAX 256

/*
 * How to recognize jobs of Snakemake.
 *
 * The Slurm executor (version 7, and the plugin of 8 and later) puts rule and wildcards into the path of the log.
 * If the logs are in another directory, the job's comment agrees with the path.
 * The job's name is then the uuid of the run, after a prefix of the user (--slurm-jobname-prefix).
 * Other ways to submit (--cluster, cluster-generic) have the rule in the script's name.
 */
#define SNAKEMAKE_LOG "/\\.snakemake/slurm_logs/(rule|group)_([^/]+)/((.+)/)?[^/]+$"
#define SNAKEMAKE_OWN_LOG "^/(rule|group)_([^/]+)/((.+)/)?[^/]+$"
#define SNAKEMAKE_RUN "^([A-Za-z0-9_-]+_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
#define SNAKEMAKE_SCRIPT "(^|/\\.snakemake/tmp\\.[^/]+/)snakejob\\.([A-Za-z0-9_]+)\\.[0-9]+\\.sh$"

struct match {
	char text[TEXT_MAX];
	const char *group[GROUPS]; /* NULL if this group did not match */
};

/*
 * @part: a string that each matching text has, or NULL. Searching for it is far cheaper than matching.
 * @match: may be NULL.
 */
static bool matches(const char *pattern, const char *part, const char *text, struct match *match)
{
	regmatch_t at[GROUPS];
	regex_t regex;
	bool found;

	if (!text || strlen(text) >= TEXT_MAX || (part && !strstr(text, part)) || regcomp(&regex, pattern, REG_EXTENDED) != 0)
		return false;
	found = regexec(&regex, text, GROUPS, at, 0) == 0;
	regfree(&regex);
	if (!found || !match)
		return found;
	strcpy(match->text, text);
	for (int i = 1; i < GROUPS; i++) {
		bool there = at[i].rm_so >= 0 && at[i].rm_eo > at[i].rm_so;

		match->group[i] = there ? match->text + at[i].rm_so : NULL;
	}
	/* The character after a group never begins another group, so the NUL damages no other group. */
	for (int i = 1; i < GROUPS; i++)
		if (match->group[i])
			match->text[at[i].rm_eo] = '\0';
	return true;
}

static bool is_nextflow(const struct report_job *job, const struct record_slurm_job *slurm)
{
	return ((job->name && strncmp(job->name, "nf-", 3) == 0) || has_suffix(slurm->command, "/.command.run") ||
		has_suffix(slurm->std_out, "/.command.log")) &&
	       matches(NEXTFLOW_DIR, "/", job->work_dir, NULL);
}

static const char *nextflow_pattern(const char *name)
{
	if (strlen(name) >= NEXTFLOW_NAME_MAX)
		return NEXTFLOW_CUT;
	return strncmp(name, "nf-", 3) == 0 ? NEXTFLOW_NAME : NEXTFLOW_OWN_NAME;
}

/* All tasks of an array have the name of the first task, so the tag is left out. */
static void put_nextflow(struct report *report, bool array)
{
	struct report_workflow *workflow = &report->job.workflow;
	const char *name = report->job.name;
	struct match match;

	workflow->engine = "nextflow";
	if (!name || !matches(nextflow_pattern(name), NULL, name, &match))
		return;
	workflow->process = report_copy(report, match.group[1]);
	if (!array)
		workflow->tag = report_copy(report, match.group[3]);
}

static const char *commented_wildcards(const char *comment, const char *rule)
{
	char begin[TEXT_MAX + 32];
	int len = snprintf(begin, sizeof(begin), "rule_%s_wildcards_", rule);

	return comment && strncmp(comment, begin, len) == 0 && comment[len] ? comment + len : NULL;
}

static bool comment_agrees(const char *comment, const char *rule)
{
	return strncmp(comment, "rule_", 5) == 0 &&
	       (strcmp(comment + 5, rule) == 0 || commented_wildcards(comment, rule));
}

/* Finds the end of the path @log that fits @comment. */
static bool own_log(const char *log, const char *comment, struct match *match)
{
	for (; log && comment && (log = strchr(log, '/')); log++)
		if ((log[1] == 'r' || log[1] == 'g') && matches(SNAKEMAKE_OWN_LOG, "_", log, match) &&
		    comment_agrees(comment, match->group[2]))
			return true;
	return false;
}

static bool put_logged(struct report *report, const struct record_slurm_job *slurm, bool array)
{
	struct report_workflow *workflow = &report->job.workflow;
	const char *comment = slurm->comment, *wildcards;
	struct match match;

	if (!matches(SNAKEMAKE_LOG, "/.snakemake/", slurm->std_out, &match) &&
	    !(comment && matches(SNAKEMAKE_RUN, "-", report->job.name, NULL) && own_log(slurm->std_out, comment, &match)))
		return false;
	workflow->engine = "snakemake";
	if (strcmp(match.group[1], "group") == 0) {
		workflow->group = report_copy(report, match.group[2]);
		return true;
	}
	workflow->rule = report_copy(report, match.group[2]);
	wildcards = match.group[4] ? match.group[4] : commented_wildcards(comment, match.group[2]);
	if (!array)
		workflow->wildcards = report_copy(report, wildcards);
	return true;
}

/*
 * Finds the rule in the name snakejob.RULE.NUMBER.sh. Returns false for other names.
 * The script of a group has another id in the place of the number.
 */
static bool put_script(struct report *report, const struct record_slurm_job *slurm, bool array)
{
	struct report_workflow *workflow = &report->job.workflow;
	struct match match;

	if (!matches(SNAKEMAKE_SCRIPT, "snakejob.", slurm->command, &match) &&
	    !matches(SNAKEMAKE_SCRIPT, "snakejob.", report->job.name, &match))
		return false;
	workflow->engine = "snakemake";
	workflow->rule = report_copy(report, match.group[2]);
	if (!array)
		workflow->wildcards = report_copy(report, commented_wildcards(slurm->comment, match.group[2]));
	return true;
}

/* A store line has the name of the workflow, and lacks the job's names and paths. */
static void copy_found(struct report *report, const struct record_workflow *found)
{
	struct report_workflow *workflow = &report->job.workflow;

	workflow->engine = report_copy(report, found->engine);
	workflow->process = report_copy(report, found->process);
	workflow->rule = report_copy(report, found->rule);
	workflow->group = report_copy(report, found->group);
}

void workflow_put(struct report *report, const struct record_slurm_job *slurm)
{
	bool array = report->job.array_job_id >= 0, known = true;

	slurm = slurm_job_or_unknown(slurm);
	if (slurm->workflow.known)
		copy_found(report, &slurm->workflow);
	else if (is_nextflow(&report->job, slurm))
		put_nextflow(report, array);
	else
		known = put_logged(report, slurm, array) || put_script(report, slurm, array);
	report->job.workflow.known = known;
}

static const char *engine_of(const char *engine)
{
	if (!engine)
		return NULL;
	return strcmp(engine, "nextflow") == 0 ? "Nextflow" : strcmp(engine, "snakemake") == 0 ? "Snakemake" : NULL;
}

const char *workflow_unit_of(const struct report_workflow *workflow, const char **kind)
{
	const struct {
		const char *kind, *name;
	} units[] = { { "process", workflow->process }, { "rule", workflow->rule }, { "group", workflow->group } };

	for (size_t i = 0; engine_of(workflow->engine) && i < sizeof(units) / sizeof(units[0]); i++) {
		if (!units[i].name)
			continue;
		if (kind)
			*kind = units[i].kind;
		return units[i].name;
	}
	return NULL;
}

const char *workflow_unit(const struct report *report, const char **kind)
{
	return workflow_unit_of(&report->job.workflow, kind);
}

bool workflow_text_of(const struct report_workflow *workflow, char *text, size_t size)
{
	const char *engine = engine_of(workflow->engine), *which = workflow->tag ? workflow->tag : workflow->wildcards;
	const char *kind, *unit;

	*text = '\0';
	if (!engine)
		return false;
	unit = workflow_unit_of(workflow, &kind);
	if (unit)
		snprintf(text, size, "%s %s %s%s%s", engine, kind, unit, which ? ", " : "", which ? which : "");
	else
		snprintf(text, size, "%s", engine);
	return true;
}

bool workflow_text(const struct report *report, char *text, size_t size)
{
	return workflow_text_of(&report->job.workflow, text, size);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/collect.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/memory/array.h"
#include "reports/deliver/writer.h"
#include "reports/files/part_set.h"
#include "reports/files/reach.h"
#include "reports/files/report_file.h"
#include "reports/model/report_make.h"
#include "reports/model/report_write.h"
#include "reports/read/find_messages.h"
#include "reports/records/record_parts.h"
#include "reports/slurm/slurm_job.h"

#define DIRECTORY_BYTES ((size_t)512 << 20) /* the most bytes to read from parts that no report includes; such parts are few */
#define IDLE_MS 15000 /* the child may be without progress for so long, because Slurm may need this time to answer */

/* The parsed file name of a part. */
struct part_name {
	struct record_identity job; /* node: not set */
	char *node;
};

/* One attempt of a job, and the nodes that left a part for it. */
struct part_set {
	struct record_identity job; /* node: not set */
	struct report_texts nodes; /* the sets own the memory of the names */
};

struct part_sets {
	int dirfd;
	size_t left; /* bytes that may still be read to find out which files are parts */
	struct report *memory;
	struct part_set *list;
	size_t count;
};

static void part_sets_free(struct part_sets *sets)
{
	free(sets->list);
	report_free(sets->memory);
	if (sets->dirfd >= 0)
		close(sets->dirfd);
}

#define cleanup_part_sets __attribute__((cleanup(part_sets_free), unused))

static int compare_jobs(const struct record_identity *a, const struct record_identity *b)
{
	if (a->job_id != b->job_id)
		return a->job_id < b->job_id ? -1 : 1;
	return (a->attempt > b->attempt) - (a->attempt < b->attempt);
}

static int compare_names(const void *left, const void *right)
{
	const struct part_name *a = left, *b = right;
	int jobs = compare_jobs(&a->job, &b->job);

	return jobs ? jobs : strcmp(a->node, b->node);
}

/* Adds @name if it is a part of the job @job_id, or of any job if @job_id is 0. */
static void take_name(const char *name, int64_t job_id, struct part_name **names, size_t *count)
{
	struct part_name part = { 0 };

	if (name[0] != '.' || !part_set_read_name(name, &part.job, &part.node))
		return;
	if ((job_id && part.job.job_id != job_id) || !array_room(names, *count, sizeof(**names))) {
		free(part.node);
		return;
	}
	part.job.node = NULL;
	(*names)[(*count)++] = part;
}

/*
 * Groups @names, sorted by job and attempt, into sets.
 * Copies the nodes' names to @sets, and frees them in @names.
 */
static void group_names(struct part_sets *sets, struct part_name *names, size_t count)
{
	sets->memory = report_new(NULL);
	sets->list = sets->memory ? calloc(count + 1, sizeof(*sets->list)) : NULL;
	for (size_t i = 0; i < count; i++) {
		if (sets->list && (i == 0 || compare_jobs(&names[i - 1].job, &names[i].job) != 0))
			sets->list[sets->count++] = (struct part_set){ .job = names[i].job };
		if (sets->list)
			report_add_text(sets->memory, &sets->list[sets->count - 1].nodes,
					report_copy(sets->memory, names[i].node));
		free(names[i].node);
	}
}

/*
 * Groups the parts in @directory by job and attempt.
 * @sets->left limits what is read: a user can leave any number of files there.
 */
static void read_part_sets(struct part_sets *sets, const char *directory, int64_t job_id)
{
	cleanup_closedir DIR *entries = opendir(directory);
	cleanup_free struct part_name *names = NULL;
	struct dirent *entry;
	size_t count = 0;

	while (entries && (entry = readdir(entries)))
		take_name(entry->d_name, job_id, &names, &count);
	if (count > 0)
		qsort(names, count, sizeof(*names), compare_names);
	group_names(sets, names, count);
	sets->dirfd = entries ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static struct record *read_one(struct part_sets *sets, const struct part_set *set, const struct report_texts *nodes,
			       const struct proof_wanted *proof, struct record_identity *job)
{
	struct part_bounds bounds = part_form_begin(nodes->count);
	struct record *record = NULL;
	struct error err;
	size_t before;

	*job = set->job;
	if (bounds.bytes > sets->left)
		bounds.bytes = sets->left;
	before = bounds.bytes;
	for (size_t i = 0; !record && i < nodes->count; i++) {
		const struct part_set_wanted wanted = { sets->dirfd, &set->job, nodes->items[i] ?: "", .leads = true };
		struct part_set_found part;

		record = part_set_read(&wanted, proof, &bounds, &part, &err);
		free(part.credential);
		if (!record || record_identify(record, "part", job, &err) == 0)
			continue;
		record_free(record);
		record = NULL;
	}
	sets->left -= before - bounds.bytes;
	return record;
}

/*
 * Returns the nodes of the job, the leading node first.
 * If @record does not name all nodes, returns the nodes that left a part.
 * The names live as long as @record and @set.
 */
static struct report_texts all_nodes(const struct record *record, const struct part_set *set)
{
	const struct record_slurm_job *slurm = &record->slurm_job;
	const char *list = record->node_list;
	struct report_texts expanded = { 0 };
	struct error err;

	if (slurm->node_names.count > 0 && list && strcmp(list, slurm->node_list ?: "") == 0)
		return slurm->node_names;
	if (list && *list && slurm_job_expand(NULL, list, record_memory(record), &expanded, &err) == 0)
		return expanded;
	return set->nodes;
}

/*
 * Asks Slurm about a job if no part has Slurm's answer. Only the leading node writes the answer into its part,
 * and that node may have died.
 * Job ids are reused, so the answer must have the user and nodes of @record.
 */
static struct slurm_answer *ask_slurm(const struct record *record, const struct record_identity *job)
{
	const struct record_slurm_job *slurm;
	struct slurm_answer *answer;
	struct error err;
	char id[16];

	snprintf(id, sizeof(id), "%u", job->job_id);
	answer = slurm_job(NULL, id, &err);
	slurm = slurm_job_or_unknown(slurm_answer_job(answer));
	if (slurm->user_id >= 0 && slurm->user_id == record->user.uid && report_text_is(record->node_list, slurm->node_list))
		return answer;
	slurm_answer_free(answer);
	return NULL;
}

static struct report *merge(struct part_sets *sets, const struct part_set *set, const char *name, const struct conf *conf)
{
	struct record_identity any;
	struct error reason = { "" };
	struct proof_wanted wanted = {
		.notary = munge_notary(conf->munge_socket, &reason),
		.reason = reason.text,
		.uid = -1,
	};
	cleanup_record struct record *first = read_one(sets, set, &set->nodes, &wanted, &any), *leading = NULL;
	cleanup_answer struct slurm_answer *asked = NULL;
	struct writer_place place = { .dirfd = sets->dirfd };
	struct writer_job job = { .conf = conf, .slurm_reason = "no part from the job's nodes has what Slurm said" };
	struct error err;

	if (!first)
		return NULL;
	job.nodes = all_nodes(first, set);
	job.record = leading = read_one(sets, set, &job.nodes, &wanted, &job.identity);
	if (!leading)
		return NULL;
	job.notary = wanted.notary;
	job.notary_reason = reason.text;
	job.group = record_group(first);
	if (!first->slurm_job.known && !leading->slurm_job.known)
		job.answer = asked = ask_slurm(first, &any);
	job.slurm = slurm_answer_job(asked);
	snprintf(place.name, sizeof(place.name), "%s", name);
	return writer_build(&job, &place, &err);
}

static size_t nodes_counted(const struct report *report)
{
	size_t counted = 0;

	for (size_t i = 0; i < report->nodes.count; i++)
		counted += report->nodes.items[i].used.known;
	return counted;
}

static const char *split(char *path, const char **directory)
{
	char *slash = strrchr(path, '/');

	*directory = slash ? (slash == path ? "/" : path) : ".";
	if (!slash)
		return path;
	*slash = '\0';
	return slash + 1;
}

static bool is_known(const struct rows *rows, const struct part_set *set)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].id == set->job.job_id && rows->list[i].attempt == set->job.attempt)
			return true;
	return false;
}

/* ---- reports made from parts ---- */

/* Which parts to merge, and the callback that takes the reports. */
struct merging {
	const char *directory;
	const char *name; /* NULL: the default name */
	int64_t job_id;   /* 0: any */
	int64_t attempt;  /* 0: any */
	const struct rows *known; /* jobs to skip; may be NULL */
	const struct conf *conf;
	/* may keep the report with report_share() */
	void (*take)(void *context, const struct record_identity *job, struct report *report);
	void *context;
};

/* Merges the parts. Returns how many jobs were left out, because DIRECTORY_BYTES had been read. */
static size_t merge_here(const struct merging *merging)
{
	cleanup_part_sets struct part_sets sets = { .dirfd = -1, .left = DIRECTORY_BYTES };
	size_t left_out = 0;

	read_part_sets(&sets, merging->directory, merging->job_id);
	for (size_t i = 0; i < sets.count && sets.dirfd >= 0; i++) {
		const struct part_set *set = &sets.list[i];
		cleanup_report struct report *report = NULL;
		char name[64];

		if ((merging->attempt && set->job.attempt != merging->attempt) ||
		    (merging->known && is_known(merging->known, set)))
			continue;
		if (sets.left == 0) {
			left_out++;
			continue;
		}
		snprintf(name, sizeof(name), "stint-%u.json", set->job.job_id);
		report = merge(&sets, set, merging->name ? merging->name : name, merging->conf);
		if (report)
			merging->take(merging->context, &set->job, report);
	}
	return left_out;
}

/* ---- merging in a child process, because a file system may never answer ---- */

struct sent {
	struct record_identity job; /* node: not set */
	size_t len; /* length of the report's text, which follows; 0 ends the reports */
	size_t left_out; /* the result of merge_here() */
};

static void send_report(void *context, const struct record_identity *job, struct report *report)
{
	int *fd = context;
	struct sent sent = { .job = *job };
	cleanup_free char *text = report_write(report, &sent.len);

	sent.job.node = NULL;
	if (!text || file_write_all(*fd, &sent, sizeof(sent)) < 0 || file_write_all(*fd, text, sent.len) < 0)
		_exit(EXIT_FAILURE);
}

/* Runs in the child. Closes the parent's descriptors, so that readers of its output need not wait for the child. */
static void merge_and_send(const struct merging *merging, int fd)
{
	struct merging sending = *merging;
	struct sent last = { .len = 0 };
	int null = open("/dev/null", O_RDWR), to = STDERR_FILENO + 1;

	for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
		if (null >= 0 && i != fd)
			dup2(null, i);
	dup2(fd, to);
	close_range(to + 1, ~0U, 0);
	sending.take = send_report;
	sending.context = &to;
	last.left_out = merge_here(&sending);
	_exit(file_write_all(to, &last, sizeof(last)) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}

/*
 * Reads @len bytes from the process @pid, as long as the process makes progress.
 * Returns false after IDLE_MS without progress, or if the bytes end too early.
 */
static bool receive(int fd, pid_t pid, void *data, size_t len)
{
	int64_t worked = -1, before;
	size_t done = 0;

	while (done < len) {
		int count = reach_wait(fd, IDLE_MS);
		ssize_t some = count == 1 ? read(fd, (char *)data + done, len - done) : 0;

		before = worked;
		worked = reach_worked_ns(pid);
		if (count == 1 ? some == 0 : worked == before || reach_is_late())
			return false;
		done += some > 0 ? (size_t)some : 0;
	}
	return true;
}

static int take_all(const struct merging *merging, int fd, pid_t pid, size_t *left_out)
{
	struct sent sent;

	while (receive(fd, pid, &sent, sizeof(sent))) {
		cleanup_report struct report *report = NULL;
		char *text;

		*left_out = sent.left_out;
		if (sent.len == 0)
			return 0;
		text = sent.len < SIZE_MAX ? malloc(sent.len + 1) : NULL;
		if (!text || !receive(fd, pid, text, sent.len)) {
			free(text);
			return -1;
		}
		text[sent.len] = '\0';
		report = report_read(text, sent.len, &report_want_all, merging->directory, NULL);
		if (report)
			merging->take(merging->context, &sent.job, report);
	}
	return -1;
}

static int merge_guarded(const struct merging *merging, size_t *left_out)
{
	int ends[2], result;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0)
		merge_and_send(merging, ends[1]);
	close(ends[1]);
	result = pid < 0 ? -1 : take_all(merging, ends[0], pid, left_out);
	close(ends[0]);
	if (pid > 0 && result < 0)
		kill(pid, SIGKILL); /* do not wait for the child: SIGKILL cannot end its wait for the file system */
	else if (pid > 0)
		waitpid(pid, NULL, 0);
	return result;
}

static int merge_sets(const struct merging *merging, size_t *left_out)
{
	*left_out = 0;
	if (reach_guards(merging->directory))
		return merge_guarded(merging, left_out);
	*left_out = merge_here(merging);
	return 0;
}

/* ---- rows ---- */

static void take_better(void *context, const struct record_identity *job, struct report *merged)
{
	struct summary *row = context, better;
	cleanup_report struct report *report = NULL;
	struct error err;

	(void)job;
	report = report_load(row->path, NULL, &err);
	if (!report || nodes_counted(merged) <= nodes_counted(report))
		return;
	summary_of(&better, merged, row->path);
	better.earlier = row->earlier;
	summary_free(row);
	*row = better;
}

void collect_better(struct summary *row, const struct conf *conf)
{
	cleanup_free char *path = strdup(row->path);
	const char *directory, *name = path ? split(path, &directory) : NULL;
	size_t left_out;

	/* If the file system does not answer, the report stays unchanged. */
	if (name)
		merge_sets(&(struct merging){ .directory = directory, .name = name, .job_id = row->id, .attempt = row->attempt,
					      .conf = conf, .take = take_better, .context = row },
			   &left_out);
}

struct taking {
	struct rows *rows;
	const char *directory;
};

static void take_alone(void *context, const struct record_identity *job, struct report *report)
{
	const struct taking *taking = context;
	cleanup_free char *path = NULL;
	struct summary row;

	if (asprintf(&path, "%s/stint-%u.json", taking->directory, job->job_id) < 0) {
		path = NULL;
		return;
	}
	summary_of(&row, report, path);
	if (!rows_add(taking->rows, &row))
		summary_free(&row);
}

void collect_alone(struct rows *rows, const char *directory, int64_t job_id, const struct conf *conf)
{
	struct taking taking = { rows, directory };
	const struct merging merging = { .directory = directory, .job_id = job_id, .known = rows, .conf = conf,
					 .take = take_alone, .context = &taking };
	char text[512] = "";
	size_t left_out;

	if (merge_sets(&merging, &left_out) < 0)
		snprintf(text, sizeof(text), "%.300s: stint did not read the parts that nodes left there: the file system does not "
					     "answer", directory);
	else if (left_out)
		snprintf(text, sizeof(text), "%.300s: stint did not read the parts that nodes left of %zu jobs: it reads only the "
					     "first %zu MiB", directory,
			 left_out, DIRECTORY_BYTES >> 20);
	if (!*text)
		return;
	find_complain(rows->who, text);
	rows->failed = true;
}

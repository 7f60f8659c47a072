/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/jobs_summary.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/time_text.h"
#include "reports/files/reach.h"
#include "reports/files/report_bounds.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/read/find.h"
#include "reports/terminal/progress_line.h"

#define CHUNK 256 /* rows in memory at once */
#define THREADS_MAX 8
#define FILES_PER_THREAD 32
#define MS_PER_H 3600000.0
#define DAY_US (INT64_C(86400) * 1000000)

/* ---- adding ---- */

/* An attempt of a job that was added. */
struct seen {
	int64_t uid; /* -1: not known */
	char name[]; /* id, attempt, submit or start time, and cluster */
};

static int compare_names(const void *a, const void *b)
{
	const struct seen *one = a, *other = b;

	return strcmp(one->name, other->name);
}

static int compare_seen(const void *a, const void *b)
{
	const struct seen *one = a, *other = b;
	int order = compare_names(a, b);

	return order ? order : (one->uid > other->uid) - (one->uid < other->uid);
}

static struct seen *name_of(const struct job_row *row)
{
	cleanup_free char *name = NULL;
	struct seen *seen;

	if (asprintf(&name, "%lld %lld %lld %s", (long long)row->id, (long long)row->attempt,
		     (long long)(row->submit_us >= 0 ? row->submit_us : row->start_us),
		     row->cluster ? row->cluster : "") < 0) {
		name = NULL;
		return NULL;
	}
	seen = malloc(sizeof(*seen) + strlen(name) + 1);
	if (!seen)
		return NULL;
	seen->uid = row->uid;
	strcpy(seen->name, name);
	return seen;
}

/* A user can forge a report about another user's job, but cannot forge the uid in the report. */
static void say_collision(struct jobs_summary *summary, const struct job_row *row)
{
	char text[160];

	if (summary->collided || !summary->who)
		return;
	summary->collided = true;
	snprintf(text, sizeof(text), "job %lld: there are reports of several users' jobs with this number and time, and each report "
				     "counts",
		 (long long)row->id);
	find_complain(summary->who, text);
}

/*
 * Returns whether this attempt was already added, for example because two directories have its report; -1 if out of
 * memory.
 */
static int seen_before(struct jobs_summary *summary, const struct job_row *row)
{
	struct seen *seen = name_of(row), **others, **found;
	bool collides;

	if (!seen)
		return -1;
	others = tfind(seen, &summary->seen, compare_names);
	if (others && (seen->uid < 0 || (*others)->uid < 0)) {
		free(seen);
		return 1;
	}
	collides = others && (*others)->uid != seen->uid;
	found = tsearch(seen, &summary->seen, compare_seen);
	if (!found || *found != seen) {
		free(seen);
		return found ? 1 : -1;
	}
	if (collides)
		say_collision(summary, row);
	return 0;
}

bool jobs_summary_is_within(const struct job_period *period, int64_t end_us)
{
	return (!period->since_us || end_us >= period->since_us) && (!period->until_us || end_us < period->until_us);
}

bool jobs_summary_has_previous(const struct jobs_summary *summary)
{
	return summary->previous.since_us || summary->previous.until_us;
}

static int add_to_period(struct jobs_summary *summary, const struct job_row *row, struct error *err)
{
	if (row->end_us >= 0 && (!summary->first_us || row->end_us < summary->first_us))
		summary->first_us = row->end_us;
	if (row->end_us > summary->last_us)
		summary->last_us = row->end_us;
	for (size_t i = 0; i < row->tool_count; i++)
		job_group_add_tool(&summary->total, &row->tools[i], 1);
	if (job_group_add(&summary->total, row, 1, err) < 0 || job_groups_add(&summary->users, row, err) < 0)
		return -1;
	for (size_t i = 0; summary->with_views && i < JOB_VIEWS; i++)
		if (job_groups_add(&summary->views[i], row, err) < 0)
			return -1;
	return job_groups_add(&summary->groups, row, err);
}

int jobs_summary_add(struct jobs_summary *summary, const struct job_row *row, struct error *err)
{
	bool bounded = summary->period.since_us || summary->period.until_us;
	int seen;

	if (!job_filters_pass(summary->filters, summary->filter_count, row))
		return 0;
	seen = summary->each_once ? 0 : seen_before(summary, row);
	if (seen)
		return seen < 0 ? error_set(err, "out of memory") : 0;
	if (row->running || (bounded && row->end_us < 0)) {
		summary->running += row->running;
		summary->without_end += !row->running;
		return 0;
	}
	if (jobs_summary_is_within(&summary->period, row->end_us))
		return add_to_period(summary, row, err);
	if (!jobs_summary_has_previous(summary) || !jobs_summary_is_within(&summary->previous, row->end_us))
		return 0;
	if (job_group_add(&summary->total_before, row, 1, err) < 0)
		return -1;
	return job_groups_add(&summary->before, row, err);
}

/* ---- from files ---- */

/* What reading a file led to. */
enum fate {
	FILE_READ,
	FILE_FAILED,
	FILE_FOREIGN,      /* another user's file */
	FILE_SILENT,       /* the file system does not answer, as the guard (reports/files/reach.h) says */
	FILE_LATE,         /* too large, or too little memory is left, while other threads read */
	FILE_AGAIN,        /* the file was already read under another name */
	FILE_FAILED_AGAIN, /* the file was tried under another name, could not be read, and was named in a message then */
};

struct reading {
	char *const *paths;
	struct job_row *rows;
	struct error *errors;
	enum fate *fates;
	size_t count;
	size_t first; /* index of the first path of this chunk */
	bool (*accepts)(void *context, size_t place, const struct job_row *row); /* NULL: accept all */
	void *context;
	size_t *names; /* how many files are FILE_FAILED_AGAIN */
	size_t *foreign; /* files that are FILE_FOREIGN; only the first file is named, because a user can plant many files */
	struct report_seen *seen; /* files that read_alone() read, with a mark on files that could not be read */
	atomic_size_t next;
};

static enum fate fate_of_failure(void)
{
	if (errno == ETIMEDOUT)
		return FILE_SILENT;
	return errno == EPERM ? FILE_FOREIGN : FILE_FAILED;
}

static void *read_some(void *context)
{
	struct reading *reading = context;
	size_t i;

	while ((i = atomic_fetch_add(&reading->next, 1)) < reading->count) {
		reading->fates[i] = FILE_READ;
		if (job_row_read_within(reading->paths[i], &report_bounds_thread, &reading->rows[i],
					&reading->errors[i]) < 0)
			reading->fates[i] = errno == EFBIG || errno == ENOMEM ? FILE_LATE : fate_of_failure();
	}
	return NULL;
}

/*
 * Reads a file while no other thread reads. Reads a file with several names only once, unless reading->accepts decides
 * for each name.
 */
static void read_alone(struct reading *reading, size_t i)
{
	struct stat file = { 0 };
	const size_t *before = NULL;

	if (reach_stat(reading->paths[i], &file) == 0)
		before = report_seen_mark(reading->seen, reading->paths[i], &file);
	if (before && (*before || !reading->accepts)) {
		reading->fates[i] = *before ? FILE_FAILED_AGAIN : FILE_AGAIN;
		return;
	}
	job_row_free(&reading->rows[i]);
	reading->fates[i] = FILE_READ;
	if (job_row_read(reading->paths[i], &reading->rows[i], &reading->errors[i]) < 0)
		reading->fates[i] = fate_of_failure();
	report_seen_note(reading->seen, reading->paths[i], &file, reading->fates[i] != FILE_READ);
}

/* The calling thread also reads files. If no other thread can start, it reads all files. */
static void read_chunk(struct reading *reading)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t wanted = reading->count / FILES_PER_THREAD, started = 0;
	pthread_t threads[THREADS_MAX];

	if (wanted > THREADS_MAX)
		wanted = THREADS_MAX;
	if (processors > 0 && wanted > (size_t)processors)
		wanted = processors;
	atomic_store(&reading->next, 0);
	while (started + 1 < wanted && pthread_create(&threads[started], NULL, read_some, reading) == 0)
		started++;
	read_some(reading);
	while (started > 0)
		pthread_join(threads[--started], NULL);
	for (size_t i = 0; i < reading->count; i++)
		if (reading->fates[i] == FILE_LATE)
			read_alone(reading, i);
}

static int add_chunk(struct jobs_summary *summary, struct reading *reading, struct error *err)
{
	int result = 0;

	read_chunk(reading);
	for (size_t i = 0; i < reading->count; i++) {
		enum fate fate = reading->fates[i];

		if (fate != FILE_READ)
			progress_line_erase();
		if (fate == FILE_FAILED || (fate == FILE_FOREIGN && *reading->foreign == 0))
			find_complain(summary->who, reading->errors[i].text);
		*reading->foreign += fate == FILE_FOREIGN;
		*reading->names += fate == FILE_FAILED_AGAIN;
		if (fate == FILE_FAILED || fate == FILE_FOREIGN || fate == FILE_FAILED_AGAIN) {
			summary->damaged++;
		} else if (fate == FILE_READ && result == 0 && (!reading->accepts ||
					   reading->accepts(reading->context, reading->first + i, &reading->rows[i]))) {
			result = jobs_summary_add(summary, &reading->rows[i], err);
		}
		job_row_free(&reading->rows[i]);
	}
	return result;
}

int jobs_summary_read_some(struct jobs_summary *summary, char *const paths[],
			   bool (*accepts)(void *context, size_t place, const struct job_row *row), void *context,
			   bool progress, struct error *err)
{
	cleanup_free struct job_row *rows = calloc(CHUNK, sizeof(*rows));
	cleanup_free struct error *errors = calloc(CHUNK, sizeof(*errors));
	enum fate fates[CHUNK];
	struct report_seen seen = { 0 };
	size_t all = 0, names = 0, foreign = 0;
	int result = 0;

	if (!rows || !errors)
		return error_set(err, "out of memory");
	while (paths[all])
		all++;
	if (progress)
		progress_line_begin(summary->who);
	for (size_t done = 0; result == 0 && done < all; done += CHUNK) {
		struct reading reading = { .paths = paths + done, .rows = rows,	      .errors = errors,
					   .fates = fates,	  .first = done,      .accepts = accepts,
					   .context = context,	  .names = &names,    .foreign = &foreign,
					   .seen = &seen };

		reading.count = all - done < CHUNK ? all - done : CHUNK;
		result = add_chunk(summary, &reading, err);
		progress_line_show((double)(done + reading.count) / (double)all, "%zu of %zu reports", done + reading.count, all);
	}
	progress_line_end();
	if (names)
		find_say_names(summary->who, names);
	if (foreign > 1)
		find_say_foreign(summary->who, foreign - 1);
	free(seen.list);
	return result;
}

int jobs_summary_read(struct jobs_summary *summary, char *const paths[], bool progress, struct error *err)
{
	return jobs_summary_read_some(summary, paths, NULL, NULL, progress, err);
}

/* ---- sorting ---- */

bool jobs_summary_shows_latest(const struct jobs_summary *summary)
{
	return summary->sort == JOB_FIGURE_COUNT && job_key_is_time(summary->groups.by[0]);
}

/* Moves the last @count groups to the front. */
static void turn(struct job_groups *groups, size_t count)
{
	struct job_group *first;

	for (; count > 0; count--) {
		first = groups->list[groups->count - 1];
		memmove(groups->list + 1, groups->list, (groups->count - 1) * sizeof(groups->list[0]));
		groups->list[0] = first;
	}
}

size_t jobs_summary_sort(struct jobs_summary *summary, struct job_group *rest)
{
	struct job_groups *groups = &summary->groups;
	size_t shown;

	job_groups_sort(groups, summary->sort, summary->ascending);
	shown = groups->count;
	if (summary->top && shown > summary->top)
		shown = summary->top;
	if (shown < groups->count && jobs_summary_shows_latest(summary))
		turn(groups, shown);
	for (size_t i = shown; i < groups->count; i++)
		job_group_merge(rest, groups->list[i], 1, NULL);
	return shown;
}

/* ---- sentences ---- */

char *jobs_summary_left_out(const struct jobs_summary *summary)
{
	bool more;
	int64_t count = job_groups_left_out(&summary->groups, &more);
	char *text;

	if (!count || asprintf(&text, "%s%lld group%s that used or wasted less than the first %d %s only in the sums of \"(other ...)\".",
			       more ? "More than " : "", (long long)count, plural(count), JOB_GROUPS_MOST,
			       plural_verb(count, "is", "are")) < 0)
		return NULL;
	return text;
}

/*
 * Returns the end of the period; 0 if there is no end. If the period has no end of its own, it is as long as the
 * previous period.
 */
static int64_t until_of(const struct jobs_summary *summary)
{
	const struct job_period *period = &summary->period, *previous = &summary->previous;

	if (period->until_us)
		return period->until_us;
	return period->since_us && previous->since_us ? 2 * period->since_us - previous->since_us : 0;
}

static bool split_moment(int64_t us, struct time_parts *parts)
{
	char text[TIME_TEXT];

	return time_split(time_text(us * 1000, text), parts);
}

static bool at_midnight(const struct time_parts *parts)
{
	return strncmp(parts->clock, "00:00:00", 8) == 0;
}

/*
 * Of the store's jobs, only the page for browsers knows the days, because it reads rollups of days. Rollups of months
 * have no days.
 */
static bool knows_days(const struct jobs_summary *summary)
{
	return !summary->of_store || summary->with_views;
}

/*
 * Prints the days. If the period is shorter than two days and does not begin and end at midnight, also prints the times
 * of day.
 */
static void put_time_of_jobs(const struct jobs_summary *summary, FILE *out)
{
	int64_t since = summary->period.since_us, until = until_of(summary);
	struct time_parts begin, end, last;

	if (!since && knows_days(summary))
		since = summary->first_us;
	if ((!since && !until) || !split_moment(since, &begin) ||
	    !split_moment(until ? until : summary->last_us, &end) ||
	    !split_moment(until ? until - 1 : summary->last_us, &last))
		return;
	if (!since)
		fprintf(out, " that ended before %s %.5s", end.day, end.clock);
	else if (until && until - since < 2 * DAY_US && !(at_midnight(&begin) && at_midnight(&end)))
		fprintf(out, " that ended from %s %.5s to %s %.5s", begin.day, begin.clock, end.day, end.clock);
	else if (strcmp(begin.day, last.day) == 0)
		fprintf(out, " that ended on %s", begin.day);
	else
		fprintf(out, " that ended from %s to %s", begin.day, last.day);
}

char *jobs_summary_which(const struct jobs_summary *summary)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	fputs("Jobs", out);
	put_time_of_jobs(summary, out);
	for (size_t i = 0; i < summary->filter_count; i++) {
		const struct job_filter *filter = &summary->filters[i];
		bool known = *filter->value && strcmp(filter->value, "-") != 0;

		fprintf(out, " %s %s %s", i ? "and" : "with", job_key_names[filter->key],
			known ? job_key_words(filter->key, filter->value) : "not known");
	}
	if (summary->some_hidden)
		fputs(", of those that you may see", out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static enum job_figure largest_cause(const struct job_group *group)
{
	enum job_figure largest = FIGURE_WASTED_FAILED;

	for (enum job_figure i = FIGURE_WASTED_FAILED; i <= FIGURE_WASTED_UNCLEAR; i++)
		if (job_figure(group, i) > job_figure(group, largest))
			largest = i;
	return largest;
}

static void put_waste(const struct job_group *group, FILE *out)
{
	static const char *const words[JOB_CAUSES] = {
		"by jobs that failed or were killed",
		"by jobs that reached their time limit",
		"while they waited for files",
		"while they waited for the network, for locks or for memory",
		"while they had nothing to do",
		"while one thread was busy and the other CPUs were idle",
		"while threads waited for a CPU",
		"on CPUs for which they had no thread",
		"for reasons that are not known",
	};
	double wasted = job_figure(group, FIGURE_CORE_H_WASTED);
	enum job_figure cause = largest_cause(group);
	char text[HOURS_TEXT], percent[PERCENT_TEXT];

	if (!(wasted > 0)) {
		fputs(isnan(wasted) ? "." : "; none were wasted.", out);
		return;
	}
	fprintf(out, "; %s were wasted, %s of that %s.", job_hours_text(wasted, text),
		percent_text(job_figure(group, cause) / wasted, percent), words[cause - FIGURE_WASTED_FAILED]);
}

/* For a job without a report, it is not known what the job used. */
static void put_use(const struct job_group *total, double efficiency, FILE *out)
{
	double judged = (double)total->sum[JOB_CPU_JUDGED] / MS_PER_H;
	double more = job_figure(total, FIGURE_CORE_H_GIVEN) - judged;
	char text[HOURS_TEXT], percent[PERCENT_TEXT];

	fprintf(out, " used %s of %s core-hours", percent_text(efficiency, percent), job_hours_text(judged, text));
	if (more >= 0.005 && more > judged / 1000)
		fprintf(out, " (not known for %s more)", job_hours_text(more, text));
}

char *jobs_summary_sentence(const struct jobs_summary *summary)
{
	const struct job_group *total = &summary->total;
	double efficiency = job_figure(total, FIGURE_CPU_EFF);
	char *text = NULL, jobs[HOURS_TEXT], users[HOURS_TEXT];
	size_t len;
	FILE *out;

	if (!total->jobs)
		return strdup("No jobs.");
	out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	fprintf(out, "%s job%s of %s user%s", job_count_text((double)total->jobs, jobs), plural(total->jobs),
		job_count_text((double)summary->users.count, users), plural(summary->users.count));
	if (isnan(efficiency))
		fputs(": what they used is not known.", out);
	else
		put_use(total, efficiency, out);
	if (!isnan(efficiency))
		put_waste(total, out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

char *jobs_summary_change(const struct jobs_summary *summary)
{
	const struct job_group *before = &summary->total_before;
	double was = job_figure(before, FIGURE_CORE_H_WASTED), is = job_figure(&summary->total, FIGURE_CORE_H_WASTED);
	char *text = NULL, jobs[HOURS_TEXT], given[HOURS_TEXT], wasted[HOURS_TEXT], percent[HOURS_TEXT],
	     change[64] = "";

	if (!jobs_summary_has_previous(summary))
		return NULL;
	if (before->jobs == 0)
		return strdup("No jobs are known from the previous period.");
	if (is > 0 && was > 0)
		snprintf(change, sizeof(change), ": now %s %% %s", job_count_text(100 * fabs(is / was - 1), percent),
			 is < was ? "less" : "more");
	if (asprintf(&text, "The period before: %s job%s, %s core-hours, %s wasted%s.",
		     job_count_text((double)before->jobs, jobs), plural(before->jobs),
		     job_hours_text(job_figure(before, FIGURE_CORE_H_GIVEN), given),
		     job_hours_text(was, wasted), change) < 0)
		return NULL;
	return text;
}

char *jobs_summary_unread(const struct jobs_summary *summary)
{
	char *text;

	if (!summary->unread[0] ||
	    asprintf(&text, "The jobs of %s are missing: the database that has them cannot be read.", summary->unread) < 0)
		return NULL;
	return text;
}

char *jobs_summary_coverage(const struct jobs_summary *summary)
{
	long long jobs = summary->total.jobs, without = summary->without_report;
	char *text;
	int length;

	if (summary->of_store)
		return coverage_sentence(&summary->coverage, jobs);
	if (!summary->of_slurm || !jobs)
		return NULL;
	if (without == 0)
		return strdup(jobs == 1 ? "It has a report." : "All of them have a report.");
	if (without == jobs)
		return strdup(jobs == 1 ? "It left no report: what it used is not known."
					: "None of them left a report: what they used is not known.");
	length = asprintf(&text, "%lld of these jobs left no report: what %s used is not known.", without,
			  without == 1 ? "it" : "they");
	return length < 0 ? NULL : text;
}

char *jobs_summary_age(const struct jobs_summary *summary)
{
	return summary->of_store ? store_age_sentence(&summary->age) : NULL;
}

void jobs_summary_free(struct jobs_summary *summary)
{
	job_group_free(&summary->total);
	job_group_free(&summary->total_before);
	job_groups_free(&summary->groups);
	job_groups_free(&summary->before);
	job_groups_free(&summary->users);
	for (size_t i = 0; i < JOB_VIEWS; i++)
		job_groups_free(&summary->views[i]);
	tdestroy(summary->seen, free);
	summary->seen = NULL;
}

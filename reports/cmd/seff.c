/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds and adds as seff does, so its numbers differ from those on the page (page_seff.c). */
#include "reports/cmd/seff.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/job_state.h"
#include "reports/json/units.h"
#include "reports/rules/peak_memory.h"
#include "reports/terminal/terminal.h"
#include "reports/wording/job_fields.h"

#define KIB 1024.0
#define VALUE_TEXT 64

struct seff {
	const struct report *report;
	FILE *out;
	char left_out[512]; /* labels of the lines without a known value */
};

static void print_line(struct seff *seff, bool known, const char *label, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Prints "LABEL: text", escaped. If not @known, adds the label to seff->left_out. */
static void print_line(struct seff *seff, bool known, const char *label, const char *format, ...)
{
	static const struct page_options utf8 = { .unicode = true }; /* as seff does in any locale */
	size_t used = strlen(seff->left_out);
	cleanup_free char *text = NULL, *escaped = NULL;
	va_list args;

	if (!known) {
		snprintf(seff->left_out + used, sizeof(seff->left_out) - used, "%s%s", used ? ", " : "", label);
		return;
	}
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	escaped = terminal_escape(&utf8, text);
	fprintf(seff->out, "%s: %s\n", label, escaped ? escaped : "");
}

/* ---- values in seff's format ---- */

/* Writes a size such as "5.58 GB". Zero is "0.00 MB", as in seff. */
static const char *memory_text(double bytes, char text[VALUE_TEXT])
{
	static const char prefixes[] = "KMGTPE";
	double kib = bytes / KIB;
	int power = kib >= 1 ? (int)(log(kib) / log(KIB)) : 0;

	if (!(kib > 0))
		return strcpy(text, "0.00 MB");
	power = power < (int)strlen(prefixes) - 1 ? power : (int)strlen(prefixes) - 1;
	snprintf(text, VALUE_TEXT, "%.2f %cB", kib / pow(KIB, power), prefixes[power]);
	return text;
}

static bool whole_seconds(struct report_seconds time, int64_t *seconds)
{
	*seconds = time.ns >= 0 ? llround(report_s(time)) : 0;
	return time.ns >= 0;
}

static long long known_or_0(int64_t count)
{
	return count >= 0 ? count : 0;
}

/* ---- its lines ---- */

static void print_ids(struct seff *seff)
{
	char uid[JOB_NUMBER_TEXT], gid[JOB_NUMBER_TEXT];
	const struct report_job *job = &seff->report->job;
	const char *user = job_owner(job->user, job->uid, uid);
	const char *group = job_owner(job->group, job->gid, gid);

	print_line(seff, job->id >= 0, "Job ID", "%lld", (long long)job->id);
	if (job->array_job_id >= 0 && job->array_task_id >= 0)
		print_line(seff, true, "Array Job ID", "%lld_%lld", (long long)job->array_job_id, (long long)job->array_task_id);
	print_line(seff, job->cluster, "Cluster", "%s", job->cluster ? job->cluster : "");
	print_line(seff, user && group, "User/Group", "%s/%s", user ? user : "", group ? group : "");
}

static void print_state(struct seff *seff)
{
	const struct report_job *job = &seff->report->job;

	if (job_has_no_end(job->state))
		print_line(seff, true, "State", "%s", job->state);
	else
		print_line(seff, job->state && job->exit_code >= 0, "State", "%s (exit code %lld)",
			   job->state ? job->state : "", (long long)job->exit_code);
}

/*
 * Returns the job's CPUs on all nodes; 0 if unknown.
 * If a node has no record, the CPUs are not known, because the report's sum lacks that node.
 */
static int64_t all_cpus(const struct report *report)
{
	for (size_t i = 0; report->allocated.nodes > 1 && i < report->nodes.count; i++)
		if (report->nodes.items[i].allocated.cpus < 0)
			return 0;
	return known_or_0(report->allocated.cpus);
}

static void print_size(struct seff *seff)
{
	int64_t cpus = all_cpus(seff->report), nodes = known_or_0(seff->report->allocated.nodes);

	if (cpus == 1) {
		print_line(seff, true, "Cores", "1");
		return;
	}
	print_line(seff, nodes, "Nodes", "%lld", (long long)nodes);
	print_line(seff, nodes && cpus, "Cores per node", "%lld", (long long)(nodes ? cpus / nodes : 0));
}

static void print_cpu(struct seff *seff)
{
	char used_text[DURATION_TEXT], given_text[DURATION_TEXT], wall_text[DURATION_TEXT];
	int64_t used_s, wall_s, cpus = all_cpus(seff->report), given_s = 0;
	bool used = whole_seconds(seff->report->used.cpu_s, &used_s);
	bool wall = whole_seconds(seff->report->job.elapsed_s, &wall_s);
	bool given = wall && cpus && !__builtin_mul_overflow(wall_s, cpus, &given_s);

	print_line(seff, used, "CPU Utilized", "%s", duration_text((double)used_s, used_text));
	print_line(seff, used && given, "CPU Efficiency", "%.2f%% of %s core-walltime",
		   given_s > 0 ? 100.0 * (double)used_s / (double)given_s : 0,
		   duration_text((double)given_s, given_text));
	print_line(seff, wall, "Job Wall-clock time", "%s", duration_text((double)wall_s, wall_text));
}

/*
 * Sets @bytes to the memory that seff would print.
 * seff adds up the peaks of all nodes, although the nodes may reach their peaks at different times.
 * Returns false, and sets @bytes to 0, if the memory is not known.
 */
static bool memory_used(const struct report *report, double *bytes)
{
	int64_t nodes = report->allocated.nodes;
	struct peak_memory peak;
	double sum = 0;

	peak_memory_read(report, &peak);
	for (size_t i = 0; i < report->nodes.count; i++)
		sum += peak_memory_of_node(report, &report->nodes.items[i]);
	if (nodes < 2)
		sum = peak.bytes;
	else if (report->nodes.count != (size_t)nodes)
		sum = NAN;
	*bytes = isnan(sum) ? 0 : sum;
	return !isnan(sum);
}

static void print_memory(struct seff *seff)
{
	char used_text[VALUE_TEXT], whole_text[VALUE_TEXT], part_text[VALUE_TEXT];
	const struct report *report = seff->report;
	bool per_core = report_text_is(report->requested.memory_source, "per cpu"), used;
	int64_t parts = per_core ? report->allocated.cpus : report->allocated.nodes;
	/* if nodes lack a record, the allocated memory lacks those nodes: use the requested memory */
	int64_t given = report->complete.value ? report->allocated.memory_bytes : report->requested.memory_bytes;
	double used_bytes, given_bytes = (double)known_or_0(given);

	used = memory_used(report, &used_bytes);
	print_line(seff, used, "Memory Utilized", "%s", memory_text(used_bytes, used_text));
	print_line(seff, used && given >= 0 && parts > 0, "Memory Efficiency", "%.2f%% of %s (%s/%s)",
		   given_bytes > 0 ? 100 * used_bytes / given_bytes : 0, memory_text(given_bytes, whole_text),
		   memory_text(parts > 0 ? given_bytes / (double)parts : 0, part_text), per_core ? "core" : "node");
}

static void warn(const struct seff *seff, const char *who)
{
	long long id = known_or_0(seff->report->job.id);
	struct peak_memory peak;

	if (seff->report->so_far)
		fprintf(stderr, "%s: job %lld is still running: these are its numbers so far\n", who, id);
	else if (!seff->report->complete.value)
		fprintf(stderr, "%s: job %lld: the report is not complete: 'stint report' without --seff says why\n", who, id);
	peak_memory_read(seff->report, &peak);
	if (peak.or_more)
		fprintf(stderr, "%s: job %lld: memory ran out and the kernel killed processes of the job: it used this much memory or "
				"more\n", who, id);
	if (*seff->left_out)
		fprintf(stderr, "%s: job %lld: these values are not known, and left out: %s\n", who, id, seff->left_out);
}

void seff_print(const struct report *report, const char *who, FILE *out)
{
	struct seff seff = { .report = report, .out = out };

	print_ids(&seff);
	print_state(&seff);
	print_size(&seff);
	if (state_waits(report->job.state)) {
		fputs("Efficiency not available for jobs in the PENDING state.\n", out);
	} else {
		print_cpu(&seff);
		print_memory(&seff);
	}
	fflush(out);
	warn(&seff, who);
}

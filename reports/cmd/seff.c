/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page has lines of the same names (page_seff.c), but not the same numbers: here they are rounded and added up as
 * seff does, and a line without a number is left out.
 */
#include "reports/cmd/seff.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/json/job_state.h"
#include "reports/json/units.h"
#include "reports/terminal/terminal.h"
#include "reports/wording/job_fields.h"

#define KIB 1024.0
#define VALUE_TEXT 64

struct seff {
	struct json_object *report;
	FILE *out;
	char left_out[512]; /* labels of the lines whose values are not known */
};

static void print_line(struct seff *seff, bool known, const char *label, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Prints "LABEL: text", the text escaped, unless it is not known. */
static void print_line(struct seff *seff, bool known, const char *label, const char *format, ...)
{
	static const struct page_options utf8 = { .unicode = true }; /* whatever the locale, as seff does */
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

/* ---- values as seff writes them ---- */

/* "5.58 GB"; no memory at all is in MB */
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

static bool whole_seconds(struct json_object *report, const char *name, int64_t *seconds)
{
	double value;

	if (!field_number(report, name, &value) || !(value >= 0 && value < 9e15))
		return false;
	*seconds = llround(value);
	return true;
}

/* ---- its lines ---- */

static void print_ids(struct seff *seff)
{
	char uid[JOB_NUMBER_TEXT], gid[JOB_NUMBER_TEXT];
	const char *cluster = field_text(seff->report, "job.cluster");
	const char *user = job_owner(seff->report, "job.user", "job.uid", uid);
	const char *group = job_owner(seff->report, "job.group", "job.gid", gid);
	int64_t id = 0, array, task;
	bool known = field_count(seff->report, "job.id", &id);

	print_line(seff, known, "Job ID", "%lld", (long long)id);
	if (field_count(seff->report, "job.array_job_id", &array) &&
	    field_count(seff->report, "job.array_task_id", &task))
		print_line(seff, true, "Array Job ID", "%lld_%lld", (long long)array, (long long)task);
	print_line(seff, cluster, "Cluster", "%s", cluster ? cluster : "");
	print_line(seff, user && group, "User/Group", "%s/%s", user ? user : "", group ? group : "");
}

static const char *state_of(const struct seff *seff)
{
	return field_text(seff->report, "job.state");
}

static void print_state(struct seff *seff)
{
	const char *state = state_of(seff);
	int64_t code = 0;
	bool known = field_count(seff->report, "job.exit_code", &code);

	if (job_has_no_end(state))
		print_line(seff, true, "State", "%s", state);
	else
		print_line(seff, state && known, "State", "%s (exit code %lld)", state ? state : "", (long long)code);
}

/* If a node's record is missing, the report's sum is of the other nodes only: then this fails. */
static bool all_cpus(struct seff *seff, int64_t nodes, int64_t *cpus)
{
	struct json_object *list = field_typed(seff->report, "nodes", json_type_array);
	int64_t of_node;

	for (size_t i = 0; nodes > 1 && i < field_length(list); i++)
		if (!field_count(json_object_array_get_idx(list, i), "allocated.cpus", &of_node))
			return false;
	return field_count(seff->report, "allocated.cpus", cpus) && *cpus > 0;
}

static void print_size(struct seff *seff)
{
	int64_t cpus = 0, nodes = 0;
	bool known_nodes = field_count(seff->report, "allocated.nodes", &nodes) && nodes > 0;
	bool known_cpus = all_cpus(seff, nodes, &cpus);

	if (known_cpus && cpus == 1) {
		print_line(seff, true, "Cores", "1");
		return;
	}
	print_line(seff, known_nodes, "Nodes", "%lld", (long long)nodes);
	print_line(seff, known_nodes && known_cpus, "Cores per node", "%lld",
		   (long long)(known_nodes ? cpus / nodes : 0));
}

static void print_cpu(struct seff *seff)
{
	char used_text[DURATION_TEXT], given_text[DURATION_TEXT], wall_text[DURATION_TEXT];
	int64_t used_s = 0, wall_s = 0, nodes = 0, cpus = 0, given_s = 0;
	bool used = whole_seconds(seff->report, "used.cpu_s", &used_s);
	bool wall = whole_seconds(seff->report, "job.elapsed_s", &wall_s);
	bool given;

	field_count(seff->report, "allocated.nodes", &nodes);
	given = wall && all_cpus(seff, nodes, &cpus) && !__builtin_mul_overflow(wall_s, cpus, &given_s);
	print_line(seff, used, "CPU Utilized", "%s", duration_text((double)used_s, used_text));
	print_line(seff, used && given, "CPU Efficiency", "%.2f%% of %s core-walltime",
		   given_s > 0 ? 100.0 * (double)used_s / (double)given_s : 0,
		   duration_text((double)given_s, given_text));
	print_line(seff, wall, "Job Wall-clock time", "%s", duration_text((double)wall_s, wall_text));
}

/*
 * For several nodes seff compares the sum of the nodes' peaks, at whatever moments these were, with what all nodes
 * gave.
 */
static bool memory_used(struct seff *seff, int64_t nodes, double *bytes)
{
	struct json_object *list = field_typed(seff->report, "nodes", json_type_array);
	double peak;

	if (nodes < 2)
		return field_number(seff->report, "used.memory_used_peak_bytes", bytes);
	*bytes = 0;
	for (size_t i = 0; i < field_length(list); i++) {
		if (!field_number(json_object_array_get_idx(list, i), "used.memory_used_peak_bytes", &peak))
			return false;
		*bytes += peak;
	}
	return field_length(list) == (size_t)nodes;
}

static void print_memory(struct seff *seff)
{
	char used_text[VALUE_TEXT], whole_text[VALUE_TEXT], part_text[VALUE_TEXT];
	const char *source = field_text(seff->report, "requested.memory_source");
	bool per_core = source && strcmp(source, "per cpu") == 0;
	int64_t nodes = 0, cpus = 0, parts;
	double used_bytes = 0, given_bytes = 0;
	bool used, given;

	field_count(seff->report, "allocated.nodes", &nodes);
	field_count(seff->report, "allocated.cpus", &cpus);
	parts = per_core ? cpus : nodes;
	used = memory_used(seff, nodes, &used_bytes);
	/* allocated memory is only of the nodes that have a record */
	given = field_number(seff->report, field_true(seff->report, "complete") ? "allocated.memory_bytes" :
							       "requested.memory_bytes", &given_bytes);
	print_line(seff, used, "Memory Utilized", "%s", memory_text(used_bytes, used_text));
	print_line(seff, used && given && parts > 0, "Memory Efficiency", "%.2f%% of %s (%s/%s)",
		   given_bytes > 0 ? 100 * used_bytes / given_bytes : 0, memory_text(given_bytes, whole_text),
		   memory_text(parts > 0 ? given_bytes / (double)parts : 0, part_text), per_core ? "core" : "node");
}

/* Says on standard error what a script cannot see in the lines. */
static void warn(struct seff *seff, const char *who)
{
	int64_t id = 0;

	field_count(seff->report, "job.id", &id);
	if (field_true(seff->report, "so_far"))
		fprintf(stderr, "%s: job %lld: it runs still: so far\n", who, (long long)id);
	else if (!field_true(seff->report, "complete"))
		fprintf(stderr, "%s: job %lld: the report is not complete: without --seff, it says why\n", who,
			(long long)id);
	if (*seff->left_out)
		fprintf(stderr, "%s: job %lld: not known, and left out: %s\n", who, (long long)id, seff->left_out);
}

void seff_print(struct json_object *report, const char *who, FILE *out)
{
	struct seff seff = { .report = report, .out = out };

	print_ids(&seff);
	print_state(&seff);
	print_size(&seff);
	if (state_waits(state_of(&seff))) {
		fputs("Efficiency not available for jobs in the PENDING state.\n", out);
	} else {
		print_cpu(&seff);
		print_memory(&seff);
	}
	fflush(out);
	warn(&seff, who);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/seff.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/field.h"

#define KIB 1024.0
#define VALUE_TEXT 64

struct seff {
	struct json_object *report;
	FILE *out;
	char left_out[512]; /* labels of the lines that nothing is known for */
};

static void line(struct seff *seff, bool known, const char *label, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void line(struct seff *seff, bool known, const char *label, const char *format, ...)
{
	size_t used = strlen(seff->left_out);
	va_list args;

	if (!known) {
		snprintf(seff->left_out + used, sizeof(seff->left_out) - used, "%s%s", used ? ", " : "", label);
		return;
	}
	fprintf(seff->out, "%s: ", label);
	va_start(args, format);
	vfprintf(seff->out, format, args);
	va_end(args);
	fputc('\n', seff->out);
}

/* ---- values as seff writes them ---- */

/* "HH:MM:SS", from a day on "D-HH:MM:SS" */
static const char *time_text(int64_t seconds, char text[VALUE_TEXT])
{
	long long days = seconds / 86400, rest = seconds % 86400;
	int used = days > 0 ? snprintf(text, VALUE_TEXT, "%lld-", days) : 0;

	snprintf(text + used, VALUE_TEXT - used, "%02lld:%02lld:%02lld", rest / 3600, rest / 60 % 60, rest % 60);
	return text;
}

/* "5.58 GB"; nothing at all is in MB */
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

static char *name_or_number(struct json_object *report, const char *name, const char *number)
{
	const char *given = field_text(report, name);
	char *text = NULL;
	int64_t value;

	if (given) {
		size_t size = 4 * strlen(given) + 1;

		text = malloc(size);
		return text ? escape_text(given, text, size) : NULL;
	}
	if (field_count(report, number, &value) && asprintf(&text, "%lld", (long long)value) < 0)
		return NULL;
	return text;
}

static void print_ids(struct seff *seff)
{
	cleanup_free char *cluster = name_or_number(seff->report, "job.cluster", "");
	cleanup_free char *user = name_or_number(seff->report, "job.user", "job.uid");
	cleanup_free char *group = name_or_number(seff->report, "job.group", "job.gid");
	int64_t id = 0, array, task;
	bool known = field_count(seff->report, "job.id", &id);

	line(seff, known, "Job ID", "%lld", (long long)id);
	if (field_count(seff->report, "job.array_job_id", &array) &&
	    field_count(seff->report, "job.array_task_id", &task))
		line(seff, true, "Array Job ID", "%lld_%lld", (long long)array, (long long)task);
	line(seff, cluster, "Cluster", "%s", cluster ? cluster : "");
	line(seff, user && group, "User/Group", "%s/%s", user ? user : "", group ? group : "");
}

static bool is_state(struct seff *seff, const char *word)
{
	const char *state = field_text(seff->report, "job.state");

	return state && strcmp(state, word) == 0;
}

/* A job that goes on has no exit code yet. */
static void print_state(struct seff *seff)
{
	cleanup_free char *state = name_or_number(seff->report, "job.state", "");
	bool ended = !is_state(seff, "PENDING") && !is_state(seff, "RUNNING");
	int64_t code = 0;
	bool known = field_count(seff->report, "job.exit_code", &code);

	if (!ended)
		line(seff, state, "State", "%s", state ? state : "");
	else
		line(seff, state && known, "State", "%s (exit code %lld)", state ? state : "", (long long)code);
}

/* Of a job of which a node's record is missing, what is told is of the others. */
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
		line(seff, true, "Cores", "1");
		return;
	}
	line(seff, known_nodes, "Nodes", "%lld", (long long)nodes);
	line(seff, known_nodes && known_cpus, "Cores per node", "%lld", (long long)(known_nodes ? cpus / nodes : 0));
}

static void print_cpu(struct seff *seff)
{
	char used_text[VALUE_TEXT], given_text[VALUE_TEXT], wall_text[VALUE_TEXT];
	int64_t used_s = 0, wall_s = 0, nodes = 0, cpus = 0, given_s = 0;
	bool used = whole_seconds(seff->report, "used.cpu_s", &used_s);
	bool wall = whole_seconds(seff->report, "job.elapsed_s", &wall_s);
	bool given;

	field_count(seff->report, "allocated.nodes", &nodes);
	given = wall && all_cpus(seff, nodes, &cpus) && !__builtin_mul_overflow(wall_s, cpus, &given_s);
	line(seff, used, "CPU Utilized", "%s", time_text(used_s, used_text));
	line(seff, used && given, "CPU Efficiency", "%.2f%% of %s core-walltime",
	     given_s > 0 ? 100.0 * (double)used_s / (double)given_s : 0, time_text(given_s, given_text));
	line(seff, wall, "Job Wall-clock time", "%s", time_text(wall_s, wall_text));
}

/* Over several nodes seff has a sum of peaks, whenever they were, to hold against what all nodes gave. */
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
	/* what is allocated is told of the nodes that reported alone */
	given = field_number(seff->report, field_true(seff->report, "complete") ? "allocated.memory_bytes" :
							       "requested.memory_bytes", &given_bytes);
	line(seff, used, "Memory Utilized", "%s", memory_text(used_bytes, used_text));
	line(seff, used && given && parts > 0, "Memory Efficiency", "%.2f%% of %s (%s/%s)",
	     given_bytes > 0 ? 100 * used_bytes / given_bytes : 0, memory_text(given_bytes, whole_text),
	     memory_text(parts > 0 ? given_bytes / (double)parts : 0, part_text), per_core ? "core" : "node");
}

/* What a script cannot see in lines. */
static void warn(struct seff *seff, const char *who)
{
	int64_t id = 0;

	field_count(seff->report, "job.id", &id);
	if (!field_true(seff->report, "complete"))
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
	if (is_state(&seff, "PENDING")) {
		fputs("Efficiency not available for jobs in the PENDING state.\n", out);
	} else {
		print_cpu(&seff);
		print_memory(&seff);
	}
	fflush(out);
	warn(&seff, who);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collector/common/escape.h"
#include "reports/field.h"
#include "reports/page_part.h"
#include "reports/units.h"
#include "reports/workflow.h"

#define TEXT_MAX 1024
#define UNKNOWN "not known"
#define IDLE_TOLD_S 10

/* A line "LABEL: text"; what the text says of a user's own words has been escaped. */
static void line(FILE *out, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void line(FILE *out, const char *label, const char *format, ...)
{
	va_list args;

	fprintf(out, "%s: ", label);
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fputc('\n', out);
}

static const char *escaped(struct json_object *report, const char *name, char text[TEXT_MAX])
{
	const char *value = field_text(report, name);

	return value ? escape_text(value, text, TEXT_MAX) : NULL;
}

static const char *duration(struct json_object *report, const char *name, char text[DURATION_TEXT])
{
	double seconds;

	return field_number(report, name, &seconds) ? duration_text(seconds, text) : NULL;
}

static const char *size(struct json_object *report, const char *name, char text[SIZE_TEXT])
{
	double bytes;

	return field_number(report, name, &bytes) ? size_text(bytes, text) : NULL;
}

static const char *or_unknown(const char *text)
{
	return text ? text : UNKNOWN;
}

/* ---- as seff has them ---- */

/* A name, or the number of what has none on the node. */
static const char *name_or_number(struct json_object *report, const char *name, const char *number,
				  char text[TEXT_MAX])
{
	int64_t value;

	if (escaped(report, name, text))
		return text;
	strcpy(text, "?");
	if (field_count(report, number, &value))
		snprintf(text, TEXT_MAX, "%lld", (long long)value);
	return text;
}

static void print_ids(struct json_object *report, FILE *out)
{
	char user[TEXT_MAX], group[TEXT_MAX], cluster[TEXT_MAX];
	int64_t id = 0, array, task;

	field_count(report, "job.id", &id);
	line(out, "Job ID", "%lld", (long long)id);
	if (field_count(report, "job.array_job_id", &array) && field_count(report, "job.array_task_id", &task))
		line(out, "Array Job ID", "%lld_%lld", (long long)array, (long long)task);
	if (escaped(report, "job.cluster", cluster))
		line(out, "Cluster", "%s", cluster);
	line(out, "User/Group", "%s/%s", name_or_number(report, "job.user", "job.uid", user),
	     name_or_number(report, "job.group", "job.gid", group));
}

static void print_state(struct json_object *report, FILE *out)
{
	char state[TEXT_MAX], signal_text[64] = "", code_text[32] = UNKNOWN;
	int64_t code, signal;
	const char *name = NULL;

	if (field_count(report, "job.exit_code", &code))
		snprintf(code_text, sizeof(code_text), "%lld", (long long)code);
	if (field_count(report, "job.signal", &signal) && signal > 0) {
		name = signal < 65 ? sigabbrev_np((int)signal) : NULL;
		snprintf(signal_text, sizeof(signal_text), ", signal %lld%s%s", (long long)signal, name ? " SIG" : "",
			 name ? name : "");
	}
	line(out, "State", "%s (exit code %s%s)", or_unknown(escaped(report, "job.state", state)), code_text,
	     signal_text);
}

/* The fewest and the most CPUs that a node gave. */
static bool cpus_per_node(struct json_object *report, int64_t *fewest, int64_t *most)
{
	struct json_object *nodes = field_typed(report, "nodes", json_type_array);
	int64_t cpus, count = 0;

	*fewest = INT64_MAX;
	*most = 0;
	if (field_count(report, "allocated.nodes", &count) && count == 1 &&
	    field_count(report, "allocated.cpus", &cpus)) {
		*fewest = *most = cpus;
		return true;
	}
	for (size_t i = 0; i < field_length(nodes); i++) {
		if (!field_count(json_object_array_get_idx(nodes, i), "allocated.cpus", &cpus))
			continue;
		*fewest = cpus < *fewest ? cpus : *fewest;
		*most = cpus > *most ? cpus : *most;
	}
	return *most > 0;
}

static void print_size_of_job(struct json_object *report, FILE *out)
{
	int64_t nodes, fewest, most;

	if (field_count(report, "allocated.nodes", &nodes))
		line(out, "Nodes", "%lld", (long long)nodes);
	if (!cpus_per_node(report, &fewest, &most))
		line(out, "Cores per node", UNKNOWN);
	else if (fewest == most)
		line(out, "Cores per node", "%lld", (long long)most);
	else
		line(out, "Cores per node", "%lld to %lld", (long long)fewest, (long long)most);
}

static void print_cpu(struct json_object *report, FILE *out)
{
	char used[DURATION_TEXT], given[DURATION_TEXT], wall[DURATION_TEXT];
	double efficiency, elapsed, cpus;

	line(out, "CPU Utilized", "%s", or_unknown(duration(report, "used.cpu_s", used)));
	if (field_number(report, "used.cpu_efficiency", &efficiency) &&
	    field_number(report, "job.elapsed_s", &elapsed) && field_number(report, "allocated.cpus", &cpus))
		line(out, "CPU Efficiency", "%.2f%% of %s core-walltime", 100 * efficiency,
		     duration_text(elapsed * cpus, given));
	else
		line(out, "CPU Efficiency", UNKNOWN);
	line(out, "Job Wall-clock time", "%s", or_unknown(duration(report, "job.elapsed_s", wall)));
}

static void print_memory(struct json_object *report, FILE *out)
{
	char used[SIZE_TEXT], per_node[SIZE_TEXT], whole[SIZE_TEXT];
	double efficiency, bytes, nodes;

	line(out, "Memory Utilized", "%s", or_unknown(size(report, "used.memory_used_peak_bytes", used)));
	if (!field_number(report, "used.memory_efficiency", &efficiency) ||
	    !field_number(report, "requested.memory_bytes", &bytes) ||
	    !field_number(report, "requested.nodes", &nodes) || nodes < 1)
		line(out, "Memory Efficiency", UNKNOWN);
	else if (nodes < 2)
		line(out, "Memory Efficiency", "%.2f%% of %s (%s/node)", 100 * efficiency, size_text(bytes, whole),
		     size_text(bytes, per_node));
	else
		line(out, "Memory Efficiency", "%.2f%% of %s/node (%s in all)", 100 * efficiency,
		     size_text(bytes / nodes, per_node), size_text(bytes, whole));
}

void page_seff(struct json_object *report, FILE *out)
{
	print_ids(report, out);
	print_state(report, out);
	print_size_of_job(report, out);
	print_cpu(report, out);
	print_memory(report, out);
}

/* ---- what seff cannot say ---- */

static void print_name(struct json_object *report, FILE *out)
{
	char name[TEXT_MAX], start[TEXT_MAX], end[TEXT_MAX], workflow[TEXT_MAX];
	int64_t attempt;

	if (escaped(report, "job.name", name))
		line(out, "Job name", "%s", name);
	if (workflow_text(report, workflow, sizeof(workflow)))
		page_wrapped(out, "Workflow: ", workflow);
	if (field_count(report, "job.attempt", &attempt) && attempt > 1)
		line(out, "Attempt", "%lld", (long long)attempt);
	if (escaped(report, "job.start", start) && escaped(report, "job.end", end))
		line(out, "Ran", "%s to %s", start, end);
}

static void print_verdict(struct json_object *report, FILE *out)
{
	const char *text = field_text(report, "verdict.text");

	if (text)
		page_wrapped(out, "Verdict: ", text);
}

/* Both peaks; and where what was used can have been more than was seen of it, how much at most. */
static void print_peaks(struct json_object *report, FILE *out)
{
	char used[SIZE_TEXT], upper[SIZE_TEXT], charged[SIZE_TEXT], swapped[SIZE_TEXT], at_most[64] = "";
	const char *most = size(report, "used.memory_used_peak_upper_bytes", upper);
	double swap = 0;

	if (most)
		snprintf(at_most, sizeof(at_most), " (at most %s)", most);
	line(out, "Memory peak", "%s used%s, %s charged with cache%s",
	     or_unknown(size(report, "used.memory_used_peak_bytes", used)), at_most,
	     or_unknown(size(report, "used.memory_charged_peak_bytes", charged)),
	     field_text(report, "used.memory_scope") ? ", on one node" : "");
	field_number(report, "used.memory_swap_peak_bytes", &swap);
	if (swap > 0)
		line(out, "Swapped out", "%s at most, as sampled", size_text(swap, swapped));
}

static void print_cores(struct json_object *report, FILE *out)
{
	size_t unused = field_length(field_typed(report, "progress.cores_unused", json_type_array));
	char never[64] = "";
	int64_t cores, cpus;
	double busy;

	if (unused > 0)
		snprintf(never, sizeof(never), ", %zu never used", unused);
	if (!field_number(report, "used.cores_busy", &busy))
		line(out, "Cores kept busy", "%s%s", UNKNOWN, never);
	else if (field_count(report, "used.cores_bound", &cores))
		line(out, "Cores kept busy", "%.1f of %lld bound%s", busy, (long long)cores, never);
	else if (field_count(report, "allocated.cpus", &cpus))
		line(out, "Cores kept busy", "%.1f of %lld allocated", busy, (long long)cpus);
}

/* Only what is worth a line: neither starting nor ending takes no time. */
static void print_idle(struct json_object *report, FILE *out)
{
	struct json_object *steps = field_typed(report, "progress.steps_without_processes", json_type_array);
	char before[DURATION_TEXT], after[DURATION_TEXT];
	double head = 0, tail = 0;

	field_number(report, "progress.idle_head_s", &head);
	field_number(report, "progress.idle_tail_s", &tail);
	if (head >= IDLE_TOLD_S || tail >= IDLE_TOLD_S)
		line(out, "Idle", "%s before its first activity, %s after the last", duration_text(head, before),
		     duration_text(tail, after));
	if (field_length(steps) > 0)
		line(out, "Steps in which no process ran", "%zu", field_length(steps));
}

static void print_waste(struct json_object *report, FILE *out)
{
	double core_hours, gib_hours;
	bool cpu = field_number(report, "used.cpu_wasted_core_hours", &core_hours);
	bool memory = field_number(report, "used.memory_wasted_gib_hours", &gib_hours);

	if (cpu && memory)
		line(out, "Left unused", "%.2f core-hours, %.2f GiB-hours", core_hours, gib_hours);
	else if (cpu)
		line(out, "Left unused", "%.2f core-hours", core_hours);
}

static void print_counts(struct json_object *report, FILE *out)
{
	char threads_text[64] = "";
	int64_t processes, threads;

	if (field_count(report, "used.threads_peak", &threads))
		snprintf(threads_text, sizeof(threads_text), ", %lld threads at most at once", (long long)threads);
	if (field_count(report, "used.processes", &processes))
		line(out, "Processes", "%lld%s", (long long)processes, threads_text);
	else
		line(out, "Processes", "%s%s", UNKNOWN, threads_text);
}

/* A line of two byte counts, unless neither is known. */
static void print_bytes(struct json_object *report, FILE *out, const char *label, const char *in, const char *in_word,
			const char *outward, const char *out_word)
{
	char one[SIZE_TEXT], other[SIZE_TEXT];
	const char *first = size(report, in, one), *second = size(report, outward, other);

	if (first || second)
		line(out, label, "%s %s, %s %s", or_unknown(first), in_word, or_unknown(second), out_word);
}

static void print_traffic(struct json_object *report, FILE *out)
{
	print_bytes(report, out, "Storage", "used.read_bytes", "read", "used.write_bytes", "written");
	print_bytes(report, out, "System calls", "used.syscall_read_bytes", "read", "used.syscall_write_bytes",
		    "written");
	print_bytes(report, out, "Sockets", "used.socket_rx_bytes", "received", "used.socket_tx_bytes", "sent");
}

void page_more(struct json_object *report, FILE *out)
{
	print_verdict(report, out);
	print_peaks(report, out);
	print_cores(report, out);
	print_waste(report, out);
	print_idle(report, out);
	print_counts(report, out);
	print_traffic(report, out);
	print_name(report, out);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/js1.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/json/gzip64.h"
#include "reports/model/report_gaps.h"

#define NUMBER_MAX 9e15 /* exact in a double; more is forged */
#define WHOLE_SECONDS_FROM 60 /* jobstats has no summary of shorter jobs */

/* Rounds to milliseconds. Like jobstats, writes whole seconds without a decimal point. */
static struct json_object *new_seconds(double seconds)
{
	double ms = round(seconds * 1000);
	char text[64];
	int length;

	if (fmod(ms, 1000) == 0)
		return json_object_new_int64((int64_t)(ms / 1000));
	length = snprintf(text, sizeof(text), "%.3f", ms / 1000);
	while (text[length - 1] == '0')
		text[--length] = '\0';
	return json_object_new_double_s(ms / 1000, text);
}

/* Slurm counts whole seconds. Readers reject a summary if its CPU time is too much for these seconds. */
static double readable_cpu_s(double cpu_s, double cpus, double elapsed_s)
{
	double whole_s = cpus * floor(elapsed_s);

	return elapsed_s >= WHOLE_SECONDS_FROM && cpu_s > whole_s && cpu_s <= whole_s + cpus ? whole_s : cpu_s;
}

static int lacks(const struct report_node *node, const char *what, struct error *err)
{
	return error_set(err, "%s of node %.100s is not known", what, node->name ? node->name : "?");
}

static bool possible(double value)
{
	return value >= 0 && value < NUMBER_MAX;
}

/* Returns false if @value is not known, or if a gap says that @value is only a bound. */
static bool known(const struct report_node *node, const char *name, double value)
{
	return possible(value) && !report_has_gap(&node->gaps, name) && !report_has_gap(&node->gaps, "used");
}

/* NAN: not known */
static double given_memory(const struct report_node *node)
{
	double memory = report_number(node->allocated.memory_bytes), limit = report_number(node->allocated.memory_limit_bytes);

	if (known(node, REPORT_PATH_OF(node, allocated.memory_bytes), memory))
		return memory;
	return known(node, REPORT_PATH_OF(node, allocated.memory_limit_bytes), limit) ? limit : NAN;
}

static int add_node(struct json_object *nodes, const struct report_node *node, double elapsed_s, struct error *err)
{
	double memory = given_memory(node), used_memory = report_number(node->used.memory_used_peak_bytes);
	double cpu_s = report_s(node->used.cpu_s), cpus = report_number(node->allocated.cpus);
	struct json_object *out;
	bool idle;

	/* A node without a record has only a name. */
	if (!node->used.known)
		return 0;
	if (!known(node, REPORT_PATH_OF(node, allocated.cpus), cpus) || cpus < 1)
		return lacks(node, "the number of CPUs", err);
	if (!known(node, REPORT_PATH_OF(node, used.cpu_s), cpu_s))
		return lacks(node, "the CPU time", err);
	if (!(memory >= 1))
		return lacks(node, "the memory that was given", err);
	idle = node->used.processes == 0 && known(node, REPORT_PATH_OF(node, used.processes), 0);
	if (!known(node, REPORT_PATH_OF(node, used.memory_used_peak_bytes), used_memory) && !idle)
		return lacks(node, "the peak of used memory", err);
	/* Readers recognize an idle node by a CPU time of 0. Slurm's own processes used a millisecond there. */
	if (idle)
		cpu_s = 0;
	out = put_object(nodes, node->name ? node->name : "?");
	put_count(out, "total_memory", (int64_t)memory);
	put_count(out, "used_memory", isnan(used_memory) ? 0 : (int64_t)used_memory);
	json_object_object_add(out, "total_time", new_seconds(readable_cpu_s(cpu_s, cpus, elapsed_s)));
	put_count(out, "cpus", (int64_t)cpus);
	return 0;
}

/* ---- GPUs ---- */

#define GPU_KNOWN_SHARE 0.9 /* of the job's time, for which its busy share must stand */

/* Returns whether readers would get a true number for everything that they show of the GPU. */
static bool is_gpu_known(const struct report_gpu *gpu, double elapsed_s)
{
	return gpu->node && gpu->minor >= 0 && !gpu->slice && gpu->busy_share >= 0 && gpu->busy_share <= 1 &&
	       report_s(gpu->busy_covered_s) >= GPU_KNOWN_SHARE * elapsed_s && possible(report_number(gpu->memory_total_bytes)) &&
	       gpu->memory_total_bytes > 0 && possible(report_number(gpu->job_memory_peak_bytes));
}

/* Readers take the use of a GPU without numbers for 0 %. So the summary has the job's GPUs only if all are known. */
static bool are_gpus_known(const struct report *report, struct json_object *nodes, double elapsed_s)
{
	const struct report_gpu_allocated_list *allocated = &report->allocated.gpus_allocated;
	const struct report_gpu_list *gpus = &report->gpus;

	if (report->allocated.gpus <= 0 || gpus->count != (uint64_t)report->allocated.gpus)
		return false;
	/* The GPUs' time includes suspensions, and the job's does not. */
	if (report_s(report->job.suspended_s) > 0)
		return false;
	for (size_t i = 0; i < allocated->count; i++)
		if (!report_text_is(allocated->items[i].kind, "gpu"))
			return false;
	for (size_t i = 0; i < gpus->count; i++)
		if (!is_gpu_known(&gpus->items[i], elapsed_s) || !json_object_object_get_ex(nodes, gpus->items[i].node, NULL))
			return false;
	return true;
}

static struct json_object *map_of(struct json_object *node, const char *name)
{
	struct json_object *map;

	return json_object_object_get_ex(node, name, &map) ? map : put_object(node, name);
}

/* Like jobstats, names a GPU by its minor number. */
static bool put_gpu(struct json_object *nodes, const struct report_gpu *gpu)
{
	struct json_object *node;
	char index[24], percent[16];

	json_object_object_get_ex(nodes, gpu->node, &node);
	snprintf(index, sizeof(index), "%lld", (long long)gpu->minor);
	snprintf(percent, sizeof(percent), "%.1f", 100 * gpu->busy_share);
	if (json_object_object_get_ex(map_of(node, "gpu_total_memory"), index, NULL))
		return false; /* two GPUs cannot have one number */
	put_count(map_of(node, "gpu_total_memory"), index, gpu->memory_total_bytes);
	put_count(map_of(node, "gpu_used_memory"), index, gpu->job_memory_peak_bytes);
	json_object_object_add(map_of(node, "gpu_utilization"), index, json_object_new_double_s(100 * gpu->busy_share, percent));
	return true;
}

static void forget_gpus(struct json_object *nodes)
{
	json_object_object_foreach (nodes, name, node) {
		(void)name;
		json_object_object_del(node, "gpu_total_memory");
		json_object_object_del(node, "gpu_used_memory");
		json_object_object_del(node, "gpu_utilization");
	}
}

/* Returns how many GPUs the summary has. */
static int64_t put_gpus(const struct report *report, struct json_object *nodes, double elapsed_s)
{
	if (!are_gpus_known(report, nodes, elapsed_s))
		return 0;
	for (size_t i = 0; i < report->gpus.count; i++)
		if (!put_gpu(nodes, &report->gpus.items[i])) {
			forget_gpus(nodes);
			return 0;
		}
	return report->allocated.gpus;
}

struct json_object *js1_summary(const struct report *report, struct error *err)
{
	cleanup_json struct json_object *summary = json_object_new_object();
	struct json_object *nodes = put_object(summary, "nodes");
	double elapsed_s = report_s(report->job.elapsed_s);

	if (report->so_far) {
		error_set(err, "it is still running");
		return NULL;
	}
	if (!possible(elapsed_s)) {
		error_set(err, "the job's elapsed time is not known");
		return NULL;
	}
	for (size_t i = 0; i < report->nodes.count; i++)
		if (add_node(nodes, &report->nodes.items[i], elapsed_s, err) < 0)
			return NULL;
	if (json_object_object_length(nodes) == 0) {
		error_set(err, "no node left a record");
		return NULL;
	}
	json_object_object_add(summary, "total_time", new_seconds(elapsed_s));
	/* If "gpus" is not 0, readers expect the use of each GPU. reportseff would show 0 % for one that is not known. */
	put_count(summary, "gpus", put_gpus(report, nodes, elapsed_s));
	return json_object_get(summary);
}

static char *encode(struct json_object *summary)
{
	const char *json =
		json_object_to_json_string_ext(summary, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	cleanup_free char *packed = json ? gzip64(json, strlen(json), Z_BEST_COMPRESSION) : NULL;
	char *text = NULL;

	if (!packed)
		return NULL;
	if (strlen(JS1_PREFIX) + strlen(packed) >= JS1_LENGTH_MAX)
		return strdup(JS1_NONE);
	return asprintf(&text, JS1_PREFIX "%s", packed) < 0 ? NULL : text;
}

char *js1_text(const struct report *report)
{
	struct error why;
	cleanup_json struct json_object *summary = js1_summary(report, &why);
	double elapsed_s;

	if (!summary)
		return strdup(JS1_NONE);
	if (!field_number(summary, "total_time", &elapsed_s) || elapsed_s <= 0)
		return strdup(JS1_SHORT);
	return encode(summary);
}

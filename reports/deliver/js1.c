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
#include "reports/json/gaps.h"
#include "reports/json/gzip64.h"

#define NUMBER_MAX 9e15 /* a larger one was made up; one below it is a whole number of bytes, or of milliseconds */
#define WHOLE_SECONDS_FROM 60 /* jobstats makes no statements about shorter jobs */

/* ---- the summary ---- */

/* Milliseconds are enough. Whole seconds are written without a point, as jobstats does. */
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

/*
 * Slurm counts the wall-clock time in whole seconds. Readers that find more CPU time than fits into it take the summary
 * for damaged. So what a busy job used in the rest of its last second is left out.
 */
static double readable_cpu_s(double cpu_s, double cpus, double elapsed_s)
{
	double whole_s = cpus * floor(elapsed_s);

	return elapsed_s >= WHOLE_SECONDS_FROM && cpu_s > whole_s && cpu_s <= whole_s + cpus ? whole_s : cpu_s;
}

static int lacks(struct json_object *node, const char *what, struct error *err)
{
	const char *name = field_text(node, "name");

	return error_set(err, "%s of node %.100s is not known", what, name ? name : "?");
}

static bool possible(double value)
{
	return value >= 0 && value < NUMBER_MAX;
}

/* Returns false also for a number that a gap names: it is only a bound, and readers of the summary could not know. */
static bool known(struct json_object *node, const char *name, double *value)
{
	struct json_object *gaps = field_typed(node, "gaps", json_type_array);

	return field_number(node, name, value) && possible(*value) && !gaps_have(gaps, name) &&
	       !gaps_have(gaps, "used");
}

static int add_node(struct json_object *nodes, struct json_object *node, double elapsed_s, struct error *err)
{
	double total_memory, used_memory = 0, cpu_s, cpus, processes;
	const char *name = field_text(node, "name");
	struct json_object *out;
	bool idle;

	/* A node that left no record has nothing but its name. */
	if (!field_find(node, "used"))
		return 0;
	if (!known(node, "allocated.cpus", &cpus) || cpus < 1)
		return lacks(node, "the number of CPUs", err);
	if (!known(node, "used.cpu_s", &cpu_s))
		return lacks(node, "the CPU time", err);
	if ((!known(node, "allocated.memory_bytes", &total_memory) &&
	     !known(node, "allocated.memory_limit_bytes", &total_memory)) ||
	    total_memory < 1)
		return lacks(node, "the memory that was given", err);
	idle = known(node, "used.processes", &processes) && processes == 0;
	if (!known(node, "used.memory_used_peak_bytes", &used_memory) && !idle)
		return lacks(node, "the peak of used memory", err);
	/* Readers find a node that did nothing by its 0. Slurm's own processes took a millisecond there. */
	if (idle)
		cpu_s = 0;
	out = put_object(nodes, name ? name : "?");
	put_count(out, "total_memory", (int64_t)total_memory);
	put_count(out, "used_memory", (int64_t)used_memory);
	json_object_object_add(out, "total_time", new_seconds(readable_cpu_s(cpu_s, cpus, elapsed_s)));
	put_count(out, "cpus", (int64_t)cpus);
	return 0;
}

struct json_object *js1_summary(struct json_object *report, struct error *err)
{
	struct json_object *list = field_typed(report, "nodes", json_type_array);
	cleanup_json struct json_object *summary = json_object_new_object();
	struct json_object *nodes = put_object(summary, "nodes");
	double elapsed_s;

	if (field_true(report, "so_far")) {
		error_set(err, "it runs still");
		return NULL;
	}
	if (!field_number(report, "job.elapsed_s", &elapsed_s) || !possible(elapsed_s)) {
		error_set(err, "the job's elapsed time is not known");
		return NULL;
	}
	for (size_t i = 0; i < field_length(list); i++)
		if (add_node(nodes, json_object_array_get_idx(list, i), elapsed_s, err) < 0)
			return NULL;
	if (json_object_object_length(nodes) == 0) {
		error_set(err, "no node left a record");
		return NULL;
	}
	json_object_object_add(summary, "total_time", new_seconds(elapsed_s));
	/* For each GPU its readers expect what it did, which is not known: reportseff takes what is missing for 0 %. */
	put_count(summary, "gpus", 0);
	return json_object_get(summary);
}

/* ---- its text ---- */

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

char *js1_text(struct json_object *report)
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

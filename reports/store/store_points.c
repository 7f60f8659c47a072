/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The series of a store line. The verdict asks how much CPU time the job could have had in each point, which is the
 * less of what its threads wanted and of what its CPUs had; and the advice asks for the point in which it used most.
 * Points of the first kind add up, and so do points of the second. So three points say all: those in which the threads
 * wanted no more than the CPUs had, those in which they wanted more, and the busiest.
 */
#include "reports/builder/report_cores.h"
#include "reports/json/field.h"
#include "reports/store/store_line_internal.h"

#define SHORT_SHARE 2 /* a point shorter than the interval divided by this gives no rate: reports/verdict/advice_cpu.c */

enum { WITHIN, BEYOND, BUSIEST };
enum { CPU, ON_CPU, RUNNABLE, COLUMNS };

struct point {
	int64_t length_ns;
	int64_t of[COLUMNS];
};

struct series {
	struct json_object *ends;
	struct json_object *columns[COLUMNS];
	int64_t interval_ns;
	double cpus;
};

static int64_t value_at(struct json_object *list, size_t i)
{
	struct json_object *value = i < field_length(list) ? json_object_array_get_idx(list, i) : NULL;

	return json_object_is_type(value, json_type_int) && json_object_get_int64(value) > 0 ? json_object_get_int64(value) : 0;
}

static struct point read_point(const struct series *series, size_t i)
{
	int64_t begin_ns = i ? value_at(series->ends, i - 1) : 0, end_ns = value_at(series->ends, i);
	struct point point = { .length_ns = end_ns > begin_ns ? end_ns - begin_ns : 0 };

	for (size_t c = 0; c < COLUMNS; c++)
		point.of[c] = value_at(series->columns[c], i);
	return point;
}

static void add_point(struct point *sum, const struct point *point)
{
	sum->length_ns = count_sum(sum->length_ns, point->length_ns);
	for (size_t c = 0; c < COLUMNS; c++)
		sum->of[c] = count_sum(sum->of[c], point->of[c]);
}

/* CPUs that the job's threads used: those of the node, less those of cores that hardly any ever ran on. */
static double cpus_of(const struct store_making *making)
{
	int64_t cpus = 0, nodes = 0, bound, loaded;

	field_count(making->record, "allocated.cpus", &cpus);
	if (field_count(making->slurm, "nodes", &nodes) && nodes == 1)
		field_count(making->slurm, "cpus", &cpus);
	if (!cores_count(making->record, &bound) || !cores_count_loaded(making->record, &loaded) || loaded <= 0 || bound > cpus)
		return (double)cpus;
	return (double)cpus * (double)loaded / (double)bound;
}

static size_t find_busiest(const struct series *series, size_t count)
{
	size_t busiest = count;
	double most = -1;

	for (size_t i = 0; i < count; i++) {
		struct point point = read_point(series, i);
		double rate = point.length_ns ? (double)point.of[CPU] / (double)point.length_ns : 0;

		if (point.length_ns == 0 || point.length_ns < series->interval_ns / SHORT_SHARE || rate <= most)
			continue;
		busiest = i;
		most = rate;
	}
	return busiest;
}

static struct json_object *point_array(const struct point *point)
{
	struct json_object *out = json_object_new_array();

	json_object_array_add(out, json_object_new_int64(point->length_ns));
	for (size_t c = 0; c < COLUMNS; c++)
		json_object_array_add(out, json_object_new_int64(point->of[c]));
	return out;
}

struct json_object *store_make_points(const struct store_making *making)
{
	struct json_object *from = field_typed(making->record, "series", json_type_object), *out, *list;
	struct series series = { .ends = field_typed(from, "end_offsets_ns", json_type_array), .cpus = cpus_of(making) };
	struct point sums[STORE_POINTS] = { 0 };
	size_t count = field_length(series.ends), busiest;

	if (!from)
		return NULL;
	series.columns[CPU] = field_typed(from, "columns.cpu_ns", json_type_array);
	series.columns[ON_CPU] = field_typed(from, "columns.on_cpu_ns", json_type_array);
	series.columns[RUNNABLE] = field_typed(from, "columns.runnable_ns", json_type_array);
	field_count(from, "interval_ns", &series.interval_ns);
	busiest = find_busiest(&series, count);
	for (size_t i = 0; i < count; i++) {
		struct point point = read_point(&series, i);
		double wanted = (double)point.of[ON_CPU] + (double)point.of[RUNNABLE];
		bool beyond = wanted > series.cpus * (double)point.length_ns;

		add_point(&sums[i == busiest ? BUSIEST : beyond ? BEYOND : WITHIN], &point);
	}
	out = json_object_new_object();
	put_count(out, "interval_ns", series.interval_ns);
	list = put_array(out, "points");
	for (size_t i = 0; i < STORE_POINTS; i++)
		if (sums[i].length_ns)
			json_object_array_add(list, point_array(&sums[i]));
	return out;
}

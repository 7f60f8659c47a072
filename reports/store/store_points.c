/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reduces the series to three points. For each point, the verdict needs the CPU time that the job could have had: what
 * its threads wanted, but not more than what its CPUs offered. The advice needs the busiest point.
 *
 * All points at which threads wanted more than the CPUs offered can be added up to one sum, and all other points to a
 * second sum. So three points are enough: the two sums, and the busiest point.
 */
#include "reports/builder/report_cores.h"
#include "reports/json/field.h"
#include "reports/store/store_line_internal.h"

#define SHORT_SHARE 2 /* points shorter than the interval divided by SHORT_SHARE give no rate, as in
		       * reports/verdict/advice_cpu.c */

enum { WITHIN, BEYOND, BUSIEST };
enum { CPU, ON_CPU, RUNNABLE, COLUMNS };

struct point {
	int64_t length_ns;
	int64_t of[COLUMNS];
};

static int64_t value_at(const struct report_counts *list, size_t i)
{
	return i < list->count && list->items[i] > 0 ? list->items[i] : 0;
}

static struct point read_point(const struct record_series *series, size_t i)
{
	int64_t begin_ns = i ? value_at(&series->end_offsets_ns, i - 1) : 0, end_ns = value_at(&series->end_offsets_ns, i);

	return (struct point){
		.length_ns = end_ns > begin_ns ? end_ns - begin_ns : 0,
		.of = { [CPU] = value_at(&series->columns.cpu_ns, i),
			[ON_CPU] = value_at(&series->columns.on_cpu_ns, i),
			[RUNNABLE] = value_at(&series->columns.runnable_ns, i) },
	};
}

static void add_point(struct point *sum, const struct point *point)
{
	sum->length_ns = count_sum(sum->length_ns, point->length_ns);
	for (size_t c = 0; c < COLUMNS; c++)
		sum->of[c] = count_sum(sum->of[c], point->of[c]);
}

/* Returns the node's CPUs without the cores on which almost no thread ran. */
static double cpus_of(const struct store_making *making)
{
	int64_t cpus = 0, bound, loaded;

	take_count(making->record->allocated.cpus, &cpus);
	if (making->slurm->nodes == 1)
		take_count(making->slurm->cpus, &cpus);
	if (!cores_count(making->record, &bound) || !cores_count_loaded(making->record, &loaded) || loaded <= 0 || bound > cpus)
		return (double)cpus;
	return (double)cpus * (double)loaded / (double)bound;
}

static size_t find_busiest(const struct record_series *series, int64_t interval_ns)
{
	size_t count = series->end_offsets_ns.count, busiest = count;
	double most = -1;

	for (size_t i = 0; i < count; i++) {
		struct point point = read_point(series, i);
		double rate = point.length_ns ? (double)point.of[CPU] / (double)point.length_ns : 0;

		if (point.length_ns == 0 || point.length_ns < interval_ns / SHORT_SHARE || rate <= most)
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
	const struct record_series *series = &making->record->series;
	int64_t interval_ns = series->interval_ns < 0 ? 0 : series->interval_ns;
	size_t busiest = find_busiest(series, interval_ns);
	struct point sums[STORE_POINTS] = { 0 };
	double cpus = cpus_of(making);
	struct json_object *out, *list;

	if (!series->known)
		return NULL;
	for (size_t i = 0; i < series->end_offsets_ns.count; i++) {
		struct point point = read_point(series, i);
		double wanted = (double)point.of[ON_CPU] + (double)point.of[RUNNABLE];
		bool beyond = wanted > cpus * (double)point.length_ns;

		add_point(&sums[i == busiest ? BUSIEST : beyond ? BEYOND : WITHIN], &point);
	}
	out = json_object_new_object();
	put_count(out, "interval_ns", interval_ns);
	list = put_array(out, "points");
	for (size_t i = 0; i < STORE_POINTS; i++)
		if (sums[i].length_ns)
			json_object_array_add(list, point_array(&sums[i]));
	return out;
}

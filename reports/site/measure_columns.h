/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says in which columns of a job's row a measure is. Most measures have a column of their own. Others have none, and are
 * computed, so that a row is short: wasted memory is given - used. A part of a waste has a column, which is NULL if the
 * part is 0.
 */
#ifndef STINT_MEASURE_COLUMNS_H
#define STINT_MEASURE_COLUMNS_H

#include "reports/site/job_row.h"

/* The places of measures with a column among these columns. */
enum {
#define MEASURE_PLACE_INT(measure) MEASURE_PLACE_OF_##measure,
#define MEASURE_PLACE_INT32(measure) MEASURE_PLACE_OF_##measure,
#define MEASURE_PLACE_NONE(measure)
#define MEASURE_PLACE(measure, name, column) MEASURE_PLACE_##column(measure)
	JOB_MEASURES(MEASURE_PLACE)
#undef MEASURE_PLACE
#undef MEASURE_PLACE_NONE
#undef MEASURE_PLACE_INT32
#undef MEASURE_PLACE_INT
	MEASURE_COLUMNS
};

/* Returns the place of the measure's column; -1 if it has none. */
int measure_place(enum job_measure measure);

/*
 * The measure is the sum of the columns in @plus without those in @minus, in which NULL counts as 0. It is known if all
 * columns in @known are. Each set has the bits 1 << enum job_measure of measures with a column.
 */
struct measure_source {
	uint64_t plus, minus, known;
};

/*
 * @known is 0 if the measure is just its column: NULL is then unknown.
 * Measures of memory have only MEM_GIVEN in @known, because measures_agree() makes MEM_USED known for the same jobs.
 */
extern const struct measure_source measure_sources[JOB_MEASURE_COUNT];

/* Returns the first measure of a set that is not empty, and removes it from the set. */
static inline enum job_measure measure_take(uint64_t *set)
{
	enum job_measure first = (enum job_measure)__builtin_ctzll(*set);

	*set &= *set - 1;
	return first;
}

/* Returns the sum of @values, which are 0 or negative if NULL, as @source says. */
int64_t measure_sum(const struct measure_source *source, const int64_t values[JOB_MEASURE_COUNT]);

/*
 * Returns whether @measure has no column, but equals one column for the jobs for which it is known. So its sum does not
 * follow from sums of columns.
 */
bool measure_is_other_column(enum job_measure measure);

/* Returns the measure that is known for the same jobs as @measure, and that has a column or measure_is_other_column(). */
enum job_measure measure_known_like(enum job_measure measure);

/*
 * Makes MEM_GIVEN and MEM_USED unknown if one of them is, and the other measures of GPUs if GPU_UNTOLD is. Call it before a
 * job is stored.
 */
void measures_agree(int64_t values[JOB_MEASURE_COUNT]);

/* Computes the measures with a source, from columns that are in @values already. A negative value is unknown. */
void measures_compute(int64_t values[JOB_MEASURE_COUNT]);

/* The same only for @measure, which has a source. */
int64_t measure_compute(enum job_measure measure, const int64_t values[JOB_MEASURE_COUNT]);

/*
 * Computes the same for a group of jobs: from the sums of columns and of measures that measure_is_other_column().
 *
 * @sum: over the jobs for which a measure is known
 * @known: the number of these jobs, which must be filled for each measure_known_like()
 */
void measures_compute_sums(int64_t sum[JOB_MEASURE_COUNT], int64_t known[JOB_MEASURE_COUNT]);

#endif

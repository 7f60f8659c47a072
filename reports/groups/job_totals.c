/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/job_totals.h"

#include <endian.h>
#include <stddef.h>
#include <string.h>

#include "reports/facts/fact.h"
#include "reports/facts/job_parts.h"

/*
 * Each job has a word of 64 bits: four bins, its end, its verdict, and whether it was counted in full.
 * A group has a list of the words of its jobs. If the database grouped jobs by bins, there would be nearly as many
 * groups as jobs.
 */
#define BIN_BITS 12
#define HOW_SHIFT (JOB_BINS_COUNT * BIN_BITS)
#define VERDICT_SHIFT (HOW_SHIFT + 4)
#define COMPLETE_SHIFT (VERDICT_SHIFT + 6)
#define FIELD(word, shift, bits) ((word) >> (shift) & ((UINT64_C(1) << (bits)) - 1))
_Static_assert(1 << BIN_BITS == JOB_TOTALS_BINS, "a bin has another number of bits");

#define FEW 256 /* up to so many jobs, an array of bins is slower than a list */

bool job_totals_can(const struct jobs_summary *summary)
{
	return !summary->with_views && !job_groups_are_by(&summary->groups, JOB_KEY_TOOL) &&
	       !job_groups_are_by(&summary->groups, JOB_KEY_NODE);
}

/* ---- lists ---- */

struct list {
	const unsigned char *at;
	size_t count;
};

static struct list list_of(const struct database_value *value)
{
	return (struct list){ value->data, value->kind == VALUE_NULL ? 0 : value->size / sizeof(uint64_t) };
}

static uint64_t number_at(const struct list *list, size_t i)
{
	uint64_t number;

	memcpy(&number, list->at + i * sizeof(number), sizeof(number));
	return be64toh(number);
}

/* Moves the bins from the array to the group. */
static int settle_bins(struct job_totals_adding *adding, struct job_group *group, struct error *err)
{
	int result = 0;

	for (size_t b = 0; b < JOB_BINS_COUNT; b++) {
		for (int32_t i = 1; result == 0 && i < JOB_TOTALS_BINS; i++)
			result = bins_count(&group->bins[b], i - 1, adding->bins[b][i], err);
		memset(adding->bins[b], 0, sizeof(adding->bins[b]));
	}
	return result;
}

static int count_words(struct job_totals_adding *adding, const struct list *list, struct job_group *group, struct error *err)
{
	/* a word has -1 for an unknown bin */
	const uint64_t bias = 1 | UINT64_C(1) << BIN_BITS | UINT64_C(1) << 2 * BIN_BITS | UINT64_C(1) << 3 * BIN_BITS;
	bool few = list->count <= FEW;

	for (size_t i = 0; i < list->count; i++) {
		uint64_t word = number_at(list, i) + bias;

		group->ends[end_of_number((int)FIELD(word, HOW_SHIFT, VERDICT_SHIFT - HOW_SHIFT))]++;
		group->verdicts[verdict_of_number((int)FIELD(word, VERDICT_SHIFT, COMPLETE_SHIFT - VERDICT_SHIFT))]++;
		group->complete += (int64_t)(word >> COMPLETE_SHIFT);
		for (size_t b = 0; b < JOB_BINS_COUNT; b++) {
			int32_t bin = (int32_t)FIELD(word, b * BIN_BITS, BIN_BITS);

			if (!few)
				adding->bins[b][bin]++;
			else if (bin && bins_count(&group->bins[b], bin - 1, 1, err) < 0)
				return -1;
		}
	}
	return few ? 0 : settle_bins(adding, group, err);
}

static void count_findings(const struct list *list, struct job_group *group)
{
	int64_t counts[64] = { 0 };

	for (size_t i = 0; i < list->count; i++)
		for (uint64_t left = number_at(list, i); left; left &= left - 1)
			counts[__builtin_ctzll(left)]++;
	for (int i = 0; i < 64; i++)
		if (counts[i] && finding_of_number(i) != FINDING_COUNT)
			group->findings[finding_of_number(i)] += counts[i];
}

static int add_users(struct job_totals_adding *adding, const struct list *list, struct error *err)
{
	uint64_t before = UINT64_MAX;

	for (size_t i = 0; i < list->count; i++) {
		uint64_t user = number_at(list, i);

		if (user != before && job_sums_add_user(adding->sums, adding->cluster, (int64_t)user, err) < 0)
			return -1;
		before = user;
	}
	return 0;
}

/* ---- how to take an answer ---- */

struct job_totals_taking {
	struct job_totals_adding *adding;
	struct job_group *group;
	size_t of; /* as in struct job_totals_how */
};

static int take_count(struct job_totals_taking *taking, const struct database_value *value, struct error *err)
{
	(void)err;
	*(int64_t *)((char *)taking->group + taking->of) = value->number;
	return 0;
}

static int take_sum(struct job_totals_taking *taking, const struct database_value *value, struct error *err)
{
	(void)err;
	taking->group->sum[taking->of] = value->number;
	return 0;
}

static int take_known(struct job_totals_taking *taking, const struct database_value *value, struct error *err)
{
	(void)err;
	taking->group->known[taking->of] = value->number;
	return 0;
}

static int take_words(struct job_totals_taking *taking, const struct database_value *value, struct error *err)
{
	struct list words = list_of(value);

	return count_words(taking->adding, &words, taking->group, err);
}

static int take_time(struct job_totals_taking *taking, const struct database_value *value, struct error *err)
{
	(void)err;
	if (taking->adding->now)
		job_sums_add_times(taking->adding->sums, value->number, value->number);
	return 0;
}

static int take_users(struct job_totals_taking *taking, const struct database_value *value, struct error *err)
{
	struct list users = list_of(value);

	return taking->adding->now ? add_users(taking->adding, &users, err) : 0;
}

static int take_findings(struct job_totals_taking *taking, const struct database_value *value, struct error *err)
{
	struct list findings = list_of(value);

	(void)err;
	count_findings(&findings, taking->group);
	return 0;
}

/* ---- what to ask ---- */

static bool has_column(const struct job_totals *totals, size_t column)
{
	for (size_t i = 0; i < totals->column_count; i++)
		if (totals->columns[i] == column)
			return true;
	return false;
}

static void add_column(struct job_totals *totals, size_t column)
{
	if (!has_column(totals, column))
		totals->columns[totals->column_count++] = column;
}

static void add_total(struct job_totals *totals, struct database_total total, job_totals_take *take, size_t of)
{
	totals->how[totals->total_count] = (struct job_totals_how){ take, of };
	totals->totals[totals->total_count++] = total;
}

static void add_sum(struct job_totals *totals, size_t column, size_t other, job_totals_take *take, size_t of)
{
	add_total(totals, (struct database_total){ .what = SUM_OF, .column = column, .other = other }, take, of);
}

static void add_list(struct job_totals *totals, const struct database_field *fields, size_t count, job_totals_take *take)
{
	add_total(totals, (struct database_total){ .what = SUM_LIST, .fields = fields, .field_count = count }, take, 0);
}

static void add_matching(struct job_totals *totals, const struct database_condition *conditions, size_t count, size_t of)
{
	add_total(totals, (struct database_total){ .what = SUM_MATCHING, .conditions = conditions, .condition_count = count },
		  take_count, of);
}

static bool needs_sum(const struct jobs_summary *summary, enum job_measure measure)
{
	return summary->all_measures || job_figures_add(measure);
}

/* Returns the column of @key; JOB_COLUMNS if the key needs no column. */
static size_t column_of(enum job_key key)
{
	size_t column;

	return job_sums_column(key, &column) ? column : JOB_COLUMNS;
}

/* The two columns that must be known; they may be the same. */
static void put_known(enum job_measure measure, size_t columns[2])
{
	uint64_t left = measure_sources[measure].known;

	columns[0] = columns[1] = job_measure_column(left ? measure_take(&left) : measure);
	if (left)
		columns[1] = job_measure_column(measure_take(&left));
}

/* measures_compute_sums() computes what the database is not asked for. */
static void add_measure(struct job_totals *totals, enum job_measure measure)
{
	size_t known[2], column = job_measure_column(measure);

	put_known(measure, known);
	if (measure_place(measure) >= 0) {
		add_sum(totals, column, column, take_sum, measure);
	} else if (measure_is_other_column(measure)) {
		column = job_measure_column((enum job_measure)__builtin_ctzll(measure_sources[measure].plus));
		add_sum(totals, column, column == known[0] ? known[1] : known[0], take_sum, measure);
	}
	if (measure_known_like(measure) == measure)
		add_total(totals, (struct database_total){ .what = SUM_KNOWN, .column = known[0], .other = known[1] }, take_known,
			  measure);
}

static void add_conditions(struct job_totals *totals)
{
	const uint64_t oom = findings_to_numbers(UINT64_C(1) << FINDING_OOM_KILL);

	totals->brief[0] = (struct database_condition){ job_measure_column(JOB_ELAPSED), MATCH_BELOW, database_int(JOB_SHORT_MS) };
	totals->oom[0] = (struct database_condition){ JOB_AT_HOW, MATCH_IS, database_int(end_number(JOB_END_OOM)) };
	totals->oom[1] = (struct database_condition){ job_measure_column(JOB_OOM_KILLS), MATCH_FROM, database_int(1) };
	totals->oom[2] = (struct database_condition){ JOB_AT_FINDINGS, MATCH_BITS, database_int((int64_t)oom) };
	add_matching(totals, totals->brief, 1, offsetof(struct job_group, brief));
	add_matching(totals, totals->oom, 3, offsetof(struct job_group, oom));
}

static void add_lists(struct job_totals *totals)
{
	const size_t end = JOB_AT_NUMBERS + JOB_NUMBER_end_us;
	static const struct database_value nulls[JOB_COLUMNS];
	struct fact unknown;
	struct database_field *field = totals->words;

	fact_take_numbers(&unknown, nulls); /* says what NULL means */
	for (size_t b = 0; b < JOB_BINS_COUNT; b++)
		*field++ = (struct database_field){ JOB_AT_BINS + b, INT64_C(1) << (b * BIN_BITS), -1 };
	*field++ = (struct database_field){ JOB_AT_HOW, INT64_C(1) << HOW_SHIFT, 0 };
	*field++ = (struct database_field){ JOB_AT_VERDICT, INT64_C(1) << VERDICT_SHIFT, 0 };
	*field++ = (struct database_field){ JOB_AT_NUMBERS + JOB_NUMBER_complete, INT64_C(1) << COMPLETE_SHIFT, unknown.row.complete };
	add_list(totals, totals->words, (size_t)(field - totals->words), take_words);
	if (totals->summary->only_groups)
		return;
	add_total(totals, (struct database_total){ .what = SUM_LEAST, .column = end }, take_time, 0);
	add_total(totals, (struct database_total){ .what = SUM_MOST, .column = end }, take_time, 0);
	if (!has_column(totals, totals->user[0].column))
		add_list(totals, totals->user, 1, take_users);
	if (!has_column(totals, totals->findings[0].column))
		add_list(totals, totals->findings, 1, take_findings);
}

void job_totals_begin(struct job_totals *totals, const struct jobs_summary *summary)
{
	const size_t expected = JOB_AT_NUMBERS + JOB_NUMBER_nodes_expected, present = JOB_AT_NUMBERS + JOB_NUMBER_nodes_present;

	*totals = (struct job_totals){
		.summary = summary,
		.user = { { JOB_AT_NAMES + NAME_USER, 1, 0 } },
		.findings = { { JOB_AT_FINDINGS, 1, 0 } },
	};
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (column_of(summary->groups.by[i]) != JOB_COLUMNS)
			add_column(totals, column_of(summary->groups.by[i]));
	add_column(totals, JOB_AT_NUMBERS + JOB_NUMBER_running); /* few jobs still run, so this makes few more groups */
	add_total(totals, (struct database_total){ .what = SUM_ROWS }, take_count, offsetof(struct job_group, jobs));
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		if (needs_sum(summary, i))
			add_measure(totals, i);
	add_sum(totals, expected, present, take_count, offsetof(struct job_group, nodes_expected));
	add_sum(totals, present, expected, take_count, offsetof(struct job_group, nodes_present));
	add_conditions(totals);
	add_lists(totals);
}

/* ---- a row ---- */

/* Takes from the key what is not asked because it is the same for all jobs of the group. */
static int take_key(struct job_totals_adding *adding, const struct fact *like, struct job_group *group, struct error *err)
{
	const struct job_totals *totals = adding->totals;

	if (has_column(totals, totals->findings[0].column))
		for (enum finding f = 0; f < FINDING_COUNT; f++)
			group->findings[f] = like->row.findings >> f & 1 ? group->jobs : 0;
	if (adding->now && has_column(totals, totals->user[0].column))
		return job_sums_add_user(adding->sums, adding->cluster, like->names[NAME_USER], err);
	return 0;
}

/* @like: a job with the values of the keys */
static int take_group(struct job_totals_adding *adding, const struct fact *like, const struct database_value *value,
		      struct job_group *group, struct error *err)
{
	const struct job_totals *totals = adding->totals;

	for (size_t i = 0; i < totals->total_count; i++) {
		struct job_totals_taking taking = { adding, group, totals->how[i].of };

		if (totals->how[i].take(&taking, &value[i], err) < 0)
			return -1;
	}
	return totals->summary->only_groups ? 0 : take_key(adding, like, group, err);
}

int job_totals_add(void *context, const struct database_value *values, struct error *err)
{
	struct job_totals_adding *adding = context;
	const struct job_totals *totals = adding->totals;
	struct database_value row[JOB_COLUMNS] = { [JOB_AT_CLUSTER] = database_int(adding->cluster) };
	struct job_group group = { 0 };
	struct fact like;
	int result;

	for (size_t i = 0; i < totals->column_count; i++)
		row[totals->columns[i]] = values[i];
	fact_take_numbers(&like, row);
	if (like.row.running) {
		adding->sums->running += values[totals->column_count].number;
		return 0;
	}
	result = take_group(adding, &like, values + totals->column_count, &group, err);
	if (result == 0)
		result = job_sums_add_group(adding->sums, adding->now, row, &group, err);
	job_group_free(&group);
	return result;
}

/* ---- tools ---- */

const size_t job_totals_tool_columns[2] = { JOB_AT_NUMBERS + JOB_NUMBER_running, JOB_AT_TOOLS };

int job_totals_add_tools(void *context, const struct database_value *values, struct error *err)
{
	struct job_totals_adding *adding = context;
	struct database_value row[JOB_COLUMNS] = { [JOB_AT_NUMBERS + JOB_NUMBER_running] = values[0] };
	struct fact like;

	fact_take_numbers(&like, row);
	return like.row.running ? 0 : job_parts_add_tools(&values[1], &adding->sums->tools, err);
}

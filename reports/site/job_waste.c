/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/job_waste.h"

#include <math.h>

#define MARGIN 0.2 /* as advice_factor - 1: a useful margin */
#define S_PER_H 3600.0
#define MIB_PER_GIB 1024.0

int64_t job_measure(double value)
{
	return value >= 0 && value <= (double)JOB_MEASURE_MAX ? (int64_t)llround(value) : JOB_UNKNOWN;
}

/* ---- CPU ---- */

/*
 * Takes @wanted from @left, but not more than @left, and nothing if @wanted is not known. Returns how much was taken.
 */
static int64_t take_waste(int64_t *left, double wanted)
{
	int64_t taken = job_measure(wanted);

	if (taken < 0)
		taken = 0;
	if (taken > *left)
		taken = *left;
	*left -= taken;
	return taken;
}

/* Returns the idle CPU-milliseconds while no thread was busy and threads waited for one of these causes. */
static double waited(const struct facts *facts, enum fact_cause one, enum fact_cause other, enum fact_cause third)
{
	double sum_s = 0;

	for (enum fact_wait i = 0; i < FACT_WAITS; i++) {
		enum fact_cause cause = facts->wait[i].cause;

		if (cause == one || cause == other || cause == third)
			sum_s += facts->wait[i].bound_s;
	}
	return 1000 * sum_s * facts->cpus_per_node;
}

/*
 * Returns the thread-milliseconds of waits for files while another thread was busy. Each waiting thread could have used
 * one more CPU.
 */
static double waited_beside(const struct facts *facts)
{
	double sum_s = 0;

	for (enum fact_wait i = 0; i < FACT_WAITS; i++)
		if (facts->wait[i].cause == CAUSE_FILE_IO)
			sum_s += fmax(0, facts->wait[i].thread_s - facts->wait[i].bound_s);
	return 1000 * sum_s;
}

static bool states_known(const struct facts *facts)
{
	return !isnan(facts->live_s) && !isnan(facts->cpus_per_node) && !isnan(facts->runnable_s) &&
	       (!isnan(facts->parallel_s) || facts->cpus_per_node <= 1);
}

/*
 * Divides the waste @left among its causes. At each moment, a node is in one of four situations:
 * - No thread exists, and all CPUs are idle.
 * - No thread is busy. All CPUs are idle, and the cause is what the threads wait for.
 * - One thread is busy. The CPUs other than the thread's are idle.
 * - Several threads are busy.
 *
 * The waste that remains after the first three situations was lost while several threads were busy. If one thread is
 * busy, the other hardware threads of its core also count as spare, because a job cannot ask for less than a core.
 */
static void share_out(struct job_row *row, const struct facts *facts, int64_t left)
{
	int64_t *m = row->measure;
	double absent_s = fmax(0, facts->elapsed_s * facts->nodes - facts->live_s);
	double serial_s = facts->cpus_per_node > 1 ? facts->active_s - facts->parallel_s : 0;
	double per_core = fact_ratio(facts->cpus, facts->cores), gpu_idle = 1000 * facts->gpu_idle_s * facts->cpus_per_node;

	if (!states_known(facts)) {
		m[JOB_CPU_UNCLEAR] = left;
		return;
	}
	m[JOB_CPU_FILES] = take_waste(&left, waited(facts, CAUSE_FILE_IO, CAUSE_FILE_IO, CAUSE_FILE_IO));
	m[JOB_CPU_WAITS] = take_waste(&left, waited(facts, CAUSE_NETWORK, CAUSE_LOCK, CAUSE_MEMORY) +
							   waited(facts, CAUSE_GPU, CAUSE_GPU, CAUSE_GPU) - gpu_idle);
	m[JOB_CPU_IDLE] = take_waste(&left, waited(facts, CAUSE_IDLE, CAUSE_OTHER, CAUSE_OTHER) + gpu_idle);
	/* if the record is not complete, there may have been threads that were not counted */
	m[facts->complete ? JOB_CPU_IDLE : JOB_CPU_UNCLEAR] +=
		take_waste(&left, 1000 * absent_s * facts->cpus_per_node);
	m[JOB_CPU_SPARE] = take_waste(&left, 1000 * serial_s * (per_core - 1));
	m[JOB_CPU_SERIAL] = take_waste(&left, 1000 * serial_s * (facts->cpus_per_node - per_core));
	m[JOB_CPU_KEPT] = take_waste(&left, 1000 * facts->runnable_s);
	m[JOB_CPU_FILES] += take_waste(&left, waited_beside(facts));
	m[JOB_CPU_SPARE] += left;
}

void job_waste_cpu(struct job_row *row, const struct facts *facts)
{
	double given = 1000 * facts->cpus * facts->elapsed_s, used = 1000 * report_s(facts->report->used.cpu_s);
	int64_t *m = row->measure;

	m[JOB_CPU_GIVEN] = job_measure(given);
	m[JOB_CPU_USED] = job_measure(used);
	if (m[JOB_CPU_USED] >= 0)
		m[JOB_CPU_LOST] = job_row_for_nothing(row) ? m[JOB_CPU_USED] : 0;
	if (m[JOB_CPU_GIVEN] < 0 || m[JOB_CPU_USED] < 0)
		return;
	m[JOB_CPU_WASTED] = m[JOB_CPU_GIVEN] > m[JOB_CPU_USED] ? m[JOB_CPU_GIVEN] - m[JOB_CPU_USED] : 0;
	m[JOB_CPU_JUDGED] = m[JOB_CPU_GIVEN];
	for (enum job_measure i = JOB_CPU_FAILED; i <= JOB_CPU_UNCLEAR; i++)
		m[i] = 0;
	if (row->how == JOB_END_TIMEOUT)
		m[JOB_CPU_TIMEOUT] = m[JOB_CPU_WASTED];
	else if (job_row_for_nothing(row))
		m[JOB_CPU_FAILED] = m[JOB_CPU_WASTED];
	else
		share_out(row, facts, m[JOB_CPU_WASTED]);
}

/* ---- memory ---- */

/*
 * Adds up the memory of nodes with a record. Returns false if the memory of such a node is not known, if no node has a
 * record, or if a sum is too large.
 */
static bool sum_nodes(const struct job_row *row, int64_t *given, int64_t *used)
{
	*given = *used = 0;
	for (size_t i = 0; i < row->node_count; i++) {
		const struct job_row_node *node = &row->nodes[i];

		if (!node->present)
			continue;
		if (node->mem_given_mib_s < 0 || node->mem_used_mib_s < 0 || *given > JOB_MEASURE_MAX)
			return false;
		*given += node->mem_given_mib_s;
		*used += node->mem_used_mib_s;
	}
	return row->nodes_present > 0 && *given <= JOB_MEASURE_MAX;
}

/*
 * Takes the waste that the report states, if sum_nodes() fails. Returns false if this waste or the requested memory is
 * not known.
 */
static bool from_report(const struct job_row *row, const struct report *report, int64_t *given, int64_t *used)
{
	double wasted = report_ratio(report->used.memory_wasted_gib_hours) * MIB_PER_GIB * S_PER_H;
	int64_t waste = job_measure(wasted);

	*given = row->requested_memory_bytes <= 0 ? JOB_UNKNOWN :
		 job_measure((double)row->requested_memory_bytes / MIB * report_s(report->job.elapsed_s));
	if (*given < 0 || waste < 0)
		return false;
	*used = *given > waste ? *given - waste : 0;
	return true;
}

void job_waste_memory(struct job_row *row, const struct report *report)
{
	int64_t *m = row->measure, given, used, wasted;

	if (!sum_nodes(row, &given, &used) && !from_report(row, report, &given, &used))
		return;
	m[JOB_MEM_GIVEN] = given;
	m[JOB_MEM_USED] = used;
	m[JOB_MEM_WASTED] = wasted = given - used;
	for (enum job_measure i = JOB_MEM_FAILED; i <= JOB_MEM_RESERVED; i++)
		m[i] = 0;
	if (row->how == JOB_END_TIMEOUT)
		m[JOB_MEM_TIMEOUT] = wasted;
	else if (job_row_for_nothing(row))
		m[JOB_MEM_FAILED] = wasted;
	else {
		m[JOB_MEM_MARGIN] = take_waste(&wasted, MARGIN * (double)used);
		m[JOB_MEM_RESERVED] = wasted;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_tables.h"

/* The store's numbers are indices in these lists. Databases contain the numbers, so add elements only at the end. */
static const int findings_by_number[] = {
	FINDING_OOM_KILL, FINDING_TIME_LIMIT_HIT, FINDING_MEMORY_SWAPPED, FINDING_MEMORY_NEAR_LIMIT, FINDING_MEMORY_RECLAIM,
	FINDING_PAGE_WAITS, FINDING_OVERSUBSCRIBED, FINDING_CROWDED, FINDING_CPU_THROTTLED, FINDING_CPU_STARVED,
	FINDING_LOCK_CONTENTION, FINDING_SERIAL, FINDING_CPU_EFFICIENCY, FINDING_CORES_UNUSED, FINDING_NODE_IDLE,
	FINDING_MEMORY_OVER_ASKED, FINDING_NETWORK_FS_WAITS, FINDING_NETWORK_FS_OPENS, FINDING_SMALL_READS,
	FINDING_SMALL_WRITES, FINDING_TCP_RETRANSMITS, FINDING_PROCESS_STORM, FINDING_STALLED, FINDING_IDLE_HEAD,
	FINDING_IDLE_TAIL, FINDING_TOOLS_KILLED, FINDING_TIME_LIMIT_NEAR, FINDING_TIME_LIMIT_LONG, FINDING_EMPTY_STEPS,
	FINDING_TOOLS_FAILED, FINDING_SYNC_WAITS, FINDING_WORK_FAILED, FINDING_CPUS_EXCEEDED,
	FINDING_NOT_FOUND, FINDING_SLOW_LAUNCH, FINDING_GPU_ERRORS, FINDING_GPUS_UNUSED, FINDING_GPUS_IDLE, FINDING_GPU_START,
	FINDING_GPU_TAIL, FINDING_GPU_WAITED, FINDING_GPU_MEMORY_NEAR, FINDING_GPU_MEMORY_FEW,
};
static const int verdicts_by_number[] = {
	BOUND_MEMORY, BOUND_OVERSUBSCRIBED, BOUND_THROTTLED, BOUND_STARVED, BOUND_CPU, BOUND_FILE_IO, BOUND_NETWORK,
	BOUND_LOCK, BOUND_SERIAL, BOUND_IDLE, BOUND_MIXED, BOUND_UNKNOWN, BOUND_GPU,
};
static const int ends_by_number[] = {
	JOB_END_COMPLETED, JOB_END_FAILED, JOB_END_OOM, JOB_END_TIMEOUT, JOB_END_CANCELLED, JOB_END_NODE_FAIL,
	JOB_END_REQUEUED, JOB_END_UNKNOWN,
};

#define COUNT(list) (int)(sizeof(list) / sizeof((list)[0]))

static int number_of(int value, const int *list, int count)
{
	for (int i = 0; i < count; i++)
		if (list[i] == value)
			return i;
	return -1;
}

int finding_number(enum finding finding)
{
	return number_of((int)finding, findings_by_number, COUNT(findings_by_number));
}

int verdict_number(enum bound verdict)
{
	return number_of((int)verdict, verdicts_by_number, COUNT(verdicts_by_number));
}

int end_number(enum job_end end)
{
	return number_of((int)end, ends_by_number, COUNT(ends_by_number));
}

enum finding finding_of_number(int number)
{
	return number >= 0 && number < COUNT(findings_by_number) ? (enum finding)findings_by_number[number] : FINDING_COUNT;
}

enum bound verdict_of_number(int number)
{
	return number >= 0 && number < COUNT(verdicts_by_number) ? (enum bound)verdicts_by_number[number] : BOUND_UNKNOWN;
}

enum job_end end_of_number(int number)
{
	return number >= 0 && number < COUNT(ends_by_number) ? (enum job_end)ends_by_number[number] : JOB_END_UNKNOWN;
}

uint64_t findings_to_numbers(uint64_t findings)
{
	uint64_t numbers = 0;

	for (enum finding f = 0; f < FINDING_COUNT; f++)
		if ((findings >> f & 1) && finding_number(f) >= 0)
			numbers |= UINT64_C(1) << finding_number(f);
	return numbers;
}

uint64_t findings_of_numbers(uint64_t numbers)
{
	uint64_t findings = 0;

	for (int i = 0; i < COUNT(findings_by_number); i++)
		if (numbers >> i & 1)
			findings |= UINT64_C(1) << finding_of_number(i);
	return findings;
}

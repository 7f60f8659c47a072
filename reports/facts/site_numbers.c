/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "reports/facts/site_tables.h"

/* Their places are in databases and must not change: a new word comes last. */
static const char *const finding_words[] = {
	"oom-kill", "time-limit-hit", "memory-swapped", "memory-near-limit", "memory-reclaim", "page-waits",
	"oversubscribed", "threads-crowded", "cpu-throttled", "cpu-starved", "lock-contention", "serial-on-many-cores",
	"cpu-efficiency-low", "cores-unused", "node-idle", "memory-over-asked", "network-file-system-waits",
	"network-file-system-opens", "small-reads", "small-writes", "tcp-retransmits", "process-storm", "stalled",
	"idle-head", "idle-tail", "tools-killed", "time-limit-near", "time-limit-long", "steps-without-processes",
	"tools-failed", "synchronous-writes",
};
static const char *const verdict_words[] = {
	"memory",  "oversubscribed", "throttled", "starved", "cpu",   "file-io",
	"network", "lock",           "serial",    "idle",    "mixed", "unknown",
};
static const char *const end_words[] = {
	"completed", "failed", "oom", "timeout", "cancelled", "node-fail", "requeued", "unknown",
};

#define COUNT(words) (int)(sizeof(words) / sizeof((words)[0]))

static int number_of(const char *word, const char *const *words, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

int finding_number(enum finding finding)
{
	return number_of(finding_rules[finding].code, finding_words, COUNT(finding_words));
}

int verdict_number(enum bound verdict)
{
	return number_of(bound_word(verdict), verdict_words, COUNT(verdict_words));
}

int end_number(enum job_end end)
{
	return number_of(job_end_names[end], end_words, COUNT(end_words));
}

enum finding finding_of_number(int number)
{
	for (enum finding f = 0; f < FINDING_COUNT; f++)
		if (number >= 0 && number < COUNT(finding_words) && strcmp(finding_words[number], finding_rules[f].code) == 0)
			return f;
	return FINDING_COUNT;
}

enum bound verdict_of_number(int number)
{
	for (enum bound b = 0; b < BOUND_UNKNOWN; b++)
		if (number >= 0 && number < COUNT(verdict_words) && strcmp(verdict_words[number], bound_word(b)) == 0)
			return b;
	return BOUND_UNKNOWN;
}

enum job_end end_of_number(int number)
{
	for (enum job_end e = 0; e < JOB_END_UNKNOWN; e++)
		if (number >= 0 && number < COUNT(end_words) && strcmp(end_words[number], job_end_names[e]) == 0)
			return e;
	return JOB_END_UNKNOWN;
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

	for (int i = 0; i < COUNT(finding_words); i++)
		if ((numbers >> i & 1) && finding_of_number(i) != FINDING_COUNT)
			findings |= UINT64_C(1) << finding_of_number(i);
	return findings;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collector/metrics/metrics_internal.h"
#include "collector/status.h"
#include "common/clock.h"
#include "common/file.h"

#define NS_PER_S UINT64_C(1000000000)

static uint64_t age_s(int64_t since_unix_s)
{
	int64_t now = time(NULL);

	return since_unix_s && now > since_unix_s ? (uint64_t)(now - since_unix_s) : 0;
}

static void put_reports(const struct collector *c, FILE *out)
{
	struct status_counts counts = status_count(c);

	metric_one_count(out, "stint_reports_written_total", METRIC_COUNTER,
			 "Reports, and parts of reports, that were delivered.", counts.written);
	metric_one_count(out, "stint_reports_failed_total", METRIC_COUNTER, "Reports that will never come.",
			 counts.failed);
	metric_one_count(out, "stint_reports_waiting", METRIC_GAUGE, "Records that wait for their report.",
			 counts.waiting);
	metric_one_count(out, "stint_spool_bytes", METRIC_GAUGE, "Size of the records in the spool.",
			 c->waiting.records.bytes);
	metric_one_count(out, "stint_spool_oldest_seconds", METRIC_GAUGE,
			 "Age of the oldest record in the spool; 0: there is none.",
			 age_s(c->waiting.records.oldest_unix_s));
	metric_one_count(out, "stint_writers_held_up", METRIC_GAUGE,
			 "Processes of writers that a user or a file system holds up.", c->deliveries.all_strays);
}

static void put_store(const struct collector *c, FILE *out)
{
	const struct waiting *waiting = &c->waiting;

	metric_one_count(out, "stint_store_waiting_bytes", METRIC_GAUGE,
			 "Size of what waits on this node for the site's store.",
			 waiting->lines.bytes + waiting->batches.bytes);
	metric_one_count(out, "stint_store_oldest_seconds", METRIC_GAUGE,
			 "Age of the oldest line that waits for the store; 0: there is none.",
			 age_s(waiting_older(waiting->lines.oldest_unix_s, waiting->batches.oldest_unix_s)));
	metric_one_count(out, "stint_store_dropped_total", METRIC_COUNTER,
			 "Lines for the store that were dropped for lack of room.", c->store.left.dropped);
	metric_one_count(out, "stint_store_failing_seconds", METRIC_GAUGE,
			 "For how long the store has refused what it gets; 0: it does not.",
			 age_s(c->store.failing_since_s));
}

static void put_programs(const struct collector *c, FILE *out)
{
	const struct metric_label yes = { "loaded", "yes" }, no = { "loaded", "no" };
	struct program_state states[PROGRAMS];
	int count = programs__states(c->programs, states);
	uint64_t loaded = 0, run_ns = 0, runs = 0;

	for (int i = 0; i < count; i++) {
		struct program_cost cost = programs__cost(c->programs, &states[i]);

		loaded += states[i].loaded;
		run_ns += cost.run_ns;
		runs += cost.runs;
	}
	metric_begin(out, "stint_programs", METRIC_GAUGE, "Kernel programs that this kernel needs.");
	metric_count(out, "stint_programs", &yes, loaded);
	metric_count(out, "stint_programs", &no, (uint64_t)count - loaded);
	metric_one_time(out, "stint_programs_seconds_total", METRIC_COUNTER,
			"CPU time of the kernel programs while sysctl kernel.bpf_stats_enabled was 1.", run_ns);
	metric_one_count(out, "stint_programs_runs_total", METRIC_COUNTER,
			 "Runs of the kernel programs while sysctl kernel.bpf_stats_enabled was 1.", runs);
}

static uint64_t used_ns(int who)
{
	struct rusage usage;

	if (getrusage(who, &usage) < 0)
		return 0;
	return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * NS_PER_S +
	       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

/* The second number of /proc/self/statm is the resident set, in pages. */
static uint64_t resident_bytes(void)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (!file)
		return 0;
	if (fscanf(file, "%*u %llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void metrics_put_health(const struct collector *c, FILE *out)
{
	struct tally_sums lost = tally_sums(c->tally);

	put_reports(c, out);
	put_store(c, out);
	metric_one_count(out, "stint_gaps_total", METRIC_COUNTER, "Gaps in the records of this node's jobs.",
			 lost.gaps);
	metric_one_count(out, "stint_lost_total", METRIC_COUNTER, "Things that the records of this node's jobs lost.",
			 lost.lost);
	put_programs(c, out);
	metric_one_time(out, "stint_collector_cpu_seconds_total", METRIC_COUNTER,
			"CPU time of stintd and of its ended children.",
			used_ns(RUSAGE_SELF) + used_ns(RUSAGE_CHILDREN));
	metric_one_count(out, "stint_collector_resident_bytes", METRIC_GAUGE, "Memory of stintd.", resident_bytes());
	metric_one_time(out, "stint_counting_since_seconds", METRIC_GAUGE,
			"Unix time since which the kernel programs count.",
			programs__since_ns(c->programs) + (uint64_t)clock_boot_to_unix_ns());
	metric_begin(out, "stint_build_info", METRIC_GAUGE, "The version of stintd.");
	metric_count(out, "stint_build_info", &(struct metric_label){ "version", PACKAGE_VERSION }, 1);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "collector/metrics/metrics_internal.h"
#include "collector/status.h"
#include "common/clock.h"

#define IDLE_NS 600000000000ull /* a job that was not active for this time does nothing */
#define MIB (UINT64_C(1) << 20)

/* The node's open jobs now. */
struct levels {
	uint64_t idle;
	uint64_t without_processes;
	uint64_t cpus, cpus_unknown;
	uint64_t memory_allocated, memory_unlimited;
	uint64_t memory_used, memory_cache, memory_unknown;
	uint64_t processes, threads;
};

static bool is_idle(const struct job *job, uint64_t now_ns)
{
	uint64_t first_ns, last_ns = job->opened_ns;

	if (!job->progress.begin_ns)
		return false;
	progress_activity(&job->progress, &first_ns, &last_ns);
	return now_ns > last_ns && now_ns - last_ns >= IDLE_NS;
}

static void add_cpus(const struct collector *c, const struct job *job, struct levels *levels)
{
	struct error err;
	int cpus = job->cpus[0] && c->topology ? topology_cores(c->topology, job->cpus, NULL, NULL, &err) : -1;

	if (cpus < 0)
		levels->cpus_unknown++;
	else
		levels->cpus += (uint64_t)cpus;
}

static void add_memory(const struct job *job, struct levels *levels)
{
	const int64_t *level = job->latest;

	if (job->about.job_memory_mb)
		levels->memory_allocated += job->about.job_memory_mb * MIB;
	else
		levels->memory_unlimited++;
	if (job->latest_known && level[SERIES_MEMORY_USED] >= 0) {
		levels->memory_used += (uint64_t)level[SERIES_MEMORY_USED];
		levels->memory_cache += level[SERIES_MEMORY_CACHE] > 0 ? (uint64_t)level[SERIES_MEMORY_CACHE] : 0;
	} else {
		levels->memory_unknown++;
	}
}

static struct levels add_levels(const struct collector *c)
{
	uint64_t now_ns = clock_ns(CLOCK_BOOTTIME);
	struct levels levels = { 0 };

	for (const struct job *job = c->jobs.first; job; job = job->next) {
		if (!job->key || job->phase != JOB_OPEN)
			continue;
		levels.idle += is_idle(job, now_ns);
		levels.without_processes += job->latest_known && !job->user_threads;
		add_cpus(c, job, &levels);
		add_memory(job, &levels);
		if (!job->latest_known)
			continue;
		levels.processes += (uint64_t)job->latest[SERIES_PROCESSES];
		levels.threads += (uint64_t)job->latest[SERIES_THREADS];
	}
	return levels;
}

static void put_phases(const struct collector *c, FILE *out)
{
	struct status_counts counts = status_count(c);
	const struct metric_label open = { "phase", "open" }, closing = { "phase", "closing" };

	metric_begin(out, "stint_jobs", METRIC_GAUGE,
		     "Jobs on this node that stintd counts (open), or whose record it makes (closing).");
	metric_count(out, "stint_jobs", &open, counts.open);
	metric_count(out, "stint_jobs", &closing, counts.closing);
	metric_one_count(out, "stint_jobs_overdue", METRIC_GAUGE,
			 "Open jobs that left the node long ago, and whose epilog has not come.", counts.jobs.overdue);
	metric_one_count(out, "stint_jobs_closed_total", METRIC_COUNTER, "Jobs that stintd closed since it started.",
			 counts.jobs.closed);
	metric_one_count(out, "stint_jobs_closed_without_epilog_total", METRIC_COUNTER,
			 "Jobs that stintd closed because no epilog came.", counts.jobs.closed_without_epilog);
}

static void put_levels(const struct levels *levels, FILE *out)
{
#define LEVEL(name, help, value) metric_one_count(out, name, METRIC_GAUGE, help, levels->value)
	LEVEL("stint_jobs_idle", "Open jobs that have not been active for 10 minutes.", idle);
	LEVEL("stint_jobs_without_processes", "Open jobs in which only Slurm's own processes live.", without_processes);
	LEVEL("stint_cpus_allocated", "CPUs of the cpusets of the open jobs. A CPU of two jobs counts twice.", cpus);
	LEVEL("stint_jobs_cpus_unknown",
	      "Open jobs whose CPUs are not known; they are missing in stint_cpus_allocated.", cpus_unknown);
	LEVEL("stint_memory_allocated_bytes", "Memory that Slurm gave the open jobs.", memory_allocated);
	LEVEL("stint_jobs_memory_unlimited",
	      "Open jobs without a memory limit; they are missing in stint_memory_allocated_bytes.", memory_unlimited);
	LEVEL("stint_memory_used_bytes",
	      "Memory that the open jobs use, without the page cache: the most since the sample before.", memory_used);
	LEVEL("stint_memory_cache_bytes", "Page cache of the open jobs.", memory_cache);
	LEVEL("stint_jobs_memory_unknown", "Open jobs whose memory is not known; they are missing in the bytes above.",
	      memory_unknown);
	LEVEL("stint_processes", "Living processes of the open jobs, without Slurm's.", processes);
	LEVEL("stint_threads", "Living threads of the open jobs, without Slurm's.", threads);
#undef LEVEL
}

static void put_states(const struct node_sums *sums, FILE *out)
{
	static const struct {
		const char *state;
		enum use use;
	} states[] = {
		{ "on_cpu", USE_ON_CPU },     { "runnable", USE_RUNNABLE }, { "memory_stall", USE_MEMORY_STALL },
		{ "fault_io", USE_FAULT_IO }, { "file_io", USE_FILE_IO },   { "gpu", USE_GPU },
		{ "network", USE_NETWORK },   { "lock", USE_LOCK },         { "pipe", USE_PIPE },
		{ "other", USE_OTHER },       { "event", USE_EVENT },       { "condition", USE_CONDITION },
		{ "child", USE_CHILD },       { "sleep", USE_SLEEP },
	};
	const char *name = "stint_thread_seconds_total";

	metric_begin(out, name, METRIC_COUNTER,
		     "Time of the jobs' threads by state: on a CPU, ready for one, or what they waited for.");
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		metric_seconds(out, name, &(struct metric_label){ "state", states[i].state }, sums->use[states[i].use]);
}

static void put_sums(const struct node_sums *sums, FILE *out)
{
#define SUM(name, help, use_) metric_one_count(out, name, METRIC_COUNTER, help, sums->use[use_])
	metric_one_time(out, "stint_cpu_seconds_total", METRIC_COUNTER,
			"CPU time of the jobs since stintd started, including Slurm's own processes in them.",
			sums->use[USE_CPU]);
	put_states(sums, out);
	metric_one_count(out, "stint_processes_started_total", METRIC_COUNTER, "Processes that the jobs started.",
			 sums->processes);
	SUM("stint_storage_read_bytes_total", "Bytes that the jobs read from storage.", USE_READ_BYTES);
	SUM("stint_storage_written_bytes_total", "Bytes that the jobs wrote to storage.", USE_WRITE_BYTES);
	SUM("stint_syscall_read_bytes_total", "Bytes that the jobs' system calls read, from anything.",
	    USE_SYSCALL_READ_BYTES);
	SUM("stint_syscall_written_bytes_total", "Bytes that the jobs' system calls wrote, to anything.",
	    USE_SYSCALL_WRITE_BYTES);
	SUM("stint_socket_received_bytes_total", "Payload that the jobs received from sockets.", USE_SOCKET_RX_BYTES);
	SUM("stint_socket_sent_bytes_total", "Payload that the jobs sent to sockets.", USE_SOCKET_TX_BYTES);
#undef SUM
}

void metrics_put_jobs(const struct collector *c, FILE *out)
{
	struct levels levels = add_levels(c);

	put_phases(c, out);
	put_levels(&levels, out);
	put_sums(&c->sums, out);
}

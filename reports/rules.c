/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	double value, least, most;
} table[] = {
#define RULE_ROW(rule, name, value, least, most) [RULE_##rule] = { name, value, least, most },
	RULES(RULE_ROW)
#undef RULE_ROW
};

#define COUNT_RULES(...) (sizeof((enum rule[]){ __VA_ARGS__ }) / sizeof(enum rule))
#define BY(...) COUNT_RULES(__VA_ARGS__), { __VA_ARGS__ }
#define BY_ITSELF 0, { 0 }

const struct finding_rule finding_rules[FINDING_COUNT] = {
	[FINDING_OOM_KILL] = {
		"oom-kill", "critical",
		"The job needs more memory than its limit: ask for more, or run less of it at once.",
		BY_ITSELF,
	},
	[FINDING_TIME_LIMIT_HIT] = {
		"time-limit-hit", "critical",
		"Slurm ended the job at its time limit: ask for more time, or save the state now and then and go on "
		"from there.",
		BY_ITSELF,
	},
	[FINDING_MEMORY_SWAPPED] = {
		"memory-swapped", "warning",
		"Part of the memory had to be swapped out, and comes back a thousand times slower: ask for more "
		"memory.",
		BY(RULE_SWAP_MIN),
	},
	[FINDING_MEMORY_NEAR_LIMIT] = {
		"memory-near-limit", "warning",
		"With a little more data the job is killed: ask for more memory.",
		BY(RULE_MEMORY_NEAR),
	},
	[FINDING_MEMORY_RECLAIM] = {
		"memory-reclaim", "warning",
		"Threads had to make room in memory before they could go on: ask for more memory, or keep large files "
		"out of the cache (direct I/O, posix_fadvise).",
		BY(RULE_RECLAIM_SHARE),
	},
	[FINDING_PAGE_WAITS] = {
		"page-waits", "warning",
		"Threads waited for pages to be read from disk: read mapped files in large blocks instead, or ask for "
		"memory enough to keep them.",
		BY(RULE_FAULT_IO_SHARE),
	},
	[FINDING_OVERSUBSCRIBED] = {
		"oversubscribed", "warning",
		"Start as many threads as there are CPUs: OMP_NUM_THREADS, make -j and the like.",
		BY(RULE_CROWD_WAIT, RULE_CROWD_BUSY, RULE_CROWD_ACTIVE),
	},
	[FINDING_CROWDED] = {
		"threads-crowded", "warning",
		"The threads were bound to few of the job's cores: srun wants --cpus-per-task of its own, and "
		"--cpu-bind or OMP_PROC_BIND may bind all to one.",
		BY(RULE_CROWD_WAIT, RULE_CROWD_BUSY, RULE_CROWD_ACTIVE),
	},
	[FINDING_CPU_STARVED] = {
		"cpu-starved", "warning",
		"Threads waited for a CPU though there were no more of them than CPUs: others run on these CPUs, or a "
		"limit throttles them. Tell whoever runs the cluster.",
		BY(RULE_CROWD_WAIT, RULE_CROWD_BUSY, RULE_CROWD_ACTIVE),
	},
	[FINDING_LOCK_CONTENTION] = {
		"lock-contention", "warning",
		"Threads waited for each other: hold locks for a shorter time, give each thread data of its own, or "
		"use fewer threads.",
		BY(RULE_LOCK_CONTENTION),
	},
	[FINDING_SERIAL] = {
		"serial-on-many-cores", "warning",
		"One thread did the work alone while other cores stood by: use the program's option for threads, or "
		"ask for one core.",
		BY(RULE_SERIAL_SHARE, RULE_FINDING_ELAPSED),
	},
	[FINDING_CPU_EFFICIENCY] = {
		"cpu-efficiency-low", "warning",
		"Ask for fewer CPUs, or change what the verdict says keeps them from being used.",
		BY(RULE_CPU_EFFICIENCY, RULE_CPU_WASTE, RULE_FINDING_ELAPSED),
	},
	[FINDING_CORES_UNUSED] = {
		"cores-unused", "warning",
		"No thread ever ran on these cores: ask for fewer, or start as many threads or tasks as there are "
		"cores.",
		BY(RULE_FINDING_ELAPSED),
	},
	[FINDING_NODE_IDLE] = {
		"node-idle", "warning",
		"A node did nothing while another worked: start tasks on it with srun or mpirun, or ask for fewer "
		"nodes.",
		BY(RULE_NODE_IDLE, RULE_NODE_BUSY, RULE_FINDING_ELAPSED),
	},
	[FINDING_MEMORY_OVER_ASKED] = {
		"memory-over-asked", "warning",
		"Ask for less memory: what is reserved and not used keeps other jobs, your own too, from starting.",
		BY(RULE_MEMORY_OVER, RULE_MEMORY_OVER_MIN, RULE_FINDING_ELAPSED),
	},
	[FINDING_NETWORK_FS_WAITS] = {
		"network-file-system-waits", "warning",
		"Copy what is read more than once to the node's own disk ($TMPDIR), write results there first, and "
		"read and write in large blocks.",
		BY(RULE_NETWORK_FS_WAIT),
	},
	[FINDING_NETWORK_FS_OPENS] = {
		"network-file-system-opens", "warning",
		"Each open asks a server that all users share: keep many small files in one archive, or on the node's "
		"own disk ($TMPDIR).",
		BY(RULE_OPENS_MIN, RULE_OPENS_RATE),
	},
	[FINDING_SMALL_READS] = {
		"small-reads", "warning",
		"Each read is a call into the kernel: read larger blocks, or through a buffer.",
		BY(RULE_SMALL_IO_BYTES, RULE_SMALL_IO_OPS),
	},
	[FINDING_SMALL_WRITES] = {
		"small-writes", "warning",
		"Each write is a call into the kernel: write larger blocks, or through a buffer.",
		BY(RULE_SMALL_IO_BYTES, RULE_SMALL_IO_OPS),
	},
	[FINDING_TCP_RETRANSMITS] = {
		"tcp-retransmits", "warning",
		"Much of what was sent got lost on the way: tell whoever runs the network.",
		BY(RULE_RETRANSMITS_MIN, RULE_RETRANSMIT_SHARE),
	},
	[FINDING_PROCESS_STORM] = {
		"process-storm", "warning",
		"Starting a process costs about as much as these do: do more in one, with one call of a tool on many "
		"inputs, or in the script's own language.",
		BY(RULE_STORM_MIN, RULE_STORM_RATE, RULE_STORM_LIFE),
	},
	[FINDING_STALLED] = {
		"stalled", "warning",
		"A process used nothing for long, and the job did nothing meanwhile: see whether it hung, or waited "
		"for what no one sent.",
		BY(RULE_STALL_QUIET),
	},
	[FINDING_IDLE_HEAD] = {
		"idle-head", "warning",
		"It took long until the job did anything: start the work at once.",
		BY(RULE_IDLE_EDGE, RULE_IDLE_EDGE_SHARE),
	},
	[FINDING_IDLE_TAIL] = {
		"idle-tail", "warning",
		"The job did nothing any more and went on: end it when its work is done.",
		BY(RULE_IDLE_EDGE, RULE_IDLE_EDGE_SHARE),
	},
	[FINDING_TOOLS_KILLED] = {
		"tools-killed", "warning",
		"A signal ended a tool: look into the job's output for why.",
		BY_ITSELF,
	},
	[FINDING_TIME_LIMIT_NEAR] = {
		"time-limit-near", "warning",
		"With a little more work the job is ended at its time limit: ask for more time.",
		BY(RULE_TIME_NEAR),
	},
	[FINDING_TIME_LIMIT_LONG] = {
		"time-limit-long", "info",
		"A shorter time limit lets a job start sooner, in gaps that the scheduler can fill.",
		BY(RULE_TIME_OVER, RULE_TIME_OVER_MIN),
	},
	[FINDING_EMPTY_STEPS] = {
		"steps-without-processes", "info",
		"Nothing ever ran in these steps: see whether their program was found.",
		BY_ITSELF,
	},
	[FINDING_TOOLS_FAILED] = {
		"tools-failed", "info",
		"Runs ended with an exit code that is not 0: for a grep or a test that is an answer, else look into "
		"the job's output.",
		BY_ITSELF,
	},
};

static enum rule find(const char *name)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		if (strcmp(table[i].name, name) == 0)
			return i;
	return RULE_COUNT;
}

void rules_defaults(struct rules *rules)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		rules->value[i] = table[i].value;
}

bool rules_known(const char *name)
{
	return find(name) < RULE_COUNT;
}

int rules_set(struct rules *rules, const char *name, double value, struct error *err)
{
	enum rule rule = find(name);

	if (rule == RULE_COUNT)
		return error_set(err, "there is no rule '%.64s'", name);
	if (!(value >= table[rule].least && value <= table[rule].most))
		return error_set(err, "rule %s: %g is not from %g to %g; %g stands", name, value, table[rule].least,
				 table[rule].most, rules->value[rule]);
	rules->value[rule] = value;
	return 0;
}

const char *rules_name(enum rule rule)
{
	return table[rule].name;
}

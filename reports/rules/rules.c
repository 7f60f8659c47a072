/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/rules.h"

#include <stddef.h>
#include <string.h>

#include "reports/json/gaps.h"

static const struct {
	const char *name;
	double value, least, most;
} table[] = {
#define RULE_ROW(rule, name, value, least, most) [RULE_##rule] = { name, value, least, most },
	RULES(RULE_ROW)
#undef RULE_ROW
};

#define COUNT_RULES(...) (sizeof((enum rule[]){ __VA_ARGS__ }) / sizeof(enum rule))
#define BY(...) COUNT_RULES(__VA_ARGS__), { __VA_ARGS__ }, false
#define BY_ITSELF 0, { 0 }, false
#define BY_OF_UNUSED(...) COUNT_RULES(__VA_ARGS__), { __VA_ARGS__ }, true /* for findings about unused resources */

const struct finding_rule finding_rules[FINDING_COUNT] = {
	[FINDING_OOM_KILL] = {
		"oom-kill", "critical", "out of memory",
		"ran out of memory",
		"Out of memory: {oom_kills} process{oom_kills?|es} {oom_kills?was|were} killed[ at the limit of "
		"{limit_bytes}][, of which files in memory (/dev/shm and other tmpfs) took about {files_in_memory_bytes}]"
		"[, {killed_by_node?|{killed_by_node} of them }because the node ran out of memory]"
		"[, {killed_of_slurm} of them Slurm's own]"
		"[; {oom_kills?it|the largest} was {tool,comm}][: the kernel chose {chosen}, and killed {killed_along} along with it]"
		"[; most of the limit was the kernel's memory for it ({kernel_memory})]",
		"Ask for more memory, or do less of the work at once.",
		BY_ITSELF,
	},
	[FINDING_TIME_LIMIT_HIT] = {
		"time-limit-hit", "critical", "time limit",
		"reached the time limit",
		"Slurm ended it at its time limit[ of {time_limit_s}][: {tool} ({running_s})][ and {other_tool} ({other_running_s})]"
		"[ and {more_tools} more][ {tools?was|were} running][, and had mainly {mainly}]",
		"Ask for more time, or save the state now and then and continue from there.",
		BY_ITSELF,
	},
	[FINDING_WORK_FAILED] = {
		"work-failed", "warning", "work failed",
		"ended with 0, but their work had failed",
		"The script ended with 0, but [{steps_failed} of {steps} steps failed: ][{workers?a process|{workers} processes} that {forked_by} "
		"had forked][{tool}] failed[ to start ({not_started})]"
		"[{all_runs?| in all {all_runs} runs}][ in {failures} of {runs} runs][ (exit code {exit_code#})][ ({signal})]"
		"[, first in step {step#}]",
		"Its output says why. If the script does not expect such a failure, let it end with a code other than 0. set -e does "
		"that, but not for $(...) within another command, and not if an EXIT trap exits with 0.",
		BY_ITSELF,
	},
	[FINDING_GPU_ERRORS] = {
		"gpu-errors", "warning", "GPU errors",
		"had errors of their GPUs",
		"{gpus?Its GPU|A GPU of it} had {xid_errors} error{xid_errors?|s}[ ({xid_kinds?|most: }XID {xid#})][; {gpus_failed} GPUs had "
		"{all_errors} in all]",
		"NVIDIA's list of XID errors says what the number means. Some come from the program (13, 31, 43), others from the "
		"GPU (48, 63, 64, 74, 79, 94, 95): tell the cluster's administrators.",
		BY_ITSELF,
	},
	[FINDING_GPUS_UNUSED] = {
		"gpus-unused", "warning", "unused GPUs",
		"had GPUs that they never used",
		"No process of it was seen on {gpus?its GPU|{gpus_unused} of its {gpus} GPUs}: {unused_gpu_hours}",
		"Ask for no more GPUs than the program uses. If it was to use them, its output may say why it found no GPU.",
		BY_OF_UNUSED(RULE_GPU_ELAPSED, RULE_GPU_COVERED),
	},
	[FINDING_GPUS_IDLE] = {
		"gpus-idle", "warning", "idle GPUs",
		"left their GPUs idle",
		"{gpus?Its GPU was|{gpus_idle} of its {gpus} GPUs {gpus_idle?was|were}} busy {busy_share} of the "
		"time[{sampled? (sampled)|}][, while another was busy {busiest_share}]",
		"The program had the GPU open, and gave it next to nothing to do. Ask for fewer GPUs, or see what the program waited for.",
		BY_OF_UNUSED(RULE_GPU_IDLE, RULE_GPU_ELAPSED, RULE_GPU_COVERED),
	},
	[FINDING_GPU_START] = {
		"gpus-used-at-start", "warning", "GPU at start",
		"used their GPUs only at the start",
		"{gpus?Its GPU did|Its {gpus} GPUs did} nothing after the first {used_s}, of {elapsed_s} in all"
		"[{sampled? (sampled)|}]",
		"Do the work without GPUs in a job of its own, or end the job when the GPUs have done theirs.",
		BY_OF_UNUSED(RULE_GPU_START, RULE_GPU_ELAPSED, RULE_GPU_COVERED),
	},
	[FINDING_GPU_TAIL] = {
		"gpus-idle-tail", "warning", "GPU idle at end",
		"left their GPUs idle before the end",
		"{gpus?Its GPU did|Its {gpus} GPUs did} nothing for its last {idle_tail_s}, of {elapsed_s} in all"
		"[{sampled? (sampled)|}]",
		"If the GPUs' work was done, end the job then, or do the rest in a job without GPUs.",
		BY_OF_UNUSED(RULE_GPU_TAIL, RULE_IDLE_EDGE_SHARE, RULE_GPU_COVERED),
	},
	[FINDING_GPU_WAITED] = {
		"gpus-waited", "warning", "GPUs waited",
		"had GPUs that waited for their programs",
		"{gpus?Its GPU was|Its {gpus} GPUs were} busy only {busy_share} of the time[{sampled? (sampled)|}]: {gpus?it|they} "
		"waited for {tool}[, which waited for files {file_share} of the time][, whose waits for files left {file_core_share} of "
		"the core time unused][, which kept one thread busy {one_thread_share} of the time][, which kept its CPUs busy "
		"{cpu_share} of the core time]",
		"Prepare the data for the GPU in several processes or threads (a data loader's workers), or before the job.",
		BY_OF_UNUSED(RULE_GPU_HALF, RULE_GPU_FEEDER, RULE_FILE_IO_SHARE, RULE_GPU_ELAPSED, RULE_GPU_COVERED),
	},
	[FINDING_GPU_MEMORY_NEAR] = {
		"gpu-memory-near-limit", "info", "GPU memory full",
		"nearly filled the memory of their GPUs",
		"Used {gpu_memory_peak_bytes} of {gpu_memory_bytes}, {memory_share} of a GPU's memory",
		"Some programs take all of it (TensorFlow, JAX). If not, a little more data does not fit: use a smaller batch, or a "
		"GPU with more memory.",
		BY(RULE_GPU_MEMORY_NEAR),
	},
	[FINDING_GPU_MEMORY_FEW] = {
		"gpu-memory-unused", "info", "GPU memory unused",
		"used little of their GPUs' memory",
		"Used at most {gpu_memory_peak_bytes} of {gpu_memory_bytes} on {gpus?its GPU|each of its GPUs}",
		"A GPU with less memory, or a slice of one (MIG), may be enough, and is free sooner.",
		BY_OF_UNUSED(RULE_GPU_LARGE, RULE_GPU_MEMORY_FEW, RULE_GPU_SMS, RULE_GPU_ELAPSED, RULE_GPU_COVERED),
	},
	[FINDING_MEMORY_SWAPPED] = {
		"memory-swapped", "warning", "swapped out",
		"had memory swapped out",
		"At the peak, {memory_swap_peak_bytes} of its memory was swapped out",
		"Reading swapped-out memory back is a thousand times slower than using memory: ask for more memory.",
		BY(RULE_SWAP_MIN),
	},
	[FINDING_MEMORY_NEAR_LIMIT] = {
		"memory-near-limit", "warning", "memory tight",
		"came close to the memory limit",
		"Used {memory_used_peak_bytes}[ of {memory_limit_bytes}: {memory_near_share} of its memory limit][, and asked for "
		"{memory_requested_bytes}]",
		"With a little more data, the job would be killed: ask for more memory.",
		BY(RULE_MEMORY_NEAR),
	},
	[FINDING_MEMORY_RECLAIM] = {
		"memory-reclaim", "warning", "memory scarce",
		"had to make room in memory",
		"Threads spent {reclaim_s} making room in memory before they could continue[, {reclaims!}]",
		"Ask for more memory, or keep large files out of the cache (direct I/O, posix_fadvise).",
		BY(RULE_RECLAIM_SHARE, RULE_LIVE_MIN),
	},
	[FINDING_PAGE_WAITS] = {
		"page-waits", "warning", "page waits",
		"waited for pages to be read from disk",
		"Threads waited {fault_io_s} for pages to be read from disk[, {major_faults!}]",
		"Read the files in large blocks instead of mapping them, or ask for enough memory to keep them.",
		BY(RULE_FAULT_IO_SHARE, RULE_FAULT_IO_MIN, RULE_LIVE_MIN),
	},
	[FINDING_CPUS_EXCEEDED] = {
		"cpus-exceeded", "warning", "beyond CPUs",
		"used more CPUs than they had asked for",
		"Used {cores_busy} CPUs on average, and had {cpus}: jobs are not bound to their CPUs here",
		"Slurm may have given the other CPUs to other jobs: ask for as many CPUs as the job uses, or start fewer threads.",
		BY(RULE_CPUS_EXCEEDED, RULE_FINDING_ELAPSED),
	},
	[FINDING_OVERSUBSCRIBED] = {
		"oversubscribed", "warning", "many threads",
		"had more busy threads than CPUs",
		"On average, {busy_threads} threads shared {cpus_per_node} CPU{cpus_per_node?|s}, and each waited for a CPU "
		"{cpu_wait_share} of the time",
		"Start as many threads as there are CPUs, with the program's option for threads, make -j and the like.",
		BY(RULE_CROWD_WAIT, RULE_CROWD_BUSY, RULE_CROWD_ACTIVE, RULE_CPU_WAIT_MIN, RULE_LIVE_MIN),
	},
	[FINDING_CROWDED] = {
		"threads-crowded", "warning", "few cores used",
		"had busy threads on few of the cores",
		"On average, {busy_threads} threads shared few of its cores[, while {cores_unused} core{cores_unused? was|s were} "
		"never used][, while {cores_hardly_used} core{cores_hardly_used? was|s were} hardly used], and each waited for a CPU "
		"{cpu_wait_share} of the time",
		"Unless other jobs used the other cores, the threads were bound to those few: srun needs its own --cpus-per-task, and "
		"--cpu-bind, taskset, OMP_PROC_BIND or GOMP_CPU_AFFINITY may bind all threads to one core.",
		BY(RULE_CROWD_WAIT, RULE_CROWD_BUSY, RULE_CROWD_ACTIVE, RULE_CPU_WAIT_MIN, RULE_LIVE_MIN),
	},
	[FINDING_CPU_THROTTLED] = {
		"cpu-throttled", "warning", "CPU quota",
		"waited because of a quota of CPU time",
		"Threads waited {runnable_s} for a CPU, {throttled_s} of it because of a quota of CPU time",
		"Run as many threads as the quota has CPUs, or ask your site to raise it.",
		BY(RULE_STARVED_WAIT, RULE_STARVED_ACTIVE, RULE_THROTTLED, RULE_CPU_WAIT_MIN, RULE_LIVE_MIN),
	},
	[FINDING_CPU_STARVED] = {
		"cpu-starved", "warning", "limited by others",
		"waited for CPUs that others were using",
		"Threads waited about {starved_s} for a CPU that others were using",
		"Nothing in the job changes that: tell the cluster's administrators.",
		BY(RULE_STARVED_WAIT, RULE_STARVED_ACTIVE, RULE_CPU_WAIT_MIN, RULE_LIVE_MIN),
	},
	[FINDING_LOCK_CONTENTION] = {
		"lock-contention", "warning", "lock waits",
		"had threads that waited for each other",
		"Threads waited for each other[: {lock_s} in all for locks, {waits!}][; they took turns, in {turns_share} of the CPU "
		"time]",
		"Hold locks for a shorter time, give each thread data of its own, or use fewer threads.",
		BY(RULE_LOCK_CONTENTION, RULE_TURNS_CONTENTION, RULE_LIVE_MIN),
	},
	[FINDING_SERIAL] = {
		"serial-on-many-cores", "warning", "one thread",
		"kept one thread busy on many cores",
		"Only one thread was busy {serial_share} of the time, on {cores} cores[: {cores_idle_core_hours} "
		"were left unused]",
		"Use the program's option for threads, or ask for one core.",
		BY_OF_UNUSED(RULE_SERIAL_SHARE, RULE_FINDING_ELAPSED),
	},
	[FINDING_CPU_EFFICIENCY] = {
		"cpu-efficiency-low", "warning", "unused CPUs",
		"used little of the CPU time",
		"Used {cpu_efficiency} of the time of {cpus} CPU{cpus?|s}: {cpu_wasted_core_hours} were left unused",
		"Ask for fewer CPUs, or change what keeps the CPUs from being used: the verdict says what that is.",
		BY_OF_UNUSED(RULE_CPU_EFFICIENCY, RULE_CPU_WASTE, RULE_FINDING_ELAPSED),
	},
	[FINDING_CORES_UNUSED] = {
		"cores-unused", "warning", "unused cores",
		"never used some of the cores",
		"{cores_unused} of {cores_bound} cores were never used[: {unused_core_hours}]",
		"Ask for fewer cores, or start as many threads or tasks as there are cores.",
		BY_OF_UNUSED(RULE_FINDING_ELAPSED),
	},
	[FINDING_NODE_IDLE] = {
		"node-idle", "warning", "idle node",
		"left nodes idle",
		"{nodes_idle} of {nodes} nodes did nothing[ ({nodes_idle?|the first is }{node})], while another used "
		"{busiest_cpu_share} of its CPUs",
		"Start tasks on each node with srun or mpirun, or ask for fewer nodes.",
		BY_OF_UNUSED(RULE_NODE_IDLE, RULE_NODE_BUSY, RULE_FINDING_ELAPSED),
	},
	[FINDING_MEMORY_OVER_ASKED] = {
		"memory-over-asked", "warning", "unused memory",
		"asked for far more memory than was used",
		"Used {memory_used_peak_bytes}[ to {memory_used_peak_upper_bytes}][, and {memory_mapped_peak_bytes} of mapped files,] of "
		"{memory_requested_bytes}[: {memory_unused_share} was reserved for nothing]",
		"Ask for less memory: what is reserved and not used keeps other jobs, your own too, from starting.",
		BY_OF_UNUSED(RULE_MEMORY_OVER, RULE_MEMORY_OVER_MIN, RULE_FINDING_ELAPSED, RULE_ADVICE_ACTIVE),
	},
	[FINDING_NETWORK_FS_WAITS] = {
		"network-file-system-waits", "warning", "network files",
		"waited for network file systems",
		"Threads waited {wait_s} for network file systems[, {waits!}][, most for {file_system}]",
		"Copy files that are read more than once to the node's own disk ($TMPDIR), write results there first, and read and "
		"write in large blocks.",
		BY(RULE_NETWORK_FS_WAIT, RULE_LIVE_MIN),
	},
	[FINDING_NETWORK_FS_OPENS] = {
		"network-file-system-opens", "warning", "many opens",
		"opened many files on network file systems",
		"{opens} files were opened on network file systems, {opens_per_s}[, most on {file_system}]",
		"Each open asks a server that all users share: keep many small files in one archive, or on the node's "
		"own disk ($TMPDIR).",
		BY(RULE_OPENS_MIN, RULE_OPENS_RATE),
	},
	[FINDING_SMALL_READS] = {
		"small-reads", "warning", "small reads",
		"read in very small pieces",
		"{syscall_reads} reads of {mean_bytes} on average[, most by {tool}]",
		"Each read is a call into the kernel, for a file, a pipe or a socket: read larger blocks, or through a buffer, if the "
		"program lets you. If it read many small files, keep them in one archive.",
		BY(RULE_SMALL_IO_BYTES, RULE_SMALL_IO_OPS, RULE_SMALL_IO_RATE),
	},
	[FINDING_SMALL_WRITES] = {
		"small-writes", "warning", "small writes",
		"wrote in very small pieces",
		"{syscall_writes} writes of {mean_bytes} on average[, most by {tool}]",
		"Each write is a call into the kernel, for a file, a pipe or a socket: write larger blocks, or through a buffer, if "
		"the program lets you. If it wrote many small files, keep them in one archive.",
		BY(RULE_SMALL_IO_BYTES, RULE_SMALL_IO_OPS, RULE_SMALL_IO_RATE),
	},
	[FINDING_SYNC_WAITS] = {
		"synchronous-writes", "warning", "fsync waits",
		"waited for their writes to reach the disk",
		"Threads waited {sync_wait_s} for their writes to reach the disk",
		"Each fsync, and each write to a file opened with O_SYNC, waits for the disk: write more data between two such calls, "
		"or write into the node's memory first.",
		BY(RULE_SYNC_SHARE, RULE_SYNC_MIN, RULE_SYNC_MIN_S, RULE_LIVE_MIN),
	},
	[FINDING_TCP_RETRANSMITS] = {
		"tcp-retransmits", "warning", "network losses",
		"lost much of what went over the network",
		"{retransmits} TCP segments, {retransmit_share} of those that were sent, got lost on the way and were sent again",
		"Tell the network's administrators.",
		BY(RULE_RETRANSMITS_MIN, RULE_RETRANSMIT_SHARE),
	},
	[FINDING_PROCESS_STORM] = {
		"process-storm", "warning", "many processes",
		"started very many short processes",
		"Started {processes} processes, {processes_per_s}[, which lived {life_mean_s} on average][, whose programs ran for "
		"{run_mean_s} on average][; {runs} ran {tool}][; {forks} were subshells of {shell}][; {forks} were forks of "
		"{forking}]",
		"Starting a process takes about as long as these processes ran. Do more in each process: call a tool once for many "
		"inputs, or do the work in the script's own language.",
		BY(RULE_STORM_MIN, RULE_STORM_RATE, RULE_STORM_LIFE),
	},
	[FINDING_STALLED] = {
		"stalled", "warning", "stood still",
		"stood still",
		"{tool}[ (pid {pid#})] used nothing for {quiet_s}, and the job did nothing meanwhile[{stalls?|; {stalls} processes in "
		"all used nothing}]",
		"See whether it hung, or waited for something that never came.",
		BY_OF_UNUSED(RULE_STALL_QUIET),
	},
	[FINDING_SLOW_LAUNCH] = {
		"slow-launch", "warning", "slow launch",
		"waited long for their first task",
		"Slurm and its plugins took {launch_s} until the first task of step {step} began[, of {elapsed_s} in all]"
		"[: they ran {tool}][, with {cpu_s} of CPU time][ and {peak_bytes} of memory]",
		"Slurm runs plugins before the first task, for example to import a container image. Import the image once and "
		"name its file, or ask the site what else takes so long.",
		BY(RULE_LAUNCH_MIN, RULE_LAUNCH_SHARE),
	},
	[FINDING_IDLE_HEAD] = {
		"idle-head", "warning", "idle at start",
		"did nothing after the start",
		"It did nothing for {idle_head_s}[ after its start, of {elapsed_s} in all]",
		"If the job waited for something, see what that was. Otherwise start the work at once.",
		BY_OF_UNUSED(RULE_IDLE_EDGE, RULE_IDLE_EDGE_SHARE),
	},
	[FINDING_IDLE_TAIL] = {
		"idle-tail", "warning", "idle at end",
		"did nothing before the end",
		"It did nothing for its last {idle_tail_s}[, of {elapsed_s} in all]",
		"If its work was done, end the job then. If the job waited for something, see what that was.",
		BY_OF_UNUSED(RULE_IDLE_EDGE, RULE_IDLE_EDGE_SHARE),
	},
	[FINDING_TOOLS_KILLED] = {
		"tools-killed", "warning", "program killed",
		"had programs that were killed",
		"{tool} was killed[ {runs?once|in {signals} of {runs} runs}][ ({signal})][: {left_running?it|they} "
		"still ran when the job script ended][{tools?|; {tools} tools in all were killed}]",
		"If you did not end it, the job's output may say why.",
		BY_ITSELF,
	},
	[FINDING_TIME_LIMIT_NEAR] = {
		"time-limit-near", "warning", "time tight",
		"came close to the time limit",
		"Took {elapsed_s} of a limit of {time_limit_s}",
		"With a little more work, the job would be ended at its time limit: ask for more time.",
		BY(RULE_TIME_NEAR),
	},
	[FINDING_TIME_LIMIT_LONG] = {
		"time-limit-long", "info", "long limit",
		"asked for far more time than was used",
		"Took {elapsed_s} of a limit of {time_limit_s}",
		"A shorter time limit lets a job start sooner, in gaps that the scheduler can fill.",
		BY(RULE_TIME_OVER, RULE_TIME_OVER_MIN, RULE_FINDING_ELAPSED, RULE_ADVICE_ACTIVE),
	},
	[FINDING_EMPTY_STEPS] = {
		"steps-without-processes", "info", "empty step",
		"had steps without any process",
		"No process ever ran in {steps?step {step}|{steps} steps, the first of them step {step}}",
		"See whether the program of each step was found.",
		BY_ITSELF,
	},
	[FINDING_NOT_FOUND] = {
		"commands-not-found", "info", "command not found",
		"had commands that were not found",
		"{commands?A command|{commands} commands} of the script could not be found or run",
		"The job's output has the shell's message. Perhaps a module is not loaded, or a name or path is wrong.",
		BY_ITSELF,
	},
	[FINDING_TOOLS_FAILED] = {
		"tools-failed", "info", "nonzero exits",
		"had programs that failed",
		"{tool} failed[ {runs?once|in {failures} of {runs} runs}][ (exit code {exit_code#})][ and ended itself in "
		"{ended_itself} ({signal})][: for {tool}, this can just mean that {answer}][{unnoticed?|}, in a pipe or in the "
		"background, which set -e does not see][{tools?|; {tools} tools in all failed}]",
		"If the script does not expect that answer, look into the job's output.",
		BY_ITSELF,
	},
};

const struct finding_rule *rules_finding(const char *code, size_t length)
{
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (strlen(finding_rules[i].code) == length && strncmp(finding_rules[i].code, code, length) == 0)
			return &finding_rules[i];
	return NULL;
}

const char *rules_finding_code(const char *words)
{
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (strcmp(finding_rules[i].words, words) == 0)
			return finding_rules[i].code;
	return words;
}

static enum rule find_rule(const char *name)
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

bool rules_are_defaults(const struct rules *rules)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		if (rules->value[i] != table[i].value)
			return false;
	return true;
}

bool rules_known(const char *name)
{
	return find_rule(name) < RULE_COUNT;
}

int rules_set(struct rules *rules, const char *name, double value, struct error *err)
{
	enum rule rule = find_rule(name);

	if (rule == RULE_COUNT)
		return error_set(err, "there is no rule '%.64s'", name);
	if (!(value >= table[rule].least && value <= table[rule].most))
		return error_set(err, "rule %s: %g is not from %g to %g; %g applies", name, value, table[rule].least,
				 table[rule].most, rules->value[rule]);
	rules->value[rule] = value;
	return 0;
}

void rules_of_site(struct rules *rules, const struct conf *conf, struct json_object *gaps)
{
	struct error err;

	rules_defaults(rules);
	for (unsigned int i = 0; i < conf->rule_count; i++)
		if (rules_set(rules, conf->rules[i].name, conf->rules[i].value, &err) < 0 && gaps)
			gaps_addf(gaps, "verdict", "stint.conf: %s", err.text);
}

bool rules_time_near(const struct rules *rules, double elapsed_s, double limit_s)
{
	return elapsed_s >= rules->value[RULE_TIME_NEAR] * limit_s;
}

bool rules_time_long(const struct rules *rules, double elapsed_s, double limit_s)
{
	return limit_s >= rules->value[RULE_TIME_OVER_MIN] && limit_s >= rules->value[RULE_TIME_OVER] * elapsed_s;
}

bool rules_saves(const struct rules *rules, double enough, double had)
{
	return enough <= (1 - rules->value[RULE_ADVICE_SAVING]) * had;
}

const char *rules_name(enum rule rule)
{
	return table[rule].name;
}

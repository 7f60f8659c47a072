/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that each finding is a sentence with its numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/rules/sentence.h"
#include "tests/unit/reports/case.h"

#define AT(s) "'2026-11-24T16:10:" s "+00:00'"
#define SCRIPT_TO(end) \
	"'steps': [{'id': 'batch', 'tasks': [{'pid': 7}]}], 'timeline': [{'tool': 'x.sh', 'step': 'batch', 'pid': 7, 'exit_code': 0, 'end': " AT(end) "}"
#define KILLED_AT(end) "{'tool': 'grep', 'step': 'batch', 'pid': 8, 'signal': 9, 'end': " AT(end) "}"
#define CHILD(code) "{'tool': 'x.sh', 'interpreter': 'bash', 'step': 'batch', 'pid': 8, 'ppid': 7, 'forked': true, 'exit_code': " code "}"
#define SCRIPT_WITH(children) "{'steps': [{'id': 'batch', 'tasks': [{'pid': 7}]}], 'timeline': [" children "]}"
#define SLURMS(name, cpu_s, end) "{'name': '" name "', 'slurm': true, 'runs': 1, 'cpu_s': " cpu_s \
	", 'peak_bytes': 640679936, 'last_end': '2026-01-01T00:00:" end ".000+00:00'}"
#define TOOL_OF_3(more) "{'tools': [{'name': 'grep', 'slurm': false, 'runs': 3, " more "}]"

#define ON_GPU(gpus, gpu, more) "{'job': {'elapsed_s': 1000}, 'allocated': {'gpus': " gpus "}, 'gpus_listed_s': 1000, 'gpus': [{'node': 'n1'," \
	" 'vendor': 'nvidia', 'busy_known_s': 1000, 'busy_covered_s': 1000, 'busy_source': 'samples', 'busy_share': " gpu "}]" more "}"

static const struct {
	enum finding finding;
	const char *patch; /* merged into the sound job */
	const char *text;
} sentences[] = {
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 1}, 'oom': [{'tool': 'python3', 'limit_bytes': 157286400}]}",
	  "Out of memory: 1 process was killed at the limit of 150.0 MiB; it was python3" },
	{ FINDING_OOM_KILL, "{'oom': [{'comm': 'a', 'rss_bytes': 1}, {'comm': 'b', 'rss_bytes': 2}]}",
	  "Out of memory: 2 processes were killed; the largest was b" },
	/* pages of mapped files need not count for the limit */
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 2}, 'oom': [{'tool': 'a', 'rss_bytes': 3, 'used_bytes': 1}, {'tool': 'b', 'rss_bytes': 2, 'used_bytes': 2}]}",
	  "Out of memory: 2 processes were killed; the largest was b" },
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 2}, 'oom': [{'tool': 'a', 'rss_bytes': 2, 'limit_bytes': 629145600},"
	  " {'tool': 'b', 'rss_bytes': 1, 'limit_bytes': 104857600}]}", "Out of memory: 2 processes were killed; the largest was a" },
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 1}, 'oom': [{'tool': 'a', 'limit_bytes': 104857600, 'kernel_bytes': 104857600,"
	  " 'page_table_bytes': 52428800}]}", "Out of memory: 1 process was killed at the limit of 100.0 MiB; it was a; most of the limit"
	  " was the kernel's memory for it (page tables)" },
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 3}, 'oom': [{'tool': 'a', 'rss_bytes': 2, 'limit_bytes': 104857600},"
	  " {'tool': 'b', 'rss_bytes': 3, 'limit_bytes': 104857600, 'along': true}, {'tool': 'b', 'limit_bytes': 104857600, 'along': true}]}",
	  "Out of memory: 3 processes were killed at the limit of 100.0 MiB: the kernel chose a, and killed 2 along with it" },
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 1}, 'oom': [{'tool': 'a', 'limit_bytes': 104857600, 'node_ran_out': true}]}",
	  "Out of memory: 1 process was killed, because the node ran out of memory; it was a" },
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 3}, 'oom': [{'tool': 'a', 'rss_bytes': 2, 'node_ran_out': true}, {'tool': 'b',"
	  " 'rss_bytes': 1, 'node_ran_out': true}]}",
	  "Out of memory: 3 processes were killed, 2 of them because the node ran out of memory; the largest was a" },
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 3}, 'oom': [{'tool': 'a', 'rss_bytes': 2}, {'tool': 'slurmstepd', 'slurm': true, 'rss_bytes': 1}]}",
	  "Out of memory: 3 processes were killed, 1 of them Slurm's own; the largest was a" },
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 1, 'threads_peak': 2}, 'lost': {'tools': 0}, 'tools': [{'name': 'cp', 'slurm': false, 'runs': 3,"
	  " 'forks': 0, 'peak_bytes': 5242880}], 'oom': [{'tool': 'cp', 'limit_bytes': 157286400, 'kernel_bytes': 0}]}",
	  "Out of memory: 1 process was killed at the limit of 150.0 MiB, of which files in memory (/dev/shm and other tmpfs) took about 140.0 MiB; it was cp" },
	{ FINDING_OOM_KILL, "{'used': {'oom_kills': 3}}", "Out of memory: 3 processes were killed" },
	{ FINDING_TIME_LIMIT_HIT, "{'job': {'state': 'TIMEOUT'}}", "Slurm ended it at its time limit of 5 min" },
	{ FINDING_WORK_FAILED, "{'tools': [{'name': 'samtools', 'slurm': false, 'runs': 3, 'failures': 3}], 'timeline': [{'tool':"
	  " 'samtools', 'by_shell': true, 'exit_code': 1}]}", "The script ended with 0, but samtools failed in all 3 runs (exit code 1)" },
	{ FINDING_GPU_ERRORS, ON_GPU("1", "0.9, 'xid_errors': 2, 'xids': [{'xid': 79, 'count': 2}]", ""), "Its GPU had 2 errors (XID 79)" },
	{ FINDING_GPUS_UNUSED, ON_GPU("4", "0.9", ""), "No process of it was seen on 3 of its 4 GPUs: 0.83 GPU-hours" },
	{ FINDING_GPUS_IDLE, ON_GPU("1", "0.02", ""), "Its GPU was busy 2 % of the time (sampled)" },
	{ FINDING_GPU_START, ON_GPU("1", "0.6, 'idle_tail_s': 900", ""),
	  "Its GPU did nothing after the first 1 min 40 s, of 16 min 40 s in all (sampled)" },
	{ FINDING_GPU_TAIL, "{'job': {'elapsed_s': 7200}, 'allocated': {'gpus': 1}, 'gpus': [{'node': 'n1', 'vendor': 'nvidia', 'busy_share': 0.6,"
	  " 'busy_source': 'samples', 'busy_known_s': 7200, 'busy_covered_s': 7200, 'idle_tail_s': 2400}]}",
	  "Its GPU did nothing for its last 40 min, of 2 h in all (sampled)" },
	{ FINDING_GPU_WAITED, ON_GPU("1", "0.4", ", 'states': {'on_cpu_s': 4000, 'active_s': 1000, 'parallel_s': 1000}"),
	  "Its GPU was busy only 40 % of the time (sampled): it waited for its processes, which kept its CPUs busy 100 % of the core time" },
	{ FINDING_GPU_MEMORY_NEAR, ON_GPU("1", "0.9, 'memory_total_bytes': 85899345920, 'job_memory_peak_bytes': 83751862272", ""),
	  "Used 78.0 GiB of 80.0 GiB, 98 % of a GPU's memory" },
	{ FINDING_GPU_MEMORY_FEW,
	  ON_GPU("1", "0.9, 'sm_share': 0.2, 'memory_total_bytes': 85899345920, 'job_memory_peak_bytes': 1073741824", ""),
	  "Used at most 1.0 GiB of 80.0 GiB on its GPU" },
	{ FINDING_MEMORY_SWAPPED, "{'used': {'memory_swap_peak_bytes': 1610612736}}",
	  "At the peak, 1.5 GiB of its memory was swapped out" },
	{ FINDING_MEMORY_NEAR_LIMIT, "{'nodes': [{'used': {'memory_used_peak_bytes': 8527899034}, 'allocated':"
	  " {'memory_limit_bytes': 8589934592}}]}", "Used 7.9 GiB of 8.0 GiB: 99.3 % of its memory limit" },
	{ FINDING_MEMORY_NEAR_LIMIT, "{'used': {'memory_used_peak_bytes': 12884901888}, 'nodes': [{'used': {}}]}",
	  "Used 12.0 GiB, and asked for 8.0 GiB" },
	{ FINDING_MEMORY_RECLAIM, "{'used': {'reclaim_s': 17, 'reclaims': 4000}}",
	  "Threads spent 17 s making room in memory before they could continue, 4,000 times" },
	{ FINDING_PAGE_WAITS, "{'states': {'fault_io_s': 65}, 'used': {'major_faults': 1}}",
	  "Threads waited 1 min 5 s for pages to be read from disk, once" },
	{ FINDING_CPUS_EXCEEDED, "{'states': {'on_cpu_s': 810}}", "Used 8.1 CPUs on average, and had 4: jobs are not bound to their CPUs here" },
	{ FINDING_OVERSUBSCRIBED, "{'states': {'runnable_s': 400}}",
	  "On average, 8 threads shared 4 CPUs, and each waited for a CPU 50 % of the time" },
	{ FINDING_CROWDED, "{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}}",
	  "On average, 4 threads shared few of its cores, while 3 cores were never used, and each waited for a CPU 75 % of the time" },
	{ FINDING_CROWDED, "{'states': {'on_cpu_s': 100, 'runnable_s': 100}, 'nodes': [{'name': 'n1', 'allocated': {'cpus': 4, 'cores_bound': 4, 'cores_used': 4,"
	  " 'cores_loaded': 1}, 'used': {'cpu_s': 100}, 'states': {'runnable_s': 100}}]}",
	  "On average, 2 threads shared few of its cores, while 3 cores were hardly used, and each waited for a CPU 50 % of the time" },
	{ FINDING_CPU_THROTTLED, "{'states': {'on_cpu_s': 200, 'runnable_s': 200, 'throttled_s': 180}}",
	  "Threads waited 3 min 20 s for a CPU, 3 min of it because of a quota of CPU time" },
	{ FINDING_CPU_STARVED, "{'states': {'on_cpu_s': 200, 'runnable_s': 200}}", "Threads waited about 3 min 20 s for a CPU that others were using" },
	/* six threads on four CPUs take 200 s from each other, and others take 300 s from them */
	{ FINDING_CPU_STARVED, "{'states': {'on_cpu_s': 100, 'runnable_s': 500}, 'series': []}",
	  "Threads waited about 5 min for a CPU that others were using" },
	{ FINDING_LOCK_CONTENTION, "{'states': {'on_cpu_s': 120, 'parallel_s': 20, 'lock_s': 200, 'some': {'lock_s': 100},"
	  " 'waits': {'lock': 1000000}}}", "Threads waited for each other: 3 min 20 s in all for locks, 1,000,000 times" },
	{ FINDING_LOCK_CONTENTION, "{'states': {'on_cpu_s': 101, 'parallel_s': 1, 'turns_s': 75}}",
	  "Threads waited for each other; they took turns, in 74 % of the CPU time" },
	{ FINDING_SERIAL, "{'states': {'on_cpu_s': 110, 'parallel_s': 10}}", "Only one thread was busy 90 % of the time, on 4 cores: 0.08 core-hours were left unused" },
	{ FINDING_SERIAL, "{'states': {'on_cpu_s': 390.5, 'parallel_s': 10}}", "Only one thread was busy 90 % of the time, on 4 cores: 9.50 core-seconds were left unused" },
	{ FINDING_CPU_EFFICIENCY, "{'used': {'cpu_efficiency': 0.3, 'cpu_wasted_core_hours': 12.5}}", "Used 30 % of the time of 4 CPUs: 12 core-hours were left unused" },
	{ FINDING_CORES_UNUSED, "{'progress': {'cores_unused': [1, 2]}}", "2 of 4 cores were never used: 0.06 core-hours" },
	{ FINDING_NODE_IDLE, "{'nodes': [{'name': 'n1', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 390}}, {'name': 'n2',"
	  " 'allocated': {'cpus': 4}, 'used': {'cpu_s': 1}}]}", "1 of 2 nodes did nothing (n2), while another used 98 % of its CPUs" },
	/* its threads waited for a CPU as long again: a wait is no use */
	{ FINDING_NODE_IDLE, "{'nodes': [{'name': 'n1', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 150}, 'states': {'runnable_s': 150}},"
	  " {'name': 'n2', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 1}}]}", "1 of 2 nodes did nothing (n2), while another used 38 % of its CPUs" },
	{ FINDING_NODE_IDLE, "{'nodes': [{'name': 'n0', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 1}}, {'name': 'n1', 'allocated':"
	  " {'cpus': 4}, 'used': {'cpu_s': 390}}, {'name': 'n2', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 1}}]}", "2 of 3 nodes did nothing (the first is n0), while another used 98 % of its CPUs" },
	{ FINDING_MEMORY_OVER_ASKED, "{'used': {'memory_used_peak_bytes': 268435456}}", "Used 256.0 MiB of 8.0 GiB: 97 % was reserved for nothing" },
	/* the share is that of the largest possible amount */
	{ FINDING_MEMORY_OVER_ASKED, "{'used': {'memory_used_peak_bytes': 268435456, 'memory_used_peak_upper_bytes': 1073741824}}",
	  "Used 256.0 MiB to 1.0 GiB of 8.0 GiB: 88 % was reserved for nothing" },
	{ FINDING_NETWORK_FS_WAITS, "{'used': {'file_systems': [{'type': 'nfs4', 'class': 'network', 'wait_s': 17, 'waits':"
	  " 1200}]}}", "Threads waited 17 s for network file systems, 1,200 times, most for nfs4" },
	{ FINDING_NETWORK_FS_OPENS, "{'used': {'file_systems': [{'type': 'nfs4', 'class': 'network', 'opens': 12000}]}}",
	  "12,000 files were opened on network file systems, 120 a second, most on nfs4" },
	{ FINDING_SMALL_READS, "{'used': {'cpu_s': 2, 'syscall_reads': 200000}}", "200,000 reads of 45 B on average" },
	{ FINDING_SMALL_WRITES, "{'used': {'cpu_s': 2, 'syscall_writes': 200000}}", "200,000 writes of 45 B on average" },
	{ FINDING_SYNC_WAITS, "{'used': {'sync_wait_s': 65, 'sync_waits': 13000}}",
	  "Threads waited 1 min 5 s for their writes to reach the disk" },
	{ FINDING_TCP_RETRANSMITS, "{'used': {'network': {'tcp': {'retransmits': 1500, 'tx_ops': 60000}}}}", "1,500 TCP segments, 2 % of those that were sent, got lost on the way and were sent again" },
	{ FINDING_PROCESS_STORM, "{'job': {'elapsed_s': 10}, 'states': {'active_s': 10}, 'used': {'processes': 5002}, 'tools':"
	  " [{'name': 'true', 'slurm': false, 'runs': 5000, 'forks': 0, 'wall_s': 5}]}", "Started 5,000 processes, 500 a second, which lived 1 ms on average; 5,000 ran true" },
	/* the shell's wall time is that of its one run, and none of its subshells' */
	{ FINDING_PROCESS_STORM, "{'job': {'elapsed_s': 14}, 'states': {'active_s': 14}, 'used': {'processes': 6004}, 'tools': ["
	  " {'name': 'k7.sh', 'interpreter': 'bash', 'slurm': false, 'runs': 1, 'forks': 3001, 'wall_s': 14},"
	  " {'name': 'expr', 'slurm': false, 'runs': 1500, 'forks': 0, 'wall_s': 4.5},"
	  " {'name': 'cut', 'slurm': false, 'runs': 1500, 'forks': 0, 'wall_s': 3}]}",
	  "Started 6,002 processes, 428.7 a second, whose programs ran for 2.5 ms on average; 3,001 were subshells of k7.sh" },
	{ FINDING_PROCESS_STORM, "{'job': {'elapsed_s': 14}, 'states': {'active_s': 14}, 'used': {'processes': 3001}, 'tools': ["
	  " {'name': 'pool.py', 'interpreter': 'python3', 'slurm': false, 'runs': 1, 'forks': 3000, 'wall_s': 14}]}",
	  "Started 3,001 processes, 214.4 a second; 3,000 were forks of pool.py" },
	{ FINDING_STALLED, "{'states': {'active_s': 55, 'bound': {'child_s': 45}}, 'progress': {'stalls': [{'tool': 'solve',"
	  " 'pid': 32440, 'quiet_s': 45}]}}", "solve (pid 32440) used nothing for 45 s, and the job did nothing meanwhile" },
	{ FINDING_STALLED, "{'states': {'active_s': 55, 'bound': {'child_s': 45}}, 'progress': {'stalls': [{'tool': 'solve',"
	  " 'quiet_s': 45}, {'tool': 'solve', 'quiet_s': 44}]}}", "solve used nothing for 45 s, and the job did nothing meanwhile; 2 processes in all used nothing" },
	{ FINDING_SLOW_LAUNCH, "{'steps': [{'id': 'extern', 'launch_s': 90}, {'id': 'batch', 'launch_s': 12.4}, {'id': '0', 'launch_s': 11}]}",
	  "Slurm and its plugins took 12 s until the first task of step batch began, of 1 min 40 s in all" },
	/*
	 * Slurm's program that used the most before the last step's tasks began: not one that runs on, or the user's
	 */
	{ FINDING_SLOW_LAUNCH, "{'steps': [{'id': 'batch', 'launch_s': 40, 'start': '2026-01-01T00:00:40.000+00:00'}], 'tools': ["
	  SLURMS("timeout", "0.01", "38") ", " SLURMS("xz", "39.5", "39") ", " SLURMS("sleep", "99", "59") ", " SLURMS("later", "99", "41")
	  ", {'name': 'solve', 'slurm': false, 'runs': 1, 'cpu_s': 400, 'last_end': '2026-01-01T00:00:20.000+00:00'}]}",
	  "Slurm and its plugins took 40 s until the first task of step batch began, of 1 min 40 s in all: they ran xz, with 40 s of "
	  "CPU time and 611.0 MiB of memory" },
	{ FINDING_IDLE_HEAD, "{'progress': {'idle_head_s': 70}}", "It did nothing for 1 min 10 s after its start, of 1 min 40 s in all" },
	{ FINDING_IDLE_HEAD, "{'progress': {'idle_head_s': 100}}", "It did nothing for 1 min 40 s" },
	{ FINDING_IDLE_TAIL, "{'progress': {'idle_tail_s': 70}}", "It did nothing for its last 1 min 10 s, of 1 min 40 s in all" },
	{ FINDING_TOOLS_KILLED, TOOL_OF_3("'failures': 1, 'signals': 1") ", 'timeline': [{'tool': 'grep', 'signal': 11}]}",
	  "grep was killed in 1 of 3 runs (signal 11 SIGSEGV)" },
	/* Slurm's own program of the same name does not count */
	{ FINDING_TOOLS_KILLED, TOOL_OF_3("'failures': 2, 'signals': 2") ", " SCRIPT_TO("40.655") ", " KILLED_AT("40.656") ", "
	  KILLED_AT("40.657") ", {'tool': 'grep', 'step': 'extern', 'slurm': true, 'signal': 15}]}",
	  "grep was killed in 2 of 3 runs (signal 9 SIGKILL): they still ran when the job script ended" },
	/* what the script waited for ends right before it */
	{ FINDING_TOOLS_KILLED, TOOL_OF_3("'failures': 1, 'signals': 1") ", " SCRIPT_TO("40.655") ", " KILLED_AT("40.655") "]}",
	  "grep was killed in 1 of 3 runs (signal 9 SIGKILL)" },
	{ FINDING_TOOLS_KILLED, TOOL_OF_3("'failures': 1, 'signals': 1") ", " SCRIPT_TO("40.655") ", " KILLED_AT("40.657") "]}",
	  "grep was killed in 1 of 3 runs (signal 9 SIGKILL): it still ran when the job script ended" },
	/* something else killed what ended before that */
	{ FINDING_TOOLS_KILLED, TOOL_OF_3("'failures': 2, 'signals': 2") ", " SCRIPT_TO("40.655") ", " KILLED_AT("39.000") ", "
	  KILLED_AT("40.657") "]}", "grep was killed in 2 of 3 runs (signal 9 SIGKILL)" },
	{ FINDING_TIME_LIMIT_NEAR, "{'job': {'elapsed_s': 290}}", "Took 4 min 50 s of a limit of 5 min" },
	{ FINDING_TIME_LIMIT_LONG, "{'requested': {'time_limit_s': 86400}}", "Took 1 min 40 s of a limit of 1 d" },
	{ FINDING_EMPTY_STEPS, "{'progress': {'steps_without_processes': ['4']}}", "No process ever ran in step 4" },
	{ FINDING_EMPTY_STEPS, "{'progress': {'steps_without_processes': ['4', '5']}}", "No process ever ran in 2 steps, the first of them step 4" },
	{ FINDING_NOT_FOUND, SCRIPT_WITH(CHILD("127")), "A command of the script could not be found or run" },
	{ FINDING_NOT_FOUND, SCRIPT_WITH(CHILD("127") ", " CHILD("126")), "2 commands of the script could not be found or run" },
	{ FINDING_TOOLS_FAILED, TOOL_OF_3("'failures': 2") ", 'timeline': [{'tool': 'grep', 'exit_code': 1}, {'tool': 'grep',"
	  " 'exit_code': 1}, {'tool': 'grep', 'exit_code': 9, 'dismissed': true}, {'tool': 'sh', 'exit_code': 3}]}", "grep failed in 2 of 3 runs (exit code 1): for grep, this can just mean that nothing was found" },
	{ FINDING_TOOLS_FAILED, TOOL_OF_3("'failures': 2") ", 'timeline': [{'tool': 'grep', 'exit_code': 1}, {'tool': 'grep',"
	  " 'exit_code': 2}]}", "grep failed in 2 of 3 runs" },
	/* timeout -k kills itself with its command */
	{ FINDING_TOOLS_FAILED, "{'tools': [{'name': 'timeout', 'slurm': false, 'runs': 4, 'failures': 3, 'signals': 1}], 'timeline': ["
	  "{'tool': 'timeout', 'exit_code': 124}, {'tool': 'timeout', 'exit_code': 124}, {'tool': 'timeout', 'exit_code': 0, 'signal': 9}]}",
	  "timeout failed in 2 of 4 runs (exit code 124) and ended itself in 1 (signal 9 SIGKILL): for timeout, this can just mean that the "
	  "time was up" },
	/* a pipe without pipefail, or a wait without a process ID */
#define TWO_RUNS "{'tools': [{'name': 'perl', 'slurm': false, 'runs': 2, 'failures': 1, 'signals': 0}], 'timeline': [" \
	"{'tool': 'perl', 'exit_code': 0}, {'tool': 'perl', 'exit_code': 255, "
	{ FINDING_TOOLS_FAILED, TWO_RUNS "'unawaited': true}]}",
	  "perl failed in 1 of 2 runs (exit code 255), in a pipe or in the background, which set -e does not see" },
	{ FINDING_TOOLS_FAILED, TWO_RUNS "'by_shell': true}]}", "perl failed in 1 of 2 runs (exit code 255)" },
	{ FINDING_TOOLS_FAILED, TWO_RUNS "'unawaited': true}], 'job': {'state': 'FAILED', 'exit_code': 1}}",
	  "perl failed in 1 of 2 runs (exit code 255)" },
	{ FINDING_TOOLS_FAILED, "{'tools': [{'name': 'solve', 'slurm': false, 'runs': 1, 'failures': 1}, {'name': 'x', 'slurm':"
	  " false, 'runs': 5, 'failures': 5}], 'timeline': [{'tool': 'x', 'exit_code': 1}]}", "x failed in 5 of 5 runs (exit code 1); 2 tools in all failed" },
};

#define SENTENCES (sizeof(sentences) / sizeof(sentences[0]))

static void each_finding_is_a_sentence_with_its_numbers(void **state)
{
	bool tested[FINDING_COUNT] = { false };

	(void)state;
	for (size_t i = 0; i < SENTENCES; i++) {
		cleanup_json struct json_object *report = case_report(sentences[i].patch);
		const char *code = finding_rules[sentences[i].finding].code;
		char text[SENTENCE_TEXT];

		judge(report, NULL);
		tested[sentences[i].finding] = true;
		if (!case_find(report, "findings", "code", code))
			fail_msg("no %s: %s", code, sentences[i].patch);
		assert_string_equal(case_sentence(case_find(report, "findings", "code", code), text), sentences[i].text);
	}
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (!tested[i])
			fail_msg("no test has the sentence of %s", finding_rules[i].code);
}

/* A report of stint 0.1 has no sentence, and a site's own report may have none of the numbers. */
static void a_finding_without_a_sentence_gets_one(void **state)
{
	static const struct {
		const char *finding, *text;
	} findings[] = {
		{ "{'code': 'idle-head', 'evidence': [{'name': 'idle_head_s', 'value': 90, 'unit': 's'}], 'hint': 'Start.'}",
		  "It did nothing for 1 min 30 s" },
		{ "{'code': 'idle-head', 'text': 'As it was said', 'evidence': [], 'hint': 'Start.'}", "As it was said" },
		{ "{'code': 'idle-head', 'evidence': [], 'hint': 'Start.'}", "Start." },
		{ "{'code': 'of-tomorrow', 'hint': 'Do.'}", "Do." },
		{ "{'code': 'of-tomorrow'}", "of-tomorrow" },
		{ "{}", "?" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(findings) / sizeof(findings[0]); i++) {
		cleanup_json struct json_object *finding = case_json(findings[i].finding);
		char text[SENTENCE_TEXT];

		assert_string_equal(case_sentence(finding, text), findings[i].text);
	}
}

static void what_is_not_known_or_nothing_is_left_out(void **state)
{
	static const struct {
		const char *pattern, *text; /* NULL: a number is missing */
	} patterns[] = {
		{ "{one} of {many}", "1 of 12,345" },
		{ "{many#}[, {absent}][, {none}][, {one}]", "12345, 1" },
		{ "[{absent}: ]{none}", "0" },
		{ "{one!}, {two!}, {many!}", "once, twice, 12,345 times" },
		{ "{one?a|b}{two?a|b {two}}", "ab 2" },
		{ "{absent,word}", "a[{b" },
		{ "{long} failed", "ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss... failed" },
		{ "{tiny_share} {most_share}", "0.2 % 99.6 %" },
		{ "{ms_s} {s}", "1.5 ms 12 s" },
		{ "{absent}", NULL },
		{ "{absent?a|b}", NULL },
		/* an error in the table causes no crash */
		{ "a[b", "ab" }, { "a{one", "a1" }, { "{one?b", "b" }, { "a]}|b", "a]}|b" },
	};
	cleanup_json struct json_object *json = case_json(
		"{'verdict': {'evidence': [{'name': 'one', 'value': 1}, {'name': 'two', 'value': 2}, {'name': 'many', 'value': 12345},"
		" {'name': 'none', 'value': 0}, {'name': 'word', 'value': 'a[{b'},"
		" {'name': 'long', 'value': 'sssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss'},"
		" {'name': 'tiny_share', 'value': 0.002},"
		" {'name': 'most_share', 'value': 0.996}, {'name': 'ms_s', 'value': 0.0015, 'unit': 's'},"
		" {'name': 's', 'value': 12, 'unit': 's'}, {'name': 'odd', 'value': null}, 3, {}]}}");
	cleanup_report struct report *report = report_of(json);

	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		char text[SENTENCE_TEXT];

		assert_int_equal(sentence_write(patterns[i].pattern, &report->verdict.evidence, text), patterns[i].text != NULL);
		if (patterns[i].text)
			assert_string_equal(text, patterns[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_finding_is_a_sentence_with_its_numbers),
		cmocka_unit_test(a_finding_without_a_sentence_gets_one),
		cmocka_unit_test(what_is_not_known_or_nothing_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

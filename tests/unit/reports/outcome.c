/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every ending of a job has its sentence, and the sentence of a failure names the process that made the job fail, or
 * none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/verdict/outcome.h"
#include "reports/verdict/silence.h"
#include "tests/unit/reports/case.h"

struct ending {
	const char *patch, *text;
};

static void check(const struct ending *endings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cleanup_json struct json_object *report = case_report(endings[i].patch);

		judge(report, NULL);
		assert_string_equal(field_text(report, "verdict.outcome"), endings[i].text);
	}
}

#define CHECK(endings) check(endings, sizeof(endings) / sizeof((endings)[0]))

static void each_state_has_its_sentence(void **state)
{
	static const struct ending endings[] = {
		{ NULL, "COMPLETED in 1 min 40 s on 1 node" },
		{ "{'allocated': {'nodes': 2}, 'job': {'elapsed_s': 7500}}", "COMPLETED in 2 h 5 min on 2 nodes" },
		{ "{'allocated': {'nodes': null}, 'job': {'elapsed_s': null}}", "COMPLETED" },
		{ "{'job': {'state': null}}", "State not known after 1 min 40 s" },
		{ "{'job': {'state': 'RUNNING'}, 'so_far': true, 'complete': false}", "RUNNING for 1 min 40 s on 1 node" },
		{ "{'job': {'state': 'NODE_FAIL'}}",
		  "NODE_FAIL after 1 min 40 s: Slurm lost one of its nodes, which is not the job's fault" },
		{ "{'job': {'state': 'REQUEUED'}}",
		  "REQUEUED after 1 min 40 s: this attempt is over, and Slurm starts the job again" },
		{ "{'job': {'state': 'PREEMPTED'}}", "PREEMPTED after 1 min 40 s: Slurm gave its nodes to another job" },
		{ "{'job': {'state': 'SUSPENDED'}}", "SUSPENDED after 1 min 40 s" },
	};

	(void)state;
	CHECK(endings);
}

/* Slurm ends such a step by SIGTERM, and the job continues, or ends with an exit code of its own because of that. */
static void a_step_that_reached_its_own_time_limit_is_named(void **state)
{
	static const struct ending endings[] = {
		{ "{'steps': [{'id': 'batch', 'elapsed_s': 100}, {'id': '0', 'elapsed_s': 5, 'signal': 15}, {'id': '1', 'elapsed_s': 89,"
		  " 'signal': 15, 'timed_out': true}]}",
		  "COMPLETED in 1 min 40 s on 1 node, but step 1 reached its own time limit after 1 min 29 s" },
		{ "{'steps': [{'id': '0', 'elapsed_s': 75, 'timed_out': true}, {'id': '1', 'elapsed_s': 89, 'timed_out': true}],"
		  " 'job': {'std_out': '/home/u/slurm-7.out'}}",
		  "COMPLETED in 1 min 40 s on 1 node, but 2 steps reached their own time limits; step 0 was the first, after 1 min 15 s."
		  " Its output: /home/u/slurm-7.out" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 3}, 'steps': [{'id': '0', 'timed_out': true}]}",
		  "FAILED: the job ended with exit code 3; step 0 reached its own time limit" },
	};

	(void)state;
	CHECK(endings);
}

static void who_was_ended_from_outside_was_busy_or_not(void **state)
{
	static const struct ending endings[] = {
		{ "{'job': {'state': 'TIMEOUT'}, 'used': {'cores_busy': 4}}",
		  "TIMEOUT after 1 min 40 s: it was working (on average 4.0 of 4 cores). Next time: #SBATCH --time=00:10:00 or more" },
		{ "{'job': {'state': 'CANCELLED', 'signal': 15}}",
		  "CANCELLED by signal 15 SIGTERM after 1 min 40 s: it was working (on average 4.0 of 4 cores)" },
		/* two hardware threads a core: up to as many threads as cores, and more of them */
		{ "{'job': {'state': 'CANCELLED'}, 'allocated': {'cpus': 8}, 'states': {'on_cpu_s': 404.9}}",
		  "CANCELLED after 1 min 40 s: it was working (on average 4.0 of 4 cores)" },
		{ "{'job': {'state': 'CANCELLED'}, 'allocated': {'cpus': 8}, 'states': {'on_cpu_s': 405.1}}",
		  "CANCELLED after 1 min 40 s: it was working (on average 4.1 of 8 CPUs)" },
		{ "{'job': {'state': 'CANCELLED'}, 'allocated': {'cpus': 8}, 'states': {'on_cpu_s': 790}}",
		  "CANCELLED after 1 min 40 s: it was working (on average 7.9 of 8 CPUs)" },
		{ "{'job': {'state': 'TIMEOUT', 'elapsed_s': 3600}, 'progress': {'idle_tail_s': 2400}}",
		  "TIMEOUT after 1 h: it had done nothing for 40 min" },
		{ "{'job': {'state': 'TIMEOUT', 'elapsed_s': 3600}, 'progress': {'idle_head_s': 3600}}",
		  "TIMEOUT after 1 h: it had done nothing at all" },
		{ "{'job': {'state': 'CANCELLED'}, 'complete': false}", "CANCELLED after 1 min 40 s" },
		{ "{'job': {'state': 'TIMEOUT'}, 'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'sleep_s': 99,"
		  " 'some': {'sleep_s': 99}, 'bound': {'sleep_s': 99}}}",
		  "TIMEOUT after 1 min 40 s: it was idle for 99 % of the time" },
		/* its threads may have waited for GPUs at work */
		{ "{'allocated': {'gpus': 2}, 'job': {'state': 'TIMEOUT', 'elapsed_s': 3600}, 'progress': {'idle_tail_s': 2400}}",
		  "TIMEOUT after 1 h: what its GPUs did is not known. Next time: #SBATCH --time=00:10:00 or more" },
		{ "{'allocated': {'gpus': 1}, 'job': {'state': 'CANCELLED'}, 'progress': {'idle_head_s': 100}}",
		  "CANCELLED after 1 min 40 s: what its GPU did is not known" },
		{ "{'allocated': {'gpus': 1}, 'job': {'state': 'CANCELLED'}, 'used': {'cores_busy': 4}}",
		  "CANCELLED after 1 min 40 s: it was working (on average 4.0 of 4 cores)" },
		{ "{'allocated': {'gpus': 0}, 'job': {'state': 'CANCELLED'}, 'progress': {'idle_head_s': 100}}",
		  "CANCELLED after 1 min 40 s: it had done nothing at all" },
	};

	(void)state;
	CHECK(endings);
}

static void silence_is_explained(void **state)
{
#define SLEPT "'states': {'on_cpu_s': 0.1, 'active_s': 0.1, 'parallel_s': 0, 'bound': {'sleep_s': 99.9}}"
	static const struct ending silences[] = {
		{ NULL, "Nothing to change" },
		{ "{'used': {'syscall_reads': 200000, 'cpu_s': 2}}", "Nothing to change in what it asks for; see the findings" },
		{ "{'tools': [{'slurm': false, 'runs': 1, 'failures': 1}]}", "Nothing to change" },
		{ "{'job': {'elapsed_s': 41}}", "It ran only 41 s; stint gives advice from 60 s" },
		{ "{'job': {'elapsed_s': 0.363}}", "It ran only 0.363 s; stint gives advice from 60 s" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 1}}", "It failed, so there is no advice to ask for less" },
		{ "{'job': {'state': 'CANCELLED'}}", "It was cancelled, so there is no advice to ask for less" },
		{ "{'job': {'state': 'NODE_FAIL'}}", "It did not complete, so there is no advice to ask for less" },
#define SAMTOOLS(by_shell) "{'tools': [{'name': 'samtools', 'slurm': false, 'runs': 3, 'failures': 3}], 'used': {'memory_used_peak_bytes': 1000}," \
		" 'timeline': [{'tool': 'samtools', " by_shell "'exit_code': 1}]}"
		{ SAMTOOLS("'by_shell': true, "), "Some of its work failed, so there is no advice to ask for less" },
		{ "{'job': {'state': null}}", "How it ended is not known, so there is no advice to ask for less" },
		{ "{'complete': false}", "Not all of it was counted, so there is no advice to ask for less" },
		{ "{'so_far': true, 'job': {'state': 'RUNNING'}}", "It is still running: advice comes at its end" },
		{ "{" SLEPT "}", "It did nothing, so it does not show what to ask for" },
		{ "{'job': {'state': 'TIMEOUT'}, " SLEPT "}", "It was idle when its time ended: look first at what it waited for" },
		{ "{'job': {'state': 'TIMEOUT'}, 'progress': {'idle_tail_s': 60}}",
		  "It was idle when its time ended: look first at what it waited for" },
#define ALL_MEMORY "'requested': {'memory_source': 'all of the node'}"
		{ "{'used': {'oom_kills': 1}, 'job': {'state': 'OUT_OF_MEMORY'}, " ALL_MEMORY "}",
		  "It had all of the node's memory: take nodes with more, or spread it over more of them" },
		{ "{" ALL_MEMORY ", 'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': 7730941133}, 'allocated':"
		  " {'memory_limit_bytes': 8589934592}}]}",
		  "It had all of the node's memory: take nodes with more, or spread it over more of them" },
		{ "{" ALL_MEMORY ", 'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': 7730941132}, 'allocated':"
		  " {'memory_limit_bytes': 8589934592}}]}", "Nothing to change" },
		{ "{'allocated': {'gpus': 1}, " SLEPT "}",
		  "It hardly used its CPUs, and what its GPUs did is not known, so there is no advice to ask for less" },
		{ "{'allocated': {'gpus': 0}, " SLEPT "}", "It did nothing, so it does not show what to ask for" },
		/* there is advice */
		{ "{'allocated': {'gpus': 1}, 'job': {'state': 'TIMEOUT'}, " SLEPT "}", "" },
		{ "{'job': {'state': 'TIMEOUT'}, 'progress': {'idle_tail_s': 59}}", "" },
		{ "{'used': {'oom_kills': 1}}", "" },
		{ "{'used': {'oom_kills': 1}, 'oom': [{'limit_bytes': 8589934592}]}", "" },
		{ "{'used': {'oom_kills': 1}, 'oom': [{'limit_bytes': 8589934592, 'node_ran_out': true}]}",
		  "The node ran out of memory, and the job reached no limit of its own: more memory may not help" },
		{ "{'used': {'oom_kills': 2}, 'oom': [{'limit_bytes': 8589934592, 'node_ran_out': true}, {'limit_bytes': 8589934592}]}", "" },
		{ "{'used': {'memory_used_peak_bytes': null, 'memory_used_peak_upper_bytes': null}}",
		  "How much memory it used is not known, so there is no advice on that" },
		{ "{'requested': {'memory_bytes': null}, 'used': {'memory_used_peak_bytes': null, 'memory_used_peak_upper_bytes': null}}",
		  "Nothing to change" },
		/* 3.3 MiB in each sample, but between two samples it may have been as much as the limit */
		{ "{'used': {'memory_used_peak_bytes': 3460301, 'memory_used_peak_upper_bytes': 8589934592}}",
		  "Its programs used 3.3 MiB of memory or more: what they need is not known, because file cache took the rest" },
		/* as much as nearly the limit; and less, so that no cache had to stop growing there */
		{ "{'used': {'memory_used_peak_bytes': 3460301, 'memory_used_peak_upper_bytes': 7730941133}}",
		  "Its programs used 3.3 MiB of memory or more: what they need is not known, because file cache took the rest" },
		{ "{'used': {'memory_used_peak_bytes': 3460301, 'memory_used_peak_upper_bytes': 7516192768}}",
		  "Its programs used 3.3 MiB to 7.0 GiB of memory: how much of that was file cache is not known, so there is no advice to ask "
		  "for less" },
		{ "{'used': {'memory_used_peak_bytes': 6442450944, 'memory_used_peak_upper_bytes': 8589934592}}", "Nothing to change" },
		{ SAMTOOLS(""), "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(silences) / sizeof(silences[0]); i++) {
		cleanup_json struct json_object *report = case_report(silences[i].patch);
		cleanup_report struct report *older = NULL;
		const char *silence, *old;
		char made[SILENCE_TEXT];

		judge(report, NULL);
		silence = field_text(report, "verdict.no_advice");
		assert_string_equal(silence ? silence : "", silences[i].text);
		json_object_object_del(field_find(report, "verdict"), "no_advice");
		older = report_of(report);
		old = silence_of_report(older, made);
		assert_string_equal(old ? old : "", silences[i].text);
	}
}

#define VICTIM "'oom': [{'tool': 'python3', 'pid': 7, 'step': 'batch', 'limit_bytes': 8589934592}]"

static void memory_names_the_victim_the_limit_and_what_to_write(void **state)
{
	static const struct ending endings[] = {
		{ "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': 1}, " VICTIM "}",
		  "OUT OF MEMORY: python3 was killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more" },
		{ "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': 3}, " VICTIM "}",
		  "OUT OF MEMORY: python3 and 2 more were killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more" },
		{ "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': 1}}",
		  "OUT OF MEMORY: a process was killed at the limit of the job. Next time: #SBATCH --mem=16G or more" },
		{ "{'job': {'state': 'OUT_OF_MEMORY'}}",
		  "OUT OF MEMORY: Slurm says so, but stint saw no process killed" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 137}, 'used': {'oom_kills': 1}, " VICTIM "}",
		  "FAILED: python3 was killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more" },
		/* a pool of workers, of which the kernel killed some, and the script went on */
		{ "{'job': {'state': 'OUT_OF_MEMORY', 'start': '2026-11-21T08:00:00.000+00:00'}, 'used': {'oom_kills': 1}, 'steps': [{'id':"
		  " 'batch', 'exit_code': 0, 'signal': 0}], 'tools': [{'name': 'pool.py', 'runs': 1, 'forks': 4}], 'oom': [{'tool': 'pool.py',"
		  " 'limit_bytes': 8589934592, 'time': '2026-11-21T08:00:03.500+00:00'}]}",
		  "OUT OF MEMORY: 1 of 5 processes of pool.py was killed at the limit of 8.0 GiB at 00:00:03; the job "
		  "script still ended with 0. Next time: #SBATCH --mem=16G or more" },
		{ "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': 2}, 'steps': [{'id': 'batch', 'exit_code': 1, 'signal': 0}],"
		  " 'tools': [{'name': 'pool.py', 'runs': 1, 'forks': 4}], 'oom': [{'tool': 'pool.py', 'limit_bytes': 8589934592}, {'tool':"
		  " 'pool.py', 'limit_bytes': 8589934592}]}",
		  "OUT OF MEMORY: 2 of 5 processes of pool.py were killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more" },
		{ "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': 2}, 'tools': [{'name': 'pool.py', 'runs': 1, 'forks': 4}],"
		  " 'oom': [{'tool': 'pool.py', 'limit_bytes': 8589934592}, {'tool': 'R', 'limit_bytes': 8589934592}]}",
		  "OUT OF MEMORY: pool.py and 1 more were killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more" },
		{ "{'used': {'oom_kills': 1}, " VICTIM "}",
		  "COMPLETED in 1 min 40 s on 1 node, but python3 was killed at the limit of 8.0 GiB. Next time: #SBATCH "
		  "--mem=16G or more" },
	};

	(void)state;
	CHECK(endings);
}

#define LOST "'used': {'oom_kills': 1}, 'oom': [{'tool': 'python3', 'pid': 7, 'limit_bytes': 8589934592, 'time':" \
	" '2026-11-21T08:00:03.500+00:00'}]}"
#define ENDED_AS(state) "{'job': {'state': '" state "', 'start': '2026-11-21T08:00:00.000+00:00', 'elapsed_s': 3600}, "
#define WAS_LOST "; python3 was killed at the limit of 8.0 GiB at 00:00:03. Next time: #SBATCH --mem=16G or more"

/* It may have waited for what it had lost until Slurm ended it. */
static void memory_is_told_however_the_job_ended(void **state)
{
	static const struct ending endings[] = {
		{ ENDED_AS("TIMEOUT") "'progress': {'idle_tail_s': 3590}, " LOST, "TIMEOUT after 1 h: it had done nothing for 59 min 50 s" WAS_LOST },
		{ "{'job': {'state': 'TIMEOUT', 'start': '2026-11-21T08:00:00.000+00:00'}, " LOST,
		  "TIMEOUT after 1 min 40 s: it was working (on average 4.0 of 4 cores)" WAS_LOST },
		{ ENDED_AS("CANCELLED") "'progress': {'idle_tail_s': 3590}, " LOST,
		  "CANCELLED after 1 h: it had done nothing for 59 min 50 s" WAS_LOST },
		{ ENDED_AS("PREEMPTED") LOST, "PREEMPTED after 1 h: Slurm gave its nodes to another job" WAS_LOST },
		{ ENDED_AS("DEADLINE") LOST, "DEADLINE after 1 h: Slurm ended it at its deadline" WAS_LOST },
		{ ENDED_AS("RUNNING") "'so_far': true, 'complete': false, " LOST,
		  "RUNNING for 1 h on 1 node; python3 was killed at the limit of 8.0 GiB at 00:00:03" },
	};

	(void)state;
	CHECK(endings);
}

#define KILLED(count, victims) "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': " count "}, 'oom': [" victims "]}"
#define OF_KERNEL(kernel, more) "{'tool': 'a', 'limit_bytes': 1000, 'kernel_bytes': " kernel ", " more "}"

static void memory_names_what_of_the_kernels_reached_the_limit(void **state)
{
	static const struct ending endings[] = {
		{ KILLED("1", OF_KERNEL("499", "'page_table_bytes': 499")),
		  "OUT OF MEMORY: a was killed at the limit of 1000 B. Next time: srun --mem=64M or more" },
		{ KILLED("1", OF_KERNEL("500", "'page_table_bytes': 250, 'slab_bytes': 250, 'names_bytes': 250")),
		  "OUT OF MEMORY: a was killed at the limit of 1000 B: the kernel's memory for it (page tables) reached the limit. Next "
		  "time: srun --mem=64M or more" },
		{ KILLED("1", OF_KERNEL("500", "'page_table_bytes': 249, 'slab_bytes': 250, 'names_bytes': 25")),
		  "OUT OF MEMORY: a was killed at the limit of 1000 B: the kernel's memory for it (names and inodes of files) reached the "
		  "limit. Next time: srun --mem=64M or more" },
		{ KILLED("1", OF_KERNEL("500", "'page_table_bytes': 249, 'slab_bytes': 250, 'names_bytes': 24")),
		  "OUT OF MEMORY: a was killed at the limit of 1000 B: the kernel's memory for it (its small objects) reached the limit. "
		  "Next time: srun --mem=64M or more" },
		{ KILLED("1", OF_KERNEL("500", "'page_table_bytes': 249, 'slab_bytes': 249, 'names_bytes': 249")),
		  "OUT OF MEMORY: a was killed at the limit of 1000 B: the kernel's memory for it (stacks, sockets, page tables) reached "
		  "the limit. Next time: srun --mem=64M or more" },
		/* a step can have no more than its job */
		{ "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': 1}, 'oom': [{'tool': 'a', 'limit_bytes': 6442450944}]}",
		  "OUT OF MEMORY: a was killed at the limit of 6.0 GiB. Next time: srun --mem=8G" },
		/* an older record has no such numbers */
		{ KILLED("1", "{'tool': 'a', 'limit_bytes': 1000, 'rss_bytes': 3}"),
		  "OUT OF MEMORY: a was killed at the limit of 1000 B. Next time: srun --mem=64M or more" },
	};

	(void)state;
	CHECK(endings);
}

#define SCRIPT_KILLED(state, batch, victim) "{'job': {'state': '" state "', 'start': '2026-11-21T08:00:00.000+00:00', 'elapsed_s': 3600}," \
	" 'progress': {'idle_tail_s': 3590}, 'steps': [{'id': 'batch', 'tasks': [{'pid': 7}]" batch "}], 'used': {'oom_kills': 2}, 'oom': [" victim \
	", 'limit_bytes': 8589934592, 'time': '2026-11-21T08:00:03.500+00:00'}, {'tool': 'slurmstepd', 'slurm': true, 'limit_bytes': 8589934592}]}"
#define SCRIPT_PID "{'tool': 'x.sh', 'pid': 7, 'step': 'batch'"
#define TWO_LOST "; x.sh and 1 more (1 of them Slurm's own) were killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more"

static void a_job_whose_script_the_kernel_killed_was_dead_and_not_idle(void **state)
{
	static const struct ending endings[] = {
		{ SCRIPT_KILLED("TIMEOUT", "", SCRIPT_PID),
		  "TIMEOUT after 1 h: the kernel killed the job script at 00:00:03, and Slurm did not notice" TWO_LOST },
		{ SCRIPT_KILLED("CANCELLED", "", SCRIPT_PID),
		  "CANCELLED after 1 h: the kernel killed the job script at 00:00:03, and Slurm did not notice" TWO_LOST },
		{ SCRIPT_KILLED("RUNNING", "", SCRIPT_PID),
		  "RUNNING for 1 h on 1 node: the kernel killed the job script at 00:00:03, and Slurm has not noticed: scancel ends the job" TWO_LOST },
		/* Slurm noticed; another process; the same number in another step */
		{ SCRIPT_KILLED("TIMEOUT", ", 'exit_code': 0, 'signal': 9", SCRIPT_PID), "TIMEOUT after 1 h: it had done nothing for 59 min 50 s" TWO_LOST },
		{ SCRIPT_KILLED("TIMEOUT", "", "{'tool': 'x.sh', 'pid': 8, 'step': 'batch'"),
		  "TIMEOUT after 1 h: it had done nothing for 59 min 50 s" TWO_LOST },
		{ SCRIPT_KILLED("TIMEOUT", "", "{'tool': 'x.sh', 'pid': 7, 'step': '0'"), "TIMEOUT after 1 h: it had done nothing for 59 min 50 s" TWO_LOST },
	};

	(void)state;
	CHECK(endings);
}

#define FILLED(peak, kernel) "{'job': {'state': 'OUT_OF_MEMORY'}, 'lost': {'tools': 0}, 'used': {'oom_kills': 1, 'processes': 3, 'threads_peak': 2}," \
	" 'tools': [{'name': 'cp', 'slurm': false, 'runs': 3, 'forks': 0, 'peak_bytes': " peak "}, {'name': 'slurmstepd', 'slurm': true, 'runs': 0," \
	" 'forks': 0}, {'name': 'sleep', 'slurm': true, 'runs': 1, 'forks': 0}], 'oom': [{'tool': 'cp', 'limit_bytes': 157286400, 'kernel_bytes': " \
	kernel "}]}"

/* Two processes lived at once: 50 MiB is a third of the limit, and may be all of it. */
static void files_in_memory_are_told_if_no_process_can_have_had_most_of_the_limit(void **state)
{
	static const struct ending endings[] = {
		{ FILLED("5242880", "10485760"), "OUT OF MEMORY: 1 of 3 processes of cp was killed at the limit of 150.0 MiB: files in memory (/dev/shm and other tmpfs)"
						  " took about 130.0 MiB of that. Next time: srun --mem=320M or more" },
		{ FILLED("52428800", "0"), "OUT OF MEMORY: 1 of 3 processes of cp was killed at the limit of 150.0 MiB. Next time: srun --mem=320M or more" },
		{ FILLED("5242880", "null"), "OUT OF MEMORY: 1 of 3 processes of cp was killed at the limit of 150.0 MiB. Next time: srun --mem=320M or more" },
		{ FILLED("null", "0"), "OUT OF MEMORY: 1 of 3 processes of cp was killed at the limit of 150.0 MiB. Next time: srun --mem=320M or more" },
	};

	(void)state;
	CHECK(endings);
}

static void who_was_killed_along_is_not_who_was_chosen(void **state)
{
	static const struct ending endings[] = {
		{ KILLED("3", "{'tool': 'b', 'rss_bytes': 1, 'limit_bytes': 8589934592}, {'tool': 'a', 'rss_bytes': 9, 'along': true,"
			      " 'limit_bytes': 8589934592}, {'tool': 'a', 'along': true, 'limit_bytes': 8589934592}"),
		  "OUT OF MEMORY: b was killed at the limit of 8.0 GiB, and 2 others along with it. Next time: #SBATCH --mem=16G or more" },
		{ KILLED("2", "{'tool': 'b', 'limit_bytes': 8589934592}, {'tool': 'b', 'along': true, 'limit_bytes': 8589934592}"),
		  "OUT OF MEMORY: b was killed at the limit of 8.0 GiB, and 1 other along with it. Next time: #SBATCH --mem=16G or more" },
		{ KILLED("3", "{'tool': 'b', 'limit_bytes': 8589934592}, {'tool': 'b', 'along': true, 'limit_bytes': 8589934592},"
			      " {'tool': 'c', 'limit_bytes': 8589934592}"),
		  "OUT OF MEMORY: b and 1 more were killed at the limit of 8.0 GiB, and 1 other along with them. Next time: #SBATCH "
		  "--mem=16G or more" },
	};

	(void)state;
	CHECK(endings);
}

static void a_node_that_ran_out_is_not_the_jobs_limit(void **state)
{
	static const struct ending endings[] = {
		{ KILLED("1", "{'tool': 'a', 'limit_bytes': 8589934592, 'node_ran_out': true}"),
		  "OUT OF MEMORY: a was killed because the node ran out of memory" },
		{ KILLED("1", "{'tool': 'a', 'node_ran_out': true, 'kernel_bytes': 9, 'page_table_bytes': 9}"),
		  "OUT OF MEMORY: a was killed because the node ran out of memory" },
		/* first the node, then the job's own limit */
		{ KILLED("2", "{'tool': 'a', 'limit_bytes': 1, 'node_ran_out': true}, {'tool': 'b', 'limit_bytes': 8589934592}"),
		  "OUT OF MEMORY: b and 1 more were killed, 1 of them because the node ran out of memory. Next time: #SBATCH --mem=16G or more" },
	};

	(void)state;
	CHECK(endings);
}

#define FAILED(code) "{'job': {'state': 'FAILED', 'start': '2026-11-21T08:00:00.000+00:00', 'exit_code': " code "},"
#define BATCH " 'steps': [{'id': 'batch', 'elapsed_s': 100, 'tasks': [{'rank': 0, 'pid': 100, 'node': 'n1'}]}],"
#define ENTRY(tool, step, pid, ppid, end, rest) \
	"{'tool': '" tool "', 'node': 'n1', 'step': '" step "', 'pid': " pid ", 'ppid': " ppid \
	", 'start': '2026-11-21T08:00:00.100+00:00', 'end': '2026-11-21T08:00:" end "+00:00', " rest "}"
#define SCRIPT(rest) ENTRY("run.sh", "batch", "100", "99", "12.500", "'interpreter': 'bash', " rest)

#define OWN "; none of its programs failed: a command of the shell itself did, or exit gave the code"
#define UNBORN " 'progress': {'steps_without_processes': ['batch']}, 'timeline': []}"

static void a_script_that_never_ran_did_not_end(void **state)
{
	static const struct ending endings[] = {
		{ FAILED("2") BATCH UNBORN,
		  "FAILED: Slurm could not start the job script: no such file (exit code 2): see the interpreter in its "
		  "first line" },
		{ FAILED("13") BATCH UNBORN,
		  "FAILED: Slurm could not start the job script: permission denied (exit code 13): see the interpreter in "
		  "its first line" },
		/* of a prolog's or a plugin's */
		{ FAILED("1") BATCH UNBORN, "FAILED: the job script ended with exit code 1" },
		{ FAILED("255") BATCH UNBORN, "FAILED: the job script ended with exit code 255" },
		/* another step was empty */
		{ FAILED("2") BATCH " 'progress': {'steps_without_processes': ['0']}, 'timeline': []}",
		  "FAILED: the job script ended with exit code 2" },
	};

	(void)state;
	CHECK(endings);
}

static void a_failure_names_the_process_whose_exit_code_the_job_has(void **state)
{
	static const struct ending endings[] = {
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("python3", "batch", "102", "100", "12.400", "'exit_code': 1") "]}",
		  "FAILED: python3 (pid 102) ended with exit code 1 at 00:00:12, and the job script with it" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 2, 'work_dir': '/home/u/run', 'std_out': '/home/u/run/logs/7.out'}," BATCH
		  " 'timeline': []}",
		  "FAILED: the job script ended with exit code 2. Its output: logs/7.out" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 2, 'work_dir': '/home/u/run', 'std_out': '/home/u/run2/7.out'}," BATCH
		  " 'timeline': []}",
		  "FAILED: the job script ended with exit code 2. Its output: /home/u/run2/7.out" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 2, 'std_out': '/dev/null'}," BATCH " 'timeline': []}",
		  "FAILED: the job script ended with exit code 2" },
		/* Slurm's start is rounded down: nothing ended after the job */
		{ "{'job': {'state': 'FAILED', 'start': '2026-11-21T08:00:00.000+00:00', 'exit_code': 1, 'elapsed_s': 11.4}," BATCH
		  "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("python3", "batch", "102", "100", "12.400", "'exit_code': 1") "]}",
		  "FAILED: python3 (pid 102) ended with exit code 1 at 00:00:11, and the job script with it" },
		/* through a shell of its own, and not a grep that found nothing */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("grep", "batch", "101", "100", "03.000", "'exit_code': 1") ","
		  ENTRY("bash", "batch", "102", "100", "12.400", "'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "102", "11.000", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11, and the job script ended 2 s later" },
		/* a worker of a pool: the last that failed before, and not one that the program ended, nor a shell's */
#define POOL(worker) FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") "," \
		ENTRY("p.py", "batch", "101", "100", "12.400", "'exit_code': 1, 'wall_s': 12") "," \
		ENTRY("p.py", "batch", "102", "101", "03.000", "'forked': true, 'exit_code': 4, 'wall_s': 2.5") "," worker "]}"
		{ POOL(ENTRY("p.py", "batch", "103", "101", "04.000", "'forked': true, 'exit_code': 3, 'wall_s': 1.1")),
		  "FAILED: p.py (pid 101) ended with exit code 1 at 00:00:12, and the job script with it; a process that it had forked (pid "
		  "103) had ended with exit code 3 at 00:00:04" },
		{ POOL(ENTRY("p.py", "batch", "103", "101", "04.000", "'forked': true, 'exit_code': 0, 'signal': 25")),
		  "FAILED: p.py (pid 101) ended with exit code 1 at 00:00:12, and the job script with it; a process that it had forked (pid "
		  "103) had been killed by signal 25 SIGXFSZ at 00:00:04 (a file grew beyond the limit: ulimit -f)" },
		{ POOL(ENTRY("p.py", "batch", "103", "101", "12.300", "'forked': true, 'dismissed': true, 'exit_code': 0, 'signal': 15")),
		  "FAILED: p.py (pid 101) ended with exit code 1 at 00:00:12, and the job script with it; a process that it had forked (pid "
		  "102) had ended with exit code 4 at 00:00:03" },
		/* it found no program to execute */
		{ POOL(ENTRY("p.py", "batch", "103", "101", "12.300", "'forked': true, 'exit_code': 255, 'wall_s': 0.003")),
		  "FAILED: p.py (pid 101) ended with exit code 1 at 00:00:12, and the job script with it; a process that it had forked (pid "
		  "102) had ended with exit code 4 at 00:00:03" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1, 'wall_s': 12.4") ","
		  ENTRY("run.sh", "batch", "101", "100", "04.000", "'interpreter': 'bash', 'forked': true, 'wall_s': 2, 'exit_code': 3") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12" },
		/* a limit that the shell or the site set */
		{ FAILED("153") BATCH "'timeline': [" SCRIPT("'exit_code': 153") ","
		  ENTRY("sort", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 25") "]}",
		  "FAILED: sort (pid 101) was killed by signal 25 SIGXFSZ at 00:00:12 (a file grew beyond the limit: ulimit -f), and the "
		  "job script with it" },
		{ FAILED("152") BATCH "'timeline': [" SCRIPT("'exit_code': 152") ","
		  ENTRY("sort", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 24") "]}",
		  "FAILED: sort (pid 101) was killed by signal 24 SIGXCPU at 00:00:12 (it reached the limit of CPU time: ulimit -t), and the "
		  "job script with it" },
		{ FAILED("159") BATCH "'timeline': [" SCRIPT("'exit_code': 159") ","
		  ENTRY("sort", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 31") "]}",
		  "FAILED: sort (pid 101) was killed by signal 31 SIGSYS at 00:00:12 (a filter forbids a system call: seccomp), and the job "
		  "script with it" },
		{ FAILED("135") BATCH "'timeline': [" SCRIPT("'exit_code': 135") ","
		  ENTRY("sort", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 7") "]}",
		  "FAILED: sort (pid 101) was killed by signal 7 SIGBUS at 00:00:12 (it crashed: a bug, or a mapped file cut short or without "
		  "room, as in a full /dev/shm), and the job script with it" },
		/* a shell reports a signal as an exit code */
		{ FAILED("139") BATCH "'timeline': [" SCRIPT("'exit_code': 139") ","
		  ENTRY("solve", "batch", "102", "100", "12.400", "'exit_code': 0, 'signal': 11") "]}",
		  "FAILED: solve (pid 102) was killed by signal 11 SIGSEGV at 00:00:12 (it crashed: a bug or bad input), and the job script with it" },
		{ FAILED("134") BATCH "'timeline': [" SCRIPT("'exit_code': 134") ","
		  ENTRY("solve", "batch", "102", "100", "12.400", "'exit_code': 0, 'signal': 6") "]}",
		  "FAILED: solve (pid 102) was killed by signal 6 SIGABRT at 00:00:12 (it gave up by itself: abort), and the job script with it" },
		/* in one millisecond: the last one, by the nanosecond, and not what outlived the script */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1, 'end_unix_ns': 1795248012500500000") ","
		  ENTRY("after", "batch", "101", "100", "12.500", "'exit_code': 1, 'end_unix_ns': 1795248012500500001") ","
		  ENTRY("last", "batch", "102", "100", "12.500", "'exit_code': 1, 'end_unix_ns': 1795248012500499999") ","
		  ENTRY("first", "batch", "103", "100", "12.500", "'exit_code': 1, 'end_unix_ns': 1795248012500499998") "]}",
		  "FAILED: last (pid 102) ended with exit code 1 at 00:00:12, and the job script with it" },
		/* "grep x y; exec solve": a child of the image before */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "102", "100", "12.400", "'exit_code': 1, 'wall_s': 2.4") ","
		  ENTRY("grep", "batch", "103", "102", "09.900", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 102) ended with exit code 1 at 00:00:12, and the job script with it" },
		/* what failed otherwise did not end it */
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("grep", "batch", "101", "100", "12.400", "'exit_code': 1") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12" },
		/* exit 127, or a pid that it waits for in vain */
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") "]}",
		  "FAILED: the job script ended with exit code 127 at 00:00:12" OWN },
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("run.sh", "batch", "101", "100", "12.400", "'interpreter': 'bash', 'exit_code': 0, 'forked': true") "]}",
		  "FAILED: the job script ended with exit code 127 at 00:00:12" OWN },
		/* [ -f x ] && cp x y */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "101", "100", "12.400", "'exit_code': 0") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12" OWN },
		/* Python is no shell */
		{ FAILED("1") BATCH "'timeline': [" ENTRY("run.py", "batch", "100", "99", "12.500", "'interpreter': 'python3', 'exit_code': 1") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12" },
		/* sh -c nosuch */
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("sh", "batch", "101", "100", "12.400", "'exit_code': 127") "]}",
		  "FAILED: sh (pid 101) ended with exit code 127 at 00:00:12 (the shell did not find the command, or the interpreter in its first "
		  "line), and the job script with it" },
		/* what such a code means elsewhere is not known */
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("fit.py", "batch", "101", "100", "12.400", "'interpreter': 'python3', 'exit_code': 127") "]}",
		  "FAILED: fit.py (pid 101) ended with exit code 127 at 00:00:12, and the job script with it" },
		{ FAILED("127") BATCH "'timeline': []}", "FAILED: the job script ended with exit code 127" },
		/* the script continued, and with what; not with what it had begun before */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "11.000", "'exit_code': 1") ","
		  ENTRY("md5sum", "batch", "104", "100", "12.400", "'exit_code': 0, 'wall_s': 1") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11; the job script went on to md5sum, and ended with the same "
		  "exit code 2 s later" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "12.000", "'exit_code': 1") ","
		  ENTRY("md5sum", "batch", "104", "100", "12.400", "'exit_code': 0, 'wall_s': 0.3") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:12; the job script went on to md5sum, and ended with the same "
		  "exit code" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "11.000", "'exit_code': 1") ","
		  ENTRY("md5sum", "batch", "104", "100", "12.400", "'exit_code': 0, 'wall_s': 2") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11, and the job script ended 2 s later" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "11.500", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11, and the job script ended 1 s later" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "11.501", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11, and the job script with it" },
		/* "solve || exit 3", within a subshell, too, and what it ran before said nothing */
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("solve", "batch", "103", "100", "11.000", "'exit_code': 1") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12; before that, solve (pid 103) had ended with exit code 1 at 00:00:11" },
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("run.sh", "batch", "102", "100", "12.400", "'interpreter': 'bash', 'forked': true, 'exit_code': 3") ","
		  ENTRY("solve", "batch", "103", "102", "12.300", "'exit_code': 0, 'signal': 11") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12; before that, solve (pid 103) had been killed by signal 11 SIGSEGV "
		  "at 00:00:12 (it crashed: a bug or bad input)" },
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("solve", "batch", "103", "100", "11.000", "'exit_code': 1") ","
		  ENTRY("sleep", "batch", "104", "100", "12.000", "'exit_code': 0") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12" },
		{ FAILED("9") BATCH "'timeline': [" SCRIPT("'exit_code': 9") ","
		  ENTRY("bash", "batch", "102", "100", "12.400", "'exit_code': 9") ","
		  ENTRY("solve", "batch", "103", "102", "12.300", "'exit_code': 7") "]}",
		  "FAILED: bash (pid 102) ended with exit code 9 at 00:00:12, and the job script with it; before that, solve (pid 103) had ended "
		  "with exit code 7 at 00:00:12" },
		/* "./step.sh || exit 1": what failed in that, unless it may have answered */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("step.sh", "batch", "102", "100", "12.400", "'interpreter': 'bash', 'exit_code': 4") ","
		  ENTRY("solve", "batch", "103", "102", "12.300", "'exit_code': 4") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12; before that, solve (pid 103) had ended with exit code 4 at 00:00:12" },
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("step.sh", "batch", "102", "100", "12.400", "'interpreter': 'bash', 'exit_code': 1") ","
		  ENTRY("grep", "batch", "103", "102", "12.300", "'exit_code': 1") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12; before that, step.sh (pid 102) had ended with exit code 1 at 00:00:12" },
		/* if gen.py | grep -q x; then ...; else exit 4; fi */
		{ FAILED("4") BATCH "'timeline': [" SCRIPT("'exit_code': 4") ","
		  ENTRY("gen.py", "batch", "102", "100", "12.400", "'interpreter': 'python3', 'exit_code': 1, 'unread': true") ","
		  ENTRY("grep", "batch", "103", "100", "12.300", "'exit_code': 0") "]}",
		  "FAILED: the job script ended with exit code 4 at 00:00:12; before that, gen.py (pid 102) had ended with exit code 1 at 00:00:12 "
		  "(what read its output had ended before)" },
		/* "grep -q x y; solve || exit 1": grep answered */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("grep", "batch", "102", "100", "10.000", "'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "12.000", "'exit_code': 7, 'wall_s': 1") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12; before that, solve (pid 103) had ended with exit code 7 at 00:00:12" },
		/* an engine has a code of its own for that: what failed first is the cause, unless it may have been asked something */
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("make", "batch", "101", "100", "12.400", "'exit_code': 2") ","
		  ENTRY("which", "batch", "102", "101", "01.000", "'exit_code': 1") ","
		  ENTRY("bash", "batch", "103", "101", "12.300", "'exit_code': 1") ","
		  ENTRY("solve", "batch", "104", "103", "12.200", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 104) ended with exit code 1 at 00:00:12; make failed because of it, and the job script with it" },
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("make", "batch", "101", "100", "12.400", "'exit_code': 2") ","
		  ENTRY("which", "batch", "102", "101", "01.000", "'exit_code': 1") "]}",
		  "FAILED: make (pid 101) ended with exit code 2 at 00:00:12, and the job script with it" },
		/* a child that ended with the engine's code by chance */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("parallel", "batch", "101", "100", "12.400", "'exit_code': 1") ","
		  ENTRY("false", "batch", "102", "101", "12.100", "'exit_code': 1") ","
		  ENTRY("sh", "batch", "104", "101", "01.100", "'exit_code': 2") ","
		  ENTRY("bash", "batch", "103", "101", "12.300", "'exit_code': 3") "]}",
		  "FAILED: bash (pid 103) ended with exit code 3 at 00:00:12; parallel failed because of it, and the job script with it" },
		/* the shell's fork that found no such command is no process to look for; what a subshell ran is */
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("run.sh", "batch", "101", "100", "12.400", "'interpreter': 'bash', 'exit_code': 127, 'forked': true") "]}",
		  "FAILED: the job script ended with exit code 127 at 00:00:12 (the shell did not find the command, or the interpreter in its "
		  "first line)" },
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("run.sh", "batch", "101", "100", "12.400", "'exit_code': 2, 'forked': true") ","
		  ENTRY("solve", "batch", "102", "101", "11.000", "'exit_code': 2") "]}",
		  "FAILED: solve (pid 102) ended with exit code 2 at 00:00:11, and the job script ended 2 s later" },
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("align.sh", "batch", "101", "100", "12.400", "'interpreter': 'sh', 'exit_code': 127") ","
		  ENTRY("align.sh", "batch", "102", "101", "12.300", "'interpreter': 'sh', 'exit_code': 127, 'forked': true") "]}",
		  "FAILED: align.sh (pid 101) ended with exit code 127 at 00:00:12 (the shell did not find the command, or the interpreter in "
		  "its first line), and the job script with it" },
		/* ended as its parent wanted it to */
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("helper", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 15, 'dismissed': true") "]}",
		  "FAILED: the job script ended with exit code 143 at 00:00:12 (that of helper, which a process above it had ended: kill and wait)" },
		/* another process ended like that */
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("helper", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 9, 'dismissed': true") "]}",
		  "FAILED: the job script ended with exit code 143 at 00:00:12" },
		/* "solve | head" under "set -o pipefail" */
		{ FAILED("141") BATCH "'timeline': [" SCRIPT("'exit_code': 141") ","
		  ENTRY("solve", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 13, 'dismissed': true") "]}",
		  "FAILED: solve (pid 101) was killed by signal 13 SIGPIPE at 00:00:12 (nothing read its output any more), and the job "
		  "script with it ('set -o pipefail')" },
		/* "solve > >(head)" without it */
		{ FAILED("141") BATCH "'timeline': [" SCRIPT("'exit_code': 141") ","
		  ENTRY("solve", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 13, 'dismissed': true, 'no_pipe': true") "]}",
		  "FAILED: solve (pid 101) was killed by signal 13 SIGPIPE at 00:00:12 (nothing read its output any more), and the job "
		  "script with it" },
		/* "gen.py | head" under "set -o pipefail" */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("gen.py", "batch", "101", "100", "12.400", "'exit_code': 1, 'unread': true") "]}",
		  "FAILED: gen.py (pid 101) ended with exit code 1 at 00:00:12 (what read its output had ended before), and the job script with "
		  "it ('set -o pipefail')" },
		/* a process of the same pid, of another node's step */
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("solve", "0", "101", "100", "12.400", "'exit_code': 2") "]}",
		  "FAILED: the job script ended with exit code 2 at 00:00:12" },
		/* through srun: the first task that failed */
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 2") ","
		  ENTRY("solve", "0", "202", "200", "12.000", "'exit_code': 2") ","
		  ENTRY("solve", "0", "201", "200", "11.000", "'exit_code': 2") "]}",
		  "FAILED: solve (pid 201) ended with exit code 2 at 00:00:11, and the job script ended 2 s later" },
		/* a job without a script */
		{ FAILED("2") "'timeline': [" ENTRY("solve", "0", "201", "200", "11.000", "'exit_code': 2") "],"
		  " 'steps': [{'id': '0', 'elapsed_s': 100}]}",
		  "FAILED: solve (pid 201) ended with exit code 2 at 00:00:11, and the job with it" },
		{ FAILED("2") " 'steps': []}", "FAILED: the job ended with exit code 2" },
		/* a process that lived on */
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("solve", "batch", "101", "100", "13.000", "'exit_code': 2") "]}",
		  "FAILED: the job script ended with exit code 2 at 00:00:12" },
		/* processes that are each other's parents */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("a", "batch", "101", "100", "12.400", "'exit_code': 1") ","
		  ENTRY("b", "batch", "100", "101", "12.300", "'exit_code': 1") "]}",
		  "FAILED: b (pid 100) ended with exit code 1 at 00:00:12, and the job script with it" },
		{ "{'job': {'state': 'FAILED', 'signal': 9}, 'steps': []}", "FAILED: the job was killed by signal 9 SIGKILL" },
		/* srun ended the others when one had failed: the code is theirs, the failure that one's */
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 143") ","
		  ENTRY("solve", "0", "201", "200", "12.100", "'exit_code': 0, 'signal': 15") ","
		  ENTRY("solve", "0", "202", "200", "12.000", "'exit_code': 0, 'signal': 11") ","
		  ENTRY("solve", "0", "203", "200", "12.150", "'exit_code': 9") ","
		  ENTRY("grep", "0", "204", "203", "11.000", "'exit_code': 1") ","
		  ENTRY("solve", "1", "205", "200", "11.500", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 202) was killed by signal 11 SIGSEGV at 00:00:12 (it crashed: a bug or bad input), and the job script with it" },
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 143") ","
		  ENTRY("solve", "0", "201", "200", "12.100", "'exit_code': 0, 'signal': 15") ","
		  ENTRY("rank.sh", "0", "202", "200", "12.000", "'exit_code': 3") ","
		  ENTRY("input", "0", "203", "202", "11.900", "'exit_code': 3") "]}",
		  "FAILED: input (pid 203) ended with exit code 3 at 00:00:11, and the job script with it" },
		/* on another node: the tasks have no parent there but slurmstepd */
#define ON(node, pid, ppid, end, how) "{'tool': 'solve', 'node': '" node "', 'step': '0', 'pid': " pid ", 'ppid': " ppid ", 'end': '2026-11-21T08:00:" end "+00:00', " how "}"
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 143") ","
		  ON("n1", "201", "200", "12.100", "'exit_code': 0, 'signal': 15") "," ON("n2", "202", "199", "12.000", "'exit_code': 6") ","
		  ON("n2", "203", "202", "11.000", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 202) ended with exit code 6 at 00:00:12, and the job script with it" },
		/* a process that failed below a task is not a task, and tasks that failed later were ended */
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 143") ","
		  ON("n1", "201", "200", "12.100", "'exit_code': 0, 'signal': 15") "," ON("n2", "202", "199", "12.300", "'exit_code': 6") ","
		  ON("n2", "203", "202", "11.000", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 201) was killed by signal 15 SIGTERM at 00:00:12, and the job script with it" },
		{ "{'job': {'state': 'FAILED', 'reason': 'JobLaunchFailure', 'signal': 53, 'std_out': '/no/1.out'}}",
		  "FAILED: Slurm could not start it: see whether the directory of its output exists, and is writable. Its output: "
		  "/no/1.out" },
		{ "{'job': {'state': 'FAILED', 'signal': 53, 'std_out': '/no/1.out'}, 'used': {'processes': 0}}",
		  "FAILED: Slurm could not start it: see whether the directory of its output exists, and is writable. Its output: "
		  "/no/1.out" },
		{ "{'job': {'state': 'FAILED', 'reason': 'JobLaunchFailure', 'exit_code': 0}}",
		  "FAILED after 1 min 40 s: Slurm's reason is JobLaunchFailure" },
	};

	(void)state;
	CHECK(endings);
}

static void a_table_says_it_in_a_few_words(void **state)
{
	static const struct {
		const char *sentence;
		int code, signal;
		const char *words;
	} jobs[] = {
		{ "FAILED: Slurm could not start it: see whether the directory of its output exists, and is writable", 0, 53, "not started" },
		{ "FAILED: Slurm could not start the job script: no such file (exit code 2): see the interpreter in its first line", 2, 0, "not started" },
		{ "FAILED: the job was killed by signal 53", 0, 53, "signal 53" },
		{ "FAILED: run.sh (pid 1) ended with exit code 127 (the shell did not find the command)", 127, 0, "command not found" },
		{ "FAILED: run.sh (pid 1) ended with exit code 127 (the shell did not find the command, or the interpreter in its first line)",
		  127, 0, "command not found" },
		{ "FAILED: the job script ended with exit code 127", 127, 0, "exit 127" },
		{ NULL, 3, 0, "exit 3" },
	};
	char text[OUTCOME_SHORT];

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		assert_string_equal(outcome_short("FAILED", jobs[i].sentence, jobs[i].code, jobs[i].signal, text), jobs[i].words);
}

/* Nothing else in a list says that a running job is dead. */
static void a_table_says_that_a_job_is_dead(void **state)
{
	static const struct {
		const char *state, *patch, *words;
	} jobs[] = {
		{ "RUNNING", SCRIPT_KILLED("RUNNING", "", SCRIPT_PID), "job script killed, and Slurm has not noticed" },
		{ "TIMEOUT", SCRIPT_KILLED("TIMEOUT", "", SCRIPT_PID), "job script killed, and Slurm did not notice" },
		{ "CANCELLED", SCRIPT_KILLED("CANCELLED", "", SCRIPT_PID), "job script killed, and Slurm did not notice" },
		{ "TIMEOUT", SCRIPT_KILLED("TIMEOUT", ", 'exit_code': 0, 'signal': 9", SCRIPT_PID), NULL },
		{ "RUNNING", "{'job': {'state': 'RUNNING'}}", NULL },
	};
	char text[OUTCOME_SHORT];

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		cleanup_json struct json_object *report = case_report(jobs[i].patch);
		const char *words;

		judge(report, NULL);
		words = outcome_short(jobs[i].state, field_text(report, "verdict.outcome"), -1, -1, text);
		if (!words || !jobs[i].words)
			assert_true(words == jobs[i].words);
		else
			assert_string_equal(words, jobs[i].words);
	}
}

#define ON_TWO(...) "{'allocated': {'nodes': 2}, 'job': {'state': " __VA_ARGS__
#define ON_N2 "'node': 'n2', 'tool': 'solve'"

/* One node need not be named. */
static void of_several_nodes_the_one_is_named_on_which_it_failed(void **state)
{
	static const struct ending endings[] = {
		{ ON_TWO("'FAILED', 'exit_code': 2}, 'steps': [{'id': '0', 'elapsed_s': 100}], 'timeline': [{" ON_N2 ", 'step': '0', 'pid': 201,"
			 " 'ppid': 200, 'end': '2026-11-21T08:00:11.000+00:00', 'exit_code': 2}]}"),
		  "FAILED: solve (pid 201 on n2) ended with exit code 2, and the job with it" },
		{ ON_TWO("'OUT_OF_MEMORY'}, 'used': {'oom_kills': 1}, 'oom': [{" ON_N2 ", 'limit_bytes': 8589934592}]}"),
		  "OUT OF MEMORY: solve was killed at the limit of 8.0 GiB on n2. Next time: #SBATCH --mem=16G or more" },
		{ ON_TWO("'OUT_OF_MEMORY'}, 'used': {'oom_kills': 2}, 'oom': [{" ON_N2 ", 'limit_bytes': 8589934592}, {'node': 'n1', 'tool':"
			 " 'solve', 'limit_bytes': 8589934592}]}"),
		  "OUT OF MEMORY: solve and 1 more were killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more" },
		{ ON_TWO("'COMPLETED'}, 'steps': [{'id': 'batch'}, {'id': '0', 'exit_code': 2, 'signal': 0}], 'timeline': [{" ON_N2
			 ", 'step': '0', 'end': '2026-11-21T08:00:11.000+00:00', 'exit_code': 2}]}"),
		  "COMPLETED in 1 min 40 s on 2 nodes, but solve failed on n2 (exit code 2)" },
		{ ON_TWO("'COMPLETED'}, 'timeline': [{" ON_N2 ", 'step': '0', 'pid': 7, 'ppid': 1, 'end': '2026-11-21T08:00:11.000+00:00',"
			 " 'exit_code': 0, 'signal': 0}, {" ON_N2 ", 'step': '0', 'pid': 8, 'ppid': 7, 'forked': true, 'end':"
			 " '2026-11-21T08:00:10.000+00:00', 'exit_code': 0, 'signal': 9}]}"),
		  "COMPLETED in 1 min 40 s on 2 nodes, but a process that solve had forked (pid 8 on n2) was killed by signal 9 SIGKILL" },
	};

	(void)state;
	CHECK(endings);
}

#define TIMEOUT(code, how, end, child) FAILED(code) BATCH "'timeline': [" SCRIPT("'exit_code': " code) "," \
	ENTRY("timeout", "batch", "101", "100", "12.400", how) "," ENTRY("solve", "batch", "102", "101", end, child) "]}"

/* With -k and -s KILL, timeout ends itself, too. The process that it ended may live a moment longer. */
static void whose_time_was_up_is_named_and_not_timeout(void **state)
{
	static const struct ending endings[] = {
		{ TIMEOUT("124", "'exit_code': 124", "12.390", "'exit_code': 0, 'signal': 15, 'dismissed': true"),
		  "FAILED: solve (pid 102) was ended by timeout at 00:00:12 (its time was up: exit code 124), and the job script with it" },
		{ TIMEOUT("137", "'exit_code': 0, 'signal': 9", "12.410", "'exit_code': 0, 'signal': 9, 'dismissed': true"),
		  "FAILED: solve (pid 102) was ended by timeout at 00:00:12 (its time was up: exit code 137), and the job script with it" },
		/* it ended in good order */
		{ TIMEOUT("124", "'exit_code': 124", "12.390", "'exit_code': 0"),
		  "FAILED: solve (pid 102) was ended by timeout at 00:00:12 (its time was up: exit code 124), and the job script with it" },
		/* something else ended it, or it had a code of its own */
		{ TIMEOUT("137", "'exit_code': 0, 'signal': 9", "12.390", "'exit_code': 0, 'signal': 9"),
		  "FAILED: solve (pid 102) was killed by signal 9 SIGKILL at 00:00:12, and the job script with it" },
		{ TIMEOUT("124", "'exit_code': 124", "12.390", "'exit_code': 124"),
		  "FAILED: solve (pid 102) ended with exit code 124 at 00:00:12, and the job script with it" },
		{ TIMEOUT("143", "'exit_code': 143", "12.390", "'exit_code': 0, 'signal': 15, 'dismissed': true"),
		  "FAILED: timeout (pid 101) ended with exit code 143 at 00:00:12, and the job script with it" },
	};

	(void)state;
	CHECK(endings);
}

#define MPI(mpirun, code, entries) FAILED(code) BATCH "'timeline': [" SCRIPT("'exit_code': " code) "," \
	ENTRY(mpirun, "batch", "101", "100", "12.400", "'exit_code': " code) entries "]}"
#define SRUN(code) "," ENTRY("srun", "batch", "102", "101", "12.300", "'exit_code': " code)
#define DAEMON(name, pid, ppid, code) "," ENTRY(name, "0", pid, ppid, "12.200", "'exit_code': " code)
#define RANK(pid, ppid, end, how) "," ENTRY("solve", "0", pid, ppid, end, how)
#define WITH_IT ", and the job script with it"

/* Its daemons are srun's tasks, and end with 0 or with any code, whatever the ranks did. */
static void below_mpirun_it_is_the_rank_that_failed_first(void **state)
{
	static const struct ending endings[] = {
		{ MPI("mpirun", "7", SRUN("0") DAEMON("orted", "201", "200", "0") RANK("202", "201", "12.100", "'exit_code': 7")
		  RANK("203", "201", "12.000", "'exit_code': 7") RANK("204", "201", "12.050", "'exit_code': 0, 'signal': 15, 'dismissed': true")),
		  "FAILED: solve (pid 203) ended with exit code 7 at 00:00:12" WITH_IT },
		{ MPI("mpiexec", "139", SRUN("0") DAEMON("prted", "201", "200", "0") RANK("202", "201", "12.100", "'exit_code': 0, 'signal': 11")),
		  "FAILED: solve (pid 202) was killed by signal 11 SIGSEGV at 00:00:12 (it crashed: a bug or bad input)" WITH_IT },
		/* its own children, without a daemon */
		{ MPI("mpirun", "7", "," ENTRY("solve", "batch", "102", "101", "12.100", "'exit_code': 7") ","
		  ENTRY("solve", "batch", "103", "101", "12.000", "'exit_code': 7")),
		  "FAILED: solve (pid 103) ended with exit code 7 at 00:00:12" WITH_IT },
		/* a code of its own, of which its daemons have parts */
		{ MPI("mpiexec.hydra", "255", SRUN("7") DAEMON("hydra_pmi_proxy", "201", "200", "7")
		  DAEMON("hydra_pmi_proxy", "301", "300", "0") RANK("302", "301", "12.100", "'exit_code': 0, 'signal': 11")),
		  "FAILED: solve (pid 302) was killed by signal 11 SIGSEGV at 00:00:12 (it crashed: a bug or bad input); mpiexec.hydra failed "
		  "because of it" WITH_IT },
		/* through a rank's shell */
		{ MPI("mpirun", "7", DAEMON("orted", "201", "200", "0") "," ENTRY("rank.sh", "0", "202", "201", "12.100", "'interpreter': 'sh',"
		  " 'exit_code': 7") "," ENTRY("input", "0", "203", "202", "12.050", "'exit_code': 7")),
		  "FAILED: input (pid 203) ended with exit code 7 at 00:00:12" WITH_IT },
		/* a process below a rank that did not fail, and one of another time */
		{ MPI("mpirun", "7", DAEMON("orted", "201", "200", "0") RANK("202", "201", "12.100", "'exit_code': 0") ","
		  ENTRY("grep", "0", "203", "202", "12.050", "'exit_code': 7")),
		  "FAILED: mpirun (pid 101) ended with exit code 7 at 00:00:12" WITH_IT },
		{ MPI("mpirun", "7", DAEMON("orted", "201", "200", "0") RANK("202", "201", "12.450", "'exit_code': 7")),
		  "FAILED: mpirun (pid 101) ended with exit code 7 at 00:00:12" WITH_IT },
		/* it is not known which of the two it belongs to */
		{ MPI("mpirun", "7", "," ENTRY("mpirun", "batch", "105", "100", "12.300", "'exit_code': 0") DAEMON("orted", "201", "200", "0")
		  RANK("202", "201", "12.100", "'exit_code': 7")),
		  "FAILED: mpirun (pid 101) ended with exit code 7 at 00:00:12" WITH_IT },
	};

	(void)state;
	CHECK(endings);
}

static void a_report_keeps_its_sentence_and_an_older_one_gets_it(void **state)
{
	cleanup_report struct report *older = case_model("{'job': {'state': 'FAILED', 'exit_code': 3}}");
	cleanup_report struct report *of_its_own = case_model("{'verdict': {'outcome': 'FAILED: so'}}");
	char text[OUTCOME_TEXT];

	(void)state;
	assert_string_equal(outcome_of_report(older, text), "FAILED: the job script ended with exit code 3");
	assert_string_equal(outcome_of_report(of_its_own, text), "FAILED: so");
}

static void long_names_are_cut_at_whole_characters(void **state)
{
	char patch[1024] = "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': 1}, 'oom': [{'limit_bytes': 1024, 'tool': 'x";
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (int i = 0; i < 100; i++)
		strcat(patch, "\xc3\xa4");
	report = case_report(strcat(patch, "'}]}"));
	judge(report, NULL);
	assert_non_null(strstr(field_text(report, "verdict.outcome"), "\xc3\xa4... was killed at the limit of 1.0 KiB"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_state_has_its_sentence),
		cmocka_unit_test(a_step_that_reached_its_own_time_limit_is_named),
		cmocka_unit_test(who_was_ended_from_outside_was_busy_or_not),
		cmocka_unit_test(silence_is_explained),
		cmocka_unit_test(memory_names_the_victim_the_limit_and_what_to_write),
		cmocka_unit_test(memory_is_told_however_the_job_ended),
		cmocka_unit_test(memory_names_what_of_the_kernels_reached_the_limit),
		cmocka_unit_test(a_job_whose_script_the_kernel_killed_was_dead_and_not_idle),
		cmocka_unit_test(files_in_memory_are_told_if_no_process_can_have_had_most_of_the_limit),
		cmocka_unit_test(who_was_killed_along_is_not_who_was_chosen),
		cmocka_unit_test(a_node_that_ran_out_is_not_the_jobs_limit),
		cmocka_unit_test(a_script_that_never_ran_did_not_end),
		cmocka_unit_test(a_failure_names_the_process_whose_exit_code_the_job_has),
		cmocka_unit_test(a_table_says_it_in_a_few_words),
		cmocka_unit_test(a_table_says_that_a_job_is_dead),
		cmocka_unit_test(of_several_nodes_the_one_is_named_on_which_it_failed),
		cmocka_unit_test(whose_time_was_up_is_named_and_not_timeout),
		cmocka_unit_test(below_mpirun_it_is_the_rank_that_failed_first),
		cmocka_unit_test(a_report_keeps_its_sentence_and_an_older_one_gets_it),
		cmocka_unit_test(long_names_are_cut_at_whole_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the sentence of a job with processes killed for memory: whom, at which limit, and what to ask for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/outcome_case.h"

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
		/* the kernel killed some workers of a pool, and the script went on */
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
		/* Slurm noticed; another process; the same pid in another step */
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
		/* first the node ran out, then the job's own limit was reached */
		{ KILLED("2", "{'tool': 'a', 'limit_bytes': 1, 'node_ran_out': true}, {'tool': 'b', 'limit_bytes': 8589934592}"),
		  "OUT OF MEMORY: b and 1 more were killed, 1 of them because the node ran out of memory. Next time: #SBATCH --mem=16G or more" },
	};

	(void)state;
	CHECK(endings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_names_the_victim_the_limit_and_what_to_write),
		cmocka_unit_test(memory_is_told_however_the_job_ended),
		cmocka_unit_test(memory_names_what_of_the_kernels_reached_the_limit),
		cmocka_unit_test(a_job_whose_script_the_kernel_killed_was_dead_and_not_idle),
		cmocka_unit_test(files_in_memory_are_told_if_no_process_can_have_had_most_of_the_limit),
		cmocka_unit_test(who_was_killed_along_is_not_who_was_chosen),
		cmocka_unit_test(a_node_that_ran_out_is_not_the_jobs_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

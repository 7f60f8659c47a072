/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does work of a known kind, which counts itself. Without arguments, lists the kinds.
 *
 *   workload WORK ARGUMENT...
 *
 * Copies of it under other names are other tools.
 */
#include <stdio.h>
#include <string.h>

#include "tests/system/workload/count.h"
#include "tests/system/workload/workload.h"

static const struct {
	const char *name;
	int least; /* arguments */
	int (*run)(int argc, char *argv[]);
	const char *usage;
} works[] = {
	{ "spin", 2, work_spin, "THREADS SECONDS [FILE]: threads that use all CPU they get for so long, once FILE is there" },
	{ "brief", 2, work_brief, "THREADS MS: threads alive at once that use MS milliseconds of CPU each" },
	{ "sleep", 2, work_sleep, "TIMES MS [FILE]: so often once FILE is there" },
	{ "lock", 4, work_lock, "THREADS ROUNDS MS sleep|burn: each holds one mutex for MS, ROUNDS times" },
	{ "epoll", 2, work_epoll, "TIMES MS: a server that nobody calls, with a timeout of MS" },
	{ "futex", 1, work_futex, "MS: so long for a mutex, and for what looks like one" },
	{ "splice", 2, work_splice, "FILE MS: all of it into a pipe that is read a block each MS" },
	{ "uring", 3, work_uring, "read|poll TIMES MS: requests of io_uring on a pipe that is written to each MS" },
	{ "stage", 4, work_stage, "source|filter|sink BLOCKS BYTES MS: of a pipeline; MS of CPU for each block" },
	{ "child", 2, work_child, "TIMES MS: waits for a child that sleeps" },
	{ "turns", 2, work_turns, "CPUS SECONDS: two threads, on one CPU or on two, that send a byte to and fro as fast as it goes" },
	{ "read", 3, work_read, "direct|dropped|cached FILE BLOCK_BYTES [ROUNDS]" },
	{ "write", 4, work_write, "direct|buffered|fsync|sync FILE BYTES BLOCK_BYTES" },
	{ "fault", 1, work_fault, "FILE: maps it and touches its pages, backwards, with the cache dropped" },
	{ "stat", 2, work_stat, "DIRECTORY TIMES: asks for names that are not there" },
	{ "leave", 2, work_leave, "FILE TIMES: children that open it and end" },
	{ "serve", 5, work_serve, "ADDRESS read|write BYTES CHUNK_BYTES MS: one TCP connection, MS after each chunk" },
	{ "connect", 3, work_connect, "ADDRESS PORT read|write [BYTES]: the other end of serve" },
	{ "pingpong", 4, work_pingpong, "tcp|udp|unix ROUNDS BYTES MS: with a child that answers after MS" },
	{ "hold", 2, work_hold, "MIB SECONDS|FILE: so long, or until FILE is there; then it has made FILE.held" },
	{ "memfd", 2, work_memfd, "MIB SECONDS|FILE: holds MIB in a memory file" },
	{ "together", 3, work_together, "PROCESSES MIB SECONDS|FILE: all hold MIB at the same time" },
	{ "squeeze", 3, work_squeeze, "FILE MIB ROUNDS: holds MIB and touches pages of a mapped file at random" },
	{ "roam", 2, work_roam, "MIB SECONDS: touches pages of it at random" },
	{ "space", 2, work_space, "THREADS SECONDS: they touch memory that another one maps anew all the time" },
	{ "victim", 2, work_victim, "CHILD_PROGRAM MIB: allocates small things beside a child that grows to MIB" },
	{ "grow", 1, work_grow, "MIB: that child" },
	{ "kinds", 1, work_kinds, "SECONDS: one thread that works and waits in turn for all there is" },
	{ "syncs", 1, work_syncs, "SECONDS [starved]: works, writes and syncs; starved: waits three times as long for CPUs" },
	{ "mixed", 3, work_mixed, "THREADS SECONDS SEED: that work and wait, by chance, for all there is and for each other" },
	{ "store", 4, work_store, "PRODUCERS CONSUMERS SECONDS SEED: threads with a store between them" },
	{ "thread-exec", 2, work_thread_exec, "MS COMMAND...: run by another thread than the first" },
	{ "vfork", 2, work_vfork, "MS COMMAND...: the child waits MS before it runs it" },
	{ "forks", 1, work_forks, "CHILDREN: one after the other" },
	{ "strays", 2, work_strays, "THREADS COMMAND...: each forks for ever; children in no job's cgroup run it" },
	{ "into", 2, work_into, "CGROUP COMMAND...: a child that begins in the cgroup (of version 2) runs it" },
	{ "namespaces", 1, work_namespaces, "COMMAND...: in its own user, pid, mount and cgroup namespaces" },
};

int main(int argc, char *argv[])
{
	told("machine_stolen_ns", -machine_stolen_ns());
	for (size_t i = 0; argc > 1 && i < sizeof(works) / sizeof(works[0]); i++)
		if (!strcmp(argv[1], works[i].name) && argc - 2 >= works[i].least)
			return works[i].run(argc - 1, argv + 1);
	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		fprintf(stderr, "workload %s %s\n", works[i].name, works[i].usage);
	return 2;
}

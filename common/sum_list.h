/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums: all that adds up over threads, tools, steps and nodes. Kernel programs, collector and reports are built
 * from this one list. Each sum has its name, its name in the node record (with the unit: _ns, _bytes; else a count),
 * its place in the report, its type and name there (reports/model/report_fields.h; _ns becomes seconds), and the
 * sentence that tells users what it is. UDP and UNIX have the sentences of TCP.
 *
 * To add a sum:
 *  - a line here;
 *  - the code that counts it: a sum that the kernel keeps in the task is read in bpf/account.h (KERNEL_USES in
 *    bpf/maps.h), any other is added by the hook that sees it (as in bpf/programs/reclaim.bpf.c);
 *  - if that hook may be missing: its gap in collector/kernel/programs_choose.c and collector/job/use.c;
 *  - a line in docs/record.md; and ABI_LAYOUT grows by one. "make update-examples" renews the schema and docs/report.md.
 * The tests' other layout (tests/system/other-layout) adds one in this way.
 *
 * The order matters. SUM_LIST_OF_ENTRY has the sums that each entry of the timeline and each point of a series has.
 * Those from MEMORY_STALL to SLEEP are waits, in the order of enum wait (bpf/abi.h). Most threads have no sums after
 * INVOLUNTARY_SWITCHES.
 */
#ifndef STINT_SUM_LIST_H
#define STINT_SUM_LIST_H

/*
 * The member of the node record's objects that gives the number of sums that the writer counts. Zeros are left out:
 * most sums are. An unknown sum is null. If the number differs from the reader's list, it is not known what was left
 * out.
 */
#define SUM_REST "rest"

#define SUM_LIST_OF_ENTRY(X) \
	X(CPU, cpu_ns, IN_USED, SECONDS, cpu_s, "Exact CPU time, including that of Slurm's own processes in the job's cgroup.") \
	X(ON_CPU, on_cpu_ns, IN_STATES, SECONDS, on_cpu_s, "Exact time on a CPU.") \
	X(READ_BYTES, read_bytes, IN_USED, COUNT, read_bytes, "Read from storage.") \
	X(WRITE_BYTES, write_bytes, IN_USED, COUNT, write_bytes, \
	  "Written to storage, or still to be written when the job ended. Data that was deleted before it was written is included.") \
	X(SYSCALL_READ_BYTES, syscall_read_bytes, IN_USED, COUNT, syscall_read_bytes, \
	  "Read by system calls such as read(), from anything: the page cache, pipes, sockets. libaio and io_uring are included.") \
	X(SYSCALL_WRITE_BYTES, syscall_write_bytes, IN_USED, COUNT, syscall_write_bytes, \
	  "Written by system calls such as write(), to anything. libaio and io_uring are included.") \
	X(SOCKET_RX_BYTES, socket_rx_bytes, IN_USED, COUNT, socket_rx_bytes, "Payload received from sockets of all kinds.") \
	X(SOCKET_TX_BYTES, socket_tx_bytes, IN_USED, COUNT, socket_tx_bytes, "Payload sent to sockets of all kinds.") \
	X(RUNNABLE, runnable_ns, IN_STATES, SECONDS, runnable_s, "Ready to run, and waiting for a CPU.") \
	X(MEMORY_STALL, memory_stall_ns, IN_STATES, SECONDS, memory_stall_s, \
	  "Making room in memory, or waiting for pages that the kernel had pushed out of memory.") \
	X(FAULT_IO, fault_io_ns, IN_STATES, SECONDS, fault_io_s, "Page faults that waited for a device.") \
	X(FILE_IO, file_io_ns, IN_STATES, SECONDS, file_io_s, \
	  "Waiting for files, directories and block devices, on any file system.") \
	X(GPU, gpu_ns, IN_STATES, SECONDS, gpu_s, \
	  "Waiting for GPU devices: in ioctl(), read(), write(), poll() or select() on a file of a GPU's driver. A thread that spins while it "\
	  "waits is on a CPU.") \
	X(NETWORK, network_ns, IN_STATES, SECONDS, network_s, "Waiting for sockets.") \
	X(LOCK, lock_ns, IN_STATES, SECONDS, lock_s, \
	  "Waiting for locks: mutexes and similar locks, flock(), fcntl() record locks, and the lock of the address space, also in " \
	  "page faults outside system calls.") \
	X(PIPE, pipe_ns, IN_STATES, SECONDS, pipe_s, "Waiting for pipes, terminals and message queues.") \
	X(OTHER, other_ns, IN_STATES, SECONDS, other_s, "Waiting for none of these, or for an unknown reason.") \
	X(EVENT, event_ns, IN_STATES, SECONDS, event_s, "Waiting in poll(), select() or epoll. What the thread waited for is not " \
							"known.") \
	X(CONDITION, condition_ns, IN_STATES, SECONDS, condition_s, \
	  "Waiting for work or a signal from another thread: condition variables, semaphores, joins, barriers, idle threads of a" \
	  " pool, timed waits in a futex, read-write locks of glibc; semop().") \
	X(CHILD, child_ns, IN_STATES, SECONDS, child_s, "Waiting for a child process, in wait().") \
	X(SLEEP, sleep_ns, IN_STATES, SECONDS, sleep_s, "Sleeping because the program asked for it: nanosleep(), pause().")

#define SUM_LIST_OTHER(X) \
	X(USER, user_ns, NOWHERE, NOTHING, none, "") /* sampled by the tick */ \
	X(SYSTEM, system_ns, NOWHERE, NOTHING, none, "") /* sampled by the tick */ \
	X(SYSCALL_READS, syscall_reads, IN_USED, COUNT, syscall_reads, "System calls that read.") \
	X(SYSCALL_WRITES, syscall_writes, IN_USED, COUNT, syscall_writes, "System calls that wrote.") \
	X(MINOR_FAULTS, minor_faults, IN_USED, COUNT, minor_faults, "Page faults that needed no I/O.") \
	X(MAJOR_FAULTS, major_faults, IN_USED, COUNT, major_faults, "Page faults that needed I/O.") \
	X(LIFETIME, lifetime_ns, IN_STATES, SECONDS, lifetime_s, "The whole time of the threads, from the begin of each to its end.") \
	X(THROTTLED, throttled_ns, IN_STATES, SECONDS, throttled_s, "The part of runnable_s in which a CPU quota held the thread.") \
	X(TURNS, turns_ns, IN_STATES, SECONDS, turns_s, \
	  "A measure of threads that took turns. Each short wait of condition_s adds c x w / (c + w), where w is the wait and c is " \
	  "the thread's CPU time before the wait. The sum is near (N - 1) / N of on_cpu_s if N threads contend for a lock that a " \
	  "runtime such as Java's or Go's makes of condition variables. It is next to nothing if threads compute, or wait for " \
	  "work.") \
	X(SYNC_WAIT, sync_wait_ns, IN_USED, SECONDS, sync_wait_s, \
	  "The part of states.file_io_s in which threads waited until written data was on the disk: in fsync() and the like, and in" \
	  " writes to files opened with O_SYNC or O_DSYNC.") \
	X(SYNC_WAITS, sync_waits, IN_USED, COUNT, sync_waits, "The number of waits that sync_wait_s adds up.") \
	X(CANCELLED_WRITE_BYTES, cancelled_write_bytes, IN_USED, COUNT, cancelled_write_bytes, \
	  "The part of write_bytes of any process that was deleted before it was written. It counts for the process that deleted" \
	  " it.") \
	X(VOLUNTARY_SWITCHES, voluntary_switches, IN_USED, COUNT, voluntary_switches, "How often a thread gave up its CPU to wait.") \
	X(INVOLUNTARY_SWITCHES, involuntary_switches, IN_USED, COUNT, involuntary_switches, \
	  "How often the kernel took a thread off its CPU.") \
	X(RECLAIMS, reclaims, IN_USED, COUNT, reclaims, "How often a thread had to make room in memory itself (direct reclaim).") \
	X(RECLAIM, reclaim_ns, IN_USED, SECONDS, reclaim_s, "The time that direct reclaim took, on a CPU or not.") \
	X(TCP_RX_BYTES, tcp_rx_bytes, IN_TCP, COUNT, rx_bytes, "Payload received.") \
	X(TCP_TX_BYTES, tcp_tx_bytes, IN_TCP, COUNT, tx_bytes, "Payload sent.") \
	X(TCP_RX_OPS, tcp_rx_ops, IN_TCP, COUNT, rx_ops, "The number of receive operations.") \
	X(TCP_TX_OPS, tcp_tx_ops, IN_TCP, COUNT, tx_ops, "The number of send operations.") \
	X(UDP_RX_BYTES, udp_rx_bytes, IN_UDP, COUNT, rx_bytes, "") \
	X(UDP_TX_BYTES, udp_tx_bytes, IN_UDP, COUNT, tx_bytes, "") \
	X(UDP_RX_OPS, udp_rx_ops, IN_UDP, COUNT, rx_ops, "") \
	X(UDP_TX_OPS, udp_tx_ops, IN_UDP, COUNT, tx_ops, "") \
	X(UNIX_RX_BYTES, unix_rx_bytes, IN_UNIX, COUNT, rx_bytes, "") \
	X(UNIX_TX_BYTES, unix_tx_bytes, IN_UNIX, COUNT, tx_bytes, "") \
	X(UNIX_RX_OPS, unix_rx_ops, IN_UNIX, COUNT, rx_ops, "") \
	X(UNIX_TX_OPS, unix_tx_ops, IN_UNIX, COUNT, tx_ops, "") \
	X(TCP_RETRANSMITS, tcp_retransmits, IN_TCP, COUNT, retransmits, "Segments that were sent again; only TCP has them.") \
	X(ASYNC_READ_BYTES, async_read_bytes, IN_USED, COUNT, async_read_bytes, \
	  "The part of syscall_read_bytes that libaio and io_uring read.") \
	X(ASYNC_WRITE_BYTES, async_write_bytes, IN_USED, COUNT, async_write_bytes, \
	  "The part of syscall_write_bytes that libaio and io_uring wrote.")

#define SUM_LIST(X) \
	SUM_LIST_OF_ENTRY(X) \
	SUM_LIST_OTHER(X)

#endif

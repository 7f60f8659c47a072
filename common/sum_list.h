/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums: all that adds up over threads, tools, steps and nodes. Kernel programs, collector and reports are built
 * from this one list. Each sum has its name, its name in the node record (with the unit: _ns, _bytes; else a count),
 * its place in the report, and its type and name there (reports/model/report_fields.h; _ns becomes seconds).
 *
 * To add a sum:
 *  - a line here;
 *  - the code that counts it: a sum that the kernel keeps in the task is read in bpf/account.h (KERNEL_USES in
 *    bpf/maps.h), any other is added by the hook that sees it (as in bpf/programs/reclaim.bpf.c);
 *  - if that hook may be missing: its gap in collector/kernel/programs_choose.c and collector/job/use.c;
 *  - a line each in docs/record.md and reports/report.schema.json; and ABI_LAYOUT grows by one.
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
	X(CPU, cpu_ns, IN_USED, SECONDS, cpu_s) /* CPU time, user and system */ \
	X(ON_CPU, on_cpu_ns, IN_STATES, SECONDS, on_cpu_s) /* CPU time of the user's threads alone */ \
	X(READ_BYTES, read_bytes, IN_USED, COUNT, read_bytes) /* from storage */ \
	X(WRITE_BYTES, write_bytes, IN_USED, COUNT, write_bytes) /* to storage, with bytes that were deleted before they were written */ \
	X(SYSCALL_READ_BYTES, syscall_read_bytes, IN_USED, COUNT, syscall_read_bytes) /* by system calls, from anything */ \
	X(SYSCALL_WRITE_BYTES, syscall_write_bytes, IN_USED, COUNT, syscall_write_bytes) /* by system calls, to anything */ \
	X(SOCKET_RX_BYTES, socket_rx_bytes, IN_USED, COUNT, socket_rx_bytes) /* from sockets of all kinds */ \
	X(SOCKET_TX_BYTES, socket_tx_bytes, IN_USED, COUNT, socket_tx_bytes) /* to sockets of all kinds */ \
	X(RUNNABLE, runnable_ns, IN_STATES, SECONDS, runnable_s) /* ready to run, and waiting for a CPU */ \
	X(MEMORY_STALL, memory_stall_ns, IN_STATES, SECONDS, memory_stall_s) /* waiting for the kernel to make room */ \
	X(FAULT_IO, fault_io_ns, IN_STATES, SECONDS, fault_io_s) /* waiting for a page to be read in */ \
	X(FILE_IO, file_io_ns, IN_STATES, SECONDS, file_io_s) /* waiting for a file system */ \
	X(NETWORK, network_ns, IN_STATES, SECONDS, network_s) /* waiting for a socket */ \
	X(LOCK, lock_ns, IN_STATES, SECONDS, lock_s) /* waiting for a lock */ \
	X(PIPE, pipe_ns, IN_STATES, SECONDS, pipe_s) /* waiting for a pipe or terminal */ \
	X(OTHER, other_ns, IN_STATES, SECONDS, other_s) /* waiting for an unknown reason */ \
	X(EVENT, event_ns, IN_STATES, SECONDS, event_s) /* waiting in poll, select or epoll */ \
	X(CONDITION, condition_ns, IN_STATES, SECONDS, condition_s) /* waiting for work or a signal */ \
	X(CHILD, child_ns, IN_STATES, SECONDS, child_s) /* waiting for a child process */ \
	X(SLEEP, sleep_ns, IN_STATES, SECONDS, sleep_s) /* sleeping, as the program asked */

#define SUM_LIST_OTHER(X) \
	X(USER, user_ns, NOWHERE, NOTHING, none) /* sampled by the tick */ \
	X(SYSTEM, system_ns, NOWHERE, NOTHING, none) /* sampled by the tick */ \
	X(SYSCALL_READS, syscall_reads, IN_USED, COUNT, syscall_reads) \
	X(SYSCALL_WRITES, syscall_writes, IN_USED, COUNT, syscall_writes) \
	X(MINOR_FAULTS, minor_faults, IN_USED, COUNT, minor_faults) \
	X(MAJOR_FAULTS, major_faults, IN_USED, COUNT, major_faults) \
	X(LIFETIME, lifetime_ns, IN_STATES, SECONDS, lifetime_s) /* of the user's threads */ \
	X(THROTTLED, throttled_ns, IN_STATES, SECONDS, throttled_s) /* part of RUNNABLE: a CPU quota held the thread */ \
	X(TURNS, turns_ns, IN_STATES, SECONDS, turns_s) /* part of CONDITION: threads that take turns (struct thread, turns_ns) */ \
	X(SYNC_WAIT, sync_wait_ns, IN_USED, SECONDS, sync_wait_s) /* part of FILE_IO: until what was written is on the disk */ \
	X(SYNC_WAITS, sync_waits, IN_USED, COUNT, sync_waits) /* how many of these */ \
	X(CANCELLED_WRITE_BYTES, cancelled_write_bytes, IN_USED, COUNT, cancelled_write_bytes) /* part of WRITE_BYTES: deleted in time */ \
	X(VOLUNTARY_SWITCHES, voluntary_switches, IN_USED, COUNT, voluntary_switches) \
	X(INVOLUNTARY_SWITCHES, involuntary_switches, IN_USED, COUNT, involuntary_switches) \
	X(RECLAIMS, reclaims, IN_USED, COUNT, reclaims) /* direct reclaim */ \
	X(RECLAIM, reclaim_ns, IN_USED, SECONDS, reclaim_s) /* direct reclaim: time on a CPU */ \
	X(TCP_RX_BYTES, tcp_rx_bytes, IN_TCP, COUNT, rx_bytes) \
	X(TCP_TX_BYTES, tcp_tx_bytes, IN_TCP, COUNT, tx_bytes) \
	X(TCP_RX_OPS, tcp_rx_ops, IN_TCP, COUNT, rx_ops) \
	X(TCP_TX_OPS, tcp_tx_ops, IN_TCP, COUNT, tx_ops) \
	X(UDP_RX_BYTES, udp_rx_bytes, IN_UDP, COUNT, rx_bytes) \
	X(UDP_TX_BYTES, udp_tx_bytes, IN_UDP, COUNT, tx_bytes) \
	X(UDP_RX_OPS, udp_rx_ops, IN_UDP, COUNT, rx_ops) \
	X(UDP_TX_OPS, udp_tx_ops, IN_UDP, COUNT, tx_ops) \
	X(UNIX_RX_BYTES, unix_rx_bytes, IN_UNIX, COUNT, rx_bytes) \
	X(UNIX_TX_BYTES, unix_tx_bytes, IN_UNIX, COUNT, tx_bytes) \
	X(UNIX_RX_OPS, unix_rx_ops, IN_UNIX, COUNT, rx_ops) \
	X(UNIX_TX_OPS, unix_tx_ops, IN_UNIX, COUNT, tx_ops) \
	X(TCP_RETRANSMITS, tcp_retransmits, IN_TCP, COUNT, retransmits) /* segments */ \
	X(ASYNC_READ_BYTES, async_read_bytes, IN_USED, COUNT, async_read_bytes) /* part of SYSCALL_READ_BYTES: libaio and io_uring */ \
	X(ASYNC_WRITE_BYTES, async_write_bytes, IN_USED, COUNT, async_write_bytes) /* part of SYSCALL_WRITE_BYTES: libaio and io_uring */

#define SUM_LIST(X) \
	SUM_LIST_OF_ENTRY(X) \
	SUM_LIST_OTHER(X)

#endif

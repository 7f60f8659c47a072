/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the kernel programs. true: stint cannot count without the program. */
#ifndef STINT_PROGRAM_NAMES_H
#define STINT_PROGRAM_NAMES_H

#define PROGRAM_NAMES(X)               \
	X(thread_switch, true)         \
	X(thread_wakeup, true)         \
	X(process_fork, true)          \
	X(process_exec, true)          \
	X(process_exit, true)          \
	X(member_attach, true)         \
	X(member_scan, true)           \
	X(process_prepare_exec, false) \
	X(process_begin_exec, false)   \
	X(process_exit_memory, false)  \
	X(member_cgroup_removed, false) \
	X(cpu_offsets_learn, false)    \
	X(sample_tasks, false)         \
	X(living_tasks, false)         \
	X(socket_sent, false)          \
	X(socket_received, false)      \
	X(inet_sent, false)            \
	X(inet_received, false)        \
	X(inet6_sent, false)           \
	X(inet6_received, false)       \
	X(unix_stream_sent, false)     \
	X(unix_stream_received, false) \
	X(unix_dgram_sent, false)      \
	X(unix_dgram_received, false)  \
	X(unix_seqpacket_sent, false)  \
	X(unix_seqpacket_received, false) \
	X(tcp_page_sent, false)        \
	X(unix_page_sent, false)       \
	X(tcp_spliced, false)          \
	X(unix_spliced, false)         \
	X(socket_retransmitted, false) \
	X(signal_sent, false)          \
	X(uring_submitted, false)      \
	X(uring_submitted_sqe, false)  \
	X(uring_completed, false)      \
	X(aio_got, false)              \
	X(aio_pgot, false)             \
	X(aio_direct, false)           \
	X(fuse_requested, false)       \
	X(oom_victim, false)           \
	X(oom_victim_pid, false)       \
	X(reclaim_began, false)        \
	X(reclaim_ended, false)        \
	X(memcg_reclaim_began, false)  \
	X(memcg_reclaim_ended, false)  \
	X(memory_slab, false)          \
	X(file_called, false)          \
	X(gpu_opened, false)

enum program {
#define PROGRAM_ENUM(name, needed) PROGRAM_##name,
	PROGRAM_NAMES(PROGRAM_ENUM)
#undef PROGRAM_ENUM
	PROGRAMS
};

#endif

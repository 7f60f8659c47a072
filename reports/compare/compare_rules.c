/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/compare/compare_rules.h"

#include "reports/model/report.h"

#define MIB (1 << 20)
#define FIELD(member) #member, offsetof(struct report, member)
#define WAIT(state, label, word) \
	{ FIELD(states.bound.state), label, COMPARE_SECONDS, COMPARE_LESS, 0.1, 1, 0.01, false, word }

const struct compare_rule compare_rules[] = {
	{ FIELD(job.elapsed_s), "elapsed", COMPARE_SECONDS, COMPARE_LESS, 0.05, 2, 0, false, NULL },
	{ "core_hours", 0, "core-hours given", COMPARE_CORE_HOURS, COMPARE_LESS, 0.05, 0.01, 0, true, NULL },
	{ FIELD(used.cpu_s), "CPU time", COMPARE_SECONDS, COMPARE_LESS, 0.05, 1, 0, false, NULL },
	{ FIELD(used.cpu_efficiency), "CPU efficiency", COMPARE_SHARE, COMPARE_MORE, 0.05, 0.05, 0, true, NULL },
	{ FIELD(used.memory_used_peak_bytes), "memory used", COMPARE_BYTES, COMPARE_LESS, 0.1, 32 * MIB, 0, false, NULL },
	{ FIELD(used.memory_charged_peak_bytes), "memory charged", COMPARE_BYTES, COMPARE_LESS, 0.1, 64 * MIB, 0, false, NULL },
	{ FIELD(used.memory_efficiency), "memory efficiency", COMPARE_SHARE, COMPARE_MORE, 0.1, 0.05, 0, false, NULL },
	{ "gpu_efficiency", 0, "GPU efficiency", COMPARE_GPU_SHARE, COMPARE_MORE, 0, 0.05, 0, false, NULL },
	{ FIELD(used.oom_kills), "killed, out of memory", COMPARE_COUNT, COMPARE_LESS, 0, 1, 0, false, NULL },
	{ FIELD(used.read_bytes), "storage read", COMPARE_BYTES, COMPARE_LESS, 0.1, 16 * MIB, 0, false, NULL },
	{ FIELD(used.write_bytes), "storage written", COMPARE_BYTES, COMPARE_LESS, 0.1, 16 * MIB, 0, false, NULL },
	{ FIELD(used.syscall_read_bytes), "read by calls", COMPARE_BYTES, COMPARE_LESS, 0.05, MIB, 0, false, NULL },
	{ FIELD(used.syscall_write_bytes), "written by calls", COMPARE_BYTES, COMPARE_LESS, 0.05, MIB, 0, false, NULL },
	{ FIELD(used.socket_rx_bytes), "sockets received", COMPARE_BYTES, COMPARE_LESS, 0.05, MIB, 0, false, NULL },
	{ FIELD(used.socket_tx_bytes), "sockets sent", COMPARE_BYTES, COMPARE_LESS, 0.05, MIB, 0, false, NULL },
	{ FIELD(used.processes), "processes", COMPARE_COUNT, COMPARE_NEITHER, 0.05, 2, 0, false, NULL },
	{ FIELD(states.active_s), "time at work", COMPARE_SECONDS, COMPARE_NEITHER, 0.1, 1, 0.01, false, "" },
	{ FIELD(states.runnable_s), "threads' wait for CPUs", COMPARE_SECONDS, COMPARE_LESS, 0.1, 1, 0.05, false, NULL },
	WAIT(memory_stall_s, "wait: memory", "memory"),
	WAIT(fault_io_s, "wait: page faults", "pages from files"),
	WAIT(file_io_s, "wait: files", "files"),
	WAIT(gpu_s, "wait: GPU", "a GPU"),
	WAIT(network_s, "wait: network", "the network"),
	WAIT(pipe_s, "wait: pipes", "pipes"),
	WAIT(lock_s, "wait: locks", "locks"),
	WAIT(condition_s, "wait: other threads", "other threads"),
	WAIT(child_s, "wait: children", "idle processes"),
	WAIT(event_s, "wait: events", "events"),
	WAIT(sleep_s, "wait: sleep", "sleep"),
	WAIT(other_s, "wait: other", "what is not known"),
};

const size_t compare_rule_count = sizeof(compare_rules) / sizeof(compare_rules[0]);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/features.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/security/forbidden.h"

enum kind {
	KIND_PROGRAM,
	KIND_INSTRUCTION,
	KIND_MAP,
	KIND_CALL,
	KIND_HELPER,
	KIND_FUNCTION,
	KIND_TRACEPOINT,
	KIND_ARGUMENT,
	KIND_MEMBER,
};

static const char *const kind_names[] = {
	[KIND_PROGRAM] = "program type",   [KIND_INSTRUCTION] = "instruction", [KIND_MAP] = "map type",
	[KIND_CALL] = "system call",       [KIND_HELPER] = "helper",           [KIND_FUNCTION] = "kernel function",
	[KIND_TRACEPOINT] = "tracepoint",  [KIND_ARGUMENT] = "argument",       [KIND_MEMBER] = "member",
};

enum where {
	NOWHERE,
	IN_TRACEPOINT,
	IN_ITERATOR,
};

struct row {
	enum kind kind;
	const char *name;
	int number;
	enum where where;
	enum feature_weight weight;
	const char *since;
	const char *without;
};

#define NEEDED FEATURE_NEEDED
#define COSTS FEATURE_COSTS
#define SPARED FEATURE_SPARED
#define HELPER(name, where, weight, since, without) { KIND_HELPER, "bpf_" #name, BPF_FUNC_##name, where, weight, since, without }
#define MAP(name, weight, since, without) { KIND_MAP, #name, BPF_MAP_TYPE_##name, NOWHERE, weight, since, without }
#define ROW(kind, name, weight, since, without) { KIND_##kind, name, 0, NOWHERE, weight, since, without }
#define OLD "4.17" /* or earlier: each kernel with BTF has it */

/* One line each: tests/tree/kernel_features reads them. */
static const struct row rows[] = {
	ROW(PROGRAM, "tp_btf", NEEDED, "5.5", NULL),
	ROW(PROGRAM, "iter/task", NEEDED, "5.8", NULL),
	ROW(PROGRAM, "iter/bpf_map", COSTS, "5.8", "memory peaks are off by some pages for each CPU"),
	ROW(PROGRAM, "iter/cgroup", COSTS, "6.1", "on cgroup v1, the memory used includes the names and inodes of files that the kernel keeps, so AdminComment gets no summary"),
	ROW(PROGRAM, "fentry and fexit", COSTS, "5.5", "libaio is counted for O_DIRECT on local file systems only; what splice() reads from a socket is not counted, nor are bytes of sockets before Linux 6.3; opens of GPUs are not counted, but a look once a second sees them; peaks of programs that exec are not known before 6.10, and peaks of programs that end before 6.16"),
	ROW(INSTRUCTION, "atomic operation that returns the old value", NEEDED, "5.12", NULL),
	MAP(RINGBUF, NEEDED, "5.8", NULL),
	MAP(TASK_STORAGE, NEEDED, "5.11", NULL),
	MAP(SK_STORAGE, COSTS, "5.2", "retransmits and the bytes that sockets send are not counted"),
	ROW(CALL, "BPF_MAP_LOOKUP_BATCH", NEEDED, "5.6", NULL),
	HELPER(task_storage_get, IN_TRACEPOINT, NEEDED, "5.13", NULL),
	HELPER(get_current_task_btf, IN_TRACEPOINT, NEEDED, "5.11", NULL),
	HELPER(ktime_get_ns, IN_TRACEPOINT, NEEDED, "4.1", NULL),
	HELPER(ktime_get_boot_ns, IN_TRACEPOINT, NEEDED, "5.8", NULL),
	HELPER(probe_read_kernel, IN_TRACEPOINT, NEEDED, "5.5", NULL),
	HELPER(probe_read_kernel_str, IN_TRACEPOINT, NEEDED, "5.5", NULL),
	HELPER(probe_read_user, IN_TRACEPOINT, NEEDED, "5.5", NULL),
	HELPER(probe_read_user_str, IN_TRACEPOINT, NEEDED, "5.5", NULL),
	HELPER(ringbuf_reserve, IN_TRACEPOINT, NEEDED, "5.8", NULL),
	HELPER(ringbuf_submit, IN_TRACEPOINT, NEEDED, "5.8", NULL),
	HELPER(ringbuf_query, IN_TRACEPOINT, NEEDED, "5.8", NULL),
	HELPER(seq_write, IN_ITERATOR, NEEDED, "5.8", NULL),
	HELPER(task_pt_regs, IN_TRACEPOINT, SPARED, "5.15", "stint finds the registers at the end of the thread's stack"),
	HELPER(loop, IN_TRACEPOINT, NEEDED, "5.17", NULL),
	HELPER(find_vma, IN_TRACEPOINT, COSTS, "5.17", "it is not known which programs OMP_NUM_THREADS reaches, so stint does not advise it"),
	HELPER(sk_storage_get, IN_TRACEPOINT, COSTS, "5.11", "retransmits and the bytes that sockets send are not counted"),
	HELPER(map_lookup_percpu_elem, IN_ITERATOR, COSTS, "5.19", "memory peaks are off by some pages for each CPU"),
	ROW(FUNCTION, "bpf_rdonly_cast", SPARED, "6.2", "stint uses bpf_probe_read_kernel() instead, and a context switch takes some nanoseconds more"),
	ROW(TRACEPOINT, "sched_switch", NEEDED, OLD, NULL),
	ROW(TRACEPOINT, "sched_wakeup", NEEDED, OLD, NULL),
	ROW(TRACEPOINT, "task_newtask", NEEDED, OLD, NULL),
	ROW(TRACEPOINT, "sched_process_fork", NEEDED, OLD, NULL),
	ROW(TRACEPOINT, "sched_process_exec", NEEDED, OLD, NULL),
	ROW(TRACEPOINT, "sched_process_exit", NEEDED, OLD, NULL),
	ROW(TRACEPOINT, "cgroup_attach_task", NEEDED, OLD, NULL),
	ROW(TRACEPOINT, "cgroup_rmdir", COSTS, OLD, "the charged peak is that of the last sample"),
	ROW(TRACEPOINT, "sched_prepare_exec", SPARED, "6.10", "stint uses fentry at begin_new_exec() instead"),
	ROW(ARGUMENT, "sched_process_exit's group_dead", SPARED, "6.16", "stint uses fentry at taskstats_exit() instead"),
	ROW(TRACEPOINT, "signal_generate", COSTS, OLD, "a process that another process ends on purpose counts as failed"),
	ROW(TRACEPOINT, "sock_send_length", SPARED, "6.3", "stint uses fexit at the protocols' own functions instead"),
	ROW(TRACEPOINT, "sock_recv_length", SPARED, "6.3", "stint uses fexit at the protocols' own functions instead"),
	ROW(TRACEPOINT, "tcp_retransmit_skb", COSTS, OLD, "retransmits are not counted"),
	ROW(TRACEPOINT, "io_uring_submit_req", SPARED, "6.4", "stint uses io_uring_submit_sqe, the former name, instead"),
	ROW(TRACEPOINT, "io_uring_complete", COSTS, "5.5", "what io_uring reads and writes is not counted"),
	ROW(MEMBER, "io_kiocb.cqe", COSTS, "5.19", "what io_uring reads and writes is not counted"),
	ROW(TRACEPOINT, "iomap_dio_rw_begin", SPARED, "6.4", "stint uses fexit at io_getevents() instead, which counts more"),
	ROW(TRACEPOINT, "fuse_request_send", COSTS, "6.12", "it is not known which waits in open() were for FUSE; if FUSE is a module, stintd must start after the module was loaded"),
	ROW(TRACEPOINT, "mark_victim", COSTS, OLD, "kills by the out-of-memory killer are not seen"),
	ROW(ARGUMENT, "mark_victim's task", SPARED, "6.9", "stint uses the former argument, the pid, instead"),
	ROW(TRACEPOINT, "mm_vmscan_direct_reclaim_begin", COSTS, OLD, "the time that threads spend reclaiming memory is not known"),
	ROW(TRACEPOINT, "mm_vmscan_direct_reclaim_end", COSTS, OLD, "the time that threads spend reclaiming memory is not known"),
	ROW(TRACEPOINT, "mm_vmscan_memcg_reclaim_begin", COSTS, OLD, "the time that threads spend reclaiming memory is not known"),
	ROW(TRACEPOINT, "mm_vmscan_memcg_reclaim_end", COSTS, OLD, "the time that threads spend reclaiming memory is not known"),
	ROW(TRACEPOINT, "sys_exit", COSTS, OLD, "files = on has no effect"),
	ROW(MEMBER, "task_struct.__state", SPARED, "5.14", "stint uses the former name, state, instead"),
	ROW(MEMBER, "bpf_local_storage_map.selem_ma", SPARED, "6.4", "a walk finds a step daemon's threads a moment after they join a job; what they use until then counts as Slurm's own, and is in no sum"),
	ROW(MEMBER, "cfs_rq.rq", SPARED, OLD, "stint uses bpf_ktime_get_ns() instead of the scheduler's clock, and short waits are less exact (CONFIG_FAIR_GROUP_SCHED)"),
	ROW(MEMBER, "task_group.cfs_bandwidth", SPARED, OLD, "such a kernel has no CPU quotas (CONFIG_CFS_BANDWIDTH)"),
	ROW(MEMBER, "rw_semaphore.count", COSTS, OLD, "a page fault's wait for the lock of the address space counts as other (CONFIG_PREEMPT_RT has no such member)"),
	ROW(MEMBER, "task_struct.in_memstall", COSTS, "4.20", "stint recognises waits for memory only by another flag, and counts a part of them (CONFIG_PSI)"),
};

_Static_assert(sizeof(rows) / sizeof(rows[0]) <= FEATURES_MAX, "FEATURES_MAX is too small");

#define LOG_BYTES 8192

/* Returns 1 if the kernel accepts @code; 0 if the kernel refuses it, with the reason in @log; -1 on other errors. */
static int try_program(enum bpf_attach_type type, unsigned int id, const struct bpf_insn *code, size_t length,
		       char log[LOG_BYTES])
{
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = type, .attach_btf_id = id, .log_level = 1,
		    .log_buf = log, .log_size = LOG_BYTES);
	int fd;

	log[0] = '\0';
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "stint_trial", "GPL", code, length, &options);
	if (fd < 0)
		return errno == EINVAL ? 0 : -1;
	close(fd);
	return 1;
}

#define LENGTH(code) (sizeof(code) / sizeof((code)[0]))

static unsigned int switch_id(const struct kernel *kernel)
{
	return kernel_tracepoint_id(kernel, "sched_switch");
}

static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K }, /* r0 = 0 */
	{ .code = BPF_JMP | BPF_EXIT },
};

static bool has_programs(struct kernel *kernel, const char *name)
{
	bool iterator = strncmp(name, "iter/", 5) == 0;
	unsigned int id = iterator ? kernel_iterator_id(kernel, name + 5) : switch_id(kernel);
	char log[LOG_BYTES];

	if (strcmp(name, "fentry and fexit") == 0)
		return kernel_functions_attach(kernel);
	return id && try_program(iterator ? BPF_TRACE_ITER : BPF_TRACE_RAW_TP, id, nothing, LENGTH(nothing), log) != 0;
}

static bool has_fetch(const struct kernel *kernel)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = BPF_REG_10, .src_reg = BPF_REG_1, .off = -8,
		  .imm = BPF_ADD | BPF_FETCH },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	char log[LOG_BYTES];

	/* An empty log means that the kernel refused the kind of program. */
	return try_program(BPF_TRACE_RAW_TP, switch_id(kernel), code, LENGTH(code), log) != 0 || !log[0];
}

/* The kernel always refuses this program, because it calls the helper without arguments. The log says why. */
static bool has_helper(const struct kernel *kernel, int number, enum where where)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = number },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	bool iterator = where == IN_ITERATOR;
	char log[LOG_BYTES];

	if (try_program(iterator ? BPF_TRACE_ITER : BPF_TRACE_RAW_TP,
			iterator ? kernel_iterator_id(kernel, "task") : switch_id(kernel), code, LENGTH(code), log) != 0)
		return true;
	return !strstr(log, "invalid func ") && !strstr(log, "unknown func ") && !strstr(log, "cannot use helper ");
}

/* The kernel returns EINVAL for an unknown type. Returns true also if this process may not make maps. */
static bool has_map(int type)
{
	errno = 0;
	return libbpf_probe_bpf_map_type(type, NULL) != 0 || errno == EACCES || errno == EPERM;
}

/* On an empty map, a batch operation fails with ENOENT. Without batch operations, it fails with EINVAL. */
static bool has_batches(void)
{
	int map = bpf_map_create(BPF_MAP_TYPE_HASH, "stint_trial", sizeof(__u32), sizeof(__u32), 1, NULL);
	__u32 key, value, next, count = 1;
	bool has;

	if (map < 0)
		return true; /* not known */
	has = bpf_map_lookup_batch(map, NULL, &next, &key, &value, &count, NULL) == 0 || errno != EINVAL;
	close(map);
	return has;
}

static bool has_argument(const struct kernel *kernel, const char *name)
{
	if (strncmp(name, "mark_victim", 11) == 0)
		return kernel_has_tracepoint(kernel, "mark_victim") && !kernel_victim_is_a_pid(kernel);
	return kernel_arguments_of(kernel, "sched_process_exit") >= 2;
}

static bool has_member(const struct kernel *kernel, const char *name)
{
	const char *dot = strchr(name, '.');
	char type[64];

	if (strcmp(dot, ".selem_ma") == 0 && kernel_has_member(kernel, "bpf_local_storage_map", "use_kmalloc_nolock"))
		return true; /* replaces selem_ma since Linux 6.19 */
	snprintf(type, sizeof(type), "%.*s", (int)(dot - name), name);
	return kernel_has_member(kernel, type, dot + 1);
}

static bool has(struct kernel *kernel, const struct row *row)
{
	switch (row->kind) {
	case KIND_PROGRAM:
		return has_programs(kernel, row->name);
	case KIND_INSTRUCTION:
		return has_fetch(kernel);
	case KIND_MAP:
		return has_map(row->number);
	case KIND_CALL:
		return has_batches();
	case KIND_HELPER:
		return has_helper(kernel, row->number, row->where);
	case KIND_FUNCTION:
		return kernel_has_function(kernel, row->name);
	case KIND_TRACEPOINT:
		return kernel_has_tracepoint(kernel, row->name);
	case KIND_ARGUMENT:
		return has_argument(kernel, row->name);
	case KIND_MEMBER:
		return has_member(kernel, row->name);
	}
	return true;
}

static void add_lacking(char *lacking, size_t size, const struct row *row)
{
	size_t used = strlen(lacking);

	snprintf(lacking + used, size - used, "%s%s %s (Linux %s)", used ? ", " : "", kind_names[row->kind], row->name,
		 row->since);
}

int features_probe(struct features *features, struct kernel *kernel, struct error *err)
{
	char lacking[sizeof(err->text) - 64] = "";

	features->count = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct feature_state *state = &features->state[features->count++];
		const struct row *row = &rows[i];

		*state = (struct feature_state){ .kind = kind_names[row->kind], .name = row->name, .since = row->since,
						 .without = row->without, .weight = row->weight };
		state->present = has(kernel, row);
		if (!state->present && row->weight == FEATURE_NEEDED)
			add_lacking(lacking, sizeof(lacking), row);
	}
	if (!lacking[0])
		return 0;
	if (!features_have(features, "bpf_probe_read_kernel") && forbidden_by_lockdown())
		return error_set(err, FORBIDDEN_BY_LOCKDOWN ", and stint cannot count without that");
	return error_set(err, "this kernel lacks what stint needs to count: %s", lacking);
}

bool features_have(const struct features *features, const char *name)
{
	for (int i = 0; i < features->count; i++)
		if (strcmp(features->state[i].name, name) == 0)
			return features->state[i].present;
	return false;
}

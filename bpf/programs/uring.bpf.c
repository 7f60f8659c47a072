/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows io_uring. socket.bpf.c counts sends and receives. */
#include "bpf/account.h"
#include "bpf/async.h"
#include "bpf/current.h"

/* From enum io_uring_op of <linux/io_uring.h>. The build machine's header may be older. */
enum uring_op {
	URING_READV = 1,
	URING_WRITEV = 2,
	URING_FSYNC = 3,
	URING_READ_FIXED = 4,
	URING_WRITE_FIXED = 5,
	URING_POLL_ADD = 6,
	URING_SYNC_FILE_RANGE = 8,
	URING_SENDMSG = 9,
	URING_RECVMSG = 10,
	URING_TIMEOUT = 11,
	URING_ACCEPT = 13,
	URING_CONNECT = 16,
	URING_FALLOCATE = 17,
	URING_OPENAT = 18,
	URING_STATX = 21,
	URING_READ = 22,
	URING_WRITE = 23,
	URING_FADVISE = 24,
	URING_SEND = 26,
	URING_RECV = 27,
	URING_OPENAT2 = 28,
	URING_SPLICE = 30,
	URING_TEE = 33,
	URING_RENAMEAT = 35,
	URING_UNLINKAT = 36,
	URING_MKDIRAT = 37,
	URING_SYMLINKAT = 38,
	URING_LINKAT = 39,
	URING_FSETXATTR = 41,
	URING_SETXATTR = 42,
	URING_FGETXATTR = 43,
	URING_GETXATTR = 44,
	URING_URING_CMD = 46,
	URING_SEND_ZC = 47,
	URING_SENDMSG_ZC = 48,
	URING_READ_MULTISHOT = 49,
	URING_WAITID = 50,
	URING_FUTEX_WAIT = 51,
	URING_FUTEX_WAITV = 53,
	URING_FTRUNCATE = 55,
	URING_RECV_ZC = 58,
	URING_EPOLL_WAIT = 59,
	URING_READV_FIXED = 60,
	URING_WRITEV_FIXED = 61,
	URING_OPS = 64
};

#define URING_FIXED_FILE 1 /* in io_kiocb.flags: the file has no descriptor */

/* What each operation waits for. WAIT_NONE: the operation is done at once. */
static const u8 waits[URING_OPS] = {
	[URING_READV] = WAIT_FILE_IO,
	[URING_WRITEV] = WAIT_FILE_IO,
	[URING_FSYNC] = WAIT_FILE_IO,
	[URING_READ_FIXED] = WAIT_FILE_IO,
	[URING_WRITE_FIXED] = WAIT_FILE_IO,
	[URING_POLL_ADD] = WAIT_EVENT,
	[URING_SYNC_FILE_RANGE] = WAIT_FILE_IO,
	[URING_SENDMSG] = WAIT_NETWORK,
	[URING_RECVMSG] = WAIT_NETWORK,
	[URING_TIMEOUT] = WAIT_EVENT,
	[URING_ACCEPT] = WAIT_NETWORK,
	[URING_CONNECT] = WAIT_NETWORK,
	[URING_FALLOCATE] = WAIT_FILE_IO,
	[URING_OPENAT] = WAIT_FILE_IO,
	[URING_STATX] = WAIT_FILE_IO,
	[URING_READ] = WAIT_FILE_IO,
	[URING_WRITE] = WAIT_FILE_IO,
	[URING_FADVISE] = WAIT_FILE_IO,
	[URING_SEND] = WAIT_NETWORK,
	[URING_RECV] = WAIT_NETWORK,
	[URING_OPENAT2] = WAIT_FILE_IO,
	[URING_SPLICE] = WAIT_PIPE,
	[URING_TEE] = WAIT_PIPE,
	[URING_RENAMEAT] = WAIT_FILE_IO,
	[URING_UNLINKAT] = WAIT_FILE_IO,
	[URING_MKDIRAT] = WAIT_FILE_IO,
	[URING_SYMLINKAT] = WAIT_FILE_IO,
	[URING_LINKAT] = WAIT_FILE_IO,
	[URING_FSETXATTR] = WAIT_FILE_IO,
	[URING_SETXATTR] = WAIT_FILE_IO,
	[URING_FGETXATTR] = WAIT_FILE_IO,
	[URING_GETXATTR] = WAIT_FILE_IO,
	[URING_URING_CMD] = WAIT_FILE_IO,
	[URING_SEND_ZC] = WAIT_NETWORK,
	[URING_SENDMSG_ZC] = WAIT_NETWORK,
	[URING_READ_MULTISHOT] = WAIT_PIPE,
	[URING_WAITID] = WAIT_CHILD,
	[URING_FUTEX_WAIT] = WAIT_CONDITION,
	[URING_FUTEX_WAITV] = WAIT_CONDITION,
	[URING_FTRUNCATE] = WAIT_FILE_IO,
	[URING_RECV_ZC] = WAIT_NETWORK,
	[URING_EPOLL_WAIT] = WAIT_EVENT,
	[URING_READV_FIXED] = WAIT_FILE_IO,
	[URING_WRITEV_FIXED] = WAIT_FILE_IO,
};

static __always_inline bool reads(u32 op)
{
	return op == URING_READ || op == URING_READ_FIXED || op == URING_READV || op == URING_READV_FIXED ||
	       op == URING_READ_MULTISHOT;
}

static __always_inline bool writes(u32 op)
{
	return op == URING_WRITE || op == URING_WRITE_FIXED || op == URING_WRITEV || op == URING_WRITEV_FIXED;
}

/* Stores what a request waits for. */
static __always_inline int submitted(struct io_kiocb *req)
{
	struct thread *t = current_thread();
	u32 op, wait;

	if (!t)
		return 0;
	op = req->opcode;
	wait = op < URING_OPS ? waits[op] : WAIT_NONE;
	if (!wait)
		return 0;
	t->async_magic = 0;
	if ((reads(op) || writes(op)) && !(req->flags & URING_FIXED_FILE)) {
		wait = wait_for_file(bpf_get_current_task_btf(), t, (u32)req->cqe.fd);
		if (wait == WAIT_FILE_IO)
			t->async_magic = t->magic;
	}
	t->uring_wait = wait;
	/* The task that completes the request must find the process. */
	process_share(bpf_get_current_task_btf(), t);
	if (t->alone || t->placeless) {
		struct totals *job = totals_get(t->job);

		if (job)
			ADD(job->lost_requests, 1);
	}
	return 0;
}

SEC("tp_btf/io_uring_submit_req")
int BPF_PROG(uring_submitted, struct io_kiocb *req)
{
	return submitted(req);
}

/* The tracepoint's name before Linux 6.4. */
SEC("tp_btf/io_uring_submit_sqe")
int BPF_PROG(uring_submitted_sqe, struct io_kiocb *req)
{
	return submitted(req);
}

/* Since Linux 6.13, the task is a member of tctx. */
static __always_inline struct task_struct *submitter(const struct io_kiocb *req)
{
	const struct io_kiocb___v61 *old = (const void *)req;

	if (bpf_core_field_exists(req->tctx))
		return BPF_CORE_READ(req, tctx, task);
	if (bpf_core_field_exists(old->task))
		return BPF_CORE_READ(old, task);
	return NULL;
}

static __noinline void completed_by_other(u64 key, bool write, u64 bytes)
{
	struct process *p = bpf_map_lookup_elem(&processes, &key);

	if (!p || (p->flags & EVENT_SLURM))
		return;
	process_use(key, p, write ? USE_SYSCALL_WRITES : USE_SYSCALL_READS, 1);
	process_use(key, p, write ? USE_SYSCALL_WRITE_BYTES : USE_SYSCALL_READ_BYTES, bytes);
	process_use(key, p, write ? USE_ASYNC_WRITE_BYTES : USE_ASYNC_READ_BYTES, bytes);
}

/*
 * Counts a completed request. The first two arguments are the same since Linux 5.18.
 *
 * @req: NULL for further results of a request; only requests other than file I/O have them
 */
SEC("tp_btf/io_uring_complete")
int BPF_PROG(uring_completed, void *ring, struct io_kiocb *req)
{
	struct task_struct *task = bpf_get_current_task_btf(), *from;
	struct signal_struct *signal;
	struct thread_use *sum;
	struct thread *t;
	s32 result;
	u32 op;

	if (!req || !bpf_core_field_exists(req->cqe.res))
		return 0;
	op = BPF_CORE_READ(req, opcode);
	if (!reads(op) && !writes(op))
		return 0;
	result = BPF_CORE_READ(req, cqe.res);
	if (result < 0)
		return 0;
	from = submitter(req);
	signal = from == task ? task->signal : BPF_CORE_READ(from, signal);
	if (signal != task->signal) {
		completed_by_other((u64)signal, writes(op), result);
		return 0;
	}
	t = current_thread();
	sum = t ? current_use(t) : NULL;
	if (sum)
		async_used(sum, writes(op), result);
	return 0;
}

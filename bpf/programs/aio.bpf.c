/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts bytes of libaio. If the kernel has no fexit programs, counts only direct I/O. */
#include "bpf/async.h"
#include "bpf/current.h"
#include "bpf/syscall.h"
#include "bpf/wait.h"

#define AIO_EVENTS_MAX 65536

/* <linux/aio_abi.h> */
#define IOCB_CMD_PREAD 0
#define IOCB_CMD_PWRITE 1
#define IOCB_CMD_PREADV 7
#define IOCB_CMD_PWRITEV 8

struct aio_request {
	u64 data;
	u64 key_and_flags;
	u16 opcode;
};

struct aio_event {
	u64 data;
	u64 request;
	s64 result;
	s64 result2;
};

struct aio_results {
	struct thread_use *sum;
	const struct aio_event *events;
};

static long aio_result(u32 index, struct aio_results *results)
{
	struct aio_event event;
	u16 opcode;

	if (bpf_probe_read_user(&event, sizeof(event), results->events + index) || event.result < 0)
		return 0;
	if (bpf_probe_read_user(&opcode, sizeof(opcode), &((struct aio_request *)event.request)->opcode))
		return 0;
	switch (opcode) {
	case IOCB_CMD_PREAD:
	case IOCB_CMD_PREADV:
		async_used(results->sum, false, event.result);
		break;
	case IOCB_CMD_PWRITE:
	case IOCB_CMD_PWRITEV:
		async_used(results->sum, true, event.result);
		break;
	}
	return 0;
}

static __always_inline int got(struct pt_regs *regs, long count)
{
	struct aio_results results = {};
	struct thread *t = current_thread();

	if (!t || count <= 0)
		return 0;
	results.sum = current_use(t);
	if (!results.sum)
		return 0;
	results.events = (void *)syscall_argument(regs, 3);
	bpf_loop(count < AIO_EVENTS_MAX ? count : AIO_EVENTS_MAX, aio_result, &results, 0);
	return 0;
}

SEC("fexit/" SYSCALL_FUNCTION "io_getevents")
int BPF_PROG(aio_got, struct pt_regs *regs, long ret)
{
	return got(regs, ret);
}

SEC("fexit/" SYSCALL_FUNCTION "io_pgetevents")
int BPF_PROG(aio_pgot, struct pt_regs *regs, long ret)
{
	return got(regs, ret);
}

#define IOCB_AIO_RW (1 << 23) /* in kiocb.ki_flags since Linux 6.8: libaio */

/* A read beyond the end of the file counts only up to the end. The kernel shortens such a read later. */
static __always_inline u64 direct_bytes(struct kiocb *iocb, struct iov_iter *iter, bool write)
{
	s64 bytes = iter->count;
	s64 left = iocb->ki_filp->f_inode->i_size - iocb->ki_pos;

	if (write || bytes <= left)
		return bytes;
	return left > 0 ? left : 0;
}

static __always_inline void async_file(struct thread *t, struct super_block *sb)
{
	u32 magic = sb->s_magic;

	if (t->async_magic == magic)
		return;
	t->async_magic = magic;
	file_system_make(t->job, magic, sb);
}

SEC("tp_btf/iomap_dio_rw_begin")
int BPF_PROG(aio_direct, struct kiocb *iocb, struct iov_iter *iter, unsigned int flags, u64 done_before)
{
	struct thread_use *sum;
	struct thread *t;

	/* With done_before, a request continues after a page fault. Its bytes were already counted. */
	if (!(iocb->ki_flags & IOCB_AIO_RW) || done_before)
		return 0;
	t = current_thread();
	if (!t)
		return 0;
	sum = current_use(t);
	if (sum)
		async_used(sum, iter->data_source, direct_bytes(iocb, iter, iter->data_source));
	async_file(t, iocb->ki_filp->f_inode->i_sb);
	return 0;
}

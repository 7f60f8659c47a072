/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a thread that is about to be switched out waits for: told by the system
 * call it is in and, for one on a file descriptor, by that file. iowait alone
 * misses most waits of file systems (jbd2, NFS metadata, FUSE, Lustre, libaio).
 */
#ifndef STINT_WAIT_H
#define STINT_WAIT_H

#include "bpf/member.h"

#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFIFO 0010000

#define MAGIC_FUSE 0x65735546
#define MAGIC_ANON_INODE 0x09041934

struct entered {
	s64 syscall; /* its number; below 0: a fault */
	u64 argument;
};

/* Not the types that are there: both flavours are tried, and the kernel has one of them. */
static __always_inline void entered_read(struct task_struct *task, struct entered *e)
{
	void *regs = (void *)bpf_task_pt_regs(task);
	struct pt_regs___x64 *x64 = regs;
	struct pt_regs___a64 *a64 = regs;

	e->syscall = -1;
	e->argument = 0;
	if (!regs)
		return;
	if (bpf_core_field_exists(x64->orig_ax)) {
		e->syscall = (s64)x64->orig_ax;
		e->argument = x64->di;
	} else if (bpf_core_field_exists(a64->orig_x0)) {
		e->syscall = a64->syscallno;
		e->argument = a64->orig_x0;
	}
}

static __always_inline bool in_iowait(struct task_struct *task)
{
	return BPF_CORE_READ_BITFIELD(task, in_iowait);
}

static __always_inline bool in_memstall(struct task_struct *task)
{
	if (task->flags & PF_MEMALLOC)
		return true;
	return bpf_core_field_exists(task->in_memstall) && BPF_CORE_READ_BITFIELD(task, in_memstall);
}

/* Makes the entry in which waits for @magic's file system add up; @sb may be NULL. */
static __noinline void file_system_make(u64 job, u32 magic, struct super_block *sb)
{
	struct file_system_key key = { .job = job, .magic = magic };
	struct file_system fresh = {};
	const char *type;

	if (bpf_map_lookup_elem(&file_systems, &key))
		return;
	if (sb) {
		type = BPF_CORE_READ(sb, s_type, name);
		bpf_probe_read_kernel_str(fresh.type, sizeof(fresh.type), type);
	} else if (magic == MAGIC_FUSE) {
		__builtin_memcpy(fresh.type, "fuse", 5);
	}
	bpf_map_update_elem(&file_systems, &key, &fresh, BPF_NOEXIST);
}

/* A wait or a call whose file system has no place. */
static __always_inline void lose_file_system(u64 job)
{
	struct totals *t = totals_get(job);

	if (t)
		ADD(t->lost_file_systems, 1);
}

static __always_inline u32 wait_of_mode(u32 mode, u32 magic)
{
	switch (mode & S_IFMT) {
	case S_IFSOCK:
		return WAIT_NETWORK;
	case S_IFIFO:
	case S_IFCHR:
		return WAIT_PIPE;
	}
	/* An event, a timer or a signal that is read: from 6.16 on such a file calls itself a regular one. */
	if (magic == MAGIC_ANON_INODE)
		return WAIT_EVENT;
	return mode & S_IFMT ? WAIT_FILE_IO : WAIT_OTHER;
}

/* Looks into the thread's file @fd, unless it is the one of its last wait. */
static __noinline u32 wait_for_file(struct task_struct *task, struct thread *t, u64 fd)
{
	struct files_struct *files = task->files;
	struct fdtable *table;
	struct super_block *sb;
	struct inode *inode;
	struct file *file = NULL;

	if (!t || !files)
		return WAIT_OTHER;
	table = files->fdt;
	if (fd >= table->max_fds)
		return WAIT_OTHER;
	bpf_probe_read_kernel(&file, sizeof(file), table->fd + fd);
	if (!file)
		return WAIT_OTHER;
	inode = BPF_CORE_READ(file, f_inode);
	if ((u64)file == t->file && (u64)inode == t->inode)
		return t->file_wait;
	sb = BPF_CORE_READ(inode, i_sb);
	t->file = (u64)file;
	t->inode = (u64)inode;
	t->magic = BPF_CORE_READ(sb, s_magic);
	t->file_wait = wait_of_mode(BPF_CORE_READ(inode, i_mode), t->magic);
	if (t->file_wait == WAIT_FILE_IO)
		file_system_make(t->job, t->magic, sb);
	return t->file_wait;
}

/* A wait for a file that cannot be looked into: one that is not open yet, or any more, or one of several. */
static __always_inline u32 wait_for_path(struct thread *t)
{
	t->left_magic = t->fuse ? MAGIC_FUSE : 0;
	t->fuse = 0;
	file_system_make(t->job, t->left_magic, NULL);
	return WAIT_FILE_IO;
}

/* A wait for asynchronous requests, of which the last is taken for all. */
static __always_inline u32 wait_for_async(struct thread *t)
{
	if (!t->async_magic)
		return wait_for_path(t);
	t->left_magic = t->async_magic;
	return WAIT_FILE_IO;
}

static __always_inline u32 wait_in_fault(struct task_struct *task)
{
	return in_iowait(task) ? WAIT_FAULT_IO : WAIT_OTHER;
}

/* What the kernel's own worker for io_uring waits for: its next request, or the file of this one. */
static __always_inline u32 wait_of_worker(struct task_struct *task, struct thread *t, u32 state)
{
	return in_iowait(task) || (state & TASK_UNINTERRUPTIBLE) ? wait_for_path(t) : WAIT_EVENT;
}

static __always_inline u32 wait_in_open(struct thread *t, u32 state)
{
	struct settings *s = settings_get();

	/* A FIFO is waited for interruptibly; so is a FUSE server, where requests to it are not told. */
	if (t->fuse || (state & TASK_UNINTERRUPTIBLE) || !s || !s->fuse_seen)
		return wait_for_path(t);
	return WAIT_PIPE;
}

static __always_inline u32 wait_for_fd(struct task_struct *task, struct thread *t, u64 fd, u32 state)
{
	u32 wait = wait_for_file(task, t, fd);

	t->left_magic = t->magic;
	t->fuse = 0;
	if (wait == WAIT_OTHER && (in_iowait(task) || (state & TASK_UNINTERRUPTIBLE)))
		return wait_for_path(t);
	return wait;
}

/* What @task, whose thread is @t, waits for; it is not on a CPU, or about to leave it. */
static __noinline u32 wait_of(struct task_struct *task, struct thread *t)
{
	struct syscalls *table;
	struct entered e;
	u32 zero = 0, state, kind = SYSCALL_OTHER;

	if (!task || !t)
		return WAIT_OTHER;
	state = task->__state;
	if (in_memstall(task))
		return WAIT_MEMORY_STALL;
	if (state & TASK_HALTED)
		return WAIT_OTHER;
	if (task->flags & PF_IO_WORKER)
		return wait_of_worker(task, t, state);
	entered_read(task, &e);
	if (e.syscall < 0)
		return wait_in_fault(task);
	table = bpf_map_lookup_elem(&syscalls, &zero);
	if (table && e.syscall < RECORD_SYSCALLS)
		kind = table->kind[e.syscall];
	switch (kind) {
	case SYSCALL_FD:
		return wait_for_fd(task, t, e.argument, state);
	case SYSCALL_SOCKET:
		return WAIT_NETWORK;
	case SYSCALL_PATH:
		return wait_for_path(t);
	case SYSCALL_AIO:
		return wait_for_async(t);
	case SYSCALL_OPEN:
		return wait_in_open(t, state);
	case SYSCALL_URING:
		if (in_iowait(task) || t->uring_wait == WAIT_FILE_IO)
			return wait_for_async(t);
		return t->uring_wait ? t->uring_wait : WAIT_EVENT;
	case SYSCALL_LOCK:
		return WAIT_LOCK;
	case SYSCALL_MEMORY:
		if (in_iowait(task))
			return WAIT_FAULT_IO;
		return state & TASK_UNINTERRUPTIBLE ? WAIT_LOCK : WAIT_OTHER;
	case SYSCALL_CHILD:
		return WAIT_CHILD;
	case SYSCALL_EVENT:
		return WAIT_EVENT;
	case SYSCALL_SLEEP:
		return WAIT_SLEEP;
	case SYSCALL_PIPE:
		return WAIT_PIPE;
	}
	return in_iowait(task) ? wait_for_path(t) : WAIT_OTHER;
}

#endif

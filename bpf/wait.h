/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classifies what a thread waits for, by its system call and the call's file.
 *
 * The kernel's iowait misses most waits for file systems (jbd2, NFS metadata, FUSE, Lustre, libaio).
 */
#ifndef STINT_WAIT_H
#define STINT_WAIT_H

#include "bpf/cast.h"
#include "bpf/gpu.h"
#include "bpf/has.h"
#include "bpf/member.h"
#include "bpf/syscall.h"

#define O_DSYNC 010000 /* O_SYNC has this bit, too */

#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFIFO 0010000

/* From <linux/futex.h>: a mask, operations, a flag, and two values of the futex word. */
#define FUTEX_COMMANDS 127
#define FUTEX_WAIT 0
#define FUTEX_LOCK_PI 6
#define FUTEX_WAIT_BITSET 9
#define FUTEX_LOCK_PI2 13
#define FUTEX_CLOCK_REALTIME 256
#define FUTEX_WORD_CONTENDED 2
#define FUTEX_WORD_WAITERS 0x80000000

#define MAGIC_FUSE 0x65735546
#define MAGIC_ANON_INODE 0x09041934

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

/* Makes no entry for a job that stintd has forgotten, because nothing would remove the entry. @sb may be NULL. */
static __noinline void file_system_make(u64 job, u32 magic, struct super_block *sb)
{
	struct file_system_key key = { .job = job, .magic = magic };
	struct file_system fresh = {};
	const char *type;

	if (bpf_map_lookup_elem(&file_systems, &key) || !totals_get(job))
		return;
	if (sb) {
		type = BPF_CORE_READ(sb, s_type, name);
		bpf_probe_read_kernel_str(fresh.type, sizeof(fresh.type), type);
	} else if (magic == MAGIC_FUSE) {
		__builtin_memcpy(fresh.type, "fuse", 5);
	}
	bpf_map_update_elem(&file_systems, &key, &fresh, BPF_NOEXIST);
}

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
	/* From Linux 6.16 on, an anonymous inode claims to be a regular file. */
	if (magic == MAGIC_ANON_INODE)
		return WAIT_EVENT;
	return mode & S_IFMT ? WAIT_FILE_IO : WAIT_OTHER;
}

static __always_inline u32 wait_for_file(struct task_struct *task, struct thread *t, u64 fd)
{
	struct file *file = t ? file_of_fd(task, fd) : NULL;
	struct super_block *sb;
	struct inode *inode;

	if (!file)
		return WAIT_OTHER;
	inode = inode_of(file);
	if ((u64)file == t->file && (u64)inode == t->inode)
		return t->file_wait;
	sb = BPF_CORE_READ(inode, i_sb);
	t->file = (u64)file;
	t->inode = (u64)inode;
	t->magic = BPF_CORE_READ(sb, s_magic);
	t->file_sync = !!(BPF_CORE_READ(file, f_flags) & O_DSYNC);
	t->file_wait = wait_of_mode(BPF_CORE_READ(inode, i_mode), t->magic);
	if (t->file_wait == WAIT_FILE_IO)
		file_system_make(t->job, t->magic, sb);
	else if (t->file_wait == WAIT_PIPE && gpu_has(inode))
		t->file_wait = WAIT_GPU;
	return t->file_wait;
}

static __always_inline struct super_block *looked_up_in(struct task_struct *task)
{
	if (!bpf_core_field_exists(task->nameidata))
		return NULL;
	return BPF_CORE_READ(task, nameidata, path.dentry, d_sb);
}

/* Classifies a wait for a file that is not open, or that is one of several files. */
static __always_inline u32 wait_for_path(struct task_struct *task, struct thread *t)
{
	struct super_block *sb = t->fuse ? NULL : looked_up_in(task);

	t->left_magic = t->fuse ? MAGIC_FUSE : sb ? BPF_CORE_READ(sb, s_magic) : 0;
	t->fuse = 0;
	file_system_make(t->job, t->left_magic, sb);
	return WAIT_FILE_IO;
}

/* Assumes that all requests are on the file system of the last request. */
static __always_inline u32 wait_for_async(struct task_struct *task, struct thread *t)
{
	if (!t->async_magic)
		return wait_for_path(task, t);
	t->left_magic = t->async_magic;
	return WAIT_FILE_IO;
}

/*
 * Classifies a wait on a futex.
 *
 * These are locks:
 * - operations for priority inheritance
 * - glibc, Go and libgomp: FUTEX_WAIT while the word is 2 or -1 (sysdeps/nptl/lowlevellock.h; runtime/lock_futex.go;
 *   config/linux/mutex.h)
 * - musl, and robust mutexes: FUTEX_WAIT while the word's highest bit is set
 * - Rust: FUTEX_WAIT_BITSET while the word is 2 (library/std/src/sys/sync/mutex/futex.rs)
 *
 * These are no locks, although they look similar:
 * - glibc's condition variables, semaphores and joins: FUTEX_WAIT_BITSET with the real-time clock
 *   (nptl/futex-internal.c)
 * - libgomp's barrier: its address is no multiple of 8, unlike mutexes of glibc and Go (libgomp/config/linux/bar.h)
 * - libgomp's semaphores and tasks: the word has only the highest bit. The word of a lock also names the lock's holder
 *   (libgomp/config/linux/sem.h).
 *
 * All other waits on a futex are for work or a signal from another thread.
 */
static __always_inline u32 wait_for_futex(const struct pt_regs *regs, struct thread *t)
{
	u32 operation = syscall_argument(regs, 1), word = syscall_argument(regs, 2);

	t->untimed = 0;
	switch (operation & FUTEX_COMMANDS) {
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return WAIT_LOCK;
	case FUTEX_WAIT:
		if (word == FUTEX_WORD_CONTENDED && syscall_argument(regs, 0) % 8 == 0)
			return WAIT_LOCK;
		if ((word & FUTEX_WORD_WAITERS) && word != FUTEX_WORD_WAITERS)
			return WAIT_LOCK;
		break;
	case FUTEX_WAIT_BITSET:
		if (word == FUTEX_WORD_CONTENDED && !(operation & FUTEX_CLOCK_REALTIME))
			return WAIT_LOCK;
		break;
	}
	t->untimed = !syscall_argument(regs, 3);
	return WAIT_CONDITION;
}

#define RWSEM_FLAG_WAITERS 2 /* kernel/locking/rwsem.c */

/* Returns true if @task sleeps for the lock of its address space. */
static __always_inline bool waits_for_address_space(struct task_struct *task, u32 state)
{
	struct mm_struct *mm = task->mm;

	if (!mm || !(state & TASK_UNINTERRUPTIBLE) || in_iowait(task) || !bpf_core_field_exists(mm->mmap_lock.count))
		return false;
	return mm->mmap_lock.count.counter & RWSEM_FLAG_WAITERS;
}

static __always_inline u32 wait_held_up(struct task_struct *task)
{
	return in_iowait(task) ? WAIT_FAULT_IO : WAIT_OTHER;
}

static __always_inline u32 wait_in_fault(struct task_struct *task, u32 state)
{
	return waits_for_address_space(task, state) ? WAIT_LOCK : wait_held_up(task);
}

/*
 * A wait for a child is interruptible (wait4()) or killable (vfork(), wait_for_vfork_done() in kernel/fork.c).
 * Other sleeps are the kernel's, for example while a task enters a cgroup (cgroup_threadgroup_rwsem).
 */
static __always_inline u32 wait_for_child(struct task_struct *task, u32 state)
{
	return (state & TASK_UNINTERRUPTIBLE) && !(state & TASK_WAKEKILL) ? wait_held_up(task) : WAIT_CHILD;
}

/* The kernel sets iowait for requests of every kind. */
static __always_inline u32 wait_for_uring(struct task_struct *task, struct thread *t, u32 state)
{
	bool inline_io = in_iowait(task) && (state & TASK_UNINTERRUPTIBLE);

	if (t->uring_wait == WAIT_FILE_IO || inline_io || (in_iowait(task) && !t->uring_wait))
		return wait_for_async(task, t);
	return t->uring_wait ? t->uring_wait : WAIT_EVENT;
}

/*
 * An exit closes files after task->files is NULL (exit_files() in kernel/exit.c).
 * On NFS, closing a file writes data back.
 * A task that enters a cgroup also blocks exits (exit_signals() in kernel/signal.c).
 */
static __always_inline u32 wait_in_exit(struct task_struct *task, struct thread *t, u32 state)
{
	if (!task->files)
		return wait_for_path(task, t);
	if (t->uring_wait && !(state & TASK_UNINTERRUPTIBLE))
		return wait_for_uring(task, t, state);
	return wait_held_up(task);
}

static __always_inline u32 wait_of_worker(struct task_struct *task, struct thread *t, u32 state)
{
	return in_iowait(task) || (state & TASK_UNINTERRUPTIBLE) ? wait_for_path(task, t) : WAIT_EVENT;
}

static __always_inline u32 wait_in_open(struct task_struct *task, struct thread *t, u32 state)
{
	struct settings *s = settings_get();

	/* A wait for a FIFO's other end looks like a wait for a FUSE server. */
	if (t->fuse || (state & TASK_UNINTERRUPTIBLE) || !s || !s->fuse_seen)
		return wait_for_path(task, t);
	return WAIT_PIPE;
}

/*
 * A wait for a pipe or a socket is interruptible. Other waits are for another file or a page.
 *
 * @bytes: enum syscall_bytes
 */
static __always_inline u32 wait_for_fd(struct task_struct *task, struct thread *t, u64 fd, u32 state, u32 bytes)
{
	u32 wait = wait_for_file(task, t, fd);

	t->left_magic = t->magic;
	t->fuse = 0;
	if (bytes == SYSCALL_BYTES_WRITE)
		t->sync = t->file_sync;
	if (wait == WAIT_FILE_IO || !(state & TASK_UNINTERRUPTIBLE))
		return wait;
	if (wait == WAIT_OTHER)
		return wait_for_path(task, t);
	if (!in_iowait(task))
		return wait;
	if (bytes == SYSCALL_BYTES_COPY_IN_OUT || bytes == SYSCALL_BYTES_COPY_OUT_IN)
		return wait_for_path(task, t);
	return WAIT_FAULT_IO;
}

/* A wait for a full pipe is interruptible. A wait for a file is not, except on FUSE. */
static __always_inline u32 wait_in_splice(struct task_struct *task, struct thread *t, u64 fd, u32 state)
{
	u32 wait = wait_for_fd(task, t, fd, state, SYSCALL_BYTES_COPY_IN_OUT);
	struct totals *job = wait == WAIT_NETWORK ? totals_get(t->job) : NULL;

	if (job)
		ADD(job->socket_splices, 1);
	if (wait == WAIT_FILE_IO && !(state & TASK_UNINTERRUPTIBLE) && t->magic != MAGIC_FUSE)
		return WAIT_PIPE;
	return wait;
}

static __always_inline const struct pt_regs *wait_regs(struct task_struct *task, struct thread *t)
{
	if (!registers)
		return registers_on_stack(task, settings_get());
	if (!casts)
		return (void *)bpf_task_pt_regs(task);
	if (!t->regs)
		t->regs = (u64)bpf_task_pt_regs(task);
	return CAST(struct pt_regs, t->regs);
}

/* Returns what @task waits for. @task is on no CPU, or is about to leave its CPU. */
static __always_inline u32 wait_of(struct task_struct *task, struct thread *t)
{
	u32 zero = 0, state, kind = SYSCALL_OTHER, bytes = SYSCALL_BYTES_NONE;
	struct syscalls *table;
	const struct pt_regs *regs;
	s64 number = -1;

	if (!task || !t)
		return WAIT_OTHER;
	state = state_of(task);
	t->sync = 0;
	if (in_memstall(task))
		return WAIT_MEMORY_STALL;
	if (state & TASK_HALTED)
		return WAIT_OTHER;
	if (task->flags & (PF_IO_WORKER | PF_EXITING | PF_POSTCOREDUMP))
		return task->flags & PF_IO_WORKER ? wait_of_worker(task, t, state) : wait_in_exit(task, t, state);
	regs = wait_regs(task, t);
	if (regs)
		number = syscall_number(regs);
	if (number < 0)
		return wait_in_fault(task, state);
	table = bpf_map_lookup_elem(&syscalls, &zero);
	if (table && number < ABI_SYSCALLS) {
		kind = table->kind[number];
		bytes = table->bytes[number];
	}
	switch (kind) {
	case SYSCALL_SPLICE:
		return wait_in_splice(task, t, syscall_argument(regs, 0), state);
	case SYSCALL_FD:
		return wait_for_fd(task, t, syscall_argument(regs, 0), state, bytes);
	case SYSCALL_SYNC_FD:
		t->sync = 1;
		return wait_for_fd(task, t, syscall_argument(regs, 0), state, SYSCALL_BYTES_NONE);
	case SYSCALL_SOCKET:
		return (state & TASK_UNINTERRUPTIBLE) && in_iowait(task) ? WAIT_FAULT_IO : WAIT_NETWORK;
	case SYSCALL_SYNC:
		t->sync = 1;
		return wait_for_path(task, t);
	case SYSCALL_PATH:
		return wait_for_path(task, t);
	case SYSCALL_AIO:
		return wait_for_async(task, t);
	case SYSCALL_OPEN:
		return wait_in_open(task, t, state);
	case SYSCALL_URING:
		return wait_for_uring(task, t, state);
	case SYSCALL_LOCK:
		return WAIT_LOCK;
	case SYSCALL_FUTEX:
		return wait_for_futex(regs, t);
	case SYSCALL_CONDITION:
		t->untimed = 0;
		return WAIT_CONDITION;
	case SYSCALL_MEMORY:
		if (in_iowait(task))
			return WAIT_FAULT_IO;
		return state & TASK_UNINTERRUPTIBLE ? WAIT_LOCK : WAIT_OTHER;
	case SYSCALL_CHILD:
		return wait_for_child(task, state);
	case SYSCALL_EXIT:
		return wait_in_exit(task, t, state);
	case SYSCALL_EVENT:
		return WAIT_EVENT;
	case SYSCALL_POLL:
		return gpu_is_polled(task, syscall_argument(regs, 0), syscall_argument(regs, 1)) ? WAIT_GPU : WAIT_EVENT;
	case SYSCALL_SELECT:
		return gpu_is_selected(task, syscall_argument(regs, 1)) ? WAIT_GPU : WAIT_EVENT;
	case SYSCALL_SLEEP:
		return WAIT_SLEEP;
	case SYSCALL_PIPE:
		return WAIT_PIPE;
	}
	return in_iowait(task) ? wait_for_path(task, t) : WAIT_OTHER;
}

#endif

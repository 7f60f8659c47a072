/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/syscalls.h"

#include <stddef.h>
#include <string.h>

#include "collector/kernel/syscall_numbers.h"

/* Calls on a file descriptor. */
static const short of_fd[] = {
	SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_readahead, SYS_lseek, SYS_getdents, SYS_getdents64, SYS_fstat,
	SYS_fstatfs, SYS_fchmod, SYS_fchown, SYS_fchdir, SYS_fgetxattr, SYS_fsetxattr, SYS_flistxattr, SYS_fremovexattr,
	SYS_ioctl, SYS_tee, SYS_vmsplice, SYS_cachestat, SYS_quotactl_fd, SYS_sync_file_range,
};

/* Calls on a descriptor that wait until data is on the disk. */
static const short of_sync_fd[] = {
	SYS_fsync, SYS_fdatasync, SYS_syncfs,
};

static const short of_sync[] = {
	SYS_sync, SYS_msync,
};

static const short of_socket[] = {
	SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg, SYS_sendto, SYS_sendmsg, SYS_sendmmsg, SYS_connect, SYS_accept,
	SYS_accept4, SYS_shutdown,
};

/* Calls that look up a path, or close a file. close() on NFS writes dirty pages back. */
static const short of_path[] = {
	SYS_stat, SYS_lstat, SYS_newfstatat, SYS_statx, SYS_access, SYS_faccessat, SYS_faccessat2, SYS_rename,
	SYS_renameat, SYS_renameat2, SYS_unlink, SYS_unlinkat, SYS_rmdir, SYS_mkdir, SYS_mkdirat, SYS_mknod,
	SYS_mknodat, SYS_link, SYS_linkat, SYS_symlink, SYS_symlinkat, SYS_readlink, SYS_readlinkat, SYS_chmod,
	SYS_fchmodat, SYS_fchmodat2, SYS_chown, SYS_lchown, SYS_fchownat, SYS_truncate, SYS_utime, SYS_utimes,
	SYS_futimesat, SYS_utimensat, SYS_statfs, SYS_getxattr, SYS_lgetxattr, SYS_setxattr, SYS_lsetxattr,
	SYS_listxattr, SYS_llistxattr, SYS_removexattr, SYS_lremovexattr, SYS_getxattrat, SYS_setxattrat,
	SYS_listxattrat, SYS_removexattrat, SYS_file_getattr, SYS_file_setattr, SYS_name_to_handle_at, SYS_chdir,
	SYS_chroot, SYS_getcwd, SYS_execve, SYS_execveat, SYS_close, SYS_close_range, SYS_dup2, SYS_dup3, SYS_mount,
	SYS_umount2, SYS_pivot_root, SYS_open_tree, SYS_open_tree_attr, SYS_move_mount, SYS_fsconfig, SYS_fsmount,
	SYS_fspick, SYS_mount_setattr, SYS_statmount, SYS_listmount, SYS_swapon, SYS_swapoff, SYS_quotactl,
	SYS_inotify_add_watch, SYS_fanotify_mark,
};

static const short of_aio[] = {
	SYS_io_getevents, SYS_io_pgetevents, SYS_io_submit, SYS_io_cancel, SYS_io_destroy,
};

static const short of_uring[] = {
	SYS_io_uring_enter,
};

/* fcntl() waits only for record locks (F_SETLKW). */
static const short of_lock[] = {
	SYS_flock, SYS_fcntl,
};

static const short of_futex[] = {
	SYS_futex,
};

/* Calls on semaphores, and calls on futexes whose arguments differ from those of futex(). */
static const short of_condition[] = {
	SYS_futex_waitv, SYS_futex_wait, SYS_futex_wake, SYS_futex_requeue, SYS_semop, SYS_semtimedop,
};

/* Calls that wait for the lock of the address space. */
static const short of_memory[] = {
	SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_pkey_mprotect, SYS_madvise, SYS_process_madvise, SYS_brk,
	SYS_mlock, SYS_mlock2, SYS_mlockall, SYS_munlock, SYS_munlockall, SYS_mincore, SYS_remap_file_pages,
	SYS_mbind, SYS_migrate_pages, SYS_move_pages, SYS_set_mempolicy, SYS_process_vm_readv, SYS_process_vm_writev,
	SYS_shmat, SYS_shmdt, SYS_mseal,
};

static const short of_child[] = {
	SYS_wait4, SYS_waitid, SYS_fork, SYS_vfork, SYS_clone, SYS_clone3,
};

static const short of_exit[] = {
	SYS_exit, SYS_exit_group,
};

static const short of_poll[] = {
	SYS_poll, SYS_ppoll,
};

static const short of_select[] = {
	SYS_select, SYS_pselect6,
};

static const short of_event[] = {
	SYS_epoll_wait, SYS_epoll_pwait, SYS_epoll_pwait2,
};

static const short of_sleep[] = {
	SYS_nanosleep, SYS_clock_nanosleep, SYS_pause, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_restart_syscall,
};

static const short of_pipe[] = {
	SYS_msgsnd, SYS_msgrcv, SYS_mq_timedsend, SYS_mq_timedreceive,
};

static const short of_open[] = {
	SYS_open, SYS_openat, SYS_openat2, SYS_creat, SYS_open_by_handle_at,
};

/* Calls that read or write through a descriptor. */
static const struct {
	short number;
	enum syscall_bytes bytes;
} transfers[] = {
	{ SYS_read, SYSCALL_BYTES_READ },
	{ SYS_pread64, SYSCALL_BYTES_READ },
	{ SYS_readv, SYSCALL_BYTES_READ },
	{ SYS_preadv, SYSCALL_BYTES_READ },
	{ SYS_preadv2, SYSCALL_BYTES_READ },
	{ SYS_write, SYSCALL_BYTES_WRITE },
	{ SYS_pwrite64, SYSCALL_BYTES_WRITE },
	{ SYS_writev, SYSCALL_BYTES_WRITE },
	{ SYS_pwritev, SYSCALL_BYTES_WRITE },
	{ SYS_pwritev2, SYSCALL_BYTES_WRITE },
	{ SYS_sendfile, SYSCALL_BYTES_COPY_OUT_IN },
	{ SYS_copy_file_range, SYSCALL_BYTES_COPY_IN_OUT },
	{ SYS_splice, SYSCALL_BYTES_COPY_IN_OUT },
};

static const struct {
	const short *numbers;
	size_t count;
	enum syscall_kind kind;
} kinds[] = {
#define KIND(kind, of) { of, sizeof(of) / sizeof(of[0]), kind }
	KIND(SYSCALL_FD, of_fd),
	KIND(SYSCALL_SOCKET, of_socket),
	KIND(SYSCALL_PATH, of_path),
	KIND(SYSCALL_AIO, of_aio),
	KIND(SYSCALL_URING, of_uring),
	KIND(SYSCALL_LOCK, of_lock),
	KIND(SYSCALL_FUTEX, of_futex),
	KIND(SYSCALL_CONDITION, of_condition),
	KIND(SYSCALL_MEMORY, of_memory),
	KIND(SYSCALL_CHILD, of_child),
	KIND(SYSCALL_EXIT, of_exit),
	KIND(SYSCALL_EVENT, of_event),
	KIND(SYSCALL_SLEEP, of_sleep),
	KIND(SYSCALL_PIPE, of_pipe),
	KIND(SYSCALL_OPEN, of_open),
	KIND(SYSCALL_SYNC_FD, of_sync_fd),
	KIND(SYSCALL_SYNC, of_sync),
	KIND(SYSCALL_POLL, of_poll),
	KIND(SYSCALL_SELECT, of_select),
#undef KIND
};

static void set_kind(struct syscalls *table, int number, enum syscall_kind kind)
{
	if (number >= 0 && number < ABI_SYSCALLS)
		table->kind[number] = kind;
}

static void set_bytes(struct syscalls *table, int number, enum syscall_bytes bytes)
{
	if (number >= 0 && number < ABI_SYSCALLS)
		table->bytes[number] = bytes;
}

void syscalls_fill(struct syscalls *table)
{
	memset(table, 0, sizeof(*table));
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (size_t i = 0; i < kinds[k].count; i++)
			set_kind(table, kinds[k].numbers[i], kinds[k].kind);
	for (size_t i = 0; i < sizeof(transfers) / sizeof(transfers[0]); i++) {
		set_kind(table, transfers[i].number, SYSCALL_FD);
		set_bytes(table, transfers[i].number, transfers[i].bytes);
	}
	set_kind(table, SYS_splice, SYSCALL_SPLICE);
	for (size_t i = 0; i < sizeof(of_open) / sizeof(of_open[0]); i++)
		set_bytes(table, of_open[i], SYSCALL_BYTES_OPEN);
}

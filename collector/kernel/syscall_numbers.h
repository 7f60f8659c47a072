/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines the numbers of system calls that some architectures or C libraries lack.
 * SYSCALL_NONE: the call has no number here.
 *
 * From 424 on, a number means the same call on every architecture (scripts/syscall.tbl and
 * arch/x86/entry/syscalls/syscall_64.tbl in the kernel's source).
 */
#ifndef STINT_SYSCALL_NUMBERS_H
#define STINT_SYSCALL_NUMBERS_H

#include <sys/syscall.h>

#define SYSCALL_NONE (-1)

#ifndef SYS_access
#define SYS_access SYSCALL_NONE
#endif
#ifndef SYS_chmod
#define SYS_chmod SYSCALL_NONE
#endif
#ifndef SYS_chown
#define SYS_chown SYSCALL_NONE
#endif
#ifndef SYS_creat
#define SYS_creat SYSCALL_NONE
#endif
#ifndef SYS_dup2
#define SYS_dup2 SYSCALL_NONE
#endif
#ifndef SYS_epoll_wait
#define SYS_epoll_wait SYSCALL_NONE
#endif
#ifndef SYS_fork
#define SYS_fork SYSCALL_NONE
#endif
#ifndef SYS_fstat
#define SYS_fstat SYSCALL_NONE
#endif
#ifndef SYS_futimesat
#define SYS_futimesat SYSCALL_NONE
#endif
#ifndef SYS_getdents
#define SYS_getdents SYSCALL_NONE
#endif
#ifndef SYS_lchown
#define SYS_lchown SYSCALL_NONE
#endif
#ifndef SYS_link
#define SYS_link SYSCALL_NONE
#endif
#ifndef SYS_lstat
#define SYS_lstat SYSCALL_NONE
#endif
#ifndef SYS_mkdir
#define SYS_mkdir SYSCALL_NONE
#endif
#ifndef SYS_mknod
#define SYS_mknod SYSCALL_NONE
#endif
#ifndef SYS_newfstatat
#define SYS_newfstatat SYSCALL_NONE
#endif
#ifndef SYS_open
#define SYS_open SYSCALL_NONE
#endif
#ifndef SYS_pause
#define SYS_pause SYSCALL_NONE
#endif
#ifndef SYS_poll
#define SYS_poll SYSCALL_NONE
#endif
#ifndef SYS_readlink
#define SYS_readlink SYSCALL_NONE
#endif
#ifndef SYS_rename
#define SYS_rename SYSCALL_NONE
#endif
#ifndef SYS_renameat
#define SYS_renameat SYSCALL_NONE
#endif
#ifndef SYS_rmdir
#define SYS_rmdir SYSCALL_NONE
#endif
#ifndef SYS_select
#define SYS_select SYSCALL_NONE
#endif
#ifndef SYS_stat
#define SYS_stat SYSCALL_NONE
#endif
#ifndef SYS_symlink
#define SYS_symlink SYSCALL_NONE
#endif
#ifndef SYS_sync_file_range
#define SYS_sync_file_range SYSCALL_NONE
#endif
#ifndef SYS_unlink
#define SYS_unlink SYSCALL_NONE
#endif
#ifndef SYS_utime
#define SYS_utime SYSCALL_NONE
#endif
#ifndef SYS_utimes
#define SYS_utimes SYSCALL_NONE
#endif
#ifndef SYS_vfork
#define SYS_vfork SYSCALL_NONE
#endif

#ifndef SYS_io_uring_enter
#define SYS_io_uring_enter 426
#endif
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#ifndef SYS_fsconfig
#define SYS_fsconfig 431
#endif
#ifndef SYS_fsmount
#define SYS_fsmount 432
#endif
#ifndef SYS_fspick
#define SYS_fspick 433
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_futex_wake
#define SYS_futex_wake 454
#endif
#ifndef SYS_futex_wait
#define SYS_futex_wait 455
#endif
#ifndef SYS_futex_requeue
#define SYS_futex_requeue 456
#endif
#ifndef SYS_statmount
#define SYS_statmount 457
#endif
#ifndef SYS_listmount
#define SYS_listmount 458
#endif
#ifndef SYS_mseal
#define SYS_mseal 462
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#endif
#ifndef SYS_getxattrat
#define SYS_getxattrat 464
#endif
#ifndef SYS_listxattrat
#define SYS_listxattrat 465
#endif
#ifndef SYS_removexattrat
#define SYS_removexattrat 466
#endif
#ifndef SYS_open_tree_attr
#define SYS_open_tree_attr 467
#endif
#ifndef SYS_file_getattr
#define SYS_file_getattr 468
#endif
#ifndef SYS_file_setattr
#define SYS_file_setattr 469
#endif

#endif

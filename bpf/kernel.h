/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's types, with only the members that the programs read. CO-RE finds each member at the load. */
#ifndef STINT_KERNEL_H
#define STINT_KERNEL_H

#include <linux/types.h>
#include <stdbool.h>

/* libbpf's headers name these types. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;

#define TASK_UNINTERRUPTIBLE 0x00000002
#define TASK_ASLEEP 0x00000003
#define TASK_WAKEKILL 0x00000100 /* asleep, but a kill wakes the task */
#define TASK_HALTED 0x0000800c /* stopped, traced, frozen */
#define TASK_DEAD 0x80
#define TASK_NEW 0x0800 /* just forked */
#define PF_EXITING 0x00000004
#define PF_POSTCOREDUMP 0x00000008 /* waits for the dump of its process */
#define PF_IO_WORKER 0x00000010
#define PF_MEMALLOC 0x00000800
#define PF_KTHREAD 0x00200000
#define SIGNAL_GROUP_EXIT 0x00000004

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

struct kernfs_node {
	const char *name;
	u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
	struct cgroup_subsys_state *subsys[1];
};

struct css_set {
	struct cgroup_subsys_state *subsys[1];
	struct cgroup *dfl_cgrp;
};

struct page_counter {
	atomic64_t usage; /* in pages, like all members here */
	unsigned long watermark;
	unsigned long max;
	struct page_counter *parent;
};

/* Sums of a cgroup and all cgroups below it. */
struct memcg_vmstats {
	long state[1];
	long state_pending[1]; /* changes in the cgroups below, in no sum yet */
};

struct memcg_vmstats_percpu {
	long state[1];
	long state_prev[1]; /* the part of state that is already in a sum */
};

enum node_stat_item {
	NR_INACTIVE_ANON = 0, /* the first of five lists of pages of programs and files */
	NR_UNEVICTABLE = 4,
	NR_SLAB_RECLAIMABLE_B = 5, /* in bytes, like the next item */
	NR_SLAB_UNRECLAIMABLE_B = 6,
};

enum memcg_memory_event {
	MEMCG_OOM = 3,
};

struct mem_cgroup {
	struct cgroup_subsys_state css;
	struct page_counter memory;
	atomic64_t memory_events_local[8];
	bool oom_group;
	bool oom_lock;
	struct memcg_vmstats *vmstats;
	struct memcg_vmstats_percpu *vmstats_percpu;
};

struct qstr {
	const unsigned char *name;
};

struct file_system_type {
	const char *name;
};

struct super_block {
	u32 s_dev;
	unsigned long s_magic;
	struct file_system_type *s_type;
	char s_id[32]; /* of a file system on a device: the device's name */
	const char *s_subtype;
};

struct inode {
	u16 i_mode;
	unsigned long i_ino;
	u32 i_rdev; /* 12 bits of major number, 20 bits of minor number (MINORBITS in linux/kdev_t.h) */
	u32 i_generation;
	s64 i_size;
	struct super_block *i_sb;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct nameidata {
	struct path path;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	unsigned int f_flags;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
	unsigned long *open_fds;
};

/* Any structure that begins with a pointer. */
struct hlist_head {
	void *first;
};

struct files_struct {
	struct fdtable *fdt;
};

struct fs_struct {
	struct path root;
	struct path pwd;
};

struct ns_common {
	unsigned int inum;
	u64 ns_id;
};

struct mnt_namespace {
	struct ns_common ns;
	u64 seq;
};

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct task_struct;

struct pid_namespace {
	struct task_struct *child_reaper;
};

struct upid {
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

struct linux_binprm {
	struct file *file;
	const char *filename;
	const char *interp;
};

/* An element of rss_stat since Linux 6.2. */
struct percpu_counter {
	s64 count;
	s32 *counters;
};

struct rw_semaphore {
	atomic64_t count;
};

struct mm_struct {
	struct rw_semaphore mmap_lock;
	unsigned long hiwater_rss; /* pages */
	unsigned long arg_start;
	unsigned long arg_end;
	struct file *exe_file;
	struct percpu_counter rss_stat[4];
	atomic64_t pgtables_bytes;
	atomic64_t hugetlb_usage; /* huge pages, counted in base pages */
	unsigned long saved_auxv[2];
};

struct vm_area_struct {
	struct file *vm_file;
};

struct mm_rss_stat___v61 {
	atomic64_t count[4];
};

struct mm_struct___v61 {
	struct mm_rss_stat___v61 rss_stat;
};

/* Up to 64 pages of each kind that the address space's counts do not have yet. */
struct task_rss_stat___v61 {
	int count[4];
};

struct task_struct___v61 {
	struct task_rss_stat___v61 rss_stat;
};

struct task_struct___v513 {
	/* Signed in the kernel. Unsigned here, so that tests can read 32 bits. */
	unsigned long state;
};

struct rq {
	unsigned int clock_update_flags;
	int cpu;
	u64 clock;
	u64 clock_task;
};

struct cfs_rq {
	struct rq *rq;
};

struct sched_entity {
	u64 exec_start;
	u64 sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

struct cfs_bandwidth {
	u64 quota;
	u64 throttled_time;
};

struct task_group {
	struct task_group *parent;
	struct cfs_bandwidth cfs_bandwidth;
};

struct kernel_siginfo {
	int si_code;
};

struct sched_info {
	unsigned long long run_delay;
	unsigned long long last_arrival;
	unsigned long long last_queued;
};

struct task_io_accounting {
	u64 rchar;
	u64 wchar;
	u64 syscr;
	u64 syscw;
	u64 read_bytes;
	u64 write_bytes;
	u64 cancelled_write_bytes;
};

struct signal_struct {
	atomic_t live;
	int nr_threads;
	int group_exit_code;
	unsigned int flags;
};

struct task_struct {
	unsigned int __state;
	void *stack;
	unsigned int flags;
	int exit_code;
	unsigned int in_execve : 1;
	unsigned int in_iowait : 1;
	unsigned int in_memstall : 1;
	int pid;
	int tgid;
	int wake_cpu;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct sched_entity se;
	struct sched_info sched_info;
	struct mm_struct *mm;
	struct signal_struct *signal;
	struct css_set *cgroups;
	struct task_group *sched_task_group;
	struct fs_struct *fs;
	struct nsproxy *nsproxy;
	struct pid *thread_pid;
	struct files_struct *files;
	struct nameidata *nameidata;
	struct bpf_local_storage *bpf_storage;
	u64 utime;
	u64 stime;
	unsigned long nvcsw;
	unsigned long nivcsw;
	unsigned long min_flt;
	unsigned long maj_flt;
	u64 start_boottime;
	u64 self_exec_id;
	struct task_io_accounting ioac;
	char comm[16];
};

/* Number and arguments of a system call. The number is -1 for a fault. */
struct pt_regs {
	int unused;
};

struct pt_regs___x64 {
	unsigned long orig_ax;
	unsigned long di;
	unsigned long si;
	unsigned long dx;
	unsigned long r10;
};

struct pt_regs___a64 {
	u64 regs[31];
	u64 orig_x0;
	s32 syscallno;
};

struct sock_common {
	unsigned short skc_family;
};

struct sock {
	struct sock_common __sk_common;
	u16 sk_protocol;
	u8 sk_kern_sock : 1;
};

struct tcp_sock {
	u32 total_retrans;
};

struct socket {
	short type;
	struct sock *sk;
};

struct msghdr;
struct page;
struct pipe_inode_info;

struct kiocb {
	struct file *ki_filp;
	s64 ki_pos;
	int ki_flags;
};

struct iov_iter {
	bool data_source;
	unsigned long count;
};

struct io_cqe {
	s32 res;
	int fd;
};

struct io_uring_task {
	struct task_struct *task;
};

struct io_kiocb {
	u8 opcode;
	u64 flags;
	struct io_cqe cqe;
	struct io_uring_task *tctx;
};

struct io_kiocb___v61 {
	struct task_struct *task;
};

struct seq_file {
	u64 index;
};

struct bpf_iter_meta {
	struct seq_file *seq;
	u64 session_id;
	u64 seq_num; /* of the object that the walk has reached */
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct bpf_iter__cgroup {
	struct bpf_iter_meta *meta;
	struct cgroup *cgroup;
};

struct bpf_map {
	u32 id;
};

struct bpf_mem_alloc {
	void *cache;
};

struct bpf_local_storage_map {
	struct bpf_mem_alloc selem_ma;
};

struct bpf_local_storage_map___v619 {
	bool use_kmalloc_nolock;
};

struct bpf_array {
	struct bpf_map map;
	void *pptrs[1];
};

struct bpf_iter__bpf_map {
	struct bpf_iter_meta *meta;
	struct bpf_map *map;
};

#pragma clang attribute pop

#endif

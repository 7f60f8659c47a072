/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts opens, reads and writes of files and file systems.
 *
 * Runs after each system call, so it is loaded only with files = on.
 */
#include "bpf/current.h"
#include "bpf/path.h"
#include "bpf/syscall.h"
#include "bpf/wait.h"

#define MAGIC_PROC 0x9fa0
#define MAGIC_SYSFS 0x62656572
#define MAGIC_CGROUP 0x27e0eb
#define MAGIC_CGROUP2 0x63677270

enum file_op {
	FILE_OPENED,
	FILE_READ,
	FILE_WRITTEN,
};

struct files_scratch {
	struct path_scratch path;
	struct file_use fresh;
};

struct files_scratch_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct files_scratch);
};
struct files_scratch_map files_scratch SEC(".maps");

#define ADD_CALL(sum, op, bytes)                        \
	do {                                            \
		if ((op) == FILE_OPENED) {              \
			ADD((sum)->opens, 1);           \
		} else if ((op) == FILE_READ) {         \
			ADD((sum)->reads, 1);           \
			ADD((sum)->read_bytes, bytes);  \
		} else {                                \
			ADD((sum)->writes, 1);          \
			ADD((sum)->write_bytes, bytes); \
		}                                       \
	} while (0)

static __always_inline bool is_the_kernels(u32 magic)
{
	return magic == MAGIC_PROC || magic == MAGIC_SYSFS || magic == MAGIC_CGROUP || magic == MAGIC_CGROUP2;
}

static __noinline struct file_use *file_make(const struct thread *t, const struct file_key *key)
{
	struct totals *job = totals_get(t->job);
	struct files_scratch *s;
	struct share *share;
	struct file *file;
	u32 zero = 0;

	s = bpf_map_lookup_elem(&files_scratch, &zero);
	if (!job || !s)
		return NULL;
	share = share_get(job);
	if (job->files < (share ? share->files : ABI_FILES_PER_JOB)) {
		file = (struct file *)t->file;
		s->fresh.magic = t->magic;
		s->fresh.cut = !path_write(&s->path, BPF_CORE_READ(file, f_path.dentry),
					   BPF_CORE_READ(file, f_path.mnt), s->fresh.path);
		if (s->fresh.cut)
			s->fresh.path[0] = '\0';
		if (bpf_map_update_elem(&files, key, &s->fresh, BPF_NOEXIST) == 0)
			ADD(job->files, 1);
	}
	return bpf_map_lookup_elem(&files, key);
}

static __noinline void file_count(struct thread *t, u64 fd, enum file_op op, u64 bytes)
{
	struct file_system_key fs_key = {};
	struct file_key key = {};
	struct file_system *fs;
	struct file_use *use;
	struct inode *inode;
	struct totals *job;

	if (!t || wait_for_file(bpf_get_current_task_btf(), t, (u32)fd) != WAIT_FILE_IO)
		return;
	fs_key.job = key.job = t->job;
	fs_key.magic = t->magic;
	fs = bpf_map_lookup_elem(&file_systems, &fs_key);
	if (fs)
		ADD_CALL(fs, op, bytes);
	else
		lose_file_system(t->job);
	if (is_the_kernels(t->magic))
		return;
	inode = (struct inode *)t->inode;
	key.inode = BPF_CORE_READ(inode, i_ino);
	key.device = BPF_CORE_READ(inode, i_sb, s_dev) | (u64)BPF_CORE_READ(inode, i_generation) << 32;
	use = bpf_map_lookup_elem(&files, &key);
	if (!use)
		use = file_make(t, &key);
	if (use) {
		ADD_CALL(use, op, bytes);
		return;
	}
	job = totals_get(t->job);
	if (job)
		ADD(job->lost_files, 1);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(file_called, struct pt_regs *regs, long ret)
{
	s64 number = syscall_number(regs);
	struct syscalls *table;
	struct thread *t;
	u32 zero = 0;
	u8 kind;

	if (ret < 0 || number < 0 || number >= ABI_SYSCALLS || !bpf_get_current_task_btf()->bpf_storage)
		return 0;
	table = bpf_map_lookup_elem(&syscalls, &zero);
	if (!table)
		return 0;
	kind = table->bytes[number];
	if (kind == SYSCALL_BYTES_NONE)
		return 0;
	t = current_thread();
	if (!t)
		return 0;
	switch (kind) {
	case SYSCALL_BYTES_READ:
		file_count(t, syscall_argument(regs, 0), FILE_READ, ret);
		break;
	case SYSCALL_BYTES_WRITE:
		file_count(t, syscall_argument(regs, 0), FILE_WRITTEN, ret);
		break;
	case SYSCALL_BYTES_COPY_OUT_IN:
		file_count(t, syscall_argument(regs, 0), FILE_WRITTEN, ret);
		file_count(t, syscall_argument(regs, 1), FILE_READ, ret);
		break;
	case SYSCALL_BYTES_COPY_IN_OUT:
		file_count(t, syscall_argument(regs, 0), FILE_READ, ret);
		file_count(t, syscall_argument(regs, 2), FILE_WRITTEN, ret);
		break;
	case SYSCALL_BYTES_OPEN:
		file_count(t, ret, FILE_OPENED, 0);
		break;
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts opens of GPU devices. The kernel calls chrdev_open() for character devices only, so other opens cost nothing. */
#include "bpf/gpu_files.h"

SEC("fexit/chrdev_open")
int BPF_PROG(gpu_opened, struct inode *inode, struct file *file, int status)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct process *p;
	struct thread *t;

	if (status != 0 || !gpus_exist() || !gpu_has(inode))
		return 0;
	t = thread_get(task);
	if (!t || !t->job || t->slurm)
		return 0;
	p = process_get(task, t);
	gpu_note(t->job, p ? p->tool : 0, gpu_device_of(inode), GPU_OPENED);
	return 0;
}

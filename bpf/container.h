/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds containers: processes of a job that have another root directory than the job's tasks, or a PID namespace below
 * that of the tasks. A mount namespace alone is no container: Slurm itself can give each job one (job_container.conf).
 *
 * Looks only at an exec, and at processes that were found late. A container's runtime is the process that made it, or a
 * process above that one: a program that the table of interpreters has with INTERPRETER_RUNTIME.
 */
#ifndef STINT_CONTAINER_H
#define STINT_CONTAINER_H

#include "bpf/account.h"
#include "bpf/path.h"

struct container_place {
	u64 root_inode;
	u64 root_device;
	u64 pid_namespace;
	u32 pid_level;
};

static __always_inline u64 hash_mix(u64 hash, u64 value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
	return hash ^ (hash >> 29);
}

static __always_inline struct container *container_get(u64 job, u64 id)
{
	struct container_key key = { .job = job, .container = id };

	return id ? bpf_map_lookup_elem(&containers, &key) : NULL;
}

/* Numbers of namespaces are reused soon, so this is the time when the first process of the namespace was born. */
static __noinline u64 pid_namespace_of(struct task_struct *task, u32 level)
{
	struct pid_namespace *namespace = NULL;
	struct pid *pid;

	if (!task)
		return 0;
	pid = BPF_CORE_READ(task, thread_pid);
	bpf_probe_read_kernel(&namespace, sizeof(namespace),
			      (void *)pid + bpf_core_field_offset(struct pid, numbers) +
				      level * bpf_core_type_size(struct upid) + bpf_core_field_offset(struct upid, ns));
	return BPF_CORE_READ(namespace, child_reaper, start_boottime);
}

/*
 * Returns a number that no other mount namespace ever has. It is in struct ns_common since Linux 6.18, and before that in
 * struct mnt_namespace.
 */
static __noinline u64 mount_namespace_of(struct task_struct *task)
{
	struct mnt_namespace *namespace;

	if (!task)
		return 0;
	namespace = BPF_CORE_READ(task, nsproxy, mnt_ns);
	if (bpf_core_field_exists(namespace->ns.ns_id))
		return BPF_CORE_READ(namespace, ns.ns_id);
	if (bpf_core_field_exists(namespace->seq))
		return BPF_CORE_READ(namespace, seq);
	return BPF_CORE_READ(namespace, ns.inum);
}

static __always_inline void container_place_of(struct task_struct *task, struct container_place *place)
{
	struct dentry *root = task->fs->root.dentry;

	place->root_inode = root->d_inode->i_ino;
	place->root_device = root->d_sb->s_dev;
	place->pid_level = task->thread_pid->level;
}

/* While no task is known, no PID namespace is below that of the tasks. */
#define CONTAINER_LEVEL_UNKNOWN 0xffffffffull

/*
 * Learns the root directory of the job's tasks.
 *
 * @stepd: the step daemon. A plugin may have moved a task into a container before its exec, so the task's own root
 *	   does not serve.
 */
static __noinline void container_learn_root(struct totals *job, struct task_struct *stepd)
{
	struct container_place place;

	if (!job || !stepd || job->root_inode)
		return;
	container_place_of(stepd, &place);
	job->root_device = place.root_device;
	job->pid_level = CONTAINER_LEVEL_UNKNOWN;
	job->root_inode = place.root_inode;
}

/*
 * Learns the PID namespace of the job's tasks.
 *
 * @task: a task. Slurm can give a job a PID namespace (namespace/linux), so the daemon's does not serve.
 */
static __noinline void container_learn_level(struct totals *job, struct task_struct *task)
{
	u64 level;

	if (!job || !task)
		return;
	level = task->thread_pid->level;
	if (job->pid_level == CONTAINER_LEVEL_UNKNOWN || job->pid_level < level)
		job->pid_level = level;
}

static __noinline void container_describe(struct container *c, struct task_struct *task)
{
	struct super_block *super;
	char device[5] = "";

	if (!c || !task)
		return;
	super = BPF_CORE_READ(task, fs, root.dentry, d_sb);
	bpf_probe_read_kernel_str(c->root, sizeof(c->root), BPF_CORE_READ(super, s_type, name));
	bpf_probe_read_kernel_str(c->server, sizeof(c->server), BPF_CORE_READ(super, s_subtype));
	bpf_probe_read_kernel_str(device, sizeof(device), &super->s_id);
	c->loop = text_same(device, "loop", 4);
}

/* Too large for the stack. */
static const struct container container_fresh;

#define CONTAINER_MANY 0x6d616e79 /* in the hash of a container that stands for several */

/*
 * Returns the key of a new container: @id, or, when the job has many, the container that stands for all further ones of
 * the same runtime and image.
 */
static __noinline u64 container_room(struct totals *job, u64 job_key, const struct process *p, u64 id)
{
	struct share *share;
	u32 most;
	u64 many;

	if (!job || !p)
		return ABI_CONTAINER_OTHER;
	share = share_get(job);
	most = share ? share->containers : ABI_CONTAINERS_PER_JOB;
	if (job->containers < most - most / 4)
		return id;
	many = hash_mix(p->runtime, CONTAINER_MANY);
	return job->containers < most || container_get(job_key, many) ? many : ABI_CONTAINER_OTHER;
}

/* Returns the key of the container; 0 if there is no room for even one more. */
static __noinline u64 container_make(struct task_struct *task, struct process *p, u64 id, const struct container_place *place)
{
	struct container_key key = {};
	struct container *c;
	struct totals *job;
	bool made;

	if (!task || !p || !place)
		return 0;
	key.job = p->job;
	job = totals_get(p->job);
	if (!job)
		return 0;
	key.container = container_room(job, p->job, p, id);
	made = bpf_map_update_elem(&containers, &key, &container_fresh, BPF_NOEXIST) == 0;
	c = bpf_map_lookup_elem(&containers, &key);
	if (!c) {
		ADD(job->lost_containers, 1);
		return 0;
	}
	/* Another process made this container at the same time. */
	if (!made && key.container == id)
		return id;
	ADD(c->count, 1);
	if (!made)
		return key.container;
	c->serial = ADD(job->containers, 1) + 1;
	c->root_inode = place->root_inode;
	c->root_device = place->root_device;
	c->pid_namespace = place->pid_namespace;
	c->step = p->step;
	c->start_ns = bpf_ktime_get_boot_ns();
	if (key.container == id)
		c->pid = task->tgid;
	if (key.container == ABI_CONTAINER_OTHER)
		return key.container;
	c->runtime = p->runtime;
	c->runtime_start_ns = p->runtime_start_ns;
	container_describe(c, task);
	return key.container;
}

/* Call at an exec, and when a process was found late. Sets p->container. */
static __noinline void container_look(struct task_struct *task, struct process *p)
{
	struct container_place place = {};
	struct container *c;
	struct totals *job;
	u64 id;

	if (!task || !p || (p->flags & EVENT_SLURM))
		return;
	job = totals_get(p->job);
	if (!job || !job->root_inode)
		return;
	container_place_of(task, &place);
	if (place.root_inode == job->root_inode && place.root_device == job->root_device && place.pid_level <= job->pid_level) {
		p->container = 0;
		return;
	}
	place.pid_namespace = pid_namespace_of(task, place.pid_level);
	c = container_get(p->job, p->container);
	/* What stands for several has the place of none. Only a runtime brings a process from it into another container. */
	if (c && !c->pid && !p->runtime_start_ns)
		return;
	if (c && c->root_inode == place.root_inode && c->root_device == place.root_device &&
	    c->pid_namespace == place.pid_namespace)
		return;
	id = hash_mix(hash_mix(mount_namespace_of(task), place.pid_namespace), hash_mix(place.root_inode, place.root_device));
	if (id <= ABI_CONTAINER_OTHER)
		id += ABI_CONTAINER_OTHER + 1;
	p->container = container_get(p->job, id) ? id : container_make(task, p, id, &place);
	/* What this process starts is not the runtime's work. */
	p->runtime = p->runtime_start_ns = 0;
	__sync_fetch_and_and(&p->flags, ~PROCESS_IMAGE);
}

/* Returns what tells a tool within the container from the same program outside; 0: outside. */
static __always_inline u64 container_mark(const struct process *p)
{
	struct container *c = container_get(p->job, p->container);

	return c ? hash_mix(hash_mix(c->root_inode, c->root_device), c->runtime) : 0;
}

/*
 * Follows from which runtime @p descends. Call after an exec has found the tool.
 *
 * A program that is no runtime ends the chain, except a shell that runs code from its command line, as enroot's do.
 *
 * @image: the tool's script is a container's image
 */
static __always_inline void container_follow(struct process *p, bool runtime, bool image, bool code)
{
	if (!runtime && !code) {
		p->runtime = p->runtime_start_ns = 0;
		__sync_fetch_and_and(&p->flags, ~PROCESS_IMAGE);
		return;
	}
	if (!runtime)
		return;
	if (!p->runtime_start_ns)
		p->runtime_start_ns = p->start_ns;
	/* apptainer, which knows the image, runs its "starter", which does not. */
	if (!image && (p->flags & PROCESS_IMAGE))
		return;
	p->runtime = p->tool;
	if (image)
		__sync_fetch_and_or(&p->flags, PROCESS_IMAGE);
}

static __always_inline void container_inherit(struct process *p, const struct process *parent)
{
	p->container = parent->container;
	p->runtime = parent->runtime;
	p->runtime_start_ns = parent->runtime_start_ns;
	p->flags |= parent->flags & PROCESS_IMAGE;
}

#endif

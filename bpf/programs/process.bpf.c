/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows the life of a process: fork, exec and exit. */
#include "bpf/enter.h"
#include "bpf/gpu_files.h"
#include "bpf/memory_peak.h"
#include "bpf/thread_runtime.h"

struct exec_scratch_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct image_scratch);
};
struct exec_scratch_map exec_scratch SEC(".maps");

/* Handles a new process or thread. sched_process_fork does not come for io_uring's workers (create_io_thread()). */
SEC("tp_btf/task_newtask")
int BPF_PROG(process_fork, struct task_struct *child)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct thread *mine = thread_get(parent), *t;
	struct process *p;
	struct member member;
	struct process *of = NULL;
	u32 flags = 0;
	bool first, left;

	if (mine && mine->job)
		of = process_get(parent, mine);
	/* A thread counts until a scan finds that its process was moved out of the job. */
	left = of && (of->flags & PROCESS_LEFT);
	/* clone3(CLONE_INTO_CGROUP) can make a child in another cgroup. */
	if (child->cgroups == parent->cgroups && !left) {
		if (!mine || !mine->job)
			return 0;
		member.job = mine->job;
		member.step = mine->step;
	} else if (!member_of_task(child, &member)) {
		if (mine && mine->job && !left)
			count_moved_out(mine, of);
		return 0;
	}
	if (mine && mine->job == member.job) {
		if (child->signal == parent->signal)
			process_share(parent, mine);
		flags |= slurm_process_flags(mine->slurm);
		of = process_get(parent, mine);
	} else {
		of = NULL;
	}
	if (left && threads_left_behind(child, member.job)) {
		ask_for_scan(member.job);
		return 0;
	}
	t = thread_enter(child, &member, flags, &first);
	if (!t) {
		/* This CPU had no memory ready. The kernel makes more a moment later. */
		ask_for_scan(member.job);
		return 0;
	}
	if (first) {
		p = process_get(child, t);
		if (p)
			p->ppid = parent->tgid;
		if (p && of) {
			p->tool = of->tool;
			p->flags |= of->flags & PROCESS_TASK ? PROCESS_OF_TASK : 0;
			container_inherit(p, of);
		}
	}
	if (!t->slurm)
		states_begin(child, t, t->start_ns, WAIT_NONE);
	return 0;
}

static __always_inline long read_text(char *to, u32 size, const char *from, bool user)
{
	return user ? bpf_probe_read_user_str(to, size, from) : bpf_probe_read_kernel_str(to, size, from);
}

static __always_inline void take_script(struct image_scratch *s, const char *from, bool user)
{
	struct path_tail tail;

	if (read_text(s->tool.script, sizeof(s->tool.script), from, user) < (long)sizeof(s->tool.script))
		return;
	s->tool.cut = 1;
	s->search.named = true;
	path_tail(&tail, from, user);
	read_text(s->tool.script, sizeof(s->tool.script), from + tail.start, user);
}

/*
 * Takes the name of an image. If it is too long, its front remains: what follows the last slash may be a part of a query,
 * which stintd could not tell from a name.
 */
static __always_inline void take_image_name(struct image_scratch *s, const char *from)
{
	if (bpf_probe_read_user_str(s->tool.script, sizeof(s->tool.script), from) == sizeof(s->tool.script))
		s->tool.cut = 1;
}

/* Returns the runtime of containers that is the script of the image; NULL if the script is none. */
static __noinline struct interpreter *runtime_of_script(struct image_scratch *s, char name[ABI_COMM_MAX])
{
	struct interpreter *runtime;
	struct path_tail tail;

	if (!s || !name)
		return NULL;
	path_tail(&tail, s->tool.script, false);
	bpf_probe_read_kernel_str(name, ABI_COMM_MAX, s->tool.script + tail.start);
	runtime = interpreter_get(name);
	return runtime && runtime->style == INTERPRETER_RUNTIME && runtime->options ? runtime : NULL;
}

/* Takes the image that a container's runtime was given. */
static __always_inline void take_image(struct image_scratch *s, struct task_struct *task, struct interpreter *interpreter)
{
	struct interpreter *runtime = interpreter;
	char name[ABI_COMM_MAX] = "";
	bool script = s->tool.script[0];
	const char *image;

	if (script)
		runtime = runtime_of_script(s, name);
	if (!runtime || runtime->style != INTERPRETER_RUNTIME)
		return;
	image = runtime_find_image(&s->search, task->mm, runtime, script);
	if (!image) {
		s->tool.runtime = script ? TOOL_NO_RUNTIME : TOOL_RUNTIME;
		return;
	}
	s->tool.runtime = script ? TOOL_RUNTIME_SCRIPT : TOOL_RUNTIME_OF_IMAGE;
	if (script)
		__builtin_memcpy(s->tool.name, name, sizeof(name));
	take_image_name(s, image);
}

static __noinline void image_name(struct image_scratch *s, struct task_struct *task, struct linux_binprm *bprm)
{
	struct interpreter *interpreter;
	const char *invoked = bprm->interp;
	const char *filename = bprm->filename;
	bool by_kernel = invoked != filename; /* "#!", or binfmt_misc */
	const char *name, *script;
	struct path_tail tail;

	if (!s)
		return;
	if (invoked_by_descriptor(invoked)) {
		name = (const char *)BPF_CORE_READ(bprm, file, f_path.dentry, d_name.name);
	} else {
		path_tail(&tail, invoked, false);
		name = invoked + tail.start;
	}
	if (bpf_probe_read_kernel_str(s->tool.name, sizeof(s->tool.name), name) == sizeof(s->tool.name))
		s->tool.cut = 1;
	interpreter = interpreter_get(s->tool.name);
	if (interpreter && interpreter->style == INTERPRETER_ENV) {
		s->search.code = true;
		return;
	}
	if (by_kernel) {
		take_script(s, filename, false);
	} else if (interpreter && interpreter->style != INTERPRETER_RUNTIME) {
		script = script_find(&s->search, task->mm, interpreter);
		s->search.code = !script;
		if (script)
			take_script(s, script, true);
	}
	take_image(s, task, interpreter);
}

static __always_inline bool was_lost(struct task_struct *task, const struct member *member)
{
	struct thread *parent = thread_get(task->real_parent);
	struct totals *job = totals_get(member->job);

	return parent && parent->job == member->job && !parent->slurm && job && job->lost_tasks;
}

/*
 * Starts to count a task that is not counted yet at its exec:
 * - a program that Slurm runs beside the job
 * - a thread of a process that was moved into the job
 * - a task that a scan met during an exec
 */
static __noinline struct thread *exec_enter(struct task_struct *task)
{
	struct member member;
	struct thread *t;
	bool first, lost;
	u32 flags = 0;

	if (!task)
		return NULL;
	if (!member_of_task(task, &member)) {
		if (!member_by_memory(task, &member))
			return NULL;
		flags |= EVENT_SLURM | EVENT_BESIDE;
	} else if (task_is_slurms(task, NULL, BPF_CORE_READ(task, real_parent, mm, exe_file), member.step,
				  settings_get())) {
		flags |= EVENT_SLURM;
	}
	t = thread_enter(task, &member, flags, &first);
	if (!t)
		return NULL;
	lost = was_lost(task, &member) && t->slurm != SLURM_BESIDE;
	if (t->slurm != SLURM_BESIDE)
		unseen_found(task, totals_get(t->job), lost);
	count_before(task, t, lost);
	if (!t->slurm)
		states_begin(task, t, t->start_ns, WAIT_NONE);
	return t;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct thread *t = thread_get(task);
	struct image_scratch *s;
	struct process *p;
	u64 now, cpu;
	u32 zero = 0;

	s = bpf_map_lookup_elem(&exec_scratch, &zero);
	if (!s)
		return 0;
	if (!t)
		t = exec_enter(task);
	if (!t || !t->job)
		return 0;
	p = process_get(task, t);
	if (!p) {
		struct totals *job = totals_get(t->job);

		p = process_alone(task, t, job ? job->uid : 0, slurm_process_flags(t->slurm));
		p->threads = 1;
		t->placeless = 0;
	}

	now = bpf_ktime_get_ns();
	cpu = running_cpu_ns(task, t, now);
	if (!t->slurm) {
		cpu_used(t, cpu - t->out_cpu);
		states_count(task, t, now, cpu, WAIT_NONE);
	}
	t->in_ns = now;
	thread_gather(task, t, cpu, now, &s->use);
	image_end(p, process_number(task), &s->use, true);
	if (t->slurm == SLURM_OWN)
		container_learn_root(totals_get(t->job), task->real_parent);
	leave_slurm(task, t, p);
	p->former = p->tool;
	process_replace_image(p, task);

	tool_clear(&s->tool);
	s->search.named = s->search.code = false;
	s->tool.slurm = !!(p->flags & EVENT_SLURM);
	image_name(s, task, bprm);
	container_look(task, p);
	image_begin(s, p, bprm->file, task->fs);
	container_follow(p, s->tool.runtime, s->tool.runtime >= TOOL_RUNTIME_OF_IMAGE, s->search.code);
	return 0;
}

static __always_inline void image_last_look(struct task_struct *task)
{
	struct thread *t = thread_get(task);
	struct process *p;

	if (!t || !t->job)
		return;
	p = process_get(task, t);
	/* Before its first exec, a process has its parent's address space. */
	if (!p || !(p->flags & EVENT_EXECED))
		return;
	process_raise_peaks(p, task->mm, settings_get());
	runtime_look(p, task->mm);
}

SEC("tp_btf/sched_prepare_exec")
int BPF_PROG(process_prepare_exec, struct task_struct *task, struct linux_binprm *bprm)
{
	image_last_look(task);
	return 0;
}

/* Before Linux 6.10, there is no sched_prepare_exec. */
SEC("fentry/begin_new_exec")
int BPF_PROG(process_begin_exec, struct linux_binprm *bprm)
{
	image_last_look(bpf_get_current_task_btf());
	return 0;
}

/* Reads the wait status, the peaks of memory, and whether OpenMP or BLAS is mapped. */
static __always_inline void process_last_look(struct task_struct *task)
{
	struct thread *t = thread_get(task);
	struct process *p;

	if (!t || !t->job)
		return;
	p = process_get(task, t);
	if (!p)
		return;
	p->status = wait_status(task);
	process_raise_peaks(p, task->mm, settings_get());
	runtime_look(p, task->mm);
}

/* The exit closes the process's files later (exit_files() in kernel/exit.c). */
static __always_inline void look_for_gpus(struct task_struct *task)
{
	struct thread *t = thread_get(task);
	struct process *p = t && t->job && !t->slurm ? process_get(task, t) : NULL;

	if (p)
		gpu_look_for_files(task, p, GPU_CLOSES);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(process_exit, struct task_struct *task)
{
	if (task->signal->live.counter != 0)
		return 0;
	process_last_look(task);
	if (gpus_exist())
		look_for_gpus(task);
	return 0;
}

/* Before Linux 6.16, sched_process_exit comes after exit_mm(). taskstats_exit() runs before exit_mm(). */
SEC("fentry/taskstats_exit")
int BPF_PROG(process_exit_memory, struct task_struct *task, int group_dead)
{
	if (group_dead)
		process_last_look(task);
	return 0;
}

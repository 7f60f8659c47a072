/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes over running threads from programs of another layout. The collector has translated the threads' data. */
#include "bpf/enter.h"

struct inherit_scratch_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct image_scratch);
};
struct inherit_scratch_map inherit_scratch SEC(".maps");

static __always_inline void inherit_uses(struct task_struct *task, struct thread *t, struct inherited *from)
{
	if (t->extra && !STORAGE_MAKE(&thread_uses, task, &from->use))
		t->extra = 0;
}

static __noinline void inherit_pressure(struct task_struct *task, struct thread *t)
{
	u64 now = bpf_ktime_get_ns();
	struct pressure *p;

	if (!task || !t)
		return;
	if (!(state_of(task) & (TASK_ASLEEP | TASK_HALTED)))
		t->wait = WAIT_NONE;
	else if (!t->wait)
		t->wait = wait_now(task, t);
	p = pressure_get(t);
	if (!p)
		return;
	if (!t->wait) {
		pressure_busy(p, now);
		return;
	}
	pressure_wait(p, t->wait, now);
	if (!p->busy && !p->full_since)
		p->full_since = now;
}

static __noinline void inherit_image(struct task_struct *task, struct thread *t, struct process *p)
{
	struct image_scratch *s;
	struct totals *job;
	struct file *exe;
	u32 zero = 0;

	if (!task || !t || !p)
		return;
	s = bpf_map_lookup_elem(&inherit_scratch, &zero);
	job = totals_get(t->job);
	if (!s || !job)
		return;
	ADD(job->unseen_threads, 1);
	leave_slurm(task, t, p);
	process_replace_image(p, task);
	exe = BPF_CORE_READ(task, mm, exe_file);
	image_guess(s, task->group_leader, exe);
	s->tool.slurm = t->slurm;
	image_begin(s, p, exe, NULL);
}

static __always_inline void totals_thread_inherited(struct totals *t, bool user)
{
	if (!t)
		return;
	ADD(t->live, 1);
	ADD(t->unseen_threads, (u64)-1);
	if (user)
		ADD(t->threads, 1);
}

static __noinline void thread_take_over(struct task_struct *task, struct inherited *from)
{
	struct totals *job, *step;
	struct process *p;
	struct thread *t;

	if (!task || !from)
		return;
	t = STORAGE_MAKE(&threads, task, &from->thread);
	if (!t)
		return;
	t->taken = THREAD_COUNTED;
	inherit_uses(task, t, from);
	job = thread_job(t);
	step = thread_step(t);
	totals_thread_inherited(job, !t->slurm);
	totals_thread_inherited(step, !t->slurm);
	t->slot = job && !t->slurm ? job->slot : 0;
	p = process_get(task, t);
	t->placeless = !p;
	if (p && !t->alone)
		__sync_fetch_and_add(&p->threads, 1);
	if (!t->slurm)
		inherit_pressure(task, t);
	if (p && p->exec_id != task->self_exec_id && !in_exec(task))
		inherit_image(task, t, p);
}

static __always_inline void inherit(struct task_struct *task)
{
	struct inherited_key key = { .start_ns = task->start_boottime, .tid = task->pid };
	struct inherited *from = bpf_map_lookup_elem(&inherited, &key);
	struct thread *t = thread_get(task);

	if (from && state_of(task) != TASK_DEAD && !(t && t->job))
		thread_take_over(task, from);
}

/* Adds change.given to the job's totals. Only programs may change totals, so the collector does not. */
static __always_inline void give(const struct bpf_iter_meta *meta)
{
	struct totals *job = totals_get(change.job);
	char done = 1;

	bpf_seq_write(meta->seq, &done, sizeof(done));
	if (!job || __sync_fetch_and_add(&change.done, 1))
		return;
	ADD(job->use[USE_CPU], change.given.cpu_ns);
	ADD(job->replaced_ns, change.given.replaced_ns);
	ADD(job->unseen_threads, change.given.unseen_threads);
	ADD(job->unseen_processes, change.given.unseen_processes);
}

SEC("iter/task")
int thread_inherit(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (!task || (task->flags & PF_KTHREAD))
		return 0;
	if (change.kind == CHANGE_INHERIT)
		inherit(task);
	else if (change.kind == CHANGE_GIVE)
		give(ctx->meta);
	return 0;
}

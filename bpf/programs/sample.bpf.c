/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums up the use of living threads that is not in the totals yet. Does not change the totals. */
#include "bpf/account.h"
#include "bpf/gpu_files.h"
#include "bpf/memory_peak.h"

#define ACTIVE_SHARE 1000 /* a thread is idle if it was on a CPU for less than a thousandth of the time */

static __always_inline struct thread_use *extra_uses(struct task_struct *task, const struct thread *t)
{
	return t->extra ? bpf_task_storage_get(&thread_uses, task, 0, 0) : NULL;
}

static __always_inline u64 bytes_used(struct task_struct *task, const struct thread *t)
{
	struct thread_use *extra = extra_uses(task, t);
	u64 bytes = task->ioac.rchar + task->ioac.wchar + task->ioac.read_bytes + task->ioac.write_bytes;

	if (extra)
		bytes += extra->use[USE_SOCKET_RX_BYTES] + extra->use[USE_SOCKET_TX_BYTES];
	return bytes;
}

/* A thread that waits for its child process counts as active. */
static __always_inline bool is_active(struct task_struct *task, struct thread *t, u64 now)
{
	u64 cpu = task->se.sum_exec_runtime, bytes = bytes_used(task, t);
	bool active = !t->sampled_ns || bytes != t->sampled_bytes || t->wait == WAIT_CHILD ||
		      (cpu - t->sampled_cpu) * ACTIVE_SHARE > now - t->sampled_ns;

	t->sampled_ns = now;
	t->sampled_cpu = cpu;
	t->sampled_bytes = bytes;
	return active;
}

/* Time of suspend does not count. */
static __always_inline void note_quiet(struct process *p, bool active, u64 now)
{
	if (active || !p->active_ns) {
		p->active_ns = now;
		return;
	}
	if (now > p->active_ns && now - p->active_ns > p->quiet_ns) {
		p->quiet_ns = now - p->active_ns;
		p->quiet_since_ns = bpf_ktime_get_boot_ns() - p->quiet_ns;
	}
}

static __always_inline void sample_states(struct task_struct *task, const struct thread *t, u64 *sums, u64 now)
{
	u64 left = t->left_wait, use = ABI_USE_OF_WAIT(left), out = t->out_ns, woken = t->woken_ns;
	u64 in = t->in_ns >= out ? t->in_ns : now;

	if (in < out)
		return;
	if (!left)
		woken = out;
	else if (t->wait)
		woken = in;
	else if (!woken)
		woken = in - (task->sched_info.run_delay - t->out_delay);
	if (woken < out || woken > in)
		return;
	sums[USE_RUNNABLE] += in - woken;
	barrier_var(use); /* for the verifier */
	if (left && use < ABI_USES_SENT)
		sums[use] += woken - out;
}

static __always_inline void sample_uses(struct task_struct *task, const struct thread *t, struct sample *s)
{
	s64 cpu = task->se.sum_exec_runtime - t->counted[KERNEL_CPU];
	struct thread_use *extra = extra_uses(task, t);

	for (int i = 0; extra && i < ABI_USES_SENT; i++)
		s->use[i] += extra->use[i];
	for (int w = 0; w < WAITS; w++)
		s->use[ABI_USE_OF_WAIT(w)] += t->state[w];
	s->use[USE_CPU] += cpu;
	s->use[USE_ON_CPU] += cpu - t->on_cpu_before;
	s->use[USE_READ_BYTES] += task->ioac.read_bytes - t->counted[KERNEL_READ_BYTES];
	s->use[USE_WRITE_BYTES] += task->ioac.write_bytes - t->counted[KERNEL_WRITE_BYTES];
	s->use[USE_SYSCALL_READ_BYTES] += task->ioac.rchar - t->counted[KERNEL_SYSCALL_READ_BYTES];
	s->use[USE_SYSCALL_WRITE_BYTES] += task->ioac.wchar - t->counted[KERNEL_SYSCALL_WRITE_BYTES];
}

/* Ends a piece of the walk with a byte. The reader's read() then returns, so that the walk can pause. */
static __always_inline void end_piece(const struct bpf_iter_meta *meta)
{
	u8 byte = 0;

	if (meta->seq_num % ABI_WALK_PIECE == 0)
		bpf_seq_write(meta->seq, &byte, sizeof(byte));
}

/* A walk whose reader went away has no end. */
static __always_inline void note_walk(bool ends)
{
	if (ends)
		walks += walks & 1;
	else
		walks += walks & 1 ? 2 : 1;
}

SEC("iter/task")
int sample_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process *p;
	struct sample *s;
	struct thread *t;
	u64 now = bpf_ktime_get_ns();
	u32 slot;

	if (!task || !ctx->meta->seq_num)
		note_walk(!task);
	if (!task)
		return 0;
	end_piece(ctx->meta);
	if ((task->flags & PF_KTHREAD) || !task->bpf_storage)
		return 0;
	t = thread_get(task);
	if (!t || !t->job || !t->slot)
		return 0;
	quota_look(task, t);
	p = process_get(task, t);
	if (p) {
		note_quiet(p, is_active(task, t, now), now);
		if (task->group_leader == task) {
			process_raise_file_peak(p, task->mm, settings_get());
			if (!t->slurm)
				gpu_look_for_files(task, p, GPU_FOUND);
		}
	}
	slot = t->slot;
	s = bpf_map_lookup_elem(&samples, &slot);
	if (!s || s->job != t->job)
		return 0;
	s->threads++;
	if (task->group_leader == task) {
		s->processes++;
		s->huge_bytes += process_raise_huge_peak(p, task->mm, settings_get());
	}
	sample_uses(task, t, s);
	sample_states(task, t, s->use, now);
	return 0;
}

struct living_scratch_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct living);
};
struct living_scratch_map living_scratch SEC(".maps");

/* The scheduler sets wake_cpu whenever a task changes its CPU (__set_task_cpu()). */
static __always_inline void living_cpu(struct task_struct *task, const struct thread *t, struct living *living)
{
	u64 used = task->se.sum_exec_runtime, out = t->out_cpu;

	if (!t->slot || used <= out)
		return;
	/* without wake_cpu, there is only one CPU */
	living->cpu = bpf_core_field_exists(task->wake_cpu) ? (u32)task->wake_cpu : 0;
	living->cpu_ns = used - out;
}

/* Sums up like thread_gather(), but resets nothing. */
static __noinline void living_uses(struct task_struct *task, const struct thread *t, struct living *living, u64 now)
{
	u64 kernel[KERNEL_USES];
	struct thread_use *extra;

	if (!task || !t || !living)
		return;
	extra = extra_uses(task, t);
	if (extra)
		__builtin_memcpy(living->use, extra->use, sizeof(living->use));
	kernel_uses_read(task, task->se.sum_exec_runtime, kernel);
	kernel_uses_grow(living->use, kernel, t->counted);
	if (t->slurm)
		return;
	living_cpu(task, t, living);
	for (int w = 0; w < WAITS; w++)
		living->use[ABI_USE_OF_WAIT(w)] += t->state[w];
	living->use[USE_THROTTLED] = t->throttled_ns;
	living->use[USE_TURNS] = t->turns_ns;
	living->use[USE_SYNC_WAIT] = t->sync_wait_ns;
	living->use[USE_SYNC_WAITS] = t->sync_waits;
	living->use[USE_ON_CPU] = living->use[USE_CPU] - t->on_cpu_before;
	living->use[USE_LIFETIME] = now - t->start_ns;
	sample_states(task, t, living->use, now);
}

static __always_inline void living_image(struct task_struct *task, const struct process *p, struct living *living)
{
	u64 key = (u64)task->signal;
	struct process_use *ended;

	living->tool = p->tool;
	living->container = p->container;
	living->process = key;
	living->start_ns = p->start_ns;
	living->pid = p->pid;
	living->ppid = p->ppid;
	living->flags |= p->flags & (EVENT_EXECED | EVENT_SLURM);
	living->threads_peak = p->threads_peak;
	ended = p->flags & PROCESS_USES ? bpf_map_lookup_elem(&process_uses, &key) : NULL;
	if (ended)
		__builtin_memcpy(living->ended, ended->use, sizeof(living->ended));
}

/* Answers a query for a running job. Only one walk may run at a time: the scratch memory is shared. */
SEC("iter/task")
int living_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	u64 now = bpf_ktime_get_ns();
	struct living *living;
	struct process *p;
	struct thread *t;
	u32 zero = 0;

	if (!task || (task->flags & PF_KTHREAD) || !task->bpf_storage)
		return 0;
	t = thread_get(task);
	living = bpf_map_lookup_elem(&living_scratch, &zero);
	if (!t || !t->job || !living)
		return 0;
	__builtin_memset(living, 0, sizeof(*living));
	living->job = t->job;
	living->step = t->step;
	living->flags = t->slurm == SLURM_BESIDE ? EVENT_BESIDE : 0;
	p = process_get(task, t);
	if (p)
		living_image(task, p, living);
	living_uses(task, t, living, now);
	bpf_seq_write(ctx->meta->seq, living, sizeof(*living));
	return 0;
}

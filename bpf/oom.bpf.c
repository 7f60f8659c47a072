/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The out-of-memory killer's victims. The thread that runs at that moment wanted memory; it need not be the victim. */
#include "bpf/account.h"
#include "bpf/memory_peak.h"

#define PAGES_NO_LIMIT (1ull << 50) /* more pages than any machine has; the kernel's "no limit" is still larger */

struct victim {
	u64 job;
	u64 step;
	u64 tool;
	u32 pid;
	u32 ppid;
	struct task_struct *task; /* NULL: not known */
};

static __always_inline void totals_killed(struct totals *t)
{
	if (t)
		ADD(t->oom_kills, 1);
}

static __noinline void victim_measure(struct task_struct *task, struct event *e)
{
	const struct settings *s = settings_get();
	struct resident resident;

	if (!e || !s || !task->mm)
		return;
	resident = mm_resident(task->mm, task, s);
	e->peak_bytes = resident.all;
	e->used_bytes = positive(resident.all - resident.file);
}

/* The lowest limit of the memory cgroups above @task, in bytes; 0 where there is none. */
static __noinline u64 memory_limit_bytes(struct task_struct *task)
{
	const struct settings *s = settings_get();
	struct css_set *set = task->cgroups;
	struct page_counter *counter;
	struct mem_cgroup *memory = NULL;
	u64 lowest = PAGES_NO_LIMIT;

	if (!s)
		return 0;
	/* struct mem_cgroup begins with its cgroup_subsys_state. */
	bpf_probe_read_kernel(&memory, sizeof(memory),
			      (void *)set + bpf_core_field_offset(set->subsys) + s->memory_subsys * sizeof(void *));
	counter = memory ? (void *)memory + bpf_core_field_offset(memory->memory) : NULL;
	for (int i = 0; i < CGROUP_LEVELS_MAX && counter; i++) {
		u64 limit = BPF_CORE_READ(counter, max);

		if (limit < lowest)
			lowest = limit;
		counter = BPF_CORE_READ(counter, parent);
	}
	return lowest < PAGES_NO_LIMIT ? lowest * s->page_bytes : 0;
}

static __noinline void victim_report(struct victim *v)
{
	struct task_struct *task;
	struct totals *job;
	struct event *e;

	if (!v)
		return;
	task = v->task;
	job = totals_get(v->job);
	totals_killed(job);
	totals_killed(v->step ? totals_get(v->step) : NULL);
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		if (job)
			ADD(job->lost_ooms, 1);
		return;
	}
	__builtin_memset(e, 0, sizeof(*e));
	e->kind = EVENT_OOM;
	e->job = v->job;
	e->step = v->step;
	e->tool = v->tool;
	e->pid = v->pid;
	e->ppid = v->ppid;
	e->end_ns = bpf_ktime_get_boot_ns();
	if (task) {
		victim_measure(task, e);
		e->limit_bytes = memory_limit_bytes(task);
		__builtin_memcpy(e->comm, task->comm, sizeof(e->comm));
	}
	event_end(e);
}

/*
 * Whether @p is marked for the first time. Where the whole cgroup is to be killed (memory.oom.group),
 * the kernel kills the process that it chose once more, with the others, and marks and counts it again.
 */
static __always_inline bool is_news(struct process *p)
{
	return !(__sync_fetch_and_or(&p->flags, PROCESS_OOM) & PROCESS_OOM);
}

static __always_inline void victim_of_process(struct victim *v, const struct process *p)
{
	v->job = p->job;
	v->step = p->step;
	v->tool = p->tool;
	v->pid = p->pid;
	v->ppid = p->ppid;
}

SEC("tp_btf/mark_victim")
int BPF_PROG(oom_victim, struct task_struct *task)
{
	struct victim v = { .task = task };
	struct thread *t = thread_get(task);
	struct process *p;

	/*
	 * The kernel also marks a process that already ends by itself, so that it ends sooner. That one was not killed.
	 */
	if (!t || !t->job || task->signal->group_exit_code != SIGKILL)
		return 0;
	p = process_get(task, t);
	if (p && is_news(p)) {
		victim_of_process(&v, p);
		victim_report(&v);
	} else if (!p) {
		v.job = t->job;
		v.step = t->step;
		v.pid = task->tgid;
		victim_report(&v);
	}
	return 0;
}

/* Counts a victim that nobody will know: the one who wanted the memory is of the same job, where it reached its limit. */
static __always_inline void lose_victim(void)
{
	struct thread *t = thread_get(bpf_get_current_task_btf());
	struct totals *job = t && t->job ? totals_get(t->job) : NULL;

	if (job)
		ADD(job->lost_ooms, 1);
}

/*
 * Before 6.9 (72ba14deb40a "mm: update mark_victim tracepoints fields") the tracepoint has only the pid. The collector
 * finds out whose process it was when the process has ended.
 */
SEC("tp_btf/mark_victim")
int BPF_PROG(oom_victim_pid, int pid)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e) {
		lose_victim();
		return 0;
	}
	__builtin_memset(e, 0, sizeof(*e));
	e->kind = EVENT_OOM;
	e->pid = pid;
	e->end_ns = bpf_ktime_get_boot_ns();
	event_end(e);
	return 0;
}

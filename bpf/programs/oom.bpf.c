/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports victims of the out-of-memory killer. The victim can be another task than the running one. */
#include "bpf/account.h"
#include "bpf/memory_peak.h"

#define PAGES_NO_LIMIT (1ull << 50) /* less than the kernel's "no limit" */

struct victim {
	u64 job;
	u64 step;
	u64 tool;
	u32 pid;
	u32 ppid;
	struct task_struct *task;
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

struct limit {
	struct mem_cgroup *memory;
	u64 pages;
};

static __always_inline struct mem_cgroup *memory_of_task(struct task_struct *task, const struct settings *s)
{
	struct css_set *set = task->cgroups;
	struct mem_cgroup *memory = NULL;

	/* struct mem_cgroup begins with its cgroup_subsys_state. */
	bpf_probe_read_kernel(&memory, sizeof(memory),
			      (void *)set + bpf_core_field_offset(set->subsys) + s->memory_subsys * sizeof(void *));
	return memory;
}

static __always_inline struct mem_cgroup *memory_parent(struct mem_cgroup *memory)
{
	struct page_counter *counter = BPF_CORE_READ(memory, memory.parent);

	return counter ? (void *)counter - bpf_core_field_offset(memory->memory) : NULL;
}

/*
 * Returns true if the cgroup ever ran out of memory at its own limit.
 * mem_cgroup_oom() counts each such event before it chooses a process (memcg_memory_event() in linux/memcontrol.h).
 */
static __always_inline bool ran_out(struct mem_cgroup *memory)
{
	u32 at = bpf_core_enum_value(enum memcg_memory_event, MEMCG_OOM) * sizeof(long);
	long count = 0;

	bpf_probe_read_kernel(&count, sizeof(count), (void *)memory + bpf_core_field_offset(memory->memory_events_local) + at);
	return count > 0;
}

/* A cgroup is full if less than a 32nd of its limit is free. */
#define FULL_ROOM_PART 32

/*
 * Returns true if @memory is out of memory at its own limit now, not only earlier.
 *
 * mem_cgroup_oom() sets oom_lock of this cgroup and those below until the kill (mm/memcontrol.c; since 6.11
 * memcg1_oom_prepare() in mm/memcontrol-v1.c). Another thread may have cleared oom_lock already.
 * So a cgroup that is almost full counts, too.
 */
static __always_inline bool runs_out(struct mem_cgroup *memory)
{
	struct mem_cgroup *parent;
	u64 pages, used;

	if (!bpf_core_field_exists(memory->memory_events_local) || !ran_out(memory))
		return false;
	parent = memory_parent(memory);
	if (bpf_core_field_exists(memory->oom_lock) && BPF_CORE_READ(memory, oom_lock) &&
	    !(parent && BPF_CORE_READ(parent, oom_lock)))
		return true;
	pages = BPF_CORE_READ(memory, memory.max);
	used = BPF_CORE_READ(memory, memory.usage.counter);
	return used + pages / FULL_ROOM_PART >= pages;
}

static __always_inline bool is_of_job(struct mem_cgroup *memory)
{
	u64 id = BPF_CORE_READ(memory, css.cgroup, kn, id);
	struct memory_cgroup *known = bpf_map_lookup_elem(&memory_cgroups, &id);

	return known && known->id == known->job;
}

struct limits {
	struct limit lowest;
	struct limit reached;
	/* Id of the topmost cgroup with memory.oom.group that the kernel kills as a whole. 0: none. */
	u64 group;
};

static __noinline void limits_find(struct task_struct *task, struct limits *l)
{
	const struct settings *s = settings_get();
	struct mem_cgroup *memory;

	if (!s || !task || !l)
		return;
	memory = memory_of_task(task, s);
	for (int i = 0; i < CGROUP_LEVELS_MAX && memory; i++) {
		u64 pages = BPF_CORE_READ(memory, memory.max);

		if (pages < l->lowest.pages)
			l->lowest = (struct limit){ memory, pages };
		/* The kernel kills nothing above this cgroup (mem_cgroup_get_oom_group() in mm/memcontrol.c). */
		if (!l->reached.memory && bpf_core_field_exists(memory->oom_group) && BPF_CORE_READ(memory, oom_group))
			l->group = BPF_CORE_READ(memory, css.cgroup, kn, id);
		if (!l->reached.memory && runs_out(memory))
			l->reached = (struct limit){ memory, pages };
		if (is_of_job(memory))
			break;
		memory = memory_parent(memory);
	}
}

/*
 * Returns the sum @item of @memory and all cgroups below it.
 *
 * Includes changes that the kernel has not added up yet, from the victim's cgroup up to @memory.
 */
static __noinline s64 memory_sum(struct task_struct *task, struct mem_cgroup *memory, u32 item)
{
	const struct settings *s = settings_get();
	struct mem_cgroup *below;
	s64 sum;

	if (!s || !task || !memory)
		return 0;
	sum = memory_stat_added_up(memory, memory_stat_at(item));
	below = memory_of_task(task, s);
	for (int i = 0; i < CGROUP_LEVELS_MAX && below; i++) {
		sum += memory_stat_changed(below, memory_stat_at(item), s->cpus);
		if (below == memory)
			break;
		below = memory_parent(below);
	}
	return sum;
}

/* The kernel's own memory is the charge without pages of programs and files. */
static __noinline void victim_kernel_memory(struct task_struct *task, struct mem_cgroup *memory, struct oom_state *oom)
{
	const struct settings *s = settings_get();
	s64 pages;

	if (!s || !task || !oom || !memory || !bpf_core_field_exists(memory->vmstats))
		return;
	pages = BPF_CORE_READ(memory, memory.usage.counter);
	for (u32 item = NR_INACTIVE_ANON; item <= NR_UNEVICTABLE; item++)
		pages -= memory_sum(task, memory, item);
	oom->kernel_bytes = positive(pages * s->page_bytes);
	oom->names_bytes = positive(memory_sum(task, memory, NR_SLAB_RECLAIMABLE_B));
	oom->slab_bytes = oom->names_bytes + positive(memory_sum(task, memory, NR_SLAB_UNRECLAIMABLE_B));
}

static __noinline void victim_limit(struct task_struct *task, struct event *e)
{
	struct limits l = { .lowest.pages = PAGES_NO_LIMIT, .reached.pages = PAGES_NO_LIMIT };
	const struct settings *s = settings_get();
	struct mem_cgroup *any = NULL;
	u64 pages;

	if (!s || !task || !e)
		return;
	limits_find(task, &l);
	e->oom.group = l.group;
	pages = l.reached.memory ? l.reached.pages : l.lowest.pages;
	e->limit_bytes = pages < PAGES_NO_LIMIT ? pages * s->page_bytes : 0;
	if (l.reached.memory)
		victim_kernel_memory(task, l.reached.memory, &e->oom);
	else if (bpf_core_field_exists(any->memory_events_local))
		e->oom.flags |= OOM_NODE;
	if (task->mm && bpf_core_field_exists(task->mm->pgtables_bytes))
		e->oom.page_table_bytes = positive(BPF_CORE_READ(task, mm, pgtables_bytes.counter));
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
		victim_limit(task, e);
		__builtin_memcpy(e->comm, task->comm, sizeof(e->comm));
	}
	event_end(e);
}

/* With memory.oom.group, the kernel reports the first victim twice. */
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

	/* The kernel also marks a process that already ends by itself. */
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

/* Counts the victim for the running thread's job. This is right if a limit of the job was reached. */
static __always_inline void lose_victim(void)
{
	struct thread *t = thread_get(bpf_get_current_task_btf());
	struct totals *job = t && t->job ? totals_get(t->job) : NULL;

	if (job)
		ADD(job->lost_ooms, 1);
}

/*
 * Before Linux 6.9 (72ba14deb40a "mm: update mark_victim tracepoints fields"), the tracepoint has only the pid.
 * The collector finds the job when the process has ended.
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the contents of the kernel programs' maps. */
#include "collector/kernel/programs_internal.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "collector/host/cgroup.h"
#include "common/cleanup.h"
#include "common/clock.h"

#define SCANS_MAX 4 /* a scan repeats its walk while tasks fork */

int programs__write_settings(struct programs *p, struct error *err)
{
	__u32 zero = 0;

	if (bpf_map_update_elem(p->maps[SETTINGS], &zero, &p->settings, BPF_ANY) < 0)
		return error_errno(err, "cannot read or write the settings of the kernel programs");
	return 0;
}

int programs__set_fuse(struct programs *p, bool seen, struct error *err)
{
	if (p->settings.fuse_seen == seen)
		return 0;
	p->settings.fuse_seen = seen;
	return programs__write_settings(p, err);
}

/*
 * Returns a descriptor for the iterator's output; -1 with @err set.
 *
 * @info: the part to walk over; NULL: all
 */
static int begin_walk(int program_fd, union bpf_iter_link_info *info, struct error *err)
{
	LIBBPF_OPTS(bpf_link_create_opts, options, .iter_info = info, .iter_info_len = info ? sizeof(*info) : 0);
	int link = bpf_link_create(program_fd, 0, BPF_TRACE_ITER, &options);
	int iterator;

	if (link < 0)
		return error_errno(err, "cannot walk the kernel's tables with a BPF iterator");
	iterator = bpf_iter_create(link);
	close(link);
	return iterator < 0 ? error_errno(err, "cannot walk the kernel's tables with a BPF iterator") : iterator;
}

int programs__begin_walk(int program_fd, struct error *err)
{
	return begin_walk(program_fd, NULL, err);
}

/*
 * Runs an iterator program to its end. Returns 0; -1 with @err set.
 *
 * @info: the part to walk over; NULL: all
 * @written: receives how many bytes the program wrote
 */
static int iterate(int program_fd, union bpf_iter_link_info *info, size_t *written, struct error *err)
{
	int iterator = begin_walk(program_fd, info, err), n;
	char buffer[256];

	if (iterator < 0)
		return -1;
	*written = 0;
	while ((n = read(iterator, buffer, sizeof(buffer))) > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		*written += n > 0 ? n : 0;
	close(iterator);
	return n < 0 ? error_errno(err, "cannot walk the kernel's tables with a BPF iterator") : 0;
}

int programs__iterate(int program_fd, struct error *err)
{
	size_t written;

	return iterate(program_fd, NULL, &written, err);
}

/* The walk looks for one task, and writes a byte when it has found it. */
static int iterate_to_first(int program_fd, struct error *err)
{
	int iterator = begin_walk(program_fd, NULL, err), n;
	char byte;

	if (iterator < 0)
		return -1;
	do
		n = read(iterator, &byte, sizeof(byte));
	while (n < 0 && (errno == EAGAIN || errno == EINTR));
	close(iterator);
	return n < 0 ? error_errno(err, "cannot walk the kernel's tables with a BPF iterator") : 0;
}

int programs__set_hierarchy(struct programs *p, int hierarchy_id, const char *controller, int memory_hierarchy_id,
			    struct error *err)
{
	int index = *controller ? cgroup_subsys_index(controller) : 0;

	if (index < 0)
		return error_set(err, "the kernel's BTF does not name the controller '%s'", controller);
	p->settings.hierarchy_id = hierarchy_id;
	p->settings.subsys = index;
	p->settings.memory_hierarchy_id = memory_hierarchy_id;
	return programs__write_settings(p, err);
}

int programs__learn_stepd(struct programs *p, pid_t pid, struct error *err)
{
	char name[64];
	struct stat st;
	__u32 zero = 0;
	int status;

	snprintf(name, sizeof(name), "/proc/%d/exe", (int)pid);
	if (stat(name, &st) < 0 || (p->stepd.st_ino == st.st_ino && p->stepd.st_dev == st.st_dev))
		return 0;
	p->settings.stepd_pid = pid;
	status = programs__write_settings(p, err);
	if (status == 0)
		status = programs__iterate(p->scan_fd, err);
	if (status == 0 && bpf_map_lookup_elem(p->maps[SETTINGS], &zero, &p->settings) < 0)
		status = error_errno(err, "cannot read or write the settings of the kernel programs");
	if (status == 0)
		p->stepd = st;
	p->settings.stepd_pid = 0;
	return programs__write_settings(p, err) < 0 ? -1 : status;
}

int programs__scan(struct programs *p, struct error *err)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	for (int i = 0; i < SCANS_MAX; i++) {
		size_t early;

		if (iterate(p->scan_fd, NULL, &early, err) < 0)
			return -1;
		if (!early)
			break;
		nanosleep(&moment, NULL);
	}
	return 0;
}

int programs__scan_process(struct programs *p, pid_t pid, bool *early, struct error *err)
{
	union bpf_iter_link_info info = { .task.pid = (__u32)pid };
	size_t written = 0;
	int status = iterate(p->scan_fd, &info, &written, err);

	*early = written > 0;
	return status;
}

int programs__totals(struct programs *p, uint64_t id, struct totals *totals)
{
	return bpf_map_lookup_elem(p->maps[TOTALS], &id, totals);
}

int programs__samples_begin(struct programs *p, struct error *err)
{
	if (p->sample_fd < 0)
		return error_set(err, "%s is not loaded", programs__name(PROGRAM_sample_tasks));
	for (__u32 slot = 1; slot < ABI_SLOTS; slot++) {
		struct sample sample = { .job = p->slots.jobs[slot] };

		if (sample.job && bpf_map_update_elem(p->maps[SAMPLES], &slot, &sample, BPF_ANY) < 0)
			return error_errno(err, "cannot update stint's BPF map of samples");
	}
	return programs__begin_walk(p->sample_fd, err);
}

int programs__samples_go_on(int walk, struct error *err)
{
	char byte;
	int n = read(walk, &byte, 1);

	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return 1;
	if (n < 0)
		error_errno(err, "cannot walk the kernel's tables with a BPF iterator");
	close(walk);
	return n;
}

int programs__sample(struct programs *p, unsigned int slot, struct sample *sample)
{
	return slot ? bpf_map_lookup_elem(p->maps[SAMPLES], &slot, sample) : -1;
}

static int read_whole(int fd, void *to, size_t bytes)
{
	size_t used = 0;

	while (used < bytes) {
		ssize_t n = read(fd, (char *)to + used, bytes - used);

		if (n == 0)
			return used ? -1 : 0;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -1;
		used += n > 0 ? n : 0;
	}
	return 1;
}

int programs__living(struct programs *p, uint64_t job, void (*take)(const struct living *living, void *data),
		     void *data)
{
	struct living living;
	struct error err;
	int walk = p->living_fd >= 0 ? programs__begin_walk(p->living_fd, &err) : -1, more;

	if (walk < 0)
		return -1;
	while ((more = read_whole(walk, &living, sizeof(living))) > 0)
		if (!job || living.job == job)
			take(&living, data);
	close(walk);
	return more;
}

#define CGROUPS_MAX 4096 /* the most in the kernel's buffer */

int64_t programs__slab_bytes(struct programs *p, int cgroup_fd)
{
	union bpf_iter_link_info info = {
		.cgroup = { .order = BPF_CGROUP_ITER_DESCENDANTS_PRE, .cgroup_fd = (__u32)cgroup_fd },
	};
	static int64_t parts[CGROUPS_MAX];
	int64_t bytes = 0;
	struct error err;
	ssize_t length;
	int walk = p->slab_fd >= 0 ? begin_walk(p->slab_fd, &info, &err) : -1;

	if (walk < 0)
		return -1;
	/* One read gets all cgroups. */
	length = read(walk, parts, sizeof(parts));
	close(walk);
	if (length <= 0 || length == sizeof(parts))
		return -1;
	for (size_t i = 0; i < length / sizeof(*parts); i++)
		bytes += parts[i];
	return bytes > 0 ? bytes : 0; /* the sum of a running job may be negative */
}

int programs__pressure(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure)
{
	if (!slot || bpf_map_lookup_elem(p->maps[PRESSURES], &slot, pressure) < 0)
		return -1;
	return pressure->job == job ? 0 : -1;
}

int programs__leave(struct programs *p, unsigned int slot, uint64_t job, uint64_t waits, unsigned int cpus,
		    struct error *err)
{
	const struct pressure left = {
		.left_job = job,
		.left_ns = clock_ns(CLOCK_BOOTTIME),
		.left_waits = waits,
		.left_cpus = cpus,
	};

	/* A running program may still write here, which does no harm: the entry is not read. */
	if (bpf_map_update_elem(p->maps[PRESSURES], &slot, &left, BPF_ANY) < 0)
		return error_errno(err, "cannot update stint's BPF map of jobs' waits");
	return 0;
}

bool programs__was_left(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure)
{
	return slot && bpf_map_lookup_elem(p->maps[PRESSURES], &slot, pressure) == 0 && !pressure->job &&
	       pressure->left_job == job;
}

int programs__cpu_uses(struct programs *p, unsigned int slot, uint64_t job, uint64_t *ns, unsigned int cpus)
{
	unsigned int possible = libbpf_num_possible_cpus();
	struct cpu_use *uses = calloc(possible, sizeof(*uses));
	int status = -1;

	if (uses && slot && bpf_map_lookup_elem(p->maps[CPU_USES], &slot, uses) == 0)
		status = 0;
	for (unsigned int cpu = 0; status == 0 && cpu < cpus; cpu++)
		ns[cpu] = cpu < possible && uses[cpu].job == job ? uses[cpu].cpu_ns : 0;
	free(uses);
	return status;
}

struct cpu_taker {
	struct job_cpu *jobs;
	size_t count;
};

static size_t find_first(const struct cpu_taker *taker, uint64_t key)
{
	size_t low = 0, high = taker->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (taker->jobs[middle].job < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_cpu(const struct living *living, void *data)
{
	const struct cpu_taker *taker = data;

	if (living->flags & EVENT_BESIDE)
		return;
	for (size_t i = find_first(taker, living->job); i < taker->count && taker->jobs[i].job == living->job; i++)
		taker->jobs[i].ns += living->use[USE_CPU];
}

int programs__cpu_ns(struct programs *p, struct job_cpu *jobs, size_t count, struct error *err)
{
	struct cpu_taker taker = { jobs, count };
	struct totals totals;

	for (size_t i = 0; i < count; i++)
		jobs[i].ns = 0;
	if (programs__living(p, 0, add_cpu, &taker) < 0)
		return error_set(err, "cannot read what live threads have used");
	/* Read the totals after the walk, so that no thread is missed. A thread that ended meanwhile counts twice. */
	for (size_t i = 0; i < count; i++) {
		jobs[i].known = programs__totals(p, jobs[i].job, &totals) == 0;
		jobs[i].ns += jobs[i].known ? totals.use[USE_CPU] : 0;
	}
	return 0;
}

int programs__give(struct programs *p, uint64_t job, const struct given *given, struct error *err)
{
	if (!p->change)
		return error_set(err, "the kernel programs are not those of this stintd");
	p->change->kind = CHANGE_GIVE;
	p->change->job = job;
	p->change->given = *given;
	p->change->done = 0;
	return iterate_to_first(p->change_fd, err);
}

/* Returns true if all threads of the job have ended. Then no program makes entries for the job any more. */
static bool is_over(struct programs *p, uint64_t job)
{
	struct totals totals;

	return programs__totals(p, job, &totals) == 0 && totals.live == 0;
}

struct of_job {
	struct own_entries *own;
	enum map_index map;
	uint64_t job;
};

/* Also stores an entry of the job in of->own. */
static bool is_jobs(const struct of_job *of, const void *key)
{
	uint64_t parts[2];

	_Static_assert(sizeof(parts) == sizeof(struct tool_key) && sizeof(parts) == sizeof(struct file_system_key),
		       "a key is the job's, and what is within it");
	memcpy(parts, key, sizeof(parts));
	if (parts[0] != of->job)
		return false;
	if (of->own)
		own_entries_note(of->own, of->job, of->map, parts[1], false);
	return true;
}

/*
 * Stores the job's entries in of->own if all threads of the job have ended.
 *
 * @data: for @take; contains @of
 */
static int walk_of_job(struct programs *p, struct of_job *of, bool (*take)(const void *key, const void *value, void *data),
		       void *data)
{
	int status;

	of->own = is_over(p, of->job) ? &p->own : NULL;
	status = programs__walk(p->maps[of->map], take, data);
	if (of->own && status == 0)
		own_entries_are_read(of->own, of->job, of->map);
	return status;
}

struct tool_taker {
	struct of_job of;
	void (*take)(uint64_t id, const struct tool *tool, void *data);
	void *data;
};

static bool take_tool(const void *key, const void *value, void *data)
{
	const struct tool_key *tool = key;
	const struct tool_taker *taker = data;

	if (is_jobs(&taker->of, key))
		taker->take(tool->tool, value, taker->data);
	return false;
}

int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data)
{
	struct tool_taker taker = { { .map = TOOLS, .job = job }, take, data };

	return walk_of_job(p, &taker.of, take_tool, &taker);
}

struct container_taker {
	uint64_t job;
	void (*take)(uint64_t id, const struct container *container, void *data);
	void *data;
};

static bool take_container(const void *key, const void *value, void *data)
{
	const struct container_key *container = key;
	const struct container_taker *taker = data;

	if (container->job == taker->job)
		taker->take(container->container, value, taker->data);
	return false;
}

int programs__containers(struct programs *p, uint64_t job,
			 void (*take)(uint64_t id, const struct container *container, void *data), void *data)
{
	struct container_taker taker = { job, take, data };

	return programs__walk(p->maps[CONTAINERS], take_container, &taker);
}

struct gpu_file_taker {
	uint64_t job;
	void (*take)(const struct gpu_file_key *key, const struct gpu_file *file, void *data);
	void *data;
};

static bool take_gpu_file(const void *key, const void *value, void *data)
{
	const struct gpu_file_key *file = key;
	const struct gpu_file_taker *taker = data;

	if (file->job == taker->job)
		taker->take(file, value, taker->data);
	return false;
}

int programs__gpu_files(struct programs *p, uint64_t job,
			void (*take)(const struct gpu_file_key *key, const struct gpu_file *file, void *data), void *data)
{
	struct gpu_file_taker taker = { job, take, data };

	return programs__walk(p->maps[GPU_FILES], take_gpu_file, &taker);
}

struct step_taker {
	uint64_t job;
	void (*take)(uint64_t id, uint64_t first_pid, void *data);
	void *data;
};

static bool take_step(const void *key, const void *value, void *data)
{
	const struct totals *totals = value;
	const struct step_taker *taker = data;
	__u64 id;

	memcpy(&id, key, sizeof(id));
	if (totals->job == taker->job && totals->first_pid)
		taker->take(id, totals->first_pid, taker->data);
	return false;
}

int programs__found_steps(struct programs *p, uint64_t job, void (*take)(uint64_t id, uint64_t first_pid, void *data),
			  void *data)
{
	struct step_taker taker = { job, take, data };

	return programs__walk(p->maps[TOTALS], take_step, &taker);
}

struct file_system_taker {
	struct of_job of;
	void (*take)(uint64_t magic, const struct file_system *fs, void *data);
	void *data;
};

static bool take_file_system(const void *key, const void *value, void *data)
{
	const struct file_system_key *fs = key;
	const struct file_system_taker *taker = data;

	if (is_jobs(&taker->of, key))
		taker->take(fs->magic, value, taker->data);
	return false;
}

int programs__file_systems(struct programs *p, uint64_t job,
			   void (*take)(uint64_t magic, const struct file_system *fs, void *data), void *data)
{
	struct file_system_taker taker = { { .map = FILE_SYSTEMS, .job = job }, take, data };

	return walk_of_job(p, &taker.of, take_file_system, &taker);
}

struct file_taker {
	uint64_t job;
	void (*take)(const struct file_use *file, void *data);
	void *data;
};

static bool take_file(const void *key, const void *value, void *data)
{
	const struct file_key *file = key;
	const struct file_taker *taker = data;

	if (file->job == taker->job)
		taker->take(value, taker->data);
	return false;
}

int programs__files(struct programs *p, uint64_t job, void (*take)(const struct file_use *file, void *data), void *data)
{
	struct file_taker taker = { job, take, data };

	return programs__walk(p->maps[FILES], take_file, &taker);
}

static int hand_over(void *data, void *record, size_t size)
{
	struct programs *p = data;

	if (size >= sizeof(struct event))
		p->take(record, p->take_data);
	return 0;
}

#define LARGE_BYTES (256 * 1024)

/*
 * Keeps children from inheriting the mapping of the ring buffer, because this mapping makes forks slow.
 * Finds the mapping in /proc, because libbpf does not tell its address.
 */
static void keep_from_children(void)
{
	cleanup_fclose FILE *maps = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 128];
	uintptr_t from, to;

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "bpf-map") && sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2 &&
		    to - from >= LARGE_BYTES)
			madvise((void *)from, to - from, MADV_DONTFORK);
}

/* The first two pages of the ring buffer have the kernel's counters. libbpf shows them only since 1.3. */
static void map_counters(struct programs *p)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	void *pages = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, p->maps[EVENTS], 0);

	if (pages == MAP_FAILED)
		return;
	if (bpf_obj_get_info_by_fd(p->maps[EVENTS], &info, &size) == 0)
		p->ring_bytes = info.max_entries;
	p->ring_read = pages;
	p->ring_written = (const void *)((const char *)pages + page);
}

bool programs__events_fill(const struct programs *p)
{
	unsigned long read, written;

	if (!p->ring_bytes)
		return false;
	read = __atomic_load_n(p->ring_read, __ATOMIC_ACQUIRE);
	written = __atomic_load_n(p->ring_written, __ATOMIC_ACQUIRE);
	return written - read > p->ring_bytes / 4;
}

int programs__on_event(struct programs *p, void (*take)(const struct event *event, void *data), void *data,
		       struct error *err)
{
	p->take = take;
	p->take_data = data;
	p->ring = ring_buffer__new(p->maps[EVENTS], hand_over, p, NULL);
	if (!p->ring)
		return error_errno(err, "cannot open the BPF ring buffer of events");
	keep_from_children();
	map_counters(p);
	return 0;
}

int programs__events_fd(struct programs *p)
{
	return ring_buffer__epoll_fd(p->ring);
}

void programs__drain(struct programs *p)
{
	for (size_t i = 0; i < p->left_count; i++)
		p->take(&p->left[i], p->take_data);
	free(p->left);
	p->left = NULL;
	p->left_count = 0;
	ring_buffer__consume(p->ring);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/cgroup.h"

#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"

#define FILE_MAX (256 * 1024)

/*
 * Order in which the cgroup v1 hierarchies are searched for a step; cgroup v2 comes last. The paths come from the first
 * hierarchy with a cgroup for the step. prefer_cpuacct() and find_memory() may choose other hierarchies for threads and
 * memory.
 */
static const char *const preference[] = { "memory", "freezer", "cpuacct", "cpuset", "pids", "devices" };
#define PREFERENCES (sizeof(preference) / sizeof(preference[0]))

static bool list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
			return true;
	return false;
}

static void add_mount(struct cgroup_layout *layout, const char *path, const char *controllers)
{
	struct cgroup_mount *mount = &layout->mounts[layout->count];

	if (layout->count == CGROUP_CONTROLLERS_MAX || strlen(path) >= sizeof(mount->path))
		return;
	snprintf(mount->path, sizeof(mount->path), "%s", path);
	snprintf(mount->controllers, sizeof(mount->controllers), "%s", controllers);
	layout->count++;
}

int cgroup_layout_read(struct cgroup_layout *layout, struct error *err)
{
	cleanup_fclose FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *entry;

	layout->count = 0;
	strcpy(layout->proc, "/proc");
	if (!mounts)
		return error_errno(err, "/proc/self/mounts");
	while ((entry = getmntent(mounts))) {
		if (strcmp(entry->mnt_type, "cgroup2") == 0)
			add_mount(layout, entry->mnt_dir, "");
		if (strcmp(entry->mnt_type, "cgroup") != 0)
			continue;
		for (size_t i = 0; i < PREFERENCES; i++)
			if (hasmntopt(entry, preference[i])) {
				add_mount(layout, entry->mnt_dir, preference[i]);
				break;
			}
	}
	if (layout->count == 0)
		return error_set(err, "no cgroup file system is mounted");
	return 0;
}

const struct cgroup_mount *cgroup_find_mount(const struct cgroup_layout *layout, const char *controller)
{
	for (int i = 0; i < layout->count; i++)
		if (*controller ? list_has(layout->mounts[i].controllers, controller) :
				  !layout->mounts[i].controllers[0])
			return &layout->mounts[i];
	return NULL;
}

#define PLACES 4 /* step daemon, its parent, a task, stintd */

/* The cgroups of a process (/proc/PID/cgroup). */
struct place {
	pid_t pid;
	char *text; /* NULL: not read yet */
};

struct search {
	const struct cgroup_layout *layout;
	pid_t parent; /* slurmd, or init if slurmd has ended */
	pid_t stepd;
	pid_t task; /* 0: not known */
	uint64_t start_ns; /* CLOCK_BOOTTIME of the step daemon */
	struct place places[PLACES];
};

/*
 * Returns the text of /proc/@pid/cgroup; NULL if there is no process. Reads the file only once, because a process can
 * move.
 */
static const char *find_place(struct search *search, pid_t pid)
{
	struct place *place = search->places;
	char name[sizeof(search->layout->proc) + 32];

	while (place->text && place->pid != pid)
		if (++place == search->places + PLACES)
			return NULL;
	if (!place->text) {
		snprintf(name, sizeof(name), "%s/%d/cgroup", search->layout->proc, (int)pid);
		place->pid = pid;
		place->text = file_read_kernel(name, FILE_MAX);
	}
	return place->text;
}

/*
 * Finds the path of the cgroup of @pid, and the hierarchy's number. @controller: "" for v2
 * Returns 0; -1 if the process is not in this hierarchy.
 */
static int process_path(struct search *search, pid_t pid, const char *controller, char path[PATH_MAX], int *hierarchy_id)
{
	const char *place = find_place(search, pid);
	cleanup_free char *text = place ? strdup(place) : NULL;
	char *save = NULL;

	if (!text)
		return -1;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *controllers = strchr(line, ':');
		char *where = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!where)
			continue;
		*controllers++ = *where++ = '\0';
		if (*controller ? !list_has(controllers, controller) : *controllers != '\0')
			continue;
		if (snprintf(path, PATH_MAX, "%s", where) >= PATH_MAX)
			return -1;
		*hierarchy_id = atoi(line);
		return 0;
	}
	return -1;
}

int cgroup_of_process(const struct cgroup_layout *layout, pid_t pid, const char *controller, char path[PATH_MAX])
{
	struct search search = { .layout = layout };
	int id, found = process_path(&search, pid, controller, path, &id);

	free(search.places[0].text);
	return found;
}

/*
 * Reads the parent and the start of @pid. @start_ns: CLOCK_BOOTTIME, accurate to a clock tick
 * Returns 0; -1 if the process has ended. A zombie counts as ended, because a zombie is in no cgroup.
 */
static int process_read(const struct cgroup_layout *layout, pid_t pid, pid_t *parent, uint64_t *start_ns)
{
	char name[sizeof(layout->proc) + 32];
	cleanup_free char *text = NULL;
	const char *behind;
	unsigned long long ticks;
	char state;

	snprintf(name, sizeof(name), "%s/%d/stat", layout->proc, (int)pid);
	text = file_read_kernel(name, FILE_MAX);
	/* /proc/PID/stat is "pid (name) state ppid ...". The name may contain ')'. Field 22 is the start. */
	behind = text ? strrchr(text, ')') : NULL;
	if (!behind || sscanf(behind, ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
			      &state, parent, &ticks) != 3 || state == 'Z' || state == 'X')
		return -1;
	*start_ns = ticks * (1000000000ull / sysconf(_SC_CLK_TCK));
	return 0;
}

bool cgroup_process_lives(const struct cgroup_layout *layout, pid_t pid, uint64_t seen_ns)
{
	uint64_t start_ns;
	pid_t parent;

	return process_read(layout, pid, &parent, &start_ns) == 0 && start_ns <= seen_ns;
}

/* Shortens @path to the deepest cgroup that also contains @other. */
static void keep_common(char *path, const char *other)
{
	for (;;) {
		size_t length = strlen(path);
		char *slash;

		if (strncmp(path, other, length) == 0 && (other[length] == '/' || other[length] == '\0'))
			return;
		slash = strrchr(path, '/');
		if (!slash || slash == path) {
			strcpy(path, "/");
			return;
		}
		*slash = '\0';
	}
}

static bool cut_last(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

/* Reads a cgroup's id, the inode number of its directory. Returns 0; -1 if there is no cgroup. */
static int cgroup_id(const struct cgroup_mount *mount, const char *path, uint64_t *id)
{
	char name[PATH_MAX + 256];
	struct stat st;

	snprintf(name, sizeof(name), "%s%s", mount->path, path);
	if (stat(name, &st) < 0)
		return -1;
	*id = st.st_ino;
	return 0;
}

static char *read_in(const struct cgroup_mount *mount, const char *path, const char *file)
{
	char name[PATH_MAX + 512];

	snprintf(name, sizeof(name), "%s%s/%s", mount->path, path, file);
	return file_read_kernel(name, FILE_MAX);
}

/*
 * Returns true if no process in @path is older than the step daemon. If Slurm makes no cgroups, the step daemon is in
 * slurmd's cgroup.
 */
static bool made_for_step(const struct search *search, const struct cgroup_mount *mount, const char *path)
{
	cleanup_free char *pids = read_in(mount, path, "cgroup.procs");
	char *save = NULL;

	if (!pids)
		return false;
	for (char *line = strtok_r(pids, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		pid_t parent, pid = atoi(line);
		uint64_t start_ns;

		if (pid != search->stepd && process_read(search->layout, pid, &parent, &start_ns) == 0 &&
		    start_ns < search->start_ns)
			return false;
	}
	return true;
}

static bool holds(struct search *search, const char *controller, const char *path, pid_t pid)
{
	size_t length = strlen(path);
	char where[PATH_MAX];
	int id;

	if (process_path(search, pid, controller, where, &id) < 0)
		return false;
	return strncmp(where, path, length) == 0 && (where[length] == '/' || where[length] == '\0');
}

/*
 * Finds the cgroups of job and step. Returns false if one is not found.
 *
 * @step: the step daemon's cgroup; set to the step's cgroup
 * @task: the task's cgroup
 */
static bool split_paths(const char *controller, char step[PATH_MAX], const char *task, char job[PATH_MAX])
{
	size_t length = strlen(step);

	if (strcmp(controller, "freezer") == 0) {
		/* In the freezer, the step daemon is in the job's cgroup, and each step's cgroup is below. */
		memcpy(job, step, length + 1);
		if (strncmp(task, job, length) != 0 || task[length] != '/')
			return false;
		snprintf(step, PATH_MAX, "%.*s", (int)(length + 1 + strcspn(task + length + 1, "/")), task);
		return true;
	}
	keep_common(step, task);
	/* On v2, the step daemon is in a leaf beside the tasks' leaves. */
	length = strlen(step);
	if (!*controller && length > 6 && strcmp(step + length - 6, "/slurm") == 0)
		cut_last(step);
	strcpy(job, step);
	return cut_last(job);
}

static int find_in(struct search *search, const struct cgroup_mount *mount, const char *controller,
		   struct cgroup_job *found, char step[PATH_MAX])
{
	char other[PATH_MAX];
	int id;

	if (process_path(search, search->stepd, controller, step, &found->hierarchy_id) < 0)
		return -1;
	if (process_path(search, search->parent, controller, other, &id) < 0 || strcmp(step, other) == 0)
		return -1;
	/* In the freezer, all step daemons are in the job's cgroup. Only a task shows the step. */
	if (strcmp(controller, "freezer") != 0 && !made_for_step(search, mount, step))
		return -1;
	if (!search->task || process_path(search, search->task, controller, other, &id) < 0)
		strcpy(other, step);
	if (!split_paths(controller, step, other, found->job_path))
		return -1;
	if (snprintf(found->step_name, sizeof(found->step_name), "%s", strrchr(step, '/') + 1) >= NAME_MAX + 1)
		return -1;
	/* A cgroup that contains slurmd or stintd is not a job's cgroup. */
	if (holds(search, controller, found->job_path, search->parent) ||
	    holds(search, controller, found->job_path, getpid()))
		return -1;
	if (cgroup_id(mount, step, &found->step_id) < 0 || cgroup_id(mount, found->job_path, &found->job_id) < 0)
		return -1;
	snprintf(found->controller, sizeof(found->controller), "%s", controller);
	return 0;
}

/*
 * If the task is in the step's cgroup of cpuacct, makes cpuacct decide which threads belong to the job. stint then
 * counts the same threads as this cgroup. Returns true if cpuacct was chosen.
 */
static bool prefer_cpuacct(struct search *search, const char *step, struct cgroup_job *found)
{
	const struct cgroup_mount *mount = cgroup_find_mount(search->layout, "cpuacct");
	struct cgroup_job by_cpu = *found;
	char path[PATH_MAX];
	size_t length = strlen(step);

	if (!mount || !search->task ||
	    process_path(search, search->task, "cpuacct", path, &by_cpu.hierarchy_id) < 0)
		return false;
	if (strncmp(path, step, length) != 0 || (path[length] != '/' && path[length] != '\0'))
		return false;
	if (cgroup_id(mount, step, &by_cpu.step_id) < 0 || cgroup_id(mount, found->job_path, &by_cpu.job_id) < 0)
		return false;
	strcpy(by_cpu.controller, "cpuacct");
	*found = by_cpu;
	return true;
}

/* Finds the cgroups that are charged with the memory of job and step. */
static void find_memory(struct search *search, const char *step, struct cgroup_job *found)
{
	const struct cgroup_mount *mount = cgroup_find_mount(search->layout, "memory");
	const char *controller = mount ? "memory" : "";
	char path[PATH_MAX];

	found->memory_hierarchy_id = -1;
	found->memory_job_id = found->memory_step_id = 0;
	if (!mount)
		mount = cgroup_find_mount(search->layout, "");
	if (!mount || process_path(search, search->stepd, controller, path, &found->memory_hierarchy_id) < 0)
		return;
	if (cgroup_id(mount, found->job_path, &found->memory_job_id) < 0 ||
	    cgroup_id(mount, step, &found->memory_step_id) < 0)
		found->memory_job_id = found->memory_step_id = 0;
}

/*
 * Looks for the step in the hierarchy of @controller ("" for v2). Returns true if the step is there, and if
 * @hierarchy_id decides which threads belong to it; -1: any hierarchy may decide.
 */
static bool find_by(struct search *search, const char *controller, int hierarchy_id, struct cgroup_job *found)
{
	const struct cgroup_mount *mount = cgroup_find_mount(search->layout, controller);
	struct cgroup_job by_cpu;
	char step[PATH_MAX];

	if (!mount || find_in(search, mount, controller, found, step) < 0)
		return false;
	find_memory(search, step, found);
	by_cpu = *found;
	if (prefer_cpuacct(search, step, &by_cpu) && (hierarchy_id < 0 || hierarchy_id == by_cpu.hierarchy_id))
		*found = by_cpu;
	return hierarchy_id < 0 || hierarchy_id == found->hierarchy_id;
}

static int find_step(struct search *search, uint64_t seen_ns, int hierarchy_id, struct cgroup_job *found, struct error *err)
{
	uint64_t start_ns;
	pid_t parent;

	if (process_read(search->layout, search->stepd, &search->parent, &search->start_ns) < 0 ||
	    search->start_ns > seen_ns)
		return error_set(err, "the step was over before the collector could look at it");
	for (size_t i = 0; i < PREFERENCES; i++)
		if (find_by(search, preference[i], hierarchy_id, found))
			return 0;
	if (find_by(search, "", hierarchy_id, found))
		return 0;
	/* If the task is gone, the step is over: the step daemon removes the step's cgroups. */
	if (search->task > 0 &&
	    (process_read(search->layout, search->task, &parent, &start_ns) < 0 || start_ns > seen_ns))
		return error_set(err, "the step was over before the collector could look at it");
	return error_set(err, "the step has no cgroup of its own (slurm.conf: ProctrackType=proctrack/cgroup)");
}

int cgroup_find(const struct cgroup_layout *layout, const struct cgroup_step *step, int hierarchy_id, struct cgroup_job *found,
		struct error *err)
{
	struct search search = { .layout = layout, .stepd = step->stepd_pid, .task = step->task_pid };
	int status = find_step(&search, step->seen_ns, hierarchy_id, found, err);

	found->stepd_start_ns = search.start_ns;
	for (size_t i = 0; i < PLACES; i++)
		free(search.places[i].text);
	return status;
}

int cgroup_subsys_index(const char *controller)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const struct btf_type *type;
	const struct btf_enum *value;
	char name[64];
	int id, index = -1;

	if (!btf)
		return -1;
	snprintf(name, sizeof(name), "%s_cgrp_id", controller);
	id = btf__find_by_name_kind(btf, "cgroup_subsys_id", BTF_KIND_ENUM);
	type = id > 0 ? btf__type_by_id(btf, id) : NULL;
	value = type ? btf_enum(type) : NULL;
	for (int i = 0; type && i < btf_vlen(type); i++)
		if (strcmp(btf__name_by_offset(btf, value[i].name_off), name) == 0)
			index = value[i].val;
	btf__free(btf);
	return index;
}

static int64_t value_or_unknown(int64_t value)
{
	return value < 0 ? -1 : value;
}

/* Returns the number in a file; -1 if there is no file, or if it contains "max". */
static int64_t read_number(const struct cgroup_mount *mount, const char *path, const char *file)
{
	cleanup_free char *text = read_in(mount, path, file);
	char *end;
	int64_t value;

	if (!text)
		return -1;
	value = strtoll(text, &end, 10);
	return end == text ? -1 : value_or_unknown(value);
}

int64_t cgroup_stat_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (strncmp(line, key, length) == 0 && line[length] == ' ')
			return value_or_unknown(strtoll(line + length, NULL, 10));
	return -1;
}

#define KNOWN_MAX (INT64_MAX / 8) /* more than any memory; sums do not overflow */

static int64_t known(int64_t value)
{
	return value < 0 ? 0 : value < KNOWN_MAX ? value : KNOWN_MAX;
}

/* Returns the page cache without shared memory, because shared memory counts as memory used; -1: not known. */
static int64_t cache_without_shmem(int64_t cache, int64_t shmem)
{
	return cache < 0 ? -1 : known(cache - known(shmem));
}

/*
 * v1 has no file for the kernel's memory without reclaimable slabs, so stintd subtracts two values. A job can change
 * each value by 100 MB a second between the two readings. So read the slabs before and after, and try again if the
 * slabs changed.
 */
#define SLAB_TRIES 8
#define SLAB_TRY_NS 1000000 /* ten times the usual time */
#define SLAB_SKEW_BYTES (1 << 20)

struct kernel_memory {
	int64_t bytes; /* without reclaimable slabs */
	int64_t skew_bytes; /* change of the slabs meanwhile */
	int64_t took_ns;
};

static bool try_kernel_memory(const struct cgroup_mount *mount, const char *path, const struct cgroup_slabs *slabs,
			      struct kernel_memory *kernel)
{
	uint64_t from_ns = clock_ns(CLOCK_MONOTONIC);
	int64_t before = slabs->bytes(slabs->data);
	int64_t all = known(read_number(mount, path, "memory.kmem.usage_in_bytes"));
	int64_t after = slabs->bytes(slabs->data), most = before > after ? before : after;

	if (before < 0 || after < 0)
		return false;
	kernel->bytes = known(all - most);
	kernel->skew_bytes = llabs(after - before);
	kernel->took_ns = (int64_t)(clock_ns(CLOCK_MONOTONIC) - from_ns);
	return true;
}

/* Returns the kernel's memory without reclaimable slabs, in bytes; -1: not known. */
static int64_t kernel_memory(const struct cgroup_mount *mount, const char *path, const struct cgroup_slabs *slabs)
{
	struct kernel_memory best = { .bytes = -1, .skew_bytes = INT64_MAX }, kernel;
	int64_t all = known(read_number(mount, path, "memory.kmem.usage_in_bytes")), few;
	int64_t skew = all / 16 > SLAB_SKEW_BYTES ? all / 16 : SLAB_SKEW_BYTES;

	if (!slabs || all == 0)
		return all;
	/* The error is small if the values are small: read them once. */
	if (all <= SLAB_SKEW_BYTES) {
		few = slabs->bytes(slabs->data);
		return few < 0 ? -1 : known(all - few);
	}
	for (int i = 0; i < SLAB_TRIES; i++) {
		if (!try_kernel_memory(mount, path, slabs, &kernel))
			return -1;
		if (kernel.skew_bytes < best.skew_bytes)
			best = kernel;
		if (kernel.skew_bytes <= skew && kernel.took_ns <= SLAB_TRY_NS)
			return kernel.bytes;
	}
	return best.skew_bytes <= skew ? best.bytes : -1;
}

static void memory_read_v1(const struct cgroup_mount *mount, const char *path, const struct cgroup_slabs *slabs,
			   struct cgroup_memory *memory)
{
	cleanup_free char *stat = read_in(mount, path, "memory.stat");
	int64_t anon = stat ? cgroup_stat_value(stat, "total_rss") : -1, kernel = anon < 0 ? -1 : kernel_memory(mount, path, slabs);

	if (anon >= 0 && kernel >= 0)
		memory->used_bytes = known(anon) + known(cgroup_stat_value(stat, "total_shmem")) + kernel;
	memory->cache_bytes = cache_without_shmem(cgroup_stat_value(stat, "total_cache"), cgroup_stat_value(stat, "total_shmem"));
	memory->swap_bytes = cgroup_stat_value(stat, "total_swap");
	memory->charged_peak_bytes = read_number(mount, path, "memory.max_usage_in_bytes");
	memory->limit_bytes = read_number(mount, path, "memory.limit_in_bytes");
	/* Without a limit, the file has the largest number of bytes in whole pages. */
	if (memory->limit_bytes >= INT64_MAX / 2)
		memory->limit_bytes = -1;
}

static void memory_read_v2(const struct cgroup_mount *mount, const char *path, struct cgroup_memory *memory)
{
	cleanup_free char *stat = read_in(mount, path, "memory.stat");
	int64_t anon = stat ? cgroup_stat_value(stat, "anon") : -1;
	int64_t kernel = stat ? cgroup_stat_value(stat, "kernel") : -1;

	/* "kernel" came with Linux 5.18; its parts are older. */
	if (stat && kernel < 0)
		kernel = known(cgroup_stat_value(stat, "kernel_stack")) + known(cgroup_stat_value(stat, "pagetables")) +
			 known(cgroup_stat_value(stat, "percpu")) + known(cgroup_stat_value(stat, "slab"));
	/* Leave out reclaimable slabs (names and inodes of files). The kernel reclaims them like page cache. */
	if (anon >= 0)
		memory->used_bytes = known(anon) + known(cgroup_stat_value(stat, "shmem")) +
				     known(known(kernel) - known(cgroup_stat_value(stat, "slab_reclaimable")));
	memory->cache_bytes = cache_without_shmem(cgroup_stat_value(stat, "file"), cgroup_stat_value(stat, "shmem"));
	memory->swap_bytes = read_number(mount, path, "memory.swap.current");
	memory->charged_peak_bytes = read_number(mount, path, "memory.peak");
	/*
	 * Slurm sets the step's limit in this cgroup, which has the user's processes. slurmstepd has only the job's
	 * limit.
	 */
	memory->limit_bytes = read_number(mount, path, "user/memory.max");
	if (memory->limit_bytes < 0)
		memory->limit_bytes = read_number(mount, path, "memory.max");
}

void cgroup_memory_read(const struct cgroup_layout *layout, const char *path, const struct cgroup_slabs *slabs,
			struct cgroup_memory *memory)
{
	const struct cgroup_mount *mount = cgroup_find_mount(layout, "memory");

	memory->used_bytes = memory->cache_bytes = memory->swap_bytes = -1;
	memory->charged_peak_bytes = memory->limit_bytes = -1;
	if (mount) {
		memory_read_v1(mount, path, slabs, memory);
		return;
	}
	mount = cgroup_find_mount(layout, "");
	if (mount)
		memory_read_v2(mount, path, memory);
}

int cgroup_open(const struct cgroup_layout *layout, const char *controller, const char *path)
{
	const struct cgroup_mount *mount = cgroup_find_mount(layout, controller);
	char name[PATH_MAX + 512];

	if (!mount)
		return -1;
	snprintf(name, sizeof(name), "%s%s", mount->path, path);
	return open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int64_t cgroup_cpu_ns(const struct cgroup_layout *layout, const char *path)
{
	const struct cgroup_mount *mount = cgroup_find_mount(layout, "cpuacct");
	cleanup_free char *stat = NULL;
	int64_t usec;

	if (mount)
		return read_number(mount, path, "cpuacct.usage");
	mount = cgroup_find_mount(layout, "");
	stat = mount ? read_in(mount, path, "cpu.stat") : NULL;
	usec = stat ? cgroup_stat_value(stat, "usage_usec") : -1;
	return usec < 0 || usec > INT64_MAX / 1000 ? -1 : usec * 1000;
}

int cgroup_cpus(const struct cgroup_layout *layout, const char *path, char *list, size_t size)
{
	const struct cgroup_mount *mount = cgroup_find_mount(layout, "cpuset");
	cleanup_free char *text = NULL;

	if (mount)
		text = read_in(mount, path, "cpuset.cpus");
	else if ((mount = cgroup_find_mount(layout, "")))
		text = read_in(mount, path, "cpuset.cpus.effective");
	if (!text)
		return -1;
	text[strcspn(text, "\n")] = '\0';
	if (!*text || strlen(text) >= size)
		return -1;
	strcpy(list, text);
	return 0;
}

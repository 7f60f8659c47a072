/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fake_kernel.h"

#include <string.h>

#include "collector/kernel/programs.h"

#define TOTALS_KNOWN 16
#define LISTED 5

static const uint8_t *told;
static size_t told_size, told_at;
static struct {
	uint64_t id; /* of a job or step that has totals */
	uint64_t job;
} known[TOTALS_KNOWN];
static struct settings settings;

void kernel_begin(const uint8_t *data, size_t size)
{
	told = data;
	told_size = size;
	told_at = 0;
	memset(known, 0, sizeof(known));
	memset(&settings, 0, sizeof(settings));
	settings.hierarchy_id = -1;
}

/* Fills @out with the input's bytes, over and over. */
static void tell(void *out, size_t size)
{
	uint8_t *to = out;

	for (size_t i = 0; i < size; i++)
		to[i] = told_size ? told[told_at++ % told_size] : 0;
}

static bool chance(void)
{
	uint8_t byte;

	tell(&byte, 1);
	return byte & 1;
}

static int refuse(struct error *err)
{
	return error_set(err, "the kernel says no");
}

static void know(uint64_t id, uint64_t job)
{
	for (int i = 0; i < TOTALS_KNOWN; i++)
		if (!known[i].id || known[i].id == id) {
			known[i].id = id;
			known[i].job = job;
			return;
		}
}

static bool is_known(uint64_t id)
{
	for (int i = 0; i < TOTALS_KNOWN; i++)
		if (known[i].id == id)
			return true;
	return false;
}

bool programs__taken_over(const struct programs *p)
{
	(void)p;
	return chance();
}

bool programs__pinned(const struct programs *p)
{
	(void)p;
	return true;
}

bool programs__replaced(const struct programs *p, const char **why)
{
	(void)p;
	*why = "";
	return chance();
}

int programs__cpu_ns(struct programs *p, struct job_cpu *jobs, size_t count, struct error *err)
{
	(void)p;
	for (size_t i = 0; i < count; i++) {
		tell(&jobs[i].ns, sizeof(jobs[i].ns));
		jobs[i].known = chance();
	}
	return chance() ? refuse(err) : 0;
}

int programs__give(struct programs *p, uint64_t job, const struct given *given, struct error *err)
{
	(void)p;
	(void)job;
	(void)given;
	return chance() ? refuse(err) : 0;
}

const char *programs__version(const struct programs *p, bool *same)
{
	(void)p;
	*same = chance();
	return "0.1.0";
}

int programs__states(const struct programs *p, struct program_state states[PROGRAMS])
{
	(void)p;
	states[0] = (struct program_state){ .name = "aio_got", .gap = "used.async_read_bytes", .gap_reason = "none" };
	return chance();
}

bool programs__loaded(const struct programs *p, enum program program)
{
	(void)p;
	(void)program;
	return chance();
}

const struct settings *programs__settings(const struct programs *p)
{
	(void)p;
	return &settings;
}

uint64_t programs__since_ns(const struct programs *p)
{
	uint64_t ns;

	(void)p;
	tell(&ns, sizeof(ns));
	return ns;
}

int programs__set_hierarchy(struct programs *p, int hierarchy_id, const char *controller, int memory_hierarchy_id,
			    struct error *err)
{
	(void)p;
	(void)controller;
	if (chance())
		return refuse(err);
	settings.hierarchy_id = hierarchy_id;
	settings.memory_hierarchy_id = memory_hierarchy_id;
	return 0;
}

int programs__learn_stepd(struct programs *p, pid_t pid, struct error *err)
{
	(void)p;
	(void)pid;
	return chance() ? refuse(err) : 0;
}

int programs__add_job(struct programs *p, uint64_t job, uint32_t uid, uint64_t cgroup, bool *existed, struct error *err)
{
	(void)p;
	(void)uid;
	(void)cgroup;
	*existed = is_known(job);
	know(job, job);
	return chance() ? refuse(err) : 0;
}

int programs__add_step(struct programs *p, uint64_t job, uint64_t step, struct error *err)
{
	(void)p;
	know(step, job);
	return chance() ? refuse(err) : 0;
}

int programs__add_memory(struct programs *p, uint64_t memory_id, uint64_t job, uint64_t id, struct error *err)
{
	(void)p;
	(void)memory_id;
	(void)job;
	(void)id;
	return chance() ? refuse(err) : 0;
}

bool programs__has_memory(const struct programs *p, uint64_t memory_id)
{
	(void)p;
	(void)memory_id;
	return chance();
}

void programs__forget_cgroup(struct programs *p, uint64_t cgroup, uint64_t memory_id)
{
	(void)p;
	(void)cgroup;
	(void)memory_id;
}

int programs__share_tables(struct programs *p, const struct table_use *use, struct error *err)
{
	(void)p;
	(void)use;
	return chance() ? refuse(err) : 0;
}

int programs__share_of_user(struct programs *p, const struct table_use *use, uint32_t uid, size_t jobs, struct error *err)
{
	(void)p;
	(void)use;
	(void)uid;
	(void)jobs;
	return chance() ? refuse(err) : 0;
}

uint32_t programs__steps_share(const struct programs *p, uint32_t uid)
{
	(void)p;
	(void)uid;
	return ABI_STEPS_PER_JOB;
}

int programs__scan(struct programs *p, struct error *err)
{
	(void)p;
	return chance() ? refuse(err) : 0;
}

int programs__scan_cgroup(struct programs *p, const struct cgroup_layout *layout, const struct cgroup_job *cgroup,
			  struct error *err)
{
	(void)layout;
	(void)cgroup;
	return programs__scan(p, err);
}

int programs__totals(struct programs *p, uint64_t id, struct totals *totals)
{
	(void)p;
	if (!is_known(id))
		return -1;
	tell(totals, sizeof(*totals));
	return 0;
}

int programs__samples_begin(struct programs *p, struct error *err)
{
	(void)p;
	return chance() ? refuse(err) : 0;
}

int programs__samples_go_on(int walk, struct error *err)
{
	(void)walk;
	(void)err;
	return 0;
}

int programs__sample(struct programs *p, unsigned int slot, struct sample *sample)
{
	(void)p;
	(void)slot;
	tell(sample, sizeof(*sample));
	for (int i = 0; i < TOTALS_KNOWN && !is_known(sample->job); i++)
		sample->job = known[i].job;
	return 0;
}

int programs__pressure(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure)
{
	(void)p;
	(void)slot;
	(void)job;
	if (chance())
		return -1;
	tell(pressure, sizeof(*pressure));
	return 0;
}

int programs__cpu_uses(struct programs *p, unsigned int slot, uint64_t job, uint64_t *ns, unsigned int cpus)
{
	(void)p;
	(void)slot;
	(void)job;
	tell(ns, cpus * sizeof(*ns));
	return 0;
}

/* The kernel programs end all texts. */
int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data)
{
	struct tool tool;

	(void)p;
	(void)job;
	for (uint64_t id = 0; id < LISTED; id++) {
		tell(&tool, sizeof(tool));
		tool.name[sizeof(tool.name) - 1] = tool.path[sizeof(tool.path) - 1] = '\0';
		tool.script[sizeof(tool.script) - 1] = tool.directory[sizeof(tool.directory) - 1] = '\0';
		take(id, &tool, data);
	}
	return chance() ? -1 : 0;
}

int programs__file_systems(struct programs *p, uint64_t job,
			   void (*take)(uint64_t magic, const struct file_system *fs, void *data), void *data)
{
	struct file_system fs;

	(void)p;
	(void)job;
	for (uint64_t magic = 0; magic < LISTED; magic++) {
		tell(&fs, sizeof(fs));
		take(magic, &fs, data);
	}
	return chance() ? -1 : 0;
}

int programs__files(struct programs *p, uint64_t job, void (*take)(const struct file_use *file, void *data),
		    void *data)
{
	struct file_use file;

	(void)p;
	(void)job;
	for (int i = 0; i < LISTED; i++) {
		tell(&file, sizeof(file));
		file.magic %= LISTED;
		file.path[sizeof(file.path) - 1] = '\0';
		take(&file, data);
	}
	return chance() ? -1 : 0;
}

void programs__forget(struct programs *p, uint64_t job)
{
	(void)p;
	for (int i = 0; i < TOTALS_KNOWN; i++)
		if (known[i].job == job)
			known[i].id = known[i].job = 0;
}

void programs__forget_users(struct programs *p, bool (*has_jobs)(uint32_t uid, void *data), void *data)
{
	(void)p;
	has_jobs(0, data);
}

void programs__forget_unknown(struct programs *p, bool (*is_open)(uint64_t job, void *data), void *data)
{
	for (int i = 0; i < TOTALS_KNOWN; i++)
		if (known[i].job && !is_open(known[i].job, data))
			programs__forget(p, known[i].job);
}

void programs__drain(struct programs *p)
{
	(void)p;
}

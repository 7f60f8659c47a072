/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes what stintd receives: control messages, notes, events, the kernel programs' numbers, its own files.
 * The input is the kernel's answers (64 bytes), then one action after another.
 * A closed job's output must be a record that makes a report.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/close_job.h"
#include "collector/follow/follow.h"
#include "collector/follow/resume.h"
#include "collector/follow/take_event.h"
#include "collector/host/loop.h"
#include "collector/journal/handover.h"
#include "collector/journal/journal.h"
#include "collector/record/node_record.h"
#include "collector/reply.h"
#include "tests/fuzz/built.h"
#include "tests/fuzz/fake_kernel.h"
#include "tests/fuzz/fuzz.h"

#define KERNEL_TELLS 64
#define ACTIONS_MAX 40
#define STEPD_PID 20
#define TASK_PID 30

static struct collector c;
static const char *root;

/* ---- replaces functions of close_job.c: no child, no spool ---- */

void reply_send(int fd, uint16_t kind, int status, const char *text)
{
	(void)kind;
	HOLDS(fd == -1 && text && (status == 0 || *text));
}

int close_start(struct collector *collector, struct job *job, struct error *err)
{
	struct record_source source = { .conf = &collector->conf, .programs = collector->programs,
					.topology_error = "hwloc is not asked" };
	struct json_object *record = node_record_build(&source, job, err);
	const char *text;
	char name[768];
	size_t len;

	HOLDS(record);
	if (node_record_name(job, name, sizeof(name)) == 0)
		HOLDS(!strchr(name, '/') && name[0] && strlen(name) < 256 + 256 + 64);
	/* Slurm's job ids begin with 1, and no node's name has a '/'. */
	if (job->about.job_id && !strchr(job->about.node, '/')) {
		text = json_object_to_json_string_length(record, JSON_C_TO_STRING_PLAIN |
							 JSON_C_TO_STRING_NOSLASHESCAPE, &len);
		built_check_record(text, len);
	}
	json_object_put(record);
	job_enter(job, JOB_BUILDER_STARTS);
	return 0;
}

static void forget_closed(void)
{
	struct job *job, *next;

	for (job = c.jobs.first; job; job = next) {
		next = job->next;
		if (job->phase == JOB_BUILDING)
			close_forget(&c, job);
	}
	HOLDS(job_unexpected() == 0);
}

/* No event loop could sleep here between two pieces. */
void loop_in_pieces(struct loop *loop, loop_piece *piece)
{
	HOLDS(!loop);
	while (piece(&c))
		;
}

/* ---- messages ---- */

static uint32_t number_of(uint8_t byte)
{
	static const uint32_t numbers[] = { 1, 2, 3, 0, CONTROL_NONE, 0xfffffffbu, 0xfffffffcu, 0xffffffffu, STEPD_PID,
					    TASK_PID, 0x7fffffffu, 0x80000000u, 256, 9, 139, 4096 };

	return numbers[byte % (sizeof(numbers) / sizeof(numbers[0]))];
}

static void set_text(struct control_message *m, const uint8_t **data, size_t *size)
{
	const struct {
		char *text;
		size_t size;
	} texts[] = {
#define TEXT(field) { m->field, sizeof(m->field) }
		TEXT(node), TEXT(open.cluster), TEXT(open.node_list), TEXT(open.work_dir), TEXT(open.output),
		TEXT(job_close.cluster), TEXT(job_close.user), TEXT(job_close.partition), TEXT(job_close.node_list),
		TEXT(job_close.work_dir), TEXT(job_close.output), TEXT(job_close.gpus),
#undef TEXT
	};
	size_t which = fuzz_number(data, size, 1) % (sizeof(texts) / sizeof(texts[0]));
	size_t length = fuzz_number(data, size, 1), times = 1;

	if (length == 255) {
		length = 1;
		times = texts[which].size;
	}
	if (length > *size)
		length = *size;
	for (size_t i = 0; i < times * length && i < texts[which].size; i++)
		texts[which].text[i] = (char)(*data)[i % length];
	*data += length;
	*size -= length;
}

static void change_message(struct control_message *m, const uint8_t **data, size_t *size)
{
	struct control_open *open = &m->open;
	struct control_job_close *close = &m->job_close;
	uint32_t *const numbers[] = { &m->job_id, &m->step_id, &m->uid, &m->gid, &m->mode, &open->array_job_id,
				      &open->array_task_id, &open->task.rank, &open->step_nodes, &open->step_tasks,
				      &open->restart_count, &open->ends, (uint32_t *)&open->umask,
				      (uint32_t *)&open->task.stepd_pid, (uint32_t *)&open->task.pid,
				      &m->task.rank, (uint32_t *)&m->task.pid,
				      (uint32_t *)&m->step_close.exit_status, &close->closed_by, &close->restart_count,
				      (uint32_t *)&close->exit_status, (uint32_t *)&close->derived_status };
	size_t at;

	switch (fuzz_number(data, size, 1) % 4) {
	case 0:
		set_text(m, data, size);
		break;
	case 1:
		at = fuzz_number(data, size, 1) % (sizeof(numbers) / sizeof(numbers[0]));
		*numbers[at] = number_of(fuzz_number(data, size, 1));
		break;
	case 2:
		m->sent_ns = fuzz_number(data, size, 8);
		m->sent_unix_ns = fuzz_number(data, size, 8);
		m->open.job_memory_mb = fuzz_number(data, size, 8);
		break;
	default:
		at = fuzz_number(data, size, 2) % sizeof(*m);
		((uint8_t *)m)[at] = fuzz_number(data, size, 1);
		break;
	}
}

static void leave_note(const struct control_message *m)
{
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "%s/" CONTROL_NOTES "/1.0.open", root);
	file = fopen(path, "we");
	HOLDS(file && fwrite(m, sizeof(*m), 1, file) == 1 && fclose(file) == 0);
	follow_notes(&c);
	HOLDS(access(path, F_OK) < 0);
}

static void take_message(uint8_t kind, const uint8_t **data, size_t *size)
{
	struct control_message m = { .magic = CONTROL_MAGIC, .version = CONTROL_VERSION, .size = sizeof(m) };

	m.kind = 1 + kind % 4;
	m.job_id = 1 + kind / 4 % 2;
	if (m.kind == CONTROL_OPEN)
		m.open = (struct control_open){ .task = { STEPD_PID, TASK_PID, 0 }, .restart_count = CONTROL_NONE };
	else if (m.kind == CONTROL_TASK)
		m.task = (struct control_task){ STEPD_PID, TASK_PID, 0 };
	else if (m.kind == CONTROL_JOB_CLOSE)
		m.job_close.restart_count = CONTROL_NONE;
	m.sent_ns = 1000000000000ull;
	m.sent_unix_ns = 1700000000000000000ull;
	strcpy(m.node, "n1");
	for (size_t changes = fuzz_number(data, size, 1) % 8; changes && *size; changes--)
		change_message(&m, data, size);
	if (!control_message_valid(&m, sizeof(m)))
		return;
	HOLDS(strlen(m.node) < sizeof(m.node));
	if (kind & 8)
		leave_note(&m);
	else
		follow_message(&c, &m, -1);
}

/* ---- events ---- */

static void act_event(const uint8_t **data, size_t *size)
{
	struct event event = { .kind = fuzz_number(data, size, 1) % 4, .flags = fuzz_number(data, size, 1) };

	event.job = c.jobs.first ? c.jobs.first->key : 0;
	event.tool = fuzz_number(data, size, 1) % 6;
	event.step = fuzz_number(data, size, 1) & 1 ? event.job : fuzz_number(data, size, 8);
	event.pid = fuzz_number(data, size, 1);
	event.status = fuzz_number(data, size, 2);
	event.start_ns = fuzz_number(data, size, 8);
	event.end_ns = fuzz_number(data, size, 8);
	event.quiet_ns = fuzz_number(data, size, 8);
	event.use[fuzz_number(data, size, 1) % ABI_USES_SENT] = fuzz_number(data, size, 8);
	for (size_t i = 0; i < sizeof(event.comm); i++)
		event.comm[i] = (char)fuzz_number(data, size, 1);
	for (size_t times = fuzz_number(data, size, 1); times; times--, event.start_ns += 1000000, event.pid++)
		take_event(&event, &c);
}

/* ---- a restart ---- */

static void forget_all(void)
{
	while (c.jobs.first)
		jobs__remove(&c.jobs, c.jobs.first);
	memset(&c.jobs, 0, sizeof(c.jobs));
}

static void restart(void)
{
	resume_hand_over(&c);
	forget_all();
	resume_all(&c);
}

static void damage(const char *name, const uint8_t **data, size_t *size)
{
	int fd = openat(c.run_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		int file = entry->d_name[0] == '.' ? -1 : openat(fd, entry->d_name, O_RDWR | O_CLOEXEC);
		struct stat st;

		if (file < 0)
			continue;
		if (fstat(file, &st) == 0 && st.st_size > 0) {
			off_t at = (off_t)(fuzz_number(data, size, 2) % st.st_size);
			uint64_t value = fuzz_number(data, size, 8);
			ssize_t length = 1 + at % 8;

			if (value == 0 || pwrite(file, &value, length, at) != length)
				HOLDS(ftruncate(file, at) == 0);
		}
		close(file);
	}
	if (directory)
		closedir(directory);
}

static void empty(const char *name)
{
	int fd = openat(c.run_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			HOLDS(unlinkat(fd, entry->d_name, 0) == 0);
	if (directory)
		closedir(directory);
}

/* ---- all together ---- */

static void put(const char *path, const char *text)
{
	char command[256];
	FILE *file;

	snprintf(command, sizeof(command), "mkdir -p $(dirname %s/%s)", root, path);
	HOLDS(system(command) == 0);
	snprintf(command, sizeof(command), "%s/%s", root, path);
	file = fopen(command, "we");
	HOLDS(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct error err;

	(void)argc;
	(void)argv;
	root = fuzz_directory();
	c.run_fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	HOLDS(c.run_fd >= 0 && journal_prepare(c.run_fd, &err) == 0 && handover_prepare(c.run_fd, &err) == 0);
	put("proc/10/stat", "10 (slurmd) S 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 5 1 2\n");
	put("proc/10/cgroup", "0::/slurm\n");
	put("proc/20/stat", "20 (slurmstepd) S 10 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 50 1 2\n");
	put("proc/20/cgroup", "0::/slurm/job_1/step_0/slurm\n");
	put("proc/30/stat", "30 (task) S 20 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 51 1 2\n");
	put("proc/30/cgroup", "0::/slurm/job_1/step_0/user/task_0\n");
	put("cgroup/slurm/job_1/step_0/user/task_0/x", "");
	put("cgroup/slurm/job_1/step_0/slurm/cgroup.procs", "20\n");
	put("cgroup/slurm/job_1/memory.stat", "anon 1\nfile 2\nkernel 3\nshmem 4\n");
	put("cgroup/slurm/job_1/cpuset.cpus.effective", "0-1\n");
	snprintf(c.layout.proc, sizeof(c.layout.proc), "%s/proc", root);
	snprintf(c.layout.mounts[0].path, sizeof(c.layout.mounts[0].path), "%s/cgroup", root);
	c.layout.count = 1;
	conf_defaults(&c.conf);
	c.programs = calloc(1, 1 << 20); /* functions that fake_kernel.c does not replace find nothing there */
	HOLDS(c.programs);
	c.conf.timeline_entries = 16;
	return 0;
}

static void act(const uint8_t **data, size_t *size)
{
	uint8_t action = fuzz_number(data, size, 1);

	switch (action % 8) {
	case 0:
		follow_tick(&c, action & 8);
		c.readings.after_ns = c.walks.after_ns = 0;
		forget_closed();
		break;
	case 1:
		act_event(data, size);
		break;
	case 2:
		restart();
		break;
	case 3:
		resume_hand_over(&c);
		damage(action & 8 ? "jobs" : "live", data, size);
		forget_all();
		resume_all(&c);
		break;
	default:
		take_message(action / 8, data, size);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t tells = size < KERNEL_TELLS ? size : KERNEL_TELLS;

	kernel_begin(data, tells);
	c.readings.after_ns = c.walks.after_ns = 0;
	data += tells;
	size -= tells;
	for (int i = 0; i < ACTIONS_MAX && size; i++)
		act(&data, &size);
	forget_all();
	empty("jobs");
	empty("live");
	empty(CONTROL_NOTES);
	return 0;
}

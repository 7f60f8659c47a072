/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Switches the kernel programs pinned in a directory off and on, and prints their cost as the kernel counts it.
 *
 *   links DIRECTORY
 *
 * Takes the links over, so they end with this process. Reads commands from standard
 * input, one a line. Each answer ends with the line "ok", or is one line "error: ...".
 *
 *   on, off      attaches or detaches the programs; maps stay
 *   empty        attaches an empty program beside each (not while "on" costs are compared)
 *   no-empty     detaches them
 *   count        makes the kernel count runs and run time of all BPF programs
 *   no-count     sets the kernel's counting back to what it was
 *   others       a line with the name of each other tracing program in the kernel
 *   stats        a line for each: name, hook, runs and run time (ns), runs and run time of the empty one
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MAX 64
#define HOOK_MAX 64

struct hook {
	char program[BPF_OBJ_NAME_LEN];
	char tracepoint[HOOK_MAX]; /* name of the tracepoint, or of the function */
	enum bpf_prog_type type;
	enum bpf_attach_type attach_type;
	__u32 btf_id; /* of the attachment point; 0: the tracepoint's name finds it */
	int btf_fd;   /* the module's BTF that has this id; 0: the kernel's BTF */
	int program_fd;
	int link_fd; /* -1: off */
	int empty_fd;
	int empty_link_fd;
};

static struct hook hooks[LINKS_MAX];
static int hook_count;
static int count_fd = -1;

static int fail(const char *what, const char *which)
{
	printf("error: %s %s: %s\n", what, which, strerror(errno));
	return -1;
}

static bool is_link(int fd)
{
	char name[64], target[64] = "";

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (readlink(name, target, sizeof(target) - 1) < 0)
		return false;
	return strncmp(target, "anon_inode:bpf", 14) == 0 && strstr(target, "link");
}

static int program_info(int fd, struct bpf_prog_info *info)
{
	__u32 size = sizeof(*info);

	memset(info, 0, sizeof(*info));
	return bpf_obj_get_info_by_fd(fd, info, &size);
}

/* Finds the program of the link @fd, and its hook. */
static int learn(struct hook *hook, int fd)
{
	struct bpf_link_info info = {};
	struct bpf_prog_info program;
	__u32 size = sizeof(info);

	info.raw_tracepoint.tp_name = (__u64)(unsigned long)hook->tracepoint;
	info.raw_tracepoint.tp_name_len = sizeof(hook->tracepoint);
	if (bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return -1;
	hook->link_fd = fd;
	hook->empty_fd = hook->empty_link_fd = -1;
	hook->program_fd = bpf_prog_get_fd_by_id(info.prog_id);
	if (hook->program_fd < 0 || program_info(hook->program_fd, &program) < 0)
		return -1;
	snprintf(hook->program, sizeof(hook->program), "%s", program.name);
	hook->type = program.type;
	hook->attach_type = BPF_TRACE_RAW_TP;
	hook->btf_id = program.attach_btf_id;
	if (program.attach_btf_obj_id)
		hook->btf_fd = bpf_btf_get_fd_by_id(program.attach_btf_obj_id);
	if (info.type == BPF_LINK_TYPE_TRACING) {
		hook->attach_type = info.tracing.attach_type;
		hook->btf_id = info.tracing.target_btf_id;
	} else if (info.type != BPF_LINK_TYPE_RAW_TRACEPOINT) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return 0;
}

/* Fills in the names of functions as hooks. */
static void name_functions(void)
{
	struct btf *btf = btf__load_vmlinux_btf();

	for (int i = 0; btf && i < hook_count; i++) {
		const struct btf_type *type = hooks[i].btf_id ? btf__type_by_id(btf, hooks[i].btf_id) : NULL;

		if (type && !hooks[i].tracepoint[0])
			snprintf(hooks[i].tracepoint, sizeof(hooks[i].tracepoint), "%s",
				 btf__name_by_offset(btf, type->name_off));
	}
	btf__free(btf);
}

static int take_over(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	char path[PATH_MAX];

	if (!dir)
		return fail("open", directory);
	while ((entry = readdir(dir)) && hook_count < LINKS_MAX) {
		int fd;

		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		fd = entry->d_name[0] == '.' ? -1 : bpf_obj_get(path);
		if (fd < 0)
			continue;
		if (!is_link(fd))
			close(fd);
		else if (learn(&hooks[hook_count], fd) < 0)
			return fail("take over", path);
		else if (unlink(path) < 0)
			return fail("unlink", path);
		else
			hook_count++;
	}
	closedir(dir);
	name_functions();
	return hook_count;
}

static int attach(const struct hook *hook, int fd)
{
	/* programs of other types were loaded with their attachment point */
	return bpf_raw_tracepoint_open(hook->type == BPF_PROG_TYPE_RAW_TRACEPOINT ? hook->tracepoint : NULL, fd);
}

static void detach(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int switch_on(void)
{
	for (int i = 0; i < hook_count; i++)
		if (hooks[i].link_fd < 0 && (hooks[i].link_fd = attach(&hooks[i], hooks[i].program_fd)) < 0)
			return fail("attach", hooks[i].program);
	return 0;
}

static int switch_off(void)
{
	for (int i = 0; i < hook_count; i++)
		detach(&hooks[i].link_fd);
	return 0;
}

/* Loads a program for the same hook that only returns 0. */
static int load_empty(const struct hook *hook)
{
	const struct bpf_insn instructions[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = hook->attach_type);

	if (hook->type == BPF_PROG_TYPE_RAW_TRACEPOINT) {
		options.expected_attach_type = 0;
	} else {
		int id = hook->btf_id ? (int)hook->btf_id : libbpf_find_vmlinux_btf_id(hook->tracepoint, BPF_TRACE_RAW_TP);

		if (id < 0) {
			errno = -id;
			return -1;
		}
		options.attach_btf_id = id;
		options.attach_btf_obj_fd = hook->btf_fd > 0 ? hook->btf_fd : 0;
	}
	return bpf_prog_load(hook->type, "empty", "GPL", instructions, sizeof(instructions) / sizeof(instructions[0]),
			     &options);
}

static int empties_on(void)
{
	for (int i = 0; i < hook_count; i++) {
		struct hook *hook = &hooks[i];

		if (hook->empty_fd < 0 && (hook->empty_fd = load_empty(hook)) < 0)
			return fail("load an empty program for", hook->program);
		if (hook->empty_link_fd < 0 && (hook->empty_link_fd = attach(hook, hook->empty_fd)) < 0)
			return fail("attach an empty program beside", hook->program);
	}
	return 0;
}

static int empties_off(void)
{
	for (int i = 0; i < hook_count; i++)
		detach(&hooks[i].empty_link_fd);
	return 0;
}

static int count_on(void)
{
	if (count_fd < 0)
		count_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	return count_fd < 0 ? fail("count", "run time") : 0;
}

static int count_off(void)
{
	detach(&count_fd);
	return 0;
}

static int tell(void)
{
	for (int i = 0; i < hook_count; i++) {
		struct bpf_prog_info of = {}, empty = {};

		if (program_info(hooks[i].program_fd, &of) < 0 ||
		    (hooks[i].empty_fd >= 0 && program_info(hooks[i].empty_fd, &empty) < 0))
			return fail("ask for", hooks[i].program);
		printf("%s %s %llu %llu %llu %llu\n", hooks[i].program, hooks[i].tracepoint[0] ? hooks[i].tracepoint : "?",
		       of.run_cnt, of.run_time_ns, empty.run_cnt, empty.run_time_ns);
	}
	return 0;
}

static bool is_ours(__u32 id)
{
	struct bpf_prog_info info;

	for (int i = 0; i < hook_count; i++)
		if (program_info(hooks[i].program_fd, &info) == 0 && info.id == id)
			return true;
	return false;
}

static int tell_others(void)
{
	__u32 id = 0;

	while (bpf_prog_get_next_id(id, &id) == 0) {
		int fd = bpf_prog_get_fd_by_id(id);
		struct bpf_prog_info info;
		bool traces = fd >= 0 && program_info(fd, &info) == 0 &&
			      (info.type == BPF_PROG_TYPE_TRACING || info.type == BPF_PROG_TYPE_RAW_TRACEPOINT ||
			       info.type == BPF_PROG_TYPE_TRACEPOINT || info.type == BPF_PROG_TYPE_KPROBE ||
			       info.type == BPF_PROG_TYPE_PERF_EVENT || info.type == BPF_PROG_TYPE_LSM);

		if (traces && !is_ours(id) && strcmp(info.name, "empty") != 0)
			printf("%s\n", info.name[0] ? info.name : "?");
		if (fd >= 0)
			close(fd);
	}
	return 0;
}

struct command {
	const char *name;
	int (*run)(void);
};

static const struct command commands[] = {
	{ "on", switch_on },
	{ "off", switch_off },
	{ "empty", empties_on },
	{ "no-empty", empties_off },
	{ "count", count_on },
	{ "no-count", count_off },
	{ "others", tell_others },
	{ "stats", tell },
};

static int obey(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].run();
	errno = EINVAL;
	return fail("command", name);
}

int main(int argc, char *argv[])
{
	char line[64];

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc != 2) {
		fprintf(stderr, "usage: links DIRECTORY\n");
		return 2;
	}
	if (take_over(argv[1]) <= 0) {
		fprintf(stderr, "links: no links could be taken over in %s\n", argv[1]);
		return 1;
	}
	puts("ok");
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (obey(line) == 0)
			puts("ok");
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_file_systems.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/ending/known_programs.h"
#include "reports/json/field.h"
#include "reports/records/record_parts.h"
#include "reports/records/sums.h"

static const char local[] = "local", network[] = "network", memory[] = "memory", unknown[] = "unknown";

/* The types of the kernel's struct file_system_type. A type that is not here is on a local disk. */
static const struct {
	const char *type, *class;
} classes[] = {
	{ "", unknown },
	{ "autofs", unknown }, /* only a place for a mount */

	{ "9p", network },
	{ "afs", network },
	{ "beegfs", network },
	{ "ceph", network },
	{ "cifs", network },
	{ "coda", network },
	{ "dvs", network },
	{ "fhgfs", network },
	{ "fuse", network }, /* FUSE in jobs is mostly a network file system: sshfs, GlusterFS, CernVM-FS, object stores */
	{ "gfs2", network },
	{ "gpfs", network },
	{ "lustre", network },
	{ "nfs", network },
	{ "nfs4", network },
	{ "ocfs2", network },
	{ "orangefs", network },
	{ "panfs", network },
	{ "pvfs2", network },
	{ "smb3", network },
	{ "virtiofs", network },
	{ "wekafs", network },

	{ "bpf", memory },
	{ "cgroup", memory },
	{ "cgroup2", memory },
	{ "configfs", memory },
	{ "debugfs", memory },
	{ "devpts", memory },
	{ "devtmpfs", memory },
	{ "fusectl", memory },
	{ "hugetlbfs", memory },
	{ "mqueue", memory },
	{ "proc", memory },
	{ "ramfs", memory },
	{ "securityfs", memory },
	{ "sysfs", memory },
	{ "tmpfs", memory },
	{ "tracefs", memory },
};

const char *file_systems_class(const char *type)
{
	if (!type)
		return unknown;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strcmp(type, classes[i].type) == 0)
			return classes[i].class;
	/* "fuse.sshfs" is a network file system; "fuseblk" is on a disk. */
	return strncmp(type, "fuse.", 5) == 0 ? network : local;
}

enum { WAIT, WAITS, READS, WRITES, READ_BYTES, WRITE_BYTES, OPENS, FIELDS };

struct file_system {
	const char *type; /* borrowed from a record */
	int64_t of[FIELDS]; /* -1: not known */
};

static int compare_types(const void *a, const void *b)
{
	return strcmp(((const struct file_system *)a)->type, ((const struct file_system *)b)->type);
}

static int compare_waits(const void *a, const void *b)
{
	const struct file_system *one = a, *other = b;

	if (one->of[WAIT] != other->of[WAIT])
		return one->of[WAIT] > other->of[WAIT] ? -1 : 1;
	return compare_types(a, b);
}

static size_t collect_file_systems(const struct record *const records[], size_t count, struct file_system *all)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t f = 0; f < records[i]->file_systems.count; f++) {
			const struct record_file_system *from = &records[i]->file_systems.items[f];

			if (!from->type)
				continue;
			all[used++] = (struct file_system){ from->type,
							    { from->wait_ns, from->waits, from->reads, from->writes,
							      from->read_bytes, from->write_bytes, from->opens } };
		}
	return used;
}

static int64_t join_field(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : count_sum(a, b);
}

static size_t join_file_systems(struct file_system *all, size_t used)
{
	size_t distinct = 0;

	qsort(all, used, sizeof(*all), compare_types);
	for (size_t i = 0; i < used; i++) {
		if (distinct == 0 || compare_types(&all[distinct - 1], &all[i]) != 0) {
			all[distinct++] = all[i];
			continue;
		}
		for (size_t k = 0; k < FIELDS; k++)
			all[distinct - 1].of[k] = join_field(all[distinct - 1].of[k], all[i].of[k]);
	}
	qsort(all, distinct, sizeof(*all), compare_waits);
	return distinct;
}

static int64_t mean(int64_t bytes, int64_t calls)
{
	if (bytes < 0 || calls <= 0)
		return REPORT_UNKNOWN;
	return bytes / calls + (bytes % calls >= calls - bytes % calls);
}

struct servers {
	const char *image; /* server of local files with the most CPU time; NULL if none */
	int64_t cpu_ns;    /* CPU time of all servers of local files; -1: not known */
	int64_t most_ns;
	int64_t reads; /* read calls of these servers; -1: not known */
	bool remote; /* a server served files of another machine */
};

/* A server counts if a signal ended it, because the job's end may have killed it. A failed server does not count. */
static bool has_served(const struct record_tool *tool)
{
	int64_t runs = 0, forks = 0, failures = 0, signals = 0;

	take_count(tool->runs, &runs);
	take_count(tool->forks, &forks);
	take_count(tool->failures, &failures);
	take_count(tool->signals, &signals);
	return count_sum(runs, forks) > failures - signals;
}

static void add_server(struct servers *servers, const struct record_tool *tool)
{
	enum programs_served served = programs_serves(tool->name);

	if (served == SERVES_REMOTE)
		servers->remote = true;
	if (served != SERVES_IMAGE)
		return;
	servers->cpu_ns = join_field(servers->cpu_ns, tool->cpu_ns);
	servers->reads = join_field(servers->reads, tool->syscall_reads);
	if (servers->image && tool->cpu_ns <= servers->most_ns)
		return;
	servers->image = tool->name;
	servers->most_ns = tool->cpu_ns;
}

static void find_servers(const struct record *const records[], size_t count, struct servers *servers)
{
	*servers = (struct servers){ 0 };
	for (size_t i = 0; i < count; i++)
		for (size_t t = 0; t < records[i]->tools.count; t++)
			if (has_served(&records[i]->tools.items[t]))
				add_server(servers, &records[i]->tools.items[t]);
}

/*
 * The kernel has one type name for all FUSE file systems.
 * If all servers of the job serve local files, the job waited for its own servers.
 * A server reads each request from /dev/fuse by one call.
 * If there were more waits than read calls, another server served some files.
 */
static void put_class(const struct file_system *one, const struct servers *servers, struct report *report,
		      struct report_file_system *out)
{
	bool others = servers->remote || one->of[WAITS] > servers->reads;

	if (strcmp(one->type, "fuse") != 0 || !servers->image) {
		out->class = file_systems_class(one->type);
		return;
	}
	out->class = others ? unknown : local;
	out->served_by = report_copy(report, servers->image);
	out->server_cpu_s.ns = servers->cpu_ns;
}

static void put_calls(const struct file_system *one, struct report_file_system *out)
{
	out->reads = one->of[READS];
	out->writes = one->of[WRITES];
	out->read_bytes = one->of[READ_BYTES];
	out->write_bytes = one->of[WRITE_BYTES];
	out->opens = one->of[OPENS];
	out->mean_read_bytes = mean(out->read_bytes, out->reads);
	out->mean_write_bytes = mean(out->write_bytes, out->writes);
}

/* Adds a gap if only some nodes counted calls. If no node counted calls, the site may not want these counts. */
static bool calls_known(const struct record *const records[], size_t count, struct making *making)
{
	const char *lacking = NULL;
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		if (records[i]->files.known)
			known++;
		else if (!lacking)
			lacking = record_node(records[i]);
	}
	if (known > 0 && known < count)
		making_gapf(making, REPORT_PATH(used.file_systems), "%s: reads, writes and opens were not counted there", lacking);
	return known > 0 && known == count;
}

void file_systems_put(const struct record *const records[], size_t count, struct report_file_system_list *out,
		      struct making *making)
{
	cleanup_free struct file_system *all = NULL;
	size_t room = 0, used;
	struct servers servers;
	bool calls;

	for (size_t i = 0; i < count; i++) {
		if (!records[i]->file_systems.known) {
			sum_gap(making, "used", "file_systems", (unsigned int)count, record_node(records[i]));
			return;
		}
		room += records[i]->file_systems.count;
	}
	all = calloc(room + 1, sizeof(*all));
	if (!all) {
		report_lacked(making->report);
		return;
	}
	used = join_file_systems(all, collect_file_systems(records, count, all));
	calls = calls_known(records, count, making);
	find_servers(records, count, &servers);
	out->known = true;
	for (size_t i = 0; i < used; i++) {
		struct report_file_system *one = REPORT_ADD(making->report, out, file_system);

		one->type = report_copy(making->report, all[i].type);
		put_class(&all[i], &servers, making->report, one);
		one->wait_s.ns = all[i].of[WAIT];
		one->waits = all[i].of[WAITS];
		if (calls)
			put_calls(&all[i], one);
	}
}

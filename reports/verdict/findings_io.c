/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>

#include "common/utf8.h"
#include "reports/ending/known_programs.h"
#include "reports/json/field.h"
#include "reports/rules/evidence.h"
#include "reports/rules/tool_threads.h"
#include "reports/verdict/findings_internal.h"

#define SEGMENT_BYTES 1448.0 /* data in a full TCP segment on Ethernet with time stamps; most carry this or less */

/* Adds up @name over the network file systems. @most: the type with the largest value. */
static double sum_network(const struct facts *facts, const char *name, const char **most)
{
	struct json_object *list = field_typed(facts->report, "used.file_systems", json_type_array);
	double sum = 0, highest = 0;

	*most = NULL;
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		double value = fact_number(one, name);

		if (!field_is(one, "class", "network") || isnan(value))
			continue;
		sum += value;
		if (value > highest) {
			highest = value;
			*most = field_text(one, "type");
		}
	}
	return sum;
}

bool findings_network_fs_waits(const struct facts *facts, struct json_object *evidence)
{
	const char *type, *other;
	double wait_s = sum_network(facts, "wait_s", &type), waits = sum_network(facts, "waits", &other);

	evidence_text(evidence, "file_system", type);
	evidence_seconds(evidence, "wait_s", wait_s);
	evidence_count(evidence, "waits", waits);
	evidence_seconds(evidence, "wait_mean_s", waits > 0 ? wait_s / waits : NAN);
	evidence_seconds(evidence, "time_s", facts->time_s);
	return wait_s > 0 && wait_s >= fact_rule(facts, RULE_NETWORK_FS_WAIT) * facts->time_s;
}

bool findings_network_fs_opens(const struct facts *facts, struct json_object *evidence)
{
	const char *type;
	double opens = sum_network(facts, "opens", &type);

	evidence_text(evidence, "file_system", type);
	evidence_count(evidence, "opens", opens);
	evidence_number(evidence, "opens_per_s", opens / facts->time_s, "1/s");
	return opens > 0 && opens >= fact_rule(facts, RULE_OPENS_MIN) &&
	       opens >= fact_rule(facts, RULE_OPENS_RATE) * facts->time_s;
}

/* stdio writes whole blocks, and a shorter last one: the mean is just below a block. So few calls may be shorter. */
#define SHORT_CALLS 0.01

/* The sum of @name over the job's tools that serve FUSE file systems. Their calls are as large as the requests of others. */
static double of_servers(const struct facts *facts, const char *name)
{
	struct json_object *tools = field_typed(facts->report, "tools", json_type_array);
	double sum = 0;

	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		double value = fact_number(tool, name);

		if (value > 0 && programs_serves(field_text(tool, "name")) != SERVES_NOTHING)
			sum += value;
	}
	return sum;
}

/* What the job used of @name without the servers of its FUSE file systems; NAN if that is not known. */
static double without_servers(const struct facts *facts, const char *name)
{
	char path[64];
	double all;

	snprintf(path, sizeof(path), "used.%s", name);
	all = fact_number(facts->report, path);
	return isnan(all) ? NAN : fmax(all - of_servers(facts, name), 0);
}

/* Returns the tool that made more than half of the job's @ops calls (borrowed), by its sum @name; NULL: none did. */
static struct json_object *most_by(const struct facts *facts, const char *name, double ops)
{
	struct json_object *tools = field_typed(facts->report, "tools", json_type_array);

	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);

		if (fact_number(tool, name) > ops / 2 && programs_serves(field_text(tool, "name")) == SERVES_NOTHING &&
		    !field_true(tool, "slurm"))
			return tool;
	}
	return NULL;
}

/* The bytes include what libaio and io_uring moved. The calls do not. */
static bool small(const struct facts *facts, struct json_object *evidence, const char *ops_name, const char *bytes_name,
		  const char *async_name)
{
	double ops = without_servers(facts, ops_name), async = without_servers(facts, async_name);
	double bytes = without_servers(facts, bytes_name) - (async > 0 ? async : 0);
	double mean = ops > 0 ? bytes / ops : NAN, cpu_s = without_servers(facts, "cpu_s");

	evidence_count(evidence, ops_name, ops);
	evidence_number(evidence, "mean_bytes", mean, "bytes");
	evidence_number(evidence, "per_cpu_s", cpu_s > 0 ? ops / cpu_s : NAN, NULL);
	evidence_text(evidence, "tool", field_text(most_by(facts, ops_name, ops), "name"));
	return ops >= fact_rule(facts, RULE_SMALL_IO_OPS) && ops >= fact_rule(facts, RULE_SMALL_IO_RATE) * cpu_s &&
	       mean < (1 - SHORT_CALLS) * fact_rule(facts, RULE_SMALL_IO_BYTES);
}

bool findings_small_reads(const struct facts *facts, struct json_object *evidence)
{
	return small(facts, evidence, "syscall_reads", "syscall_read_bytes", "async_read_bytes");
}

bool findings_small_writes(const struct facts *facts, struct json_object *evidence)
{
	return small(facts, evidence, "syscall_writes", "syscall_write_bytes", "async_write_bytes");
}

/* What the job did with files, of all its calls: known where the site counts files. NAN: it is not known. */
static double share_of_files(const struct facts *facts, const char *name, const char *ops_name)
{
	struct json_object *list = field_typed(facts->report, "used.file_systems", json_type_array);
	double sum = NAN;

	for (size_t i = 0; i < field_length(list); i++) {
		double ops = fact_number(json_object_array_get_idx(list, i), name);

		if (!isnan(ops))
			sum = (isnan(sum) ? 0 : sum) + ops;
	}
	return fact_ratio(sum, fact_number(facts->report, ops_name));
}

/* Nobody keeps in an archive what went through a pipe. Who waits at pipes mostly makes small calls there. */
static void hint_small(double of_files, struct json_object *tool, const char *verb, char text[SENTENCE_TEXT])
{
	if (of_files > 0.5)
		utf8_append(text, SENTENCE_TEXT, "Each is a call into the kernel. If the files themselves are small, keep many of them in one "
			    "archive; else %s larger blocks, or through a buffer, if the program lets you.", verb);
	else if (of_files <= 0.5)
		utf8_append(text, SENTENCE_TEXT, "Each is a call into the kernel, most for pipes or sockets: %s larger blocks, or through a "
			    "buffer, if the program lets you.", verb);
	else if (tool_threads_piped(tool))
		utf8_append(text, SENTENCE_TEXT, "Each is a call into the kernel, for a file, a pipe or a socket: %s larger blocks, or through "
			    "a buffer, if the program lets you.", verb);
}

void findings_hint_small_reads(const struct facts *facts, struct json_object *evidence, char text[SENTENCE_TEXT])
{
	(void)evidence;
	hint_small(share_of_files(facts, "reads", "used.syscall_reads"),
		   most_by(facts, "syscall_reads", without_servers(facts, "syscall_reads")), "read", text);
}

void findings_hint_small_writes(const struct facts *facts, struct json_object *evidence, char text[SENTENCE_TEXT])
{
	(void)evidence;
	hint_small(share_of_files(facts, "writes", "used.syscall_writes"),
		   most_by(facts, "syscall_writes", without_servers(facts, "syscall_writes")), "write", text);
}

/* A few waits, however long, are for much data: no program can do without these. One fsync may wait several times. */
bool findings_sync_waits(const struct facts *facts, struct json_object *evidence)
{
	double wait_s = fact_number(facts->report, "used.sync_wait_s"), waits = fact_number(facts->report, "used.sync_waits");
	double share = fact_rule(facts, RULE_SYNC_SHARE), busy_s = fact_number(facts->report, "states.on_cpu_s");

	evidence_seconds(evidence, "sync_wait_s", wait_s);
	evidence_count(evidence, "sync_waits", waits);
	evidence_seconds(evidence, "time_s", facts->time_s);
	/* One thread of many that writes a log delays nobody: what the others computed counts, too. */
	return wait_s > 0 && wait_s >= share * facts->time_s && wait_s >= share * (busy_s + wait_s) &&
	       wait_s >= fact_rule(facts, RULE_SYNC_MIN_S) && waits >= fact_rule(facts, RULE_SYNC_MIN);
}

/* The node's own disk helps if what was waited for may be elsewhere. */
void findings_hint_sync_waits(const struct facts *facts, struct json_object *evidence, char text[SENTENCE_TEXT])
{
	double wait_s = fact_number(facts->report, "used.sync_wait_s");
	const char *type;

	(void)evidence;
	if (sum_network(facts, "wait_s", &type) >= wait_s / 2)
		utf8_append(text, SENTENCE_TEXT, "Each fsync, and each write to a file opened with O_SYNC, waits for the server's disk: "
			    "write more between two of them, or into the node's memory or onto its own disk ($TMPDIR) first.");
}

/*
 * The number of segments sent is not known. It is estimated as one an operation, or as many as the bytes fill,
 * whichever is more.
 */
bool findings_tcp_retransmits(const struct facts *facts, struct json_object *evidence)
{
	double retransmits = fact_number(facts->report, "used.network.tcp.retransmits");
	double ops = fact_number(facts->report, "used.network.tcp.tx_ops");
	double segments = fact_number(facts->report, "used.network.tcp.tx_bytes") / SEGMENT_BYTES;
	double share = retransmits / (segments > ops ? segments : ops);

	evidence_count(evidence, "retransmits", retransmits);
	evidence_number(evidence, "retransmit_share", share, NULL);
	return retransmits >= fact_rule(facts, RULE_RETRANSMITS_MIN) &&
	       share >= fact_rule(facts, RULE_RETRANSMIT_SHARE);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "common/utf8.h"
#include "reports/ending/known_programs.h"
#include "reports/rules/evidence.h"
#include "reports/rules/tool_threads.h"
#include "reports/verdict/findings_internal.h"

#define SEGMENT_BYTES 1448.0 /* payload of a full TCP segment on Ethernet, with timestamps */

enum number { WAIT_S, WAITS, OPENS };

static double number_of(const struct report_file_system *one, enum number number)
{
	return number == WAIT_S ? report_s(one->wait_s) : report_number(number == WAITS ? one->waits : one->opens);
}

/*
 * Sums @number over the network file systems.
 * @most: receives the type of the file system with the largest value; NULL if there is none.
 */
static double sum_network(const struct facts *facts, enum number number, const char **most)
{
	const struct report_file_system_list *list = &facts->report->used.file_systems;
	double sum = 0, highest = 0;

	*most = NULL;
	for (size_t i = 0; i < list->count; i++) {
		double value = number_of(&list->items[i], number);

		if (!report_text_is(list->items[i].class, "network") || isnan(value))
			continue;
		sum += value;
		if (value > highest) {
			highest = value;
			*most = list->items[i].type;
		}
	}
	return sum;
}

bool findings_network_fs_waits(const struct facts *facts, struct evidence *evidence)
{
	const char *type, *other;
	double wait_s = sum_network(facts, WAIT_S, &type), waits = sum_network(facts, WAITS, &other);

	evidence_text(evidence, "file_system", type);
	evidence_seconds(evidence, "wait_s", wait_s);
	evidence_count(evidence, "waits", waits);
	evidence_seconds(evidence, "wait_mean_s", waits > 0 ? wait_s / waits : NAN);
	evidence_seconds(evidence, "time_s", facts->time_s);
	return wait_s > 0 && wait_s >= fact_rule(facts, RULE_NETWORK_FS_WAIT) * facts->time_s;
}

bool findings_network_fs_opens(const struct facts *facts, struct evidence *evidence)
{
	const char *type;
	double opens = sum_network(facts, OPENS, &type);

	evidence_text(evidence, "file_system", type);
	evidence_count(evidence, "opens", opens);
	evidence_number(evidence, "opens_per_s", opens / facts->time_s, "1/s");
	return opens > 0 && opens >= fact_rule(facts, RULE_OPENS_MIN) &&
	       opens >= fact_rule(facts, RULE_OPENS_RATE) * facts->time_s;
}

/*
 * Calls are small if their mean size is below a block by more than this share.
 * A smaller difference is normal: stdio writes full blocks, and one shorter block at the end.
 */
#define SHORT_CALLS 0.01

/*
 * Sums over all reads, or over all writes.
 * BYTES includes ASYNC_BYTES, from libaio and io_uring. OPS does not include operations of libaio and io_uring.
 */
enum call_number { OPS, BYTES, ASYNC_BYTES, CPU_S, CALL_NUMBERS };

struct calls {
	double of[CALL_NUMBERS];
};

/* @from: sums of the job or of a tool. @read: the word read or write. */
#define CALLS(from, read) \
	(struct calls){ { report_number((from)->syscall_##read##s), report_number((from)->syscall_##read##_bytes), \
			  report_number((from)->async_##read##_bytes), report_s((from)->cpu_s) } }

static struct calls calls_of_tool(const struct report_tool *tool, bool reads)
{
	return reads ? CALLS(tool, read) : CALLS(tool, write);
}

static bool is_server(const struct report_tool *tool)
{
	return programs_serves(tool->name) != SERVES_NOTHING;
}

/* Other programs determine the size of a FUSE server's calls, so tools that serve FUSE are left out. */
static struct calls calls_of_job(const struct facts *facts, bool reads)
{
	const struct report_tool_list *tools = &facts->report->tools;
	struct calls all = reads ? CALLS(&facts->report->used, read) : CALLS(&facts->report->used, write), servers = { { 0 } };

	for (size_t i = 0; i < tools->count; i++) {
		struct calls calls = calls_of_tool(&tools->items[i], reads);

		if (!is_server(&tools->items[i]))
			continue;
		for (int n = 0; n < CALL_NUMBERS; n++)
			servers.of[n] += fmax(calls.of[n], 0);
	}
	for (int n = 0; n < CALL_NUMBERS; n++)
		if (!isnan(all.of[n]))
			all.of[n] = fmax(all.of[n] - servers.of[n], 0);
	return all;
}

static const struct report_tool *most_by(const struct facts *facts, bool reads, double ops)
{
	const struct report_tool_list *tools = &facts->report->tools;

	for (size_t i = 0; i < tools->count; i++) {
		const struct report_tool *tool = &tools->items[i];

		if (calls_of_tool(tool, reads).of[OPS] > ops / 2 && !is_server(tool) && !tool->slurm.value)
			return tool;
	}
	return NULL;
}

static bool small(const struct facts *facts, struct evidence *evidence, bool reads)
{
	struct calls calls = calls_of_job(facts, reads);
	double ops = calls.of[OPS], async = calls.of[ASYNC_BYTES], cpu_s = calls.of[CPU_S];
	double mean = ops > 0 ? (calls.of[BYTES] - (async > 0 ? async : 0)) / ops : NAN;
	const struct report_tool *most = most_by(facts, reads, ops);

	evidence_count(evidence, reads ? "syscall_reads" : "syscall_writes", ops);
	evidence_number(evidence, "mean_bytes", mean, "bytes");
	evidence_number(evidence, "per_cpu_s", cpu_s > 0 ? ops / cpu_s : NAN, NULL);
	evidence_text(evidence, "tool", most ? most->name : NULL);
	return ops >= fact_rule(facts, RULE_SMALL_IO_OPS) && ops >= fact_rule(facts, RULE_SMALL_IO_RATE) * cpu_s &&
	       mean < (1 - SHORT_CALLS) * fact_rule(facts, RULE_SMALL_IO_BYTES);
}

bool findings_small_reads(const struct facts *facts, struct evidence *evidence)
{
	return small(facts, evidence, true);
}

bool findings_small_writes(const struct facts *facts, struct evidence *evidence)
{
	return small(facts, evidence, false);
}

/* Returns NAN if unknown: a site may not count files. */
static double share_of_files(const struct facts *facts, bool reads)
{
	const struct report_used *used = &facts->report->used;
	double sum = NAN;

	for (size_t i = 0; i < used->file_systems.count; i++) {
		const struct report_file_system *one = &used->file_systems.items[i];
		double ops = report_number(reads ? one->reads : one->writes);

		if (!isnan(ops))
			sum = (isnan(sum) ? 0 : sum) + ops;
	}
	return fact_ratio(sum, report_number(reads ? used->syscall_reads : used->syscall_writes));
}

/*
 * An archive helps only if most calls are for files, and not for pipes.
 * If this is not known, a program that waits much at pipes is assumed to make most calls for pipes.
 */
static void hint_small(const struct facts *facts, bool reads, char text[SENTENCE_TEXT])
{
	double of_files = share_of_files(facts, reads);
	const struct report_tool *tool = most_by(facts, reads, calls_of_job(facts, reads).of[OPS]);
	const char *verb = reads ? "read" : "write";

	if (of_files > 0.5)
		utf8_append(text, SENTENCE_TEXT, "Each call enters the kernel. If the files themselves are small, keep many of them "
			    "in one archive. Otherwise %s larger blocks, or through a buffer, if the program lets you.", verb);
	else if (of_files <= 0.5)
		utf8_append(text, SENTENCE_TEXT, "Each call enters the kernel, and most calls are for pipes or sockets: %s larger "
			    "blocks, or through a buffer, if the program lets you.", verb);
	else if (tool && tool_threads_piped(tool))
		utf8_append(text, SENTENCE_TEXT, "Each call enters the kernel, for a file, a pipe or a socket: %s larger blocks, or "
			    "through a buffer, if the program lets you.", verb);
}

void findings_hint_small_reads(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	(void)evidence;
	hint_small(facts, true, text);
}

void findings_hint_small_writes(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	(void)evidence;
	hint_small(facts, false, text);
}

/*
 * Requires many waits. A few long waits mean that much data was written, and a program cannot avoid such waits.
 * One fsync may count as several waits.
 */
bool findings_sync_waits(const struct facts *facts, struct evidence *evidence)
{
	double wait_s = report_s(facts->report->used.sync_wait_s), waits = report_number(facts->report->used.sync_waits);
	double share = fact_rule(facts, RULE_SYNC_SHARE), busy_s = report_s(facts->report->states.on_cpu_s);

	evidence_seconds(evidence, "sync_wait_s", wait_s);
	evidence_count(evidence, "sync_waits", waits);
	evidence_seconds(evidence, "time_s", facts->time_s);
	/*
	 * If one of many threads writes a log, this may delay nothing.
	 * So also compares the waits with the CPU time of all threads.
	 */
	return wait_s > 0 && wait_s >= share * facts->time_s && wait_s >= share * (busy_s + wait_s) &&
	       wait_s >= fact_rule(facts, RULE_SYNC_MIN_S) && waits >= fact_rule(facts, RULE_SYNC_MIN);
}

/* If threads waited for network file systems, suggests the node's own disk. */
void findings_hint_sync_waits(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	const char *type;

	(void)evidence;
	if (sum_network(facts, WAIT_S, &type) >= report_s(facts->report->used.sync_wait_s) / 2)
		utf8_append(text, SENTENCE_TEXT, "Each fsync, and each write to a file opened with O_SYNC, waits for the server's "
			    "disk: write more data between two such calls, or write into the node's memory or onto its own disk "
			    "($TMPDIR) first.");
}

/* The number of segments is not known. It is estimated from operations and bytes. */
bool findings_tcp_retransmits(const struct facts *facts, struct evidence *evidence)
{
	const struct report_traffic *tcp = &facts->report->used.network.tcp;
	double retransmits = report_number(tcp->retransmits), ops = report_number(tcp->tx_ops);
	double segments = report_number(tcp->tx_bytes) / SEGMENT_BYTES;
	double share = retransmits / (segments > ops ? segments : ops);

	evidence_count(evidence, "retransmits", retransmits);
	evidence_number(evidence, "retransmit_share", share, NULL);
	return retransmits >= fact_rule(facts, RULE_RETRANSMITS_MIN) &&
	       share >= fact_rule(facts, RULE_RETRANSMIT_SHARE);
}

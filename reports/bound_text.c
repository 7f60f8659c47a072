/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict as a sentence, from which a person can tell what to do. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reports/bound.h"
#include "collector/common/utf8.h"
#include "reports/field.h"
#include "reports/units.h"

#define WORTH_TELLING 0.05 /* a share below is left out of a sentence */

static void append(char text[BOUND_TEXT], const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char text[BOUND_TEXT], const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, BOUND_TEXT - used, format, args);
	va_end(args);
	utf8_finish(text);
}

static const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

static double percent(double share)
{
	return 100 * share;
}

static void tell_memory(const struct facts *facts, char text[BOUND_TEXT])
{
	char size[SIZE_TEXT];

	append(text, "Bound by memory: %.0f %% of the time went into making room or waiting for pages",
	       percent(facts->shares.cause[CAUSE_MEMORY]));
	if (!isnan(facts->memory_limit))
		append(text, ", at a limit of %s", size_text(facts->memory_limit, size));
	append(text, ".");
}

static void tell_oversubscribed(const struct facts *facts, char text[BOUND_TEXT])
{
	append(text, "Oversubscribed: on average %.1f threads wanted to run on ", facts->shares.busy);
	if (bound_crowded(facts))
		append(text, "%.0f of %.0f cores, while the others were never used",
		       facts->cores_bound - facts->cores_unused, facts->cores_bound);
	else
		append(text, "%.0f CPU%s%s", facts->cpus_per_node, plural(facts->cpus_per_node),
		       facts->nodes > 1 ? " of a node" : "");
	append(text, "; each waited for one %.0f %% of the time that it could have run.",
	       percent(facts->shares.cpu_wait));
}

static void tell_cpu(const struct facts *facts, char text[BOUND_TEXT])
{
	append(text, "Bound by CPU: threads computed during %.0f %% of the core time", percent(facts->shares.on_cpu));
	if (facts->shares.cpu - facts->shares.on_cpu >= WORTH_TELLING)
		append(text, ", and waited for a CPU during another %.0f %%",
		       percent(facts->shares.cpu - facts->shares.on_cpu));
	/* nothing that the kernel sees tells the one from the other */
	if (facts->tasks > 1 || facts->nodes > 1)
		append(text, "; tasks that spin while they wait for each other count as computing");
	append(text, ".");
}

static void tell_wait(const struct facts *facts, enum fact_cause cause, const char *whole, const char *part,
		      char text[BOUND_TEXT])
{
	append(text, "%.0f %% of the %s", percent(facts->shares.cause[cause]),
	       facts->shares.whole[cause] ? whole : part);
}

static void tell_file_io(const struct facts *facts, char text[BOUND_TEXT])
{
	struct json_object *file_system = bound_file_system(facts);
	const char *class = field_text(file_system, "class");

	append(text, "Bound by file I/O");
	if (file_system)
		append(text, " on %s%s", class && strcmp(class, "network") == 0 ? "the network file system " : "",
		       field_text(file_system, "type"));
	append(text, ": ");
	tell_wait(facts, CAUSE_FILE_IO, "time no thread ran, and files were waited for.",
		  "core time was left unused by threads that waited for files.", text);
}

static void tell_network(const struct facts *facts, char text[BOUND_TEXT])
{
	append(text, "Bound by the network: ");
	tell_wait(facts, CAUSE_NETWORK, "time no thread ran, and sockets were waited for.",
		  "core time was left unused by threads that waited for sockets.", text);
}

static void tell_lock(const struct facts *facts, char text[BOUND_TEXT])
{
	append(text, "Bound by locks: ");
	tell_wait(facts, CAUSE_LOCK, "time no thread ran, and locks were waited for",
		  "cores but one were left unused by threads that waited for each other", text);
	append(text, ", %.3g ms at a time (locks, queues, barriers).", 1e3 * facts->wait[FACT_LOCK].mean_s);
}

static void tell_serial(const struct facts *facts, char text[BOUND_TEXT])
{
	append(text, "Serial: %.0f %% of the time exactly one thread was busy%s, on %.0f cores",
	       percent(facts->shares.serial), facts->nodes > 1 ? " on a node" : "", facts->cores);
	if (!isnan(facts->shares.cores_busy))
		append(text, " (%.1f used on average)", facts->shares.cores_busy);
	append(text, ".");
}

static void tell_idle(const struct facts *facts, char text[BOUND_TEXT])
{
	double waited = facts->shares.cause[CAUSE_IDLE] - facts->shares.absent;

	append(text, "Idle: %.0f %% of the time there was nothing to do", percent(facts->shares.cause[CAUSE_IDLE]));
	if (facts->shares.absent >= WORTH_TELLING)
		append(text, "; %.0f %% it had no process at all", percent(facts->shares.absent));
	if (!(waited < WORTH_TELLING))
		append(text, "; threads waited for events, timers, input or children (waits for a GPU look the same)");
	append(text, ".");
}

static void tell_mixed(const struct facts *facts, char text[BOUND_TEXT])
{
	static const struct {
		enum fact_cause cause;
		const char *name;
	} waits[] = {
		{ CAUSE_MEMORY, "memory" },
		{ CAUSE_FILE_IO, "file I/O" },
		{ CAUSE_NETWORK, "network" },
		{ CAUSE_LOCK, "locks" },
		{ CAUSE_IDLE, "idle" },
	};
	const char *before = " (";

	append(text, "Mixed: on average %.1f of %.0f core%s used, and no one kind of wait explains the rest",
	       facts->shares.cores_busy, facts->cores, facts->cores == 1 ? " was" : "s were");
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		double share = facts->shares.cause[waits[i].cause];

		if (!(share >= WORTH_TELLING))
			continue;
		append(text, "%s%s %.0f %%", before, waits[i].name, percent(share));
		before = ", ";
	}
	append(text, "%s", *before == ',' ? ")." : ": there were too few busy threads.");
}

static void tell_unknown(const struct facts *facts, char text[BOUND_TEXT])
{
	if (facts->time_s < fact_rule(facts, RULE_LIVE_MIN))
		append(text, "Unknown: the job was too short to tell (%.3f s).", facts->time_s);
	else if (isnan(facts->on_cpu_s) || isnan(facts->time_s))
		append(text, "Unknown: what its threads did was not counted.");
	else if (isnan(facts->live_s))
		append(text, "Unknown: what the job as a whole waited for was not followed.");
	else
		append(text, "Unknown: what it was allocated is not known.");
}

const char *bound_text(const struct facts *facts, enum bound bound, char text[BOUND_TEXT])
{
	static void (*const tell[])(const struct facts *facts, char text[BOUND_TEXT]) = {
		[BOUND_MEMORY] = tell_memory,
		[BOUND_OVERSUBSCRIBED] = tell_oversubscribed,
		[BOUND_CPU] = tell_cpu,
		[BOUND_FILE_IO] = tell_file_io,
		[BOUND_NETWORK] = tell_network,
		[BOUND_LOCK] = tell_lock,
		[BOUND_SERIAL] = tell_serial,
		[BOUND_IDLE] = tell_idle,
		[BOUND_MIXED] = tell_mixed,
		[BOUND_UNKNOWN] = tell_unknown,
	};

	text[0] = '\0';
	tell[bound](facts, text);
	return text;
}

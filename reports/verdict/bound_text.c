/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the verdict as a sentence. */
#include <ctype.h>
#include <math.h>

#include "common/utf8.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/rules/sentence.h"
#include "reports/verdict/bound.h"
#include "reports/verdict/step_limit.h"

#define WORTH_SAYING 0.05 /* smaller shares are not mentioned */
#define NEARLY_ALL 0.9

#define append(text, ...) utf8_append(text, BOUND_TEXT, __VA_ARGS__)

static void write_step_limit(const struct step_limit *at, char text[BOUND_TEXT])
{
	const char *mostly = at->share >= NEARLY_ALL ? "" : "mostly ";
	char size[SIZE_TEXT];

	if (at->id)
		append(text, ", %sin step %s, at its own limit of %s", mostly, at->id, size_text(at->limit, size));
	else if (!isnan(at->limit))
		append(text, ", %sin %zu steps, each at its own limit of %s", mostly, at->steps, size_text(at->limit, size));
	else
		append(text, ", %sin %zu steps, each at a limit of its own", mostly, at->steps);
}

static void write_memory(const struct facts *facts, char text[BOUND_TEXT])
{
	char size[SIZE_TEXT], percent[PERCENT_TEXT];
	struct step_limit at;

	step_limit_find(facts, &at);
	append(text, "Bound by memory: %s of the time went into making room or waiting for pages",
	       percent_text(facts->shares.cause[CAUSE_MEMORY], percent));
	if (at.steps > 0)
		write_step_limit(&at, text);
	else if (!isnan(facts->memory_limit))
		append(text, ", at a limit of %s", size_text(facts->memory_limit, size));
	append(text, ".");
}

/* @whose: who could have had the CPU time. */
static void write_others_part(const struct facts *facts, const char *whose, char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT];

	if (bound_kept_also(facts) && !bound_throttled(facts))
		append(text, " Besides, other work took %s of the CPU time that %s could have had.",
		       percent_text(facts->shares.kept, percent), whose);
}

static double work_share(const struct facts *facts, const struct report_node *node)
{
	return fact_ratio(facts_node_wanted_s(node), facts->elapsed_s * report_number(node->allocated.cpus));
}

/* Appends the busiest and the idlest node. A sum over unequal nodes describes no node. */
static void write_unequal_nodes(const struct facts *facts, char text[BOUND_TEXT])
{
	const struct report_node_list *nodes = &facts->report->nodes;
	const struct report_node *least = NULL, *most = NULL;
	char low[PERCENT_TEXT], high[PERCENT_TEXT];

	for (size_t i = 0; i < nodes->count; i++) {
		const struct report_node *node = &nodes->items[i];

		if (isnan(work_share(facts, node)) || !node->name)
			continue;
		least = least && work_share(facts, least) <= work_share(facts, node) ? least : node;
		most = most && work_share(facts, most) >= work_share(facts, node) ? most : node;
	}
	if (!most || work_share(facts, most) - work_share(facts, least) < fact_rule(facts, RULE_NODE_BUSY))
		return;
	append(text, " Its nodes were not alike: ");
	utf8_append_cut(text, BOUND_TEXT, NAME_SHOWN, most->name);
	append(text, " had work for %s of its CPUs, ", percent_text(fact_share(work_share(facts, most)), high));
	utf8_append_cut(text, BOUND_TEXT, NAME_SHOWN, least->name);
	append(text, " for %s.", percent_text(work_share(facts, least), low));
}

static void write_few(const struct facts *facts, char text[BOUND_TEXT])
{
	append(text, "%.0f of %.0f cores", facts->cores_there - facts->cores_spare, facts->cores_there);
}

static void write_oversubscribed(const struct facts *facts, char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT];

	append(text, "Oversubscribed: on average %.1f threads wanted to run on ", facts->shares.busy);
	if (bound_crowded(facts)) {
		write_few(facts, text);
		append(text, ", while the others were %s used", facts->spare_touched ? "hardly" : "never");
	} else {
		append(text, "%.0f CPU%s%s", facts->cpus_per_node, plural(facts->cpus_per_node),
		       facts->nodes > 1 ? " of a node" : "");
		if (facts->on_few) {
			append(text, ", and ran on ");
			write_few(facts, text);
		}
	}
	append(text, "; each waited for a CPU %s of the time in which it could have run.",
	       percent_text(facts->shares.cpu_wait, percent));
	write_others_part(facts, "all of them", text);
}

static void write_own_crowd(const struct facts *facts, char text[BOUND_TEXT])
{
	append(text, " Its own threads waited for each other, too: on average %.1f of them wanted to run, on ", facts->shares.busy);
	if (facts->to_few)
		write_few(facts, text);
	else
		append(text, "%.0f CPU%s", facts->cpus_per_node, plural(facts->cpus_per_node));
	append(text, ".");
}

static void write_own_part(const struct facts *facts, char text[BOUND_TEXT])
{
	if (facts->busy_peak <= 1 && facts->cpus_per_node > 1)
		append(text, " Only one of its threads was ever busy%s, with %.0f CPUs%s.", facts->nodes > 1 ? " on a node" : "",
		       facts->cpus_per_node, facts->nodes > 1 ? " there" : "");
	else if (facts->cores_per_node > 1 && facts_one_at_a_time(facts))
		append(text, " It hardly ever had more than one busy thread%s, with %.0f "
			     "CPUs%s.", facts->nodes > 1 ? " on a node" : "",
		       facts->cpus_per_node, facts->nodes > 1 ? " there" : "");
	else if (facts->shares.busy_per_cpu >= fact_rule(facts, RULE_CROWD_BUSY))
		write_own_crowd(facts, text);
}

static void write_throttled(const struct facts *facts, char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT];

	append(text, "Throttled by a CPU quota: it waited for a CPU in %s of the time in which it could have run, ",
	       percent_text(facts->shares.kept, percent));
	append(text, "%s of that because of the quota.", percent_text(facts->shares.throttled, percent));
}

static void write_starved(const struct facts *facts, char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT];

	append(text, "Slowed by other work on its CPUs: it waited for a CPU in %s of the time in which it could have run.",
	       percent_text(facts->shares.kept, percent));
	write_own_part(facts, text);
}

static void write_cpu(const struct facts *facts, char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT];

	append(text, "Bound by CPU: threads computed during %s of the core time",
	       percent_text(facts->shares.on_cpu, percent));
	if (facts->shares.cpu - facts->shares.on_cpu >= WORTH_SAYING)
		append(text, ", and waited for a CPU during another %s",
		       percent_text(facts->shares.cpu - facts->shares.on_cpu, percent));
	/* The kernel cannot tell spinning from computing. */
	if (facts->tasks > 1 || facts->nodes > 1)
		append(text, "; tasks that spin while they wait for each other count as computing");
	append(text, ".");
}

static void write_wait(const struct facts *facts, enum fact_cause cause, const char *whole, const char *part,
		      char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT];

	append(text, "%s of the %s", percent_text(facts->shares.cause[cause], percent),
	       facts->shares.whole[cause] ? whole : part);
}

static void write_file_io(const struct facts *facts, char text[BOUND_TEXT])
{
	const struct report_file_system *file_system = bound_file_system(facts);

	append(text, "Bound by file I/O");
	if (file_system)
		append(text, " on %s%s", report_text_is(file_system->class, "network") ? "the network file system " : "",
		       file_system->type);
	append(text, ": ");
	write_wait(facts, CAUSE_FILE_IO, "time no thread ran, and threads waited for files.",
		  "core time was left unused by threads that waited for files.", text);
}

static void write_gpu(const struct facts *facts, char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT], gpus[GPU_FACTS_TEXT];

	if (!(facts->shares.cause[CAUSE_GPU] >= fact_rule(facts, RULE_GPU_SHARE))) {
		append(text, "Bound by the GPU: %s, and for %s of the time there was nothing to do for its CPUs.",
		       gpu_facts_text(&facts->gpu, gpus), percent_text(facts->shares.cause[CAUSE_IDLE], percent));
		return;
	}
	append(text, "Bound by the GPU: %s of the time no thread ran, and threads waited for GPU devices.",
	       percent_text(facts->shares.cause[CAUSE_GPU], percent));
}

static void write_network(const struct facts *facts, char text[BOUND_TEXT])
{
	append(text, "Bound by the network: ");
	write_wait(facts, CAUSE_NETWORK, "time no thread ran, and threads waited for sockets.",
		  "core time was left unused by threads that waited for sockets.", text);
}

static void write_turns(const struct facts *facts, char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT], turns[PERCENT_TEXT];

	append(text, "Bound by locks: threads took turns: for %s of the time, exactly one was busy%s, on %.0f cores, and %s of the "
	       "CPU time was used while others waited for their turn.",
	       percent_text(facts->shares.serial, percent), facts->nodes > 1 ? " on a node" : "", facts->cores,
	       percent_text(facts->shares.turns, turns));
}

static void write_lock(const struct facts *facts, char text[BOUND_TEXT])
{
	if (!(facts->shares.cause[CAUSE_LOCK] >= fact_rule(facts, RULE_LOCK_SHARE))) {
		write_turns(facts, text);
		return;
	}
	append(text, "Bound by locks: ");
	write_wait(facts, CAUSE_LOCK, "time no thread ran, and threads waited for locks",
		  "cores but one were left unused by threads that waited for each other", text);
	append(text, ", %.3g ms at a time.", 1e3 * facts->wait[FACT_LOCK].mean_s);
}

static void write_serial(const struct facts *facts, char text[BOUND_TEXT])
{
	char percent[PERCENT_TEXT];

	append(text, "Serial: for %s of the time, exactly one thread was busy%s on %.0f cores",
	       percent_text(facts->shares.serial, percent), facts->nodes > 1 ? " on a node," : "", facts->cores);
	if (!isnan(facts->shares.cores_busy))
		append(text, " (%.1f used on average)", facts->shares.cores_busy);
	append(text, ".");
	write_others_part(facts, "it", text);
	write_unequal_nodes(facts, text);
}

/* Waits for locks are usually short. Long waits may mean a deadlock, or a file lock of another job. */
static bool waits_for_long_locks(const struct facts *facts)
{
	return facts->wait[FACT_LOCK].cause == CAUSE_IDLE &&
	       facts->wait[FACT_LOCK].bound_s >= WORTH_SAYING * facts->time_s;
}

/*
 * The waits that can make a job idle, named as in the table of states.
 * Leaves out waits for children, because a shell always waits for its children.
 */
static const struct {
	enum fact_wait wait;
	size_t of_job, of_full; /* in struct report_job_states and struct report_wait_times */
	const char *words;
} idle_waits[] = {
#define IDLE_WAIT(wait, member, words) \
	{ wait, offsetof(struct report_job_states, member), offsetof(struct report_wait_times, member), words }
	IDLE_WAIT(FACT_NETWORK, network_s, "the network"),
	IDLE_WAIT(FACT_PIPE, pipe_s, "a pipe or terminal"),
	IDLE_WAIT(FACT_CONDITION, condition_s, "another thread (or a timer)"),
	IDLE_WAIT(FACT_EVENT, event_s, "events (poll)"),
	IDLE_WAIT(FACT_SLEEP, sleep_s, "timers (sleep)"),
#undef IDLE_WAIT
};

#define IDLE_WAITS (sizeof(idle_waits) / sizeof(idle_waits[0]))

static double seconds_at(const void *states, size_t offset)
{
	return report_s(*(const struct report_seconds *)((const char *)states + offset));
}

/*
 * Returns true if waits of one kind stopped the whole job for long enough to explain its idle time.
 * @full_s: seconds in which these waits stopped the whole job; NAN counts as long enough.
 */
static bool held_up_all(const struct facts *facts, double full_s)
{
	double idle_s = facts->shares.cause[CAUSE_IDLE] * facts->time_s;

	return isnan(full_s) || isnan(idle_s) || full_s >= WORTH_SAYING * idle_s;
}

static size_t find_idle_waits(const struct facts *facts, bool found[IDLE_WAITS])
{
	struct report_job_states states;
	bool known = facts_states_of_work(facts->report, &states);
	double seconds[IDLE_WAITS], whole = 0;
	size_t count = 0;

	for (size_t i = 0; i < IDLE_WAITS; i++) {
		seconds[i] = NAN;
		if (known && facts->wait[idle_waits[i].wait].cause == CAUSE_IDLE &&
		    held_up_all(facts, seconds_at(&states.full, idle_waits[i].of_full)))
			seconds[i] = seconds_at(&states, idle_waits[i].of_job);
		whole += seconds[i] > 0 ? seconds[i] : 0;
	}
	for (size_t i = 0; i < IDLE_WAITS; i++)
		count += found[i] = seconds[i] > 0 && seconds[i] >= WORTH_SAYING * whole;
	return count;
}

static void write_idle_waits(const struct facts *facts, char text[BOUND_TEXT])
{
	bool locks = waits_for_long_locks(facts), found[IDLE_WAITS];
	size_t left = find_idle_waits(facts, found);

	append(text, "; threads waited for ");
	if (locks)
		append(text, "locks that were held for long%s", left == 0 ? "" : left == 1 ? " or " : ", ");
	else if (left == 0)
		append(text, "another thread, events, timers, input or children");
	for (size_t i = 0; i < IDLE_WAITS; i++) {
		if (!found[i])
			continue;
		left--;
		append(text, "%s%s", idle_waits[i].words, left == 0 ? "" : left == 1 ? " or " : ", ");
	}
	append(text, "%s", facts_gpus_may_work(facts) ? "; waits for a GPU look the same" : "");
}

static void write_gpu_use(const struct facts *facts, char text[BOUND_TEXT])
{
	char gpus[GPU_FACTS_TEXT];

	if (!(facts->gpus > 0))
		return;
	gpu_facts_text(&facts->gpu, gpus);
	append(text, " %c%s.", toupper(gpus[0]), gpus + 1);
}

static void write_idle(const struct facts *facts, char text[BOUND_TEXT])
{
	double waited = facts->shares.cause[CAUSE_IDLE] - facts->shares.absent;
	char percent[PERCENT_TEXT];

	append(text, "Idle: %s of the time there was nothing to do%s%s", percent_text(facts->shares.cause[CAUSE_IDLE], percent),
	       facts->nodes > 1 ? " on a node, on average" : "", facts->gpus > 0 ? " for its CPUs" : "");
	if (facts->shares.absent >= WORTH_SAYING)
		append(text, "; %s %s no process at all", percent_text(facts->shares.absent, percent),
		       facts->nodes > 1 ? "there was" : "it had");
	if (!(waited < WORTH_SAYING))
		write_idle_waits(facts, text);
	append(text, ".");
	write_gpu_use(facts, text);
	write_unequal_nodes(facts, text);
}

static void write_mixed(const struct facts *facts, char text[BOUND_TEXT])
{
	const struct {
		double share;
		const char *name;
	} waits[] = {
		{ facts->shares.kept_core, "waiting for a CPU" },
		{ facts->shares.cause[CAUSE_MEMORY], "memory" },
		{ facts->shares.cause[CAUSE_FILE_IO], "file I/O" },
		{ facts->shares.cause[CAUSE_GPU], "GPU" },
		{ facts->shares.cause[CAUSE_NETWORK], "network" },
		{ facts->shares.cause[CAUSE_LOCK], "locks" },
		{ facts->shares.cause[CAUSE_IDLE], "idle" },
	};
	bool crowd = facts->shares.busy_per_cpu >= fact_rule(facts, RULE_CROWD_BUSY) && facts->to_few;
	const char *before = " (";
	char percent[PERCENT_TEXT];

	append(text, "Mixed: on average %.1f of %.0f core%s used, and no one kind of wait explains the rest",
	       facts->shares.cores_busy, facts->cores, facts->cores == 1 ? " was" : "s were");
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		if (!(waits[i].share >= WORTH_SAYING))
			continue;
		append(text, "%s%s %s", before, waits[i].name, percent_text(waits[i].share, percent));
		before = ", ";
	}
	if (*before == ',')
		append(text, ").");
	else
		append(text, crowd ? "." : ": there were too few busy threads.");
	if (crowd) {
		append(text, " On average %.1f threads wanted to run on ", facts->shares.busy);
		write_few(facts, text);
		append(text, ".");
	}
	write_unequal_nodes(facts, text);
}

static void write_unknown(const struct facts *facts, char text[BOUND_TEXT])
{
	if (facts->time_s < fact_rule(facts, RULE_LIVE_MIN))
		append(text, "Unknown: the job was too short to tell (%.3f s).", facts->time_s);
	else if (isnan(facts->on_cpu_s) || isnan(facts->time_s))
		append(text, "Unknown: what its threads did was not counted.");
	else if (isnan(facts->live_s))
		append(text, "Unknown: stint did not follow what the job as a whole waited for.");
	else
		append(text, "Unknown: what it was allocated is not known.");
}

const char *bound_text(const struct facts *facts, enum bound bound, char text[BOUND_TEXT])
{
	static void (*const writers[])(const struct facts *facts, char text[BOUND_TEXT]) = {
		[BOUND_MEMORY] = write_memory,
		[BOUND_OVERSUBSCRIBED] = write_oversubscribed,
		[BOUND_THROTTLED] = write_throttled,
		[BOUND_STARVED] = write_starved,
		[BOUND_CPU] = write_cpu,
		[BOUND_FILE_IO] = write_file_io,
		[BOUND_GPU] = write_gpu,
		[BOUND_NETWORK] = write_network,
		[BOUND_LOCK] = write_lock,
		[BOUND_SERIAL] = write_serial,
		[BOUND_IDLE] = write_idle,
		[BOUND_MIXED] = write_mixed,
		[BOUND_UNKNOWN] = write_unknown,
	};

	text[0] = '\0';
	writers[bound](facts, text);
	return text;
}

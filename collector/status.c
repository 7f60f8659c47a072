/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/status.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/host/loop.h"
#include "collector/kernel/features.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/json_writer.h"

#define STATUS_SCHEMA 1 /* docs/status.md says when this number changes */
#define STATUS_AGE_S 60 /* an older file means that stintd hangs */

static struct json_object *build_programs(const struct collector *c)
{
	struct program_state states[PROGRAMS];
	int count = programs__states(c->programs, states);
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < count; i++) {
		struct json_object *object = json_object_new_object();
		struct program_cost cost = programs__cost(c->programs, &states[i]);

		put_known_text(object, "name", states[i].name);
		put_flag(object, "loaded", states[i].loaded);
		if (!states[i].loaded)
			put_known_text(object, "reason", states[i].reason);
		if (states[i].gap) {
			put_known_text(object, "gap", states[i].gap);
			put_known_text(object, "gap_reason", states[i].gap_reason);
		}
		if (cost.runs) {
			put_count(object, "run_ns", cost.run_ns);
			put_count(object, "runs", cost.runs);
		}
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *build_features(const struct collector *c)
{
	const struct features *features = programs__features(c->programs);
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < features->count; i++) {
		const struct feature_state *state = &features->state[i];
		struct json_object *object = json_object_new_object();

		put_text(object, "kind", state->kind);
		put_text(object, "name", state->name);
		put_text(object, "since", state->since);
		put_flag(object, "present", state->present);
		put_flag(object, "needed", state->weight == FEATURE_NEEDED);
		put_flag(object, "costs", state->weight == FEATURE_COSTS);
		put_text(object, "without", state->without);
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *build_spool(const struct collector *c)
{
	const struct waiting_files *records = &c->waiting.records;
	struct json_object *object = json_object_new_object();

	put_known_text(object, "place", c->spool.places[0].path);
	put_count(object, "records", records->count);
	put_count(object, "bytes", records->bytes);
	if (records->oldest_unix_s)
		put_count(object, "oldest_unix_s", records->oldest_unix_s);
	put_count(object, "reserve", c->waiting.reserve.count);
	put_count(object, "damaged", c->status_damaged);
	put_count(object, "given_up", c->status_spool_counts.given_up);
	return object;
}

static struct json_object *build_store(const struct collector *c)
{
	const struct store *store = &c->store;
	int64_t oldest = waiting_older(c->waiting.lines.oldest_unix_s, c->waiting.batches.oldest_unix_s);
	struct json_object *object = json_object_new_object();

	put_known_text(object, "place", c->conf.store_command[0] ? "" : c->conf.store_dir);
	put_known_text(object, "command", c->conf.store_command);
	put_count(object, "lines", c->waiting.lines.count);
	put_count(object, "batches", c->waiting.batches.count);
	put_count(object, "bytes", c->waiting.lines.bytes + c->waiting.batches.bytes);
	if (oldest)
		put_count(object, "oldest_unix_s", oldest);
	put_count(object, "dropped", store->left.dropped);
	if (store->failing_since_s) {
		put_count(object, "failing_since_unix_s", store->failing_since_s);
		put_text(object, "reason", store->why);
	}
	return object;
}

static struct json_object *build_writers(const struct collector *c)
{
	struct json_object *object = json_object_new_object();

	put_count(object, "places", DELIVER_PLACES);
	put_count(object, "waiting", c->deliveries.status_waiting);
	put_count(object, "held_up", c->deliveries.status_strays);
	return object;
}

struct status_counts status_count(const struct collector *c)
{
	struct status_counts now = { .jobs = c->counts, .waiting = c->waiting.records.count, .unexpected = job_unexpected() };

	for (const struct job *job = c->jobs.first; job; job = job->next) {
		now.open += job->phase == JOB_OPEN;
		now.closing += job->phase != JOB_OPEN;
		now.waiting += job->closing.next_try_ns != 0; /* no room in the spool */
	}
	now.failed = c->spool.counts->given_up + c->spool.counts->set_aside;
	if (c->tally) {
		now.written = __atomic_load_n(&c->tally->written, __ATOMIC_RELAXED);
		now.failed += __atomic_load_n(&c->tally->forgotten, __ATOMIC_RELAXED);
	}
	return now;
}

static void put_counts(struct json_object *status, const struct status_counts *counts)
{
	struct json_object *jobs = json_object_new_object(), *reports = json_object_new_object();

	put_count(jobs, "open", counts->open);
	put_count(jobs, "closing", counts->closing);
	put_count(jobs, "overdue", counts->jobs.overdue);
	put_count(jobs, "closed", counts->jobs.closed);
	put_count(jobs, "closed_without_epilog", counts->jobs.closed_without_epilog);
	put_count(jobs, "without_since_epilog", counts->jobs.without_since_epilog);
	put_count(jobs, "unexpected", counts->unexpected);
	put_count(reports, "written", counts->written);
	put_count(reports, "failed", counts->failed);
	put_count(reports, "waiting", counts->waiting);
	json_object_object_add(status, "jobs", jobs);
	json_object_object_add(status, "reports", reports);
}

static bool look_on(struct collector *c)
{
	return waiting_go_on(&c->waiting_look);
}

/*
 * Counts what waits in the spool and the backlog. Events do not suffice: a writer may hang, and a killed stintd leaves
 * lines.
 *
 * @places: as in waiting_begin()
 *
 * Returns true if a count has changed.
 */
static bool look_again(struct collector *c, int places)
{
	struct waiting now;
	uint64_t damaged = spool_damaged(&c->spool);

	waiting_begin(&c->waiting_look, &c->waiting_seen, &c->conf, places);
	if (c->loop)
		loop_in_pieces(c->loop, look_on);
	else /* stintd is starting */
		while (look_on(c))
			;
	waiting_end(&c->waiting_look, &now);
	spool_note(&c->spool, now.records.count - now.reserve.count, now.records.bytes - now.reserve.bytes);
	if (damaged == c->status_damaged && memcmp(&now, &c->waiting, sizeof(now)) == 0)
		return false;
	c->waiting = now;
	c->status_damaged = damaged;
	return true;
}

static int write_file(struct collector *c, struct error *err)
{
	struct json_object *status = json_object_new_object();
	const char *text, *version;
	bool same;
	int result;

	c->status_written_s = time(NULL);
	c->status_old = false;
	c->status_counts = status_count(c);
	put_count(status, "schema", STATUS_SCHEMA);
	put_count(status, "written_unix_s", c->status_written_s);
	put_text(status, "version", PACKAGE_VERSION);
	put_count(status, "pid", getpid());
	put_count(status, "since_unix_ns", programs__since_ns(c->programs) + clock_boot_to_unix_ns());
	put_flag(status, "pinned", programs__pinned(c->programs));
	put_flag(status, "taken_over", programs__taken_over(c->programs));
	version = programs__version(c->programs, &same);
	put_known_text(status, "programs_version", version);
	put_flag(status, "programs_same", same);
	put_flag(status, "hwloc", c->topology != NULL);
	json_object_object_add(status, "programs", build_programs(c));
	json_object_object_add(status, "features", build_features(c));
	json_object_object_add(status, "spool", build_spool(c));
	json_object_object_add(status, "writers", build_writers(c));
	if (conf_has_store(&c->conf))
		json_object_object_add(status, "store", build_store(c));
	put_counts(status, &c->status_counts);
	tally_put(c->tally, status);
	text = json_object_to_json_string_ext(status, JSON_C_TO_STRING_PRETTY);
	result = file_write_volatile(c->run_fd, "status.json", 0600, text, strlen(text), err);
	json_object_put(status);
	return result;
}

int status_write(struct collector *c, struct error *err)
{
	look_again(c, WAITING_PLACES);
	return write_file(c, err);
}

static void write_again(struct collector *c)
{
	struct error err;

	if (write_file(c, &err) < 0)
		collector_log(LOG_WARNING, "cannot write the status file: %s", err.text);
}

void status_changed(struct collector *c)
{
	c->status_old = true;
}

void status_tick(struct collector *c)
{
	bool changed = look_again(c, WAITING_PLACES);
	struct status_counts now = status_count(c);

	if (changed || c->status_old || memcmp(&now, &c->status_counts, sizeof(now)) != 0 || time(NULL) - c->status_written_s >= STATUS_AGE_S)
		write_again(c);
}

void status_refresh(struct collector *c)
{
	struct spool_counts counts = *c->spool.counts;

	if (!look_again(c, WAITING_RECORD_PLACES) && counts.given_up == c->status_spool_counts.given_up &&
	    c->deliveries.status_waiting == c->deliveries.waiting &&
	    c->deliveries.status_strays == c->deliveries.all_strays)
		return;
	c->deliveries.status_waiting = c->deliveries.waiting;
	c->deliveries.status_strays = c->deliveries.all_strays;
	c->status_spool_counts = counts;
	write_again(c);
}

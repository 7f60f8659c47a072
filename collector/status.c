/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/status.h"

#include <string.h>
#include <unistd.h>

#include "collector/clock.h"
#include "collector/common/file.h"
#include "collector/json.h"

static struct json_object *build_programs(const struct collector *c)
{
	struct program_state states[PROGRAMS];
	int count = programs__states(c->programs, states);
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < count; i++) {
		struct json_object *object = json_object_new_object();

		json_add_text(object, "name", states[i].name);
		json_object_object_add(object, "loaded", json_object_new_boolean(states[i].loaded));
		if (!states[i].loaded)
			json_add_text(object, "reason", states[i].reason);
		if (states[i].gap) {
			json_add_text(object, "gap", states[i].gap);
			json_add_text(object, "gap_reason", states[i].gap_reason);
		}
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *build_spool(const struct collector *c)
{
	const struct spool_state *state = &c->spool_told;
	struct json_object *object = json_object_new_object();

	json_add_text(object, "place", c->spool.places[0].path);
	json_add_number(object, "records", state->records);
	json_add_number(object, "bytes", state->bytes);
	if (state->oldest_unix_s)
		json_add_number(object, "oldest_unix_s", state->oldest_unix_s);
	json_add_number(object, "damaged", state->damaged);
	json_add_number(object, "given_up", c->spool_counts_told.given_up);
	return object;
}

int status_write(const struct collector *c, struct error *err)
{
	struct json_object *status = json_object_new_object();
	const char *text, *version;
	bool same;
	int result;

	json_add_text(status, "version", PACKAGE_VERSION);
	json_add_number(status, "pid", getpid());
	json_add_number(status, "since_unix_ns", programs__since_ns(c->programs) + clock_boot_to_unix_ns());
	json_object_object_add(status, "pinned", json_object_new_boolean(programs__pinned(c->programs)));
	json_object_object_add(status, "taken_over", json_object_new_boolean(programs__taken_over(c->programs)));
	version = programs__version(c->programs, &same);
	json_add_text(status, "programs_version", version);
	json_object_object_add(status, "programs_same", json_object_new_boolean(same));
	json_object_object_add(status, "hwloc", json_object_new_boolean(c->topology != NULL));
	json_object_object_add(status, "programs", build_programs(c));
	json_object_object_add(status, "spool", build_spool(c));
	text = json_object_to_json_string_ext(status, JSON_C_TO_STRING_PRETTY);
	result = file_write(c->run_fd, "status.json", 0600, text, strlen(text), err);
	json_object_put(status);
	return result;
}

void status_refresh(struct collector *c)
{
	struct spool_counts counts = *c->spool.counts;
	struct spool_state state;
	struct error err;

	spool_look(&c->spool, &state);
	if (memcmp(&state, &c->spool_told, sizeof(state)) == 0 && counts.given_up == c->spool_counts_told.given_up)
		return;
	c->spool_told = state;
	c->spool_counts_told = counts;
	if (status_write(c, &err) < 0)
		collector_log("the status: %s", err.text);
}

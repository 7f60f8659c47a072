/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/access.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/memory/map.h"
#include "reports/facts/table_rows.h"
#include "reports/json/field.h"

#define COLUMNS 5
#define KEY 4

enum { AT_CLUSTER, AT_PERSON, AT_SCOPE, AT_ID, AT_LEARNT };

struct learning {
	struct names *names;
	int64_t cluster;
	struct map seen; /* keys are (scope, account, person), so that each row is added only once */
	struct table_rows old;
	struct map texts; /* copies of the texts that the old rows point to */
};

/* ---- people ---- */

struct seen {
	int64_t scope;
	size_t person; /* where in text the person begins, after the account */
	char text[];
};

static int see(struct learning *learning, int64_t scope, const char *account, const char *person, struct error *err)
{
	size_t length = strlen(account) + 1, size = sizeof(struct seen) + length + strlen(person) + 1;
	cleanup_free struct seen *key = calloc(1, size);

	if (!key)
		return error_set(err, "out of memory");
	key->scope = scope;
	key->person = length;
	memcpy(key->text, account, length);
	strcpy(key->text + length, person);
	if (!map_get(&learning->seen, key, size))
		return error_set(err, "out of memory");
	return scope == ACCESS_SCOPE_ACCOUNT
		       ? names_want(learning->names, learning->cluster, NAME_ACCOUNT, account, err)
		       : 0;
}

static int read_person(struct learning *learning, struct json_object *object, struct error *err)
{
	struct json_object *accounts = field_typed(object, "coordinates", json_type_array);
	const char *person = field_text(object, "user");

	if (!person)
		return 0;
	if (field_true(object, "sees_all") && see(learning, ACCESS_SCOPE_ALL, "", person, err) < 0)
		return -1;
	for (size_t i = 0; i < field_length(accounts); i++) {
		const char *account = json_object_get_string(json_object_array_get_idx(accounts, i));

		if (account && *account && see(learning, ACCESS_SCOPE_ACCOUNT, account, person, err) < 0)
			return -1;
	}
	return 0;
}

static int read_people(struct learning *learning, const char *people, struct error *err)
{
	for (const char *line = people; *line;) {
		size_t length = strcspn(line, "\n");
		cleanup_json struct json_object *object = NULL;

		length += line[length] == '\n';
		object = field_parse(line, length, "Slurm's users", json_type_object, err);
		if (!object || read_person(learning, object, err) < 0)
			return -1;
		line += length;
	}
	return 0;
}

static int read_group(struct learning *learning, const char *name, struct error *err)
{
	const struct group *group = getgrnam(name);
	const struct passwd *user;
	gid_t gid;
	int result = 0;

	if (!group)
		return error_set(err, "view_groups in site.conf: there is no group %.100s", name);
	gid = group->gr_gid;
	for (char **member = group->gr_mem; result == 0 && *member; member++)
		result = see(learning, ACCESS_SCOPE_ALL, "", *member, err);
	setpwent();
	while (result == 0 && (user = getpwent()))
		if (user->pw_gid == gid)
			result = see(learning, ACCESS_SCOPE_ALL, "", user->pw_name, err);
	endpwent();
	return result;
}

static int read_groups(struct learning *learning, const char *view_groups, struct error *err)
{
	cleanup_free char *list = strdup(view_groups);
	char *save = NULL;

	if (!list)
		return error_set(err, "out of memory");
	for (char *name = strtok_r(list, " \t,", &save); name; name = strtok_r(NULL, " \t,", &save))
		if (read_group(learning, name, err) < 0)
			return -1;
	return 0;
}

/* ---- the table ---- */

static int keep_old(void *context, const struct database_value *row, struct error *err)
{
	struct learning *learning = context;
	struct map_entry *text;
	struct database_value *key;

	if (row[AT_CLUSTER].number != learning->cluster || row[AT_SCOPE].number == ACCESS_SCOPE_USER)
		return 0;
	text = map_get(&learning->texts, row[AT_PERSON].data, row[AT_PERSON].size);
	key = table_rows_add(&learning->old, 0, KEY);
	if (!text || !key)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < KEY; i++)
		key[i] = row[i];
	key[AT_PERSON].data = text->key;
	return 0;
}

static int put_new(struct learning *learning, struct database *db, struct error *err)
{
	struct table_rows rows = { 0 };
	int result = 0;

	for (size_t i = 0; i < learning->seen.count; i++) {
		const struct seen *seen = learning->seen.list[i].key;
		const char *person = seen->text + seen->person;
		struct database_value *row = table_rows_add(&rows, 0, COLUMNS);

		if (!row) {
			result = error_set(err, "out of memory");
			break;
		}
		row[AT_CLUSTER] = database_int(learning->cluster);
		row[AT_PERSON] = (struct database_value){ .kind = VALUE_TEXT, .data = person, .size = strlen(person) };
		row[AT_SCOPE] = database_int(seen->scope);
		row[AT_ID] = database_int(names_id(learning->names, learning->cluster, NAME_ACCOUNT, seen->text));
		row[AT_LEARNT] = database_int(time(NULL));
	}
	if (result == 0)
		result = table_rows_insert(&rows, db, &table_access, err);
	table_rows_free(&rows);
	return result;
}

static int replace(struct learning *learning, struct database *db, struct error *err)
{
	if (names_resolve(learning->names, db, err) < 0 ||
	    database_scan(db, &table_access, 0, keep_old, learning, err) < 0 ||
	    table_rows_erase(&learning->old, db, &table_access, err) < 0)
		return -1;
	return put_new(learning, db, err);
}

int access_learn(struct database *db, struct names *names, int64_t cluster, const char *people, const char *view_groups,
		 struct error *err)
{
	struct learning learning = { .names = names, .cluster = cluster };
	int result = read_people(&learning, people, err) < 0 ? -1 : read_groups(&learning, view_groups, err);

	if (result == 0)
		result = database_begin(db, err);
	if (result == 0 && (replace(&learning, db, err) < 0 || database_commit(db, err) < 0)) {
		database_rollback(db);
		names_forget(names);
		result = -1;
	}
	map_free(&learning.seen);
	map_free(&learning.texts);
	table_rows_free(&learning.old);
	return result;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/site_conf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/memory/array.h"

#define BYTES_MAX (1u << 16)
#define STATE_DIR LOCALSTATEDIR "/lib/stint"

#define MONTHS_MAX 1200

static int read_text(const char *name, const char *value, void *field, size_t size, struct error *err)
{
	if (strlen(value) >= size)
		return error_set(err, "%s: longer than %zu characters", name, size - 1);
	strcpy(field, value);
	return 0;
}

static int read_path(const char *name, const char *value, void *field, size_t size, struct error *err)
{
	if (value[0] != '/')
		return error_set(err, "%s: '%.200s' is not an absolute path", name, value);
	return read_text(name, value, field, size, err);
}

static int read_months(const char *name, const char *value, void *field, size_t size, struct error *err)
{
	char *end;
	long months = strtol(value, &end, 10);

	(void)size;
	if (strcmp(value, "all") == 0) {
		*(int *)field = 0;
		return 0;
	}
	if (*value < '0' || *value > '9' || *end || months < 1 || months > MONTHS_MAX)
		return error_set(err, "%s: '%.200s' is neither a number of months nor 'all'", name, value);
	*(int *)field = (int)months;
	return 0;
}

static const struct {
	const char *name;
	size_t offset, size;
	int (*read)(const char *name, const char *value, void *field, size_t size, struct error *err);
} keys[] = {
	{ "database", offsetof(struct site_conf, database), PATH_MAX, read_text },
	{ "store_dir", offsetof(struct site_conf, store_dir), PATH_MAX, read_path },
	{ "archive_dir", offsetof(struct site_conf, archive_dir), PATH_MAX, read_path },
	{ "store_user", offsetof(struct site_conf, store_user), SITE_TEXT, read_text },
	{ "time_zone", offsetof(struct site_conf, time_zone), SITE_TEXT, read_text },
	{ "view_groups", offsetof(struct site_conf, view_groups), SITE_TEXT, read_text },
	{ "clusters", offsetof(struct site_conf, clusters), SITE_TEXT, read_text },
	{ "keep_job", offsetof(struct site_conf, keep.job), sizeof(int), read_months },
	{ "keep_missing", offsetof(struct site_conf, keep.missing), sizeof(int), read_months },
	{ "keep_days", offsetof(struct site_conf, keep.days), sizeof(int), read_months },
	{ "keep_months", offsetof(struct site_conf, keep.months), sizeof(int), read_months },
	{ "keep_batch", offsetof(struct site_conf, keep.batch), sizeof(int), read_months },
};

#define OF_CLUSTER "database."

struct parse {
	struct site_conf *conf;
	bool for_others; /* whether there is a database for all clusters that have no database of their own */
	struct error why;
};

/* ---- several databases ---- */

/* Adds @cluster to the database @where. Clusters with the same address share a database. */
static int add_database(struct site_conf *conf, const char *where, const char *cluster, struct error *err)
{
	struct site_database *one = NULL;
	char *clusters;

	for (size_t i = 0; i < conf->database_count; i++)
		if (strcmp(conf->databases[i].where, where) == 0)
			one = &conf->databases[i];
	if (!one) {
		if (!array_room(&conf->databases, conf->database_count, sizeof(*conf->databases)))
			return error_set(err, "out of memory");
		one = &conf->databases[conf->database_count++];
		*one = (struct site_database){ strdup(where), NULL };
	}
	if (asprintf(&clusters, "%s%s%s", one->clusters ? one->clusters : "", one->clusters ? ", " : "", cluster) < 0)
		clusters = NULL;
	free(one->clusters);
	one->clusters = clusters;
	return one->where && clusters ? 0 : error_set(err, "out of memory");
}

static int take_database(struct site_conf *conf, const char *cluster, const char *value, struct error *err)
{
	char where[PATH_MAX];

	if (!*cluster || strcspn(cluster, ", \t") < strlen(cluster))
		return error_set(err, "'" OF_CLUSTER "%.200s' does not name a cluster", cluster);
	if (site_conf_database_of(conf, cluster) < conf->database_count)
		return error_set(err, "the cluster %.200s has a database already", cluster);
	return read_text("database", value, where, sizeof(where), err) < 0 ? -1 : add_database(conf, where, cluster, err);
}

/*
 * Adds the database for all other clusters as the last one. If a cluster's database has the same address, uses that
 * database for all other clusters, too.
 */
static int finish_databases(struct site_conf *conf, bool for_others, struct error *err)
{
	if (!conf->database_count)
		return 0;
	for (size_t i = 0; for_others && i < conf->database_count; i++)
		if (strcmp(conf->databases[i].where, conf->database) == 0) {
			conf->databases[i].clusters[0] = '\0';
			for_others = false;
		}
	if (for_others && add_database(conf, conf->database, "", err) < 0)
		return -1;
	site_conf_choose(conf, 0);
	return 0;
}

void site_conf_choose(struct site_conf *conf, size_t which)
{
	conf->chosen = which;
	snprintf(conf->database, sizeof(conf->database), "%s", conf->databases[which].where);
}

size_t site_conf_database_of(const struct site_conf *conf, const char *cluster)
{
	size_t others = conf->database_count;

	for (size_t i = 0; i < conf->database_count; i++) {
		if (site_conf_lists(conf->databases[i].clusters, cluster))
			return i;
		if (!conf->databases[i].clusters[0])
			others = i;
	}
	return others;
}

bool site_conf_takes(const struct site_conf *conf, const char *cluster, struct error *why)
{
	if (conf->clusters[0] && !site_conf_lists(conf->clusters, cluster)) {
		error_set(why, "'clusters' in site.conf does not name its cluster, '%.100s'", cluster);
		return false;
	}
	if (conf->database_count && site_conf_database_of(conf, cluster) == conf->database_count) {
		error_set(why, SITE_NO_DATABASE ", '%.100s'", cluster);
		return false;
	}
	return true;
}

const char *site_conf_whose(const struct site_database *database)
{
	return database->clusters[0] ? database->clusters : "all other clusters";
}

void site_conf_free(struct site_conf *conf)
{
	for (size_t i = 0; i < conf->database_count; i++) {
		free(conf->databases[i].where);
		free(conf->databases[i].clusters);
	}
	free(conf->databases);
	conf->databases = NULL;
	conf->database_count = 0;
}

/* ---- the file ---- */

/* For inih: returns 0 if the line is wrong. */
static int take_line(void *user, const char *section, const char *name, const char *value)
{
	struct parse *parse = user;

	if (parse->why.text[0])
		return 0;
	if (section[0]) {
		error_set(&parse->why, "sections are not allowed");
		return 0;
	}
	if (strncmp(name, OF_CLUSTER, strlen(OF_CLUSTER)) == 0)
		return take_database(parse->conf, name + strlen(OF_CLUSTER), value, &parse->why) == 0;
	parse->for_others = parse->for_others || strcmp(name, "database") == 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(keys[i].name, name) != 0)
			continue;
		keys[i].read(name, value, (char *)parse->conf + keys[i].offset, keys[i].size, &parse->why);
		return !parse->why.text[0];
	}
	error_set(&parse->why, "unknown key '%.200s'", name);
	return 0;
}

static bool is_postgres(const char *where)
{
	return strncmp(where, "postgresql://", 13) == 0 || strncmp(where, "postgres://", 11) == 0;
}

/* Returns whether the address has a password: postgresql://USER:PASSWORD@... or ...?password=... */
static bool has_password(const char *where)
{
	const char *rest = is_postgres(where) ? strstr(where, "://") + 3 : "", *at = strchr(rest, '@');
	const char *colon = strchr(rest, ':'), *slash = strchr(rest, '/');

	if (strstr(rest, "password="))
		return true;
	return at && colon && colon < at && (!slash || at < slash);
}

static int check_database(const char *where, const char *path, struct error *err)
{
	struct stat st;

	if (has_password(where) && stat(path, &st) == 0 && (st.st_mode & S_IROTH))
		return error_set(err, "%s: every user can read the password in it: chmod o-r", path);
	if (where[0] != '/' && !is_postgres(where))
		return error_set(err, "%s: database: it is neither an absolute path nor postgresql://...", path);
	return 0;
}

static int check(const struct site_conf *conf, const char *path, struct error *err)
{
	struct error why;

	for (size_t i = 0; i < conf->database_count; i++)
		if (check_database(conf->databases[i].where, path, err) < 0)
			return -1;
	if (check_database(conf->database, path, err) < 0)
		return -1;
	return retention_check(&conf->keep, &why) < 0 ? error_set(err, "%s: %.400s", path, why.text) : 0;
}

static int read_conf(struct site_conf *conf, const char *text, const char *name, struct error *err)
{
	struct parse parse = { .conf = conf };
	int line = ini_parse_string(text, take_line, &parse);

	if (line != 0)
		return error_set(err, "%s:%d: %.400s", name, line > 0 ? line : 0,
				 parse.why.text[0] ? parse.why.text : "not of the form 'key = value'");
	return finish_databases(conf, parse.for_others, err) < 0 ? -1 : check(conf, name, err);
}

int site_conf_load(struct site_conf *conf, const char *path, const struct conf *nodes, struct error *err)
{
	const char *name = path ? path : SITE_CONF_PATH;
	cleanup_free char *text = NULL;

	*conf = (struct site_conf){ .database = STATE_DIR "/store.sqlite",
				    .store_dir = STATE_DIR "/store",
				    .archive_dir = STATE_DIR "/archive" };
	if (nodes && nodes->store_dir[0])
		strcpy(conf->store_dir, nodes->store_dir);
	if (nodes)
		snprintf(conf->store_user, sizeof(conf->store_user), "%s", nodes->store_user);
	text = file_read(AT_FDCWD, name, BYTES_MAX, NULL, err);
	if (!text)
		return !path && errno == ENOENT ? 0 : -1;
	if (read_conf(conf, text, name, err) == 0)
		return 0;
	site_conf_free(conf);
	return -1;
}

static bool is_named(const char *entry, size_t length, const char *name)
{
	for (size_t i = 0; i < length; i++)
		if (name[i] != entry[i] && name[i] != tolower((unsigned char)entry[i]))
			return false;
	return !name[length];
}

bool site_conf_lists(const char *list, const char *name)
{
	static const char between[] = ", \t";
	size_t length;

	for (list += strspn(list, between); *list; list += strspn(list, between)) {
		length = strcspn(list, between);
		if (is_named(list, length, name))
			return true;
		list += length;
	}
	return false;
}

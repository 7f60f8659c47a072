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

struct parse {
	struct site_conf *conf;
	struct error why;
};

/* Callback for inih. Returns 0 if the line is wrong. */
static int take_line(void *user, const char *section, const char *name, const char *value)
{
	struct parse *parse = user;

	if (parse->why.text[0])
		return 0;
	if (section[0]) {
		error_set(&parse->why, "sections are not allowed");
		return 0;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(keys[i].name, name) != 0)
			continue;
		keys[i].read(name, value, (char *)parse->conf + keys[i].offset, keys[i].size, &parse->why);
		return !parse->why.text[0];
	}
	error_set(&parse->why, "unknown key '%.200s'", name);
	return 0;
}

static bool is_postgres(const struct site_conf *conf)
{
	return strncmp(conf->database, "postgresql://", 13) == 0 || strncmp(conf->database, "postgres://", 11) == 0;
}

/* Returns whether the address of PostgreSQL has a password: postgresql://USER:PASSWORD@..., or ...?password=... */
static bool has_password(const struct site_conf *conf)
{
	const char *rest = is_postgres(conf) ? strstr(conf->database, "://") + 3 : "", *at = strchr(rest, '@');
	const char *colon = strchr(rest, ':'), *slash = strchr(rest, '/');

	if (strstr(rest, "password="))
		return true;
	return at && colon && colon < at && (!slash || at < slash);
}

static int check(const struct site_conf *conf, const char *path, struct error *err)
{
	struct error why;

	if (retention_check(&conf->keep, &why) < 0)
		return error_set(err, "%s: %.400s", path, why.text);
	if (conf->database[0] != '/' && !is_postgres(conf))
		return error_set(err, "%s: database: it is neither an absolute path nor postgresql://...", path);
	return 0;
}

int site_conf_load(struct site_conf *conf, const char *path, const struct conf *nodes, struct error *err)
{
	const char *name = path ? path : SITE_CONF_PATH;
	struct parse parse = { .conf = conf };
	cleanup_free char *text = NULL;
	struct stat st;
	int line;

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
	line = ini_parse_string(text, take_line, &parse);
	if (line != 0)
		return error_set(err, "%s:%d: %.400s", name, line > 0 ? line : 0,
				 parse.why.text[0] ? parse.why.text : "not of the form 'key = value'");
	if (has_password(conf) && stat(name, &st) == 0 && (st.st_mode & S_IROTH))
		return error_set(err, "%s: every user can read the password in it: chmod o-r", name);
	return check(conf, name, err);
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

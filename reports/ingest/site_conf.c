/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/site_conf.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"

#define BYTES_MAX (1u << 16)
#define STATE_DIR LOCALSTATEDIR "/lib/stint"

static const struct {
	const char *name;
	size_t offset, size;
	bool is_path;
} keys[] = {
	{ "database", offsetof(struct site_conf, database), PATH_MAX, false },
	{ "store_dir", offsetof(struct site_conf, store_dir), PATH_MAX, true },
	{ "archive_dir", offsetof(struct site_conf, archive_dir), PATH_MAX, true },
	{ "store_user", offsetof(struct site_conf, store_user), SITE_TEXT, false },
	{ "time_zone", offsetof(struct site_conf, time_zone), SITE_TEXT, false },
};

struct parse {
	struct site_conf *conf;
	struct error why;
};

/* For inih: 0 where the line is bad. */
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
		if (strlen(value) >= keys[i].size)
			error_set(&parse->why, "%s: longer than %zu characters", name, keys[i].size - 1);
		else if (keys[i].is_path && value[0] != '/')
			error_set(&parse->why, "%s: '%.200s' is not an absolute path", name, value);
		else
			strcpy((char *)parse->conf + keys[i].offset, value);
		return !parse->why.text[0];
	}
	error_set(&parse->why, "unknown key '%.200s'", name);
	return 0;
}

static bool is_postgres(const struct site_conf *conf)
{
	return strncmp(conf->database, "postgresql://", 13) == 0 || strncmp(conf->database, "postgres://", 11) == 0;
}

static int check(const struct site_conf *conf, const char *path, struct error *err)
{
	if (conf->database[0] != '/' && !is_postgres(conf))
		return error_set(err, "%s: database: it is neither an absolute path nor postgresql://...", path);
	return 0;
}

int site_conf_load(struct site_conf *conf, const char *path, struct error *err)
{
	const char *name = path ? path : SITE_CONF_PATH;
	struct parse parse = { .conf = conf };
	cleanup_free char *text = NULL;
	struct stat st;
	int line;

	*conf = (struct site_conf){ .database = STATE_DIR "/store.sqlite",
				    .store_dir = STATE_DIR "/store",
				    .archive_dir = STATE_DIR "/archive" };
	text = file_read(AT_FDCWD, name, BYTES_MAX, NULL, err);
	if (!text)
		return !path && errno == ENOENT ? 0 : -1;
	line = ini_parse_string(text, take_line, &parse);
	if (line != 0)
		return error_set(err, "%s:%d: %.400s", name, line > 0 ? line : 0,
				 parse.why.text[0] ? parse.why.text : "not of the form 'key = value'");
	if (is_postgres(conf) && stat(name, &st) == 0 && (st.st_mode & S_IROTH))
		return error_set(err, "%s: everybody can read it, and with it all users' jobs: chmod o-r", name);
	return check(conf, name, err);
}

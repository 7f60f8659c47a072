/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/common/conf.h"

#include <errno.h>
#include <ini.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/pattern.h"

struct key {
	const char *name;
	size_t offset;
	int (*read)(const char *value, void *field, struct error *err);
};

static int read_mode(const char *value, void *field, struct error *err)
{
	if (conf_mode_parse(value, field) < 0)
		return error_set(err, "'%s' is not off, summary or timeline", value);
	return 0;
}

static int read_text(const char *value, char *field, struct error *err)
{
	if (strlen(value) >= PATH_MAX)
		return error_set(err, "longer than %d characters", PATH_MAX - 1);
	strcpy(field, value);
	return 0;
}

static int read_pattern(const char *value, void *field, struct error *err)
{
	if (pattern_check(value, err) < 0)
		return -1;
	return read_text(value, field, err);
}

static int read_directory(const char *value, void *field, struct error *err)
{
	if (value[0] != '/')
		return error_set(err, "'%s' is not an absolute path", value);
	return read_text(value, field, err);
}

static int read_count(const char *value, unsigned int *field, unsigned long min, unsigned long max, struct error *err)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno || n < min || n > max)
		return error_set(err, "'%s' is not a whole number from %lu to %lu", value, min, max);
	*field = n;
	return 0;
}

static int read_interval(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 1, 3600, err);
}

static int read_wait(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 0, 3600, err);
}

static int read_entries(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 16, 1000000, err);
}

static const struct key keys[] = {
	{ "mode", offsetof(struct conf, mode), read_mode },
	{ "output", offsetof(struct conf, output), read_pattern },
	{ "run_dir", offsetof(struct conf, run_dir), read_directory },
	{ "spool_dir", offsetof(struct conf, spool_dir), read_directory },
	{ "bpf_dir", offsetof(struct conf, bpf_dir), read_directory },
	{ "sample_interval_s", offsetof(struct conf, sample_interval_s), read_interval },
	{ "merge_wait_s", offsetof(struct conf, merge_wait_s), read_wait },
	{ "timeline_entries", offsetof(struct conf, timeline_entries), read_entries },
};

static const char *const mode_names[] = {
	[CONF_MODE_OFF] = "off",
	[CONF_MODE_SUMMARY] = "summary",
	[CONF_MODE_TIMELINE] = "timeline",
};

int conf_mode_parse(const char *text, enum conf_mode *mode)
{
	for (size_t i = 0; i < sizeof(mode_names) / sizeof(mode_names[0]); i++)
		if (strcmp(text, mode_names[i]) == 0) {
			*mode = i;
			return 0;
		}
	return -1;
}

void conf_defaults(struct conf *conf)
{
	memset(conf, 0, sizeof(*conf));
	conf->mode = CONF_MODE_TIMELINE;
	strcpy(conf->output, PATTERN_DEFAULT);
	strcpy(conf->run_dir, "/run/stint");
	strcpy(conf->spool_dir, LOCALSTATEDIR "/spool/stint");
	strcpy(conf->bpf_dir, "/sys/fs/bpf/stint");
	conf->sample_interval_s = 1;
	conf->merge_wait_s = 30;
	conf->timeline_entries = 4096;
}

struct parse {
	struct conf *conf;
	struct error error; /* of the first bad line */
};

static int take(void *user, const char *section, const char *name, const char *value)
{
	struct parse *parse = user;

	if (parse->error.text[0])
		return 0;
	if (section[0]) {
		error_set(&parse->error, "there are no sections: [%s]", section);
		return 0;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct error why;

		if (strcmp(name, keys[i].name) != 0)
			continue;
		if (keys[i].read(value, (char *)parse->conf + keys[i].offset, &why) == 0)
			return 1;
		error_set(&parse->error, "%.64s: %.400s", name, why.text);
		return 0;
	}
	error_set(&parse->error, "unknown key '%.200s'", name);
	return 0;
}

int conf_load(struct conf *conf, const char *path, struct error *err)
{
	cleanup_fclose FILE *file = fopen(path, "re");
	struct parse parse = { .conf = conf };
	int line;

	if (!file)
		return error_errno(err, "%s", path);
	line = ini_parse_file(file, take, &parse);
	if (line == 0 && !ferror(file))
		return 0;
	errno = EINVAL;
	if (line <= 0)
		return error_set(err, "%s: cannot be read", path);
	return error_set(err, "%s:%d: %s", path, line,
			 parse.error.text[0] ? parse.error.text : "not of the form 'key = value'");
}

int conf_load_default(struct conf *conf, const char *path, struct error *err)
{
	conf_defaults(conf);
	if (path)
		return conf_load(conf, path, err);
	if (conf_load(conf, CONF_PATH, err) < 0 && errno != ENOENT)
		return -1;
	return 0;
}

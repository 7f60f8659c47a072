/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/pattern.h"

#define CONF_BYTES_MAX (1u << 20)
/* Prefixes of keys. The name of a rule or map follows. */
#define RULE "rule."
#define MAP_ENTRIES "map_entries."
#define NO_PAIR "not of the form 'key = value'"

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

static int read_directory_or_off(const char *value, void *field, struct error *err)
{
	return strcmp(value, "off") == 0 ? read_text("", field, err) : read_directory(value, field, err);
}

static int read_command(const char *value, void *field, struct error *err)
{
	return read_text(value, field, err);
}

static int read_user(const char *value, void *field, struct error *err)
{
	if (strlen(value) >= CONF_STORE_USER_MAX)
		return error_set(err, "longer than %d characters", CONF_STORE_USER_MAX - 1);
	strcpy(field, value);
	return 0;
}

static int read_socket(const char *value, void *field, struct error *err)
{
	return value[0] ? read_directory(value, field, err) : read_text(value, field, err);
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

static int read_lines(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 0, CONF_LAST_LINES_MOST, err);
}

static int read_epilog_wait(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 1, 604800, err);
}

static int read_entries(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 16, 1000000, err);
}

static int read_stall(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 1, 604800, err);
}

static int read_age(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 1, 87600, err);
}

static int read_megabytes(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 1, 1048576, err);
}

static int read_day(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 1, 86400, err);
}

static int read_waits(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 1000, 1000000000, err);
}

static int read_cpus(const char *value, void *field, struct error *err)
{
	return read_count(value, field, 1, 1000000, err);
}

static int read_switch(const char *value, void *field, struct error *err)
{
	bool on = strcmp(value, "on") == 0;

	if (!on && strcmp(value, "off") != 0)
		return error_set(err, "'%s' is not on or off", value);
	*(bool *)field = on;
	return 0;
}

static int read_comment(const char *value, void *field, struct error *err)
{
	bool js1 = strcmp(value, "js1") == 0;

	if (!js1 && strcmp(value, "none") != 0)
		return error_set(err, "'%s' is not none or js1", value);
	*(enum conf_comment *)field = js1 ? CONF_COMMENT_JS1 : CONF_COMMENT_NONE;
	return 0;
}

static int read_report_mode(const char *value, void *field, struct error *err)
{
	unsigned long mode;
	char *end;

	if (strcmp(value, "job") == 0) {
		*(int *)field = CONF_REPORT_MODE_JOB;
		return 0;
	}
	mode = strtoul(value, &end, 8);
	if (value[0] < '0' || value[0] > '7' || *end || (mode & ~0666ul) || (mode & 0600) != 0600)
		return error_set(err, "'%s' is neither 'job' nor a mode from 0600 to 0666", value);
	*(int *)field = (int)mode;
	return 0;
}

static const struct {
	const char *name;
	bool needed;
} programs[PROGRAMS] = {
#define PROGRAM_ROW(name, needed) { #name, needed },
	PROGRAM_NAMES(PROGRAM_ROW)
#undef PROGRAM_ROW
};

static int leave_out(const char *name, size_t length, bool off[PROGRAMS], struct error *err)
{
	for (int i = 0; i < PROGRAMS; i++) {
		if (strncmp(name, programs[i].name, length) != 0 || programs[i].name[length])
			continue;
		if (programs[i].needed)
			return error_set(err, "nothing can be counted without '%s'", programs[i].name);
		off[i] = true;
		return 0;
	}
	return error_set(err, "no kernel program is called '%.*s'", (int)length, name);
}

/* Adds the names to those of earlier lines, because a line has room for only about ten names. */
static int read_programs(const char *value, void *field, struct error *err)
{
	static const char between[] = ", \t\n";

	for (const char *at = value + strspn(value, between); *at; at += strspn(at, between)) {
		size_t length = strcspn(at, between);

		if (leave_out(at, length, field, err) < 0)
			return -1;
		at += length;
	}
	return 0;
}

static const struct key keys[] = {
	{ "mode", offsetof(struct conf, mode), read_mode },
	{ "output", offsetof(struct conf, output), read_pattern },
	{ "run_dir", offsetof(struct conf, run_dir), read_directory },
	{ "spool_dir", offsetof(struct conf, spool_dir), read_directory },
	{ "spool_max_age_h", offsetof(struct conf, spool_max_age_h), read_age },
	{ "spool_max_mb", offsetof(struct conf, spool_max_mb), read_megabytes },
	{ "bpf_dir", offsetof(struct conf, bpf_dir), read_directory },
	{ "sample_interval_s", offsetof(struct conf, sample_interval_s), read_interval },
	{ "epilog_wait_s", offsetof(struct conf, epilog_wait_s), read_epilog_wait },
	{ "merge_wait_s", offsetof(struct conf, merge_wait_s), read_wait },
	{ "last_lines", offsetof(struct conf, last_lines), read_lines },
	{ "admin_comment", offsetof(struct conf, admin_comment), read_comment },
	{ "report_mode", offsetof(struct conf, report_mode), read_report_mode },
	{ "munge_socket", offsetof(struct conf, munge_socket), read_socket },
	{ "timeline_entries", offsetof(struct conf, timeline_entries), read_entries },
	{ "stall_s", offsetof(struct conf, stall_s), read_stall },
	{ "follow_waits_per_s", offsetof(struct conf, follow_waits_per_s), read_waits },
	{ "follow_cpus", offsetof(struct conf, follow_cpus), read_cpus },
	{ "files", offsetof(struct conf, files), read_switch },
	{ "gpus", offsetof(struct conf, gpus), read_switch },
	{ "metrics", offsetof(struct conf, metrics), read_directory_or_off },
	{ "store_dir", offsetof(struct conf, store_dir), read_directory_or_off },
	{ "store_command", offsetof(struct conf, store_command), read_command },
	{ "store_user", offsetof(struct conf, store_user), read_user },
	{ "store_scripts", offsetof(struct conf, store_scripts), read_switch },
	{ "store_backlog_mb", offsetof(struct conf, store_backlog_mb), read_megabytes },
	{ "store_interval_s", offsetof(struct conf, store_interval_s), read_day },
	{ "store_wait_s", offsetof(struct conf, store_wait_s), read_interval },
	{ "programs_off", offsetof(struct conf, programs_off), read_programs },
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
	conf->spool_max_age_h = 168;
	conf->spool_max_mb = 1024;
	conf->sample_interval_s = 1;
	/* Less than the default of slurm.conf's MinJobAge (300 s). So slurmctld still knows a job that stintd closes. */
	conf->epilog_wait_s = 240;
	conf->merge_wait_s = 30;
	conf->last_lines = 5;
	conf->report_mode = CONF_REPORT_MODE_JOB;
	conf->timeline_entries = 4096;
	conf->stall_s = 300;
	conf->follow_waits_per_s = 200000;
	conf->follow_cpus = 8;
	conf->gpus = true;
	strcpy(conf->metrics, "/run/stint-metrics");
	strcpy(conf->store_dir, CONF_STORE_DIR);
	conf->store_scripts = true;
	conf->store_backlog_mb = 64;
	conf->store_interval_s = 300;
	conf->store_wait_s = 60;
}

struct parse {
	struct conf *conf;
	const char *left;
	int line;
	bool lenient;
	int bad_line; /* first bad line; 0: none */
	struct error error;
	const char *path;
	void (*tell)(const char *mistake); /* called for each bad line; may be NULL */
	int told;
};

static void tell_mistake(struct parse *parse, int line, const char *why)
{
	struct error mistake;

	error_set(&mistake, "%s:%d: %s", parse->path, line, why);
	parse->tell(mistake.text);
	parse->told++;
}

static int read_rule(struct conf *conf, const char *name, const char *value, struct error *err)
{
	struct conf_rule *rule = conf->rules;
	size_t length = strlen(name);
	double number;
	char *end;

	if (!length || length >= sizeof(rule->name) || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.") != length)
		return error_set(err, "'%.200s' is not the name of a rule", name);
	number = strtod(value, &end);
	if (end == value || *end || !isfinite(number))
		return error_set(err, "'%s' is not a number", value);
	while (rule < conf->rules + conf->rule_count && strcmp(rule->name, name) != 0)
		rule++;
	if (rule == conf->rules + CONF_RULES_MAX)
		return error_set(err, "more than %d rules", CONF_RULES_MAX);
	if (rule == conf->rules + conf->rule_count)
		conf->rule_count++;
	strcpy(rule->name, name);
	rule->value = number;
	return 0;
}

static int read_map_entries(struct conf *conf, const char *name, const char *value, struct error *err)
{
	static const struct {
		const char *name;
		unsigned int most;
	} maps[BOUNDED_MAP_COUNT] = {
#define BOUNDED_MAP_ROW(name, most) { #name, most },
		BOUNDED_MAPS(BOUNDED_MAP_ROW)
#undef BOUNDED_MAP_ROW
	};

	for (int i = 0; i < BOUNDED_MAP_COUNT; i++)
		if (strcmp(name, maps[i].name) == 0)
			return read_count(value, &conf->map_entries[i], 1, maps[i].most, err);
	return error_set(err, "'%.200s' is not a map whose number of entries can be set", name);
}

static const struct key *find_key(const char *name)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(name, keys[i].name) == 0)
			return &keys[i];
	return NULL;
}

static int read_pair(struct conf *conf, const char *name, const char *value, struct error *err)
{
	const struct key *key = find_key(name);
	struct error why;
	int status;

	if (key)
		status = key->read(value, (char *)conf + key->offset, &why);
	else if (strncmp(name, RULE, strlen(RULE)) == 0)
		status = read_rule(conf, name + strlen(RULE), value, &why);
	else if (strncmp(name, MAP_ENTRIES, strlen(MAP_ENTRIES)) == 0)
		status = read_map_entries(conf, name + strlen(MAP_ENTRIES), value, &why);
	else
		return error_set(err, "unknown key '%.200s'", name);
	return status < 0 ? error_set(err, "%.80s: %.400s", name, why.text) : 0;
}

/* Handles one line for inih. Returns 0 for a bad line. Without parse->lenient, also returns 0 for all later lines. */
static int take_line(void *user, const char *section, const char *name, const char *value)
{
	struct parse *parse = user;
	struct error err;

	if (parse->bad_line && !parse->lenient)
		return 0;
	if (section[0])
		error_set(&err, "sections are not allowed: [%s]", section);
	else if (read_pair(parse->conf, name, value, &err) == 0)
		return 1;
	if (parse->tell)
		tell_mistake(parse, parse->line, err.text);
	if (!parse->bad_line) {
		parse->bad_line = parse->line;
		parse->error = err;
	}
	return 0;
}

static char *next_line(char *to, int size, void *stream)
{
	struct parse *parse = stream;
	size_t length = strcspn(parse->left, "\n");

	if (!*parse->left || size < 2)
		return NULL;
	length += parse->left[length] == '\n';
	if (length > (size_t)size - 1)
		length = size - 1;
	memcpy(to, parse->left, length);
	to[length] = '\0';
	parse->left += length;
	parse->line++;
	return to;
}

/* Returns true for /dev/null. Keeps errno. */
static bool is_null(const char *path)
{
	int saved = errno;
	struct stat there;
	bool null = stat(path, &there) == 0 && S_ISCHR(there.st_mode) && there.st_rdev == makedev(1, 3);

	errno = saved;
	return null;
}

/*
 * @bad: set to the first mistake in the file; empty if there is none
 *
 * Returns 0; -1 with @err set if the file cannot be read.
 */
static int read_file(struct conf *conf, const char *path, bool lenient, struct error *bad, struct error *err)
{
	size_t length;
	cleanup_free char *text = file_read(AT_FDCWD, path, CONF_BYTES_MAX, &length, err);
	struct parse parse = { .conf = conf, .left = text, .lenient = lenient };
	int line;

	bad->text[0] = '\0';
	if (!text)
		return is_null(path) ? 0 : -1;
	line = strlen(text) == length ? ini_parse_stream(next_line, &parse, take_line, &parse) : -1;
	if (line < 0)
		error_set(bad, "%s: not a text", path);
	else if (line > 0)
		error_set(bad, "%s:%d: %s", path, line, line == parse.bad_line ? parse.error.text : NO_PAIR);
	return 0;
}

int conf_load(struct conf *conf, const char *path, struct error *err)
{
	struct error bad;

	if (read_file(conf, path, false, &bad, err) < 0)
		return -1;
	if (!bad.text[0])
		return 0;
	errno = EINVAL;
	return error_set(err, "%s", bad.text);
}

int conf_mistakes(const char *path, void (*tell)(const char *mistake), struct error *err)
{
	cleanup_free char *text = file_read(AT_FDCWD, path, CONF_BYTES_MAX, NULL, err);
	struct conf conf;
	struct parse parse = { .conf = &conf, .left = text, .lenient = true, .path = path, .tell = tell };
	int line;

	if (!text)
		return -1;
	conf_defaults(&conf);
	line = ini_parse_stream(next_line, &parse, take_line, &parse);
	if (line > 0 && line != parse.bad_line)
		tell_mistake(&parse, line, NO_PAIR);
	return parse.told;
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

int conf_load_known(struct conf *conf, const char *path, struct error *warning, struct error *err)
{
	conf_defaults(conf);
	if (read_file(conf, path ? path : CONF_PATH, true, warning, err) == 0)
		return 0;
	if (!path && errno == EACCES)
		error_set(warning, "%s: the defaults apply", err->text);
	return path || (errno != ENOENT && errno != EACCES) ? -1 : 0;
}

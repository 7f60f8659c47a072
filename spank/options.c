/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/pattern.h"
#include "common/utf8.h"

static int set_run_dir(const char *path, struct options_arguments *parsed, struct error *err)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (*path != '/')
		return error_set(err, "run_dir=%s: not an absolute path", path);
	if (length > MESSAGE_RUN_DIR_MAX)
		return error_set(err, "run_dir=%s: longer than %d characters", path, MESSAGE_RUN_DIR_MAX);
	memcpy(parsed->run_dir, path, length);
	parsed->run_dir[length] = '\0';
	return 0;
}

static int set_switch(const char *word, struct options_arguments *parsed, struct error *err)
{
	parsed->off = strcmp(word, "off") == 0;
	return parsed->off || strcmp(word, "on") == 0 ? 0 : error_set(err, "mode=%s: expected on or off", word);
}

/* Accepts only numbers: to look up a name, each slurmstepd would wait for a directory service. */
static int add_off_users(const char *list, struct options_arguments *parsed, struct error *err)
{
	for (const char *at = list;; at++) {
		char *end;
		unsigned long uid;

		errno = 0;
		uid = strtoul(at, &end, 10);
		if (*at < '0' || *at > '9' || (*end && *end != ',') || errno || uid >= UINT32_MAX)
			return error_set(err, "off_users=%s: expected user ids separated by commas, as 'id -u NAME' prints them",
					 list);
		if (parsed->off_user_count == OPTIONS_OFF_USERS_MAX)
			return error_set(err, "off_users=%s: more than %d users", list, OPTIONS_OFF_USERS_MAX);
		parsed->off_users[parsed->off_user_count++] = uid;
		at = end;
		if (!*at)
			return 0;
	}
}

static int set_off_partitions(const char *list, struct options_arguments *parsed, struct error *err)
{
	if (!*list || strlen(list) >= sizeof(parsed->off_partitions))
		return error_set(err, "off_partitions=%s: expected names of partitions separated by commas, at most %zu characters",
				 list, sizeof(parsed->off_partitions) - 1);
	strcpy(parsed->off_partitions, list);
	return 0;
}

static const struct argument {
	const char *name;
	int (*read)(const char *value, struct options_arguments *parsed, struct error *err);
} known[] = {
	{ "run_dir=", set_run_dir },
	{ "mode=", set_switch },
	{ "off_users=", add_off_users },
	{ "off_partitions=", set_off_partitions },
};

static int read_argument(const char *text, struct options_arguments *parsed, struct error *err)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strncmp(text, known[i].name, strlen(known[i].name)) == 0)
			return known[i].read(text + strlen(known[i].name), parsed, err);
	return error_set(err, "plugstack.conf: unknown argument '%s' (known are run_dir=DIR, mode=off, off_users=UID,... and "
			 "off_partitions=NAME,...)", text);
}

int options_parse_arguments(int count, char *const *arguments, struct options_arguments *parsed, struct error *err)
{
	memset(parsed, 0, sizeof(*parsed));
	strcpy(parsed->run_dir, OPTIONS_RUN_DIR);
	for (int i = 0; i < count; i++)
		if (read_argument(arguments[i], parsed, err) < 0)
			return -1;
	return 0;
}

static int read_mode(const char *word, size_t length, enum control_mode *mode)
{
	static const struct {
		const char *word;
		enum control_mode mode;
	} modes[] = {
		{ "off", CONTROL_MODE_OFF },
		{ "summary", CONTROL_MODE_SUMMARY },
		{ "timeline", CONTROL_MODE_TIMELINE },
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		if (strlen(modes[i].word) == length && !memcmp(modes[i].word, word, length)) {
			*mode = modes[i].mode;
			return 0;
		}
	}
	return -1;
}

static int read_output(const char *pattern, struct options_job *parsed, struct error *err)
{
	struct error why;

	for (const unsigned char *c = (const unsigned char *)pattern; *c; c++)
		if (*c < 0x20 || *c == 0x7f)
			return error_set(err, "--stint: the output pattern has a control character");
	if (strlen(pattern) >= sizeof(parsed->output))
		return error_set(err, "--stint: the output pattern is too long");
	if (pattern_check(pattern, &why) < 0)
		return error_set(err, "--stint: %s", why.text);
	strcpy(parsed->output, pattern);
	return 0;
}

static int read_words(const char *value, struct options_job *parsed, struct error *err)
{
	static const char output[] = "output=";

	for (const char *word = value;;) {
		size_t length = strcspn(word, ",");

		if (!strncmp(word, output, strlen(output)))
			return read_output(word + strlen(output), parsed, err);
		if (parsed->mode != CONTROL_MODE_DEFAULT || read_mode(word, length, &parsed->mode) < 0)
			return error_set(err, "--stint=%.*s: expected off, summary or timeline, and/or output=PATTERN, "
					      "separated by a comma", (int)utf8_whole(value, strnlen(value, 100)), value);
		if (!word[length])
			return 0;
		word += length + 1;
	}
}

int options_parse_job(const char *value, struct options_job *parsed, struct error *err)
{
	memset(parsed, 0, sizeof(*parsed));
	if (read_words(value ? value : "", parsed, err) == 0)
		return 0;
	memset(parsed, 0, sizeof(*parsed));
	return -1;
}

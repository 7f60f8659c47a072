/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/options.h"

#include <string.h>

#include "collector/common/pattern.h"
#include "collector/common/utf8.h"

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

int options_parse_arguments(int count, char *const *arguments, struct options_arguments *parsed, struct error *err)
{
	static const char run_dir[] = "run_dir=";

	strcpy(parsed->run_dir, OPTIONS_RUN_DIR);
	for (int i = 0; i < count; i++) {
		if (strncmp(arguments[i], run_dir, strlen(run_dir)))
			return error_set(err, "plugstack.conf: unknown argument '%s' (there is run_dir=DIR)",
					 arguments[i]);
		if (set_run_dir(arguments[i] + strlen(run_dir), parsed, err) < 0)
			return -1;
	}
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
			return error_set(err, "--stint=%.*s: want off, summary or timeline, and/or output=PATTERN, "
					 "with a comma between", (int)utf8_whole(value, strnlen(value, 100)), value);
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

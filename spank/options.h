/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the site wrote in plugstack.conf, and what the user wrote behind --stint=. */
#ifndef STINT_OPTIONS_H
#define STINT_OPTIONS_H

#include "collector/common/error.h"
#include "spank/control.h"
#include "spank/message.h"

#define OPTIONS_RUN_DIR "/run/stint"

struct options_arguments {
	char run_dir[MESSAGE_RUN_DIR_MAX + 1];
};

struct options_job {
	enum control_mode mode;
	char output[sizeof(((struct control_message *)NULL)->output)]; /* pattern, or empty */
};

/*
 * Reads the plugin's arguments of plugstack.conf: run_dir=DIR (an absolute
 * path; OPTIONS_RUN_DIR without).
 *
 * Returns 0; -1 with @err naming the argument that is wrong.
 */
int options_parse_arguments(int count, char *const *arguments, struct options_arguments *parsed, struct error *err);

/*
 * Reads the value of --stint: off, summary or timeline, then output=PATTERN,
 * either or both, with a comma between. The pattern is the rest of @value.
 *
 * Returns 0; -1 with @err telling what is wrong, and @parsed as "not given".
 */
int options_parse_job(const char *value, struct options_job *parsed, struct error *err);

#endif

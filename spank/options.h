/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the plugin's arguments in plugstack.conf, and the user's --stint=. */
#ifndef STINT_OPTIONS_H
#define STINT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/control.h"
#include "common/error.h"
#include "spank/message.h"

#define OPTIONS_RUN_DIR "/run/stint"

#define OPTIONS_OFF_USERS_MAX 64

struct options_arguments {
	char run_dir[MESSAGE_RUN_DIR_MAX + 1];
	bool off;
	uint32_t off_users[OPTIONS_OFF_USERS_MAX]; /* users whose jobs are not counted */
	unsigned int off_user_count;
	/* Names of partitions whose jobs are not counted, with commas between them; may be empty. */
	char off_partitions[1024];
};

struct options_job {
	enum control_mode mode;
	char output[sizeof(((struct control_open *)NULL)->output)];
};

/*
 * Reads the plugin's @count arguments in plugstack.conf:
 * - run_dir=DIR: an absolute path; the default is OPTIONS_RUN_DIR
 * - mode=on or mode=off
 * - off_users=UID,UID...
 * - off_partitions=NAME,NAME...
 *
 * Returns 0; -1 with @err set, which names the wrong argument.
 */
int options_parse_arguments(int count, char *const *arguments, struct options_arguments *parsed, struct error *err);

/*
 * Reads the value of --stint: a mode (off, summary or timeline), output=PATTERN, or MODE,output=PATTERN.
 * The pattern may have commas.
 *
 * Returns 0; -1 with @err set, and @parsed as without the option.
 */
int options_parse_job(const char *value, struct options_job *parsed, struct error *err);

#endif

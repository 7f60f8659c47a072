/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/store/store_backlog_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"

#define STATE "state"
#define STATE_MAX 1024
#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define BOOT_DIGITS 12

/* Fills @boot with the first digits of the boot's id. */
static void read_boot(char boot[BOOT_DIGITS + 1])
{
	cleanup_free char *text = file_read_kernel(BOOT_ID, 64);
	size_t length = 0;

	for (const char *at = text; at && *at && length < BOOT_DIGITS; at++)
		if (strchr("0123456789abcdef", *at))
			boot[length++] = *at;
	while (length < BOOT_DIGITS)
		boot[length++] = '0';
	boot[length] = '\0';
}

void store_state_read(struct store_backlog *backlog)
{
	struct store_backlog_state *state = &backlog->state;
	char boot[BOOT_DIGITS + 1];
	cleanup_free char *text = file_read(backlog->fd, STATE, STATE_MAX, NULL, NULL);
	int end = 0;

	memset(state, 0, sizeof(*state));
	read_boot(boot);
	if (text && sscanf(text, "store 1 %31[0-9a-f-] %" SCNu64 " %" SCNu64 " %255[^\n] .%n", state->boot, &state->sequence,
			   &state->dropped, state->dropping, &end) == 4 &&
	    end && strncmp(state->boot, boot, BOOT_DIGITS) == 0 && state->boot[BOOT_DIGITS] == '-')
		return;
	/* the time makes the text unique if an earlier state of this boot was lost */
	memset(state, 0, sizeof(*state));
	snprintf(state->boot, sizeof(state->boot), "%s-%" PRIx64, boot, clock_ns(CLOCK_REALTIME) / 1000000);
}

int store_state_write(const struct store_backlog *backlog, struct error *err)
{
	const struct store_backlog_state *state = &backlog->state;
	char text[STATE_MAX];
	int length = snprintf(text, sizeof(text), "store 1 %s %" PRIu64 " %" PRIu64 " %s\n.\n", state->boot, state->sequence,
			      state->dropped, state->dropping[0] ? state->dropping : "-");

	return file_write(backlog->fd, STATE, 0600, text, (size_t)length, err);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves as a helper of stintd: a child that answers many calls.
 *
 * A helper ends after ten seconds without a call, and after a minute in any case.
 * So its memory cannot grow without limit, and an upgrade soon takes effect.
 */
#ifndef STINT_HELPER_H
#define STINT_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/* Must be all zero at first. */
struct helper {
	int64_t old_ms; /* when the helper stops, by clock_ms() */
};

/* Waits for a call on @fd. Returns false if the helper must end. */
bool helper_waits(struct helper *helper, int fd);

#endif

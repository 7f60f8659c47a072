/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long stintd uses a processor at a stretch. What it does once a second, while nobody waits for it, is cut into
 * pieces: after each, the thread whose processor it has taken can go on.
 */
#ifndef STINT_STRETCH_H
#define STINT_STRETCH_H

#include <stdbool.h>

/*
 * Has rests end as soon as @urgent_fd is readable, for then somebody waits for stintd, or @full(@data) says that something
 * fills that this process is to empty. To be called once, before rests are allowed.
 */
void stretch_watch(int urgent_fd, bool (*full)(const void *data), const void *data);

/*
 * Allows rests from now on, for 800 ms at most, until what stretch_watch() has named ends them. This process has just been
 * given a processor.
 */
void stretch_allow(void);

/*
 * Rests for 0.2 ms, if rests are allowed and the last one is more than 30 us ago. To be called between pieces of work.
 */
void stretch_rest(void);

/* Allows no more rests. A child calls this, too: it is not the event loop. */
void stretch_end(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long stintd uses a processor at a stretch. What it does once a second, while nobody waits for it, is cut into
 * pieces: after each, the thread whose processor it has taken can go on.
 */
#ifndef STINT_STRETCH_H
#define STINT_STRETCH_H

#include <stdbool.h>

/*
 * Has rests end, too, as soon as @full(@data) says that something fills that this process is to empty. To be called
 * once.
 */
void stretch_watch(bool (*full)(const void *data), const void *data);

/*
 * Allows rests from now on, for 800 ms at most, until @urgent_fd is readable, for then somebody waits for stintd, and until
 * what stretch_watch() has named is full. This process has just been given a processor.
 */
void stretch_allow(int urgent_fd);

/*
 * Rests for 0.2 ms, if rests are allowed and the last one is more than 30 us ago. To be called between pieces of work.
 */
void stretch_rest(void);

/* Allows no more rests. A child calls this, too: it is not the event loop. */
void stretch_end(void);

#endif

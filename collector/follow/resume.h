/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Continues the jobs that the former stintd followed, and hands open jobs over to the next stintd.
 */
#ifndef STINT_RESUME_H
#define STINT_RESUME_H

#include "collector/collector.h"

/* Restores the open jobs from the journal of the former stintd, and then processes the notes that the plugin left. */
void resume_all(struct collector *c);

/* Writes the handover of all open jobs for the next stintd. */
void resume_hand_over(struct collector *c);

#endif

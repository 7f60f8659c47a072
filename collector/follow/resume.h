/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes up the jobs that the last stintd followed, and hands them over to the next one. */
#ifndef STINT_RESUME_H
#define STINT_RESUME_H

#include "collector/collector.h"

/* Takes up the open jobs from the journal of an earlier stintd, then the notes that the plugin left. */
void resume_all(struct collector *c);

/* Writes the handover of all open jobs for the next stintd. */
void resume_hand_over(struct collector *c);

#endif

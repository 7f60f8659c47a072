/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notifies systemd, which starts stintd (Type=notify) and waits until it is ready: see sd_notify(3). */
#ifndef STINT_SYSTEMD_H
#define STINT_SYSTEMD_H

/* Sends @state to systemd, for example "READY=1". Does nothing if another program started stintd. */
void systemd_tell(const char *state);

/*
 * Tells systemd that the start continues and may need ten seconds more from now. Call it for each job that is restored.
 * So the start may last longer with more jobs, but systemd still gives up on a stintd that hangs.
 */
void systemd_extend_start(void);

#endif

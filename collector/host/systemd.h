/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notifies systemd, which started stintd (Type=notify) and waits for it: see sd_notify(3). */
#ifndef STINT_SYSTEMD_H
#define STINT_SYSTEMD_H

/* Tells systemd @state, such as "READY=1". Does nothing if another program started stintd. */
void systemd_tell(const char *state);

/*
 * Says that the start continues, and may take ten seconds more from now. Call it with each job that is taken up: so the
 * start may last longer the more jobs there are, but systemd still gives up on a stintd that hangs.
 */
void systemd_extend_start(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stintd tells systemd, which has started it (Type=notify) and waits for it: see sd_notify(3). */
#ifndef STINT_SYSTEMD_H
#define STINT_SYSTEMD_H

/* Tells systemd @state, as "READY=1". Whoever else has started stintd is told nothing. */
void systemd_tell(const char *state);

/*
 * Says that the start goes on, and may take ten seconds more from now. To be called with each job that is taken up: so the
 * start may last the longer the more jobs there are, and a stintd that hangs is given up all the same.
 */
void systemd_extend_start(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notifies systemd, which starts stintd (Type=notify) and waits until stintd is ready. See sd_notify(3).
 */
#ifndef STINT_SYSTEMD_H
#define STINT_SYSTEMD_H

/* Sends @state to systemd, for example "READY=1". Does nothing if stintd was not started by systemd. */
void systemd_tell(const char *state);

/*
 * Tells systemd that the start continues and may need ten more seconds from now. Call this for each job that stintd
 * restores. So the start may take longer if there are more jobs, but systemd still gives up on a stintd that hangs.
 */
void systemd_extend_start(void);

#endif

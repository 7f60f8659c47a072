/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notifies systemd (Type=notify, sd_notify(3)). */
#ifndef STINT_SYSTEMD_H
#define STINT_SYSTEMD_H

/* Sends @state to systemd, for example "READY=1". Does nothing without systemd. */
void systemd_tell(const char *state);

/* Tells systemd that the start needs up to ten more seconds. Call for each restored job. */
void systemd_extend_start(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves the control socket. Each connection brings one message from root. A CONTROL_OPEN or CONTROL_TASK must come
 * from the slurmstepd of its step.
 */
#ifndef STINT_SERVER_H
#define STINT_SERVER_H

#include "common/control.h"
#include "common/error.h"

#define SERVER_PEERS_MAX 128 /* connections without a message yet */

struct server;

/* Returns 0 if no stintd answers in @run_dir; -1 with @err set. */
int server_check(const char *run_dir, struct error *err);

/*
 * Listens on CONTROL_SOCKET in @run_dir. Replaces the socket of an earlier stintd.
 *
 * @take: called for each message; must answer and close @reply_fd
 *
 * Returns NULL with @err set, also if another stintd answers.
 */
struct server *server_open(const char *run_dir,
			   void (*take)(const struct control_message *message, int reply_fd, void *data), void *data,
			   struct error *err);

/* Returns a descriptor that is readable when server_run() has work. */
int server_fd(const struct server *server);

void server_run(struct server *server);

/* Call once a second. Closes a connection that sends nothing for more than two calls. */
void server_tick(struct server *server);

void server_close(struct server *server);

#endif

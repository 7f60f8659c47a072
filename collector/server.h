/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves the control socket. Each connection brings one message, which must come from root. A CONTROL_OPEN or
 * CONTROL_TASK must come from the slurmstepd of its own step.
 */
#ifndef STINT_SERVER_H
#define STINT_SERVER_H

#include "common/control.h"
#include "common/error.h"

#define SERVER_PEERS_MAX 128 /* the most connections at a time that have not sent their message yet */

struct server;

/* Checks that no stintd answers in @run_dir. Returns 0; -1 with @err set if one answers, or on errors. */
int server_check(const char *run_dir, struct error *err);

/*
 * Listens on CONTROL_SOCKET in @run_dir. Replaces the socket that a former stintd left. Fails if another stintd answers
 * there.
 *
 * @take: called for each message; must answer and close @reply_fd
 */
struct server *server_open(const char *run_dir,
			   void (*take)(const struct control_message *message, int reply_fd, void *data), void *data,
			   struct error *err);

/* Returns a descriptor that becomes readable when server_run() has work. */
int server_fd(const struct server *server);

/* Accepts connections and receives messages until none are left. */
void server_run(struct server *server);

/*
 * Call once a second. Closes connections that have sent nothing for more than two calls. If SERVER_PEERS_MAX such
 * connections exist and another one comes, server_run() closes the oldest of them earlier.
 */
void server_tick(struct server *server);

void server_close(struct server *server);

#endif

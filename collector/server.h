/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control socket. Each connection brings one message, which must come from root. A CONTROL_OPEN or CONTROL_TASK
 * must come from the step's own slurmstepd.
 */
#ifndef STINT_SERVER_H
#define STINT_SERVER_H

#include "common/control.h"
#include "common/error.h"

#define SERVER_PEERS_MAX 128 /* the most connections that have sent nothing yet */

struct server;

/* Returns 0 if no stintd answers in @run_dir; -1 with @err set if one does, or on errors. */
int server_check(const char *run_dir, struct error *err);

/*
 * Listens on CONTROL_SOCKET in @run_dir. Replaces the socket of a former stintd. Fails if another stintd answers there.
 *
 * @take: called for each message; must answer and close @reply_fd
 */
struct server *server_open(const char *run_dir,
			   void (*take)(const struct control_message *message, int reply_fd, void *data), void *data,
			   struct error *err);

/* Returns a descriptor that becomes readable when server_run() has work. */
int server_fd(const struct server *server);

/* Accepts connections and receives messages, as long as there are any. */
void server_run(struct server *server);

/*
 * Call once a second. Closes connections that were idle for two calls. If there are SERVER_PEERS_MAX idle connections
 * and another one comes, server_run() closes the oldest one earlier.
 */
void server_tick(struct server *server);

void server_close(struct server *server);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control socket. Each connection brings one message, which must come from root; a
 * step's OPEN and TASK must come from its own slurmstepd.
 */
#ifndef STINT_SERVER_H
#define STINT_SERVER_H

#include "common/control.h"
#include "common/error.h"

#define SERVER_PEERS_MAX 128 /* connections that have sent nothing yet */

struct server;

/* Returns 0 if no stintd answers in @run_dir; -1 with @err set. */
int server_check(const char *run_dir, struct error *err);

/*
 * Listens on CONTROL_SOCKET in @run_dir. Replaces a socket that a former stintd left; fails if another stintd answers
 * there.
 *
 * @take: called for each message; it must answer and close @reply_fd
 */
struct server *server_open(const char *run_dir,
			   void (*take)(const struct control_message *message, int reply_fd, void *data), void *data,
			   struct error *err);

/* Becomes readable when there is something to do. */
int server_fd(const struct server *server);

/* Accepts connections and receives messages, as long as there are any. */
void server_run(struct server *server);

/*
 * Call once a second. Closes connections idle for two calls. If there are SERVER_PEERS_MAX of these and another comes,
 * closes the oldest earlier.
 */
void server_tick(struct server *server);

void server_close(struct server *server);

#endif

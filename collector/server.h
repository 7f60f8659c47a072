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

/* Returns 0 where no stintd answers in @run_dir; -1 with @err set. */
int server_check(const char *run_dir, struct error *err);

/*
 * Listens on CONTROL_SOCKET in @run_dir. A socket that a former stintd left is
 * replaced; it is an error when another stintd answers there.
 *
 * @take: called for each message; it has to answer and close @reply_fd
 */
struct server *server_open(const char *run_dir,
			   void (*take)(const struct control_message *message, int reply_fd, void *data), void *data,
			   struct error *err);

/* Becomes readable when there is something to do. */
int server_fd(const struct server *server);

/* Accepts connections and receives messages, as far as there are any. */
void server_run(struct server *server);

/*
 * To be called once a second. Closes connections that have sent nothing for two calls. Where there are SERVER_PEERS_MAX
 * of these and another comes, the oldest is closed earlier.
 */
void server_tick(struct server *server);

void server_close(struct server *server);

#endif

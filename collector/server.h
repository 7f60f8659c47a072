/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control socket: takes one message a connection, from root alone; a step's
 * OPEN and TASK from its own slurmstepd alone.
 */
#ifndef STINT_SERVER_H
#define STINT_SERVER_H

#include "collector/common/error.h"
#include "spank/control.h"

#define SERVER_PEERS_MAX 128 /* that have connected and said nothing yet */

struct server;

/*
 * Listens on CONTROL_SOCKET in @run_dir. A socket of a stintd that is gone is
 * replaced; one that answers is another stintd's, and an error.
 *
 * @take: called for each message; @reply_fd is its to answer and close
 */
struct server *server_open(const char *run_dir,
			   void (*take)(const struct control_message *message, int reply_fd, void *data), void *data,
			   struct error *err);

/* Becomes readable when there is something to do. */
int server_fd(const struct server *server);

/* Does it. */
void server_run(struct server *server);

/*
 * To be called once a second. Sends those away who connected and have said nothing for two calls. Who said nothing
 * goes earlier where there are SERVER_PEERS_MAX of them and another comes.
 */
void server_tick(struct server *server);

void server_close(struct server *server);

#endif

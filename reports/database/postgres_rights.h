/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what the role of a connection to PostgreSQL can see of a cluster. Row-level security decides that for each
 * row, but no index can help with its condition, so PostgreSQL would read the whole table. If a statement itself
 * names the users and accounts that the role can see, it reads only their rows.
 */
#ifndef STINT_POSTGRES_RIGHTS_H
#define STINT_POSTGRES_RIGHTS_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

struct postgres_rights {
	bool known;
	int64_t cluster;	/* the cluster that the other members describe */
	bool limited;		/* the role can see only jobs of the users and accounts below */
	char *users, *accounts; /* the numbers of these users and accounts, as the text of an array */
};

/*
 * Reads the rights in @cluster from the table "access". Does nothing if @rights already has them.
 *
 * Returns 0; -1 if it fails. PQerrorMessage() then says why, or is empty if out of memory.
 */
int postgres_rights_read(PGconn *connection, int64_t cluster, struct postgres_rights *rights);

void postgres_rights_free(struct postgres_rights *rights);

#endif

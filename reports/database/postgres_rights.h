/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the role of a connection to PostgreSQL can see of a cluster.
 * PostgreSQL cannot use an index for the condition of row-level security. But if a statement names the users and
 * accounts, it reads only their rows.
 */
#ifndef STINT_POSTGRES_RIGHTS_H
#define STINT_POSTGRES_RIGHTS_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

struct postgres_rights {
	bool known;
	int64_t cluster;
	bool limited;		/* the role sees only jobs of these users and accounts */
	char *users, *accounts; /* their numbers, as the text of an array */
};

/*
 * Reads the rights in @cluster, unless @rights already has them.
 *
 * Returns 0; -1 on failure. PQerrorMessage() then says why; it is empty if out of memory.
 */
int postgres_rights_read(PGconn *connection, int64_t cluster, struct postgres_rights *rights);

void postgres_rights_free(struct postgres_rights *rights);

#endif

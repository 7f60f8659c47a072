/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/database/postgres_rights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A role sees only its own rows of "access" (enum access_scope). Row-level security does not limit the owner. */
#define RIGHTS                                                                                                       \
	"SELECT pg_catalog.row_security_active($r$access$r$) AND NOT coalesce(pg_catalog.bool_or(a.scope = 0), false), " \
	"coalesce(pg_catalog.array_agg(a.id) FILTER (WHERE a.scope = 2), $r${}$r$), "                                \
	"coalesce(pg_catalog.array_agg(a.id) FILTER (WHERE a.scope = 1), $r${}$r$) "                                 \
	"FROM access AS a WHERE a.cluster = $1::bigint"

enum { AT_LIMITED, AT_USERS, AT_ACCOUNTS };

static int take(struct postgres_rights *rights, int64_t cluster, const PGresult *result)
{
	postgres_rights_free(rights);
	rights->users = strdup(PQgetvalue(result, 0, AT_USERS));
	rights->accounts = strdup(PQgetvalue(result, 0, AT_ACCOUNTS));
	rights->limited = strcmp(PQgetvalue(result, 0, AT_LIMITED), "t") == 0;
	rights->cluster = cluster;
	rights->known = rights->users && rights->accounts;
	return rights->known ? 0 : -1;
}

int postgres_rights_read(PGconn *connection, int64_t cluster, struct postgres_rights *rights)
{
	char number[24];
	const char *value = number;
	PGresult *result;
	int status = -1;

	if (rights->known && rights->cluster == cluster)
		return 0;
	snprintf(number, sizeof(number), "%lld", (long long)cluster);
	result = PQexecParams(connection, RIGHTS, 1, NULL, &value, NULL, NULL, 0);
	if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1)
		status = take(rights, cluster, result);
	PQclear(result);
	return status;
}

void postgres_rights_free(struct postgres_rights *rights)
{
	free(rights->users);
	free(rights->accounts);
	*rights = (struct postgres_rights){ 0 };
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/opened_stores.h"

#include <string.h>

#include "common/cleanup.h"
#include "reports/ingest/ingest.h"

struct site_stores opened_stores;
struct error opened_error;

const char *opened_stores_site(int argc, char *argv[])
{
	const char *site = NULL;

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "--sit", 5) == 0) /* options may be abbreviated */
			site = strchr(argv[i], '=') ? strchr(argv[i], '=') + 1 : i + 1 < argc ? argv[i + 1] : site;
	return site;
}

void opened_stores_open(int argc, char *argv[], const char *cluster, const char *first)
{
	site_stores_open(&opened_stores, opened_stores_site(argc, argv), cluster, first, &opened_error);
}

bool opened_stores_rebuilding(void)
{
	bool is = false;

	for (size_t i = 0; i < opened_stores.count; i++) {
		struct error err;
		cleanup_free char *rebuilding =
			opened_stores.list[i].db ? database_setting(opened_stores.list[i].db, INGEST_REBUILDING, &err)
						 : NULL;

		is = is || (rebuilding && *rebuilding);
	}
	return is;
}

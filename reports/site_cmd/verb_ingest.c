/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/usage.h"
#include "reports/cmd/ingest_options.h"
#include "reports/site_cmd/all_databases.h"
#include "reports/site_cmd/failure.h"
#include "reports/site_cmd/one_database.h"
#include "reports/site_cmd/verbs.h"
#include "reports/stores/site_stores.h"

int verb_ingest(int argc, char *argv[])
{
	struct ingest_options arguments = { 0 };
	struct site_conf conf;
	struct error err;
	int result;

	usage_parse(&ingest_argp, argc, argv, 0, &arguments);
	if (site_stores_conf(&conf, arguments.site, arguments.config, &err) < 0)
		return fail(err.text);
	result = conf.database_count ? all_databases(&conf, &arguments) : one_database(&conf, &arguments);
	site_conf_free(&conf);
	return result;
}

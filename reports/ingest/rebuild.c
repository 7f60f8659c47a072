/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the tables again from the archive. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "reports/groups/missing.h"
#include "reports/groups/moments.h"
#include "reports/ingest/archives.h"
#include "reports/ingest/ingest_internal.h"
#include "reports/ingest/site_conf.h"

static int take_archived(void *context, struct batch *batch, struct error *err)
{
	struct ingest_state *state = context;

	ingest_show_progress(state);
	if (state->ingest->conf->database_count &&
	    site_conf_database_of(state->ingest->conf, batch->cluster) != state->ingest->conf->chosen) {
		batch_free(batch);
		return 0;
	}
	return ingest_add(state, batch, -1, err);
}

static int empty(struct database *db, struct error *err)
{
	if (database_begin(db, err) < 0)
		return -1;
	/* delete what only Slurm knows, because it is not in the archive */
	if (missing_forget(db, err) == 0 && moment_write(db, MOMENT_RECONCILED, 0, err) == 0 && database_empty(db, err) == 0 &&
	    database_set(db, INGEST_REBUILDING, "1", err) == 0 && database_commit(db, err) == 0)
		return 0;
	database_rollback(db);
	return -1;
}

static int64_t size_of(const struct ingest_state *state, struct dirent *const *list, int count)
{
	int64_t bytes = 0;
	struct stat st;

	for (int i = 0; i < count; i++)
		if (fstatat(state->archive.dirfd, list[i]->d_name, &st, 0) == 0)
			bytes += st.st_size;
	return bytes;
}

static int take_archives(struct ingest_state *state, struct error *err)
{
	struct dirent **list;
	int count = scandirat(state->archive.dirfd, ".", &list, archives_is_one, alphasort), result = 0;

	if (count < 0)
		return error_errno(err, "%s", state->ingest->archive_dir);
	ingest_begin_progress(state, size_of(state, list, count));
	for (int i = 0; i < count; i++) {
		if (result == 0 && !archives_is_foreign(list[i]->d_name, state->ingest->conf))
			result = archive_read(state->archive.dirfd, list[i]->d_name, take_archived, state,
					      &state->ingest->refused, err);
		free(list[i]);
	}
	free(list);
	return result == 0 ? ingest_finish(state, err) : -1;
}

int ingest_rebuild(struct ingest *ingest, struct error *err)
{
	bool stored, archived;
	struct ingest_state state;
	int result;

	if (archives_compare(ingest->db, ingest->conf, &stored, &archived, err) < 0)
		return -1;
	if (stored && !archived)
		return error_set(err, "nothing was changed: %.300s has no batches%s, and the database has (archive_dir in site.conf)",
				 ingest->archive_dir, ingest->conf->database_count > 1 ? " of its clusters" : "");
	result = ingest_begin(&state, ingest, err);
	state.rebuilding = true;
	if (result == 0)
		result = empty(ingest->db, err);
	if (result == 0)
		result = take_archives(&state, err);
	if (result == 0)
		result = database_begin(ingest->db, err);
	if (result == 0)
		result = database_set(ingest->db, INGEST_REBUILDING, "", err) < 0 || database_commit(ingest->db, err) < 0 ? -1 : 0;
	ingest_end(&state);
	return result;
}

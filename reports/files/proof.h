/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Proves that a part is what root of its node left. A credential of root's seals a word: a small JSON object that says
 * which job, attempt, node and user the part is of, its digest, and what Slurm's accounting gets to know of it. So the
 * part itself may lie where the job's user can write, and that user's process may read and check it.
 */
#ifndef STINT_PROOF_H
#define STINT_PROOF_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/files/munge.h"
#include "reports/records/record_input.h"

#define PROOF_MAX 16384 /* bytes of a credential, its NUL included */

/* What a part must belong to. */
struct proof_wanted {
	const struct notary *notary; /* NULL: nothing can be proved */
	const char *reason; /* why @notary is NULL */
	const char *cluster; /* NULL: not known */
	int64_t uid; /* the job's user; -1: any */
	int64_t begin_unix_ns; /* when the job began: a record closed before is another job's. 0: not known */
};

/*
 * Returns the essence of @record, to be put: its single fields, without the lists. Steps leave only their last
 * end. NULL when memory is short.
 */
struct json_object *proof_essence(struct json_object *record);

/*
 * Returns the credential for the part @text, @len bytes, which was made of @record; to be freed. NULL with @err set.
 */
char *proof_seal(const struct notary *notary, struct json_object *record, const char *text, size_t len,
		 struct error *err);

/*
 * Checks that @credential is root's, and for @node's part of @job.
 *
 * Returns the credential's word, to be put, whose "record" is the essence; NULL with @err set.
 */
struct json_object *proof_open(const struct proof_wanted *wanted, const struct record_identity *job, const char *node,
			       const char *credential, struct error *err);

/*
 * Returns 0 when @text, @len bytes, is the part that @word was sealed for; -1 with @err set.
 */
int proof_check(struct json_object *word, const char *text, size_t len, struct error *err);

#endif

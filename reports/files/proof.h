/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Proves that root of a node wrote a part, and that the part is unchanged.
 * Root makes a credential for the part. Its text is a small JSON object, the word.
 * The word has the part's job, attempt, node, user and digest, and the values for Slurm's accounting.
 *
 * So the part may be where the job's user can write, and a process of the user may check it.
 */
#ifndef STINT_PROOF_H
#define STINT_PROOF_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/files/munge.h"
#include "reports/records/record.h"

#define PROOF_MAX 16384 /* bytes of a credential, with its NUL */

/* What a credential says about a part. */
struct proof_word {
	const char *sha256; /* digest of the part, in hexadecimal; borrowed from the essence */
	struct record *essence; /* see proof_essence() */
};

void proof_word_free(struct proof_word *word);

/* The job, user and cluster that a part must belong to. */
struct proof_wanted {
	const struct notary *notary; /* NULL if nothing can be proved */
	const char *reason; /* why notary is NULL */
	const char *cluster; /* NULL: not known */
	int64_t uid; /* the job's user; -1 for any user */
	int64_t begin_unix_ns; /* when the job began; 0 if unknown. A record closed before is of another job */
};

/*
 * Returns the essence of @record, for record_free(); NULL if out of memory.
 * It has the gaps, totals and fields that accounting needs, and no other lists.
 * In place of all steps, it has one step with the last step's end.
 */
struct record *proof_essence(const struct record *record);

/*
 * Returns the credential for the part @text of @len bytes, which the caller must free.
 * On failure returns NULL with @err set.
 *
 * @record: what @text was made from
 */
char *proof_seal(const struct notary *notary, const struct record *record, const char *text, size_t len,
		 struct error *err);

/*
 * Checks that root made @credential, and that it is for @node's part of @job.
 *
 * Returns the credential's word, for proof_word_free(); NULL with @err set.
 */
struct proof_word *proof_open(const struct proof_wanted *wanted, const struct record_identity *job, const char *node,
			      const char *credential, struct error *err);

/* Checks that @word was made for the part @text of @len bytes. Returns 0; -1 with @err set. */
int proof_check(const struct proof_word *word, const char *text, size_t len, struct error *err);

#endif

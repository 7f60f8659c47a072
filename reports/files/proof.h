/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Proves that root of a node wrote a part, and that the part is unchanged. Root makes a credential for the part. The
 * text of this credential is called the word. The word is a small JSON object that names the part's job, attempt, node
 * and user. It also contains the part's digest, and the values that Slurm's accounting gets.
 *
 * Because of the credential, the part itself may be in a directory where the job's user can write, and a process of
 * that user may read and check the part.
 */
#ifndef STINT_PROOF_H
#define STINT_PROOF_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/files/munge.h"
#include "reports/records/record.h"

#define PROOF_MAX 16384 /* the most bytes of a credential, including its NUL */

/* What a credential says about a part. */
struct proof_word {
	const char *sha256; /* the digest of the part, in hexadecimal; borrowed from the essence */
	struct record *essence; /* see proof_essence() */
};

void proof_word_free(struct proof_word *word);

/* The job, user and cluster that a part must belong to. */
struct proof_wanted {
	const struct notary *notary; /* NULL if nothing can be proved */
	const char *reason; /* why @notary is NULL */
	const char *cluster; /* NULL: not known */
	int64_t uid; /* the job's user; -1 for any user */
	int64_t begin_unix_ns; /* when the job began; 0 if not known. A record that was closed before this time belongs to
			        * another job */
};

/*
 * Returns the essence of @record, for record_free(). The essence is a short record. It has the gaps, the totals and the
 * single fields that accounting needs, but none of the other lists. Instead of all steps, it has one step with the end
 * of the last step. Returns NULL if out of memory.
 */
struct record *proof_essence(const struct record *record);

/*
 * Returns the credential for the part @text of @len bytes, which was made from @record. The caller must free the
 * credential. On failure returns NULL with @err set.
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

/* Returns 0 if @word was sealed for the part @text of @len bytes; -1 with @err set. */
int proof_check(const struct proof_word *word, const char *text, size_t len, struct error *err);

#endif

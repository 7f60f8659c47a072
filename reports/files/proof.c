/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/proof.h"

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/memory_limit.h"
#include "common/time_text.h"
#include "reports/json/field.h"

#define WORD_VERSION 1
#define CLOCKS_APART_NS \
	(300 * NS_PER_S) /* between two nodes' clocks: if they differ by more, munge does not work for Slurm */

/* ---- the text that a credential seals ---- */

static void digest(const char *text, size_t len, char hex[2 * SHA256_DIGEST_SIZE + 1])
{
	uint8_t bytes[SHA256_DIGEST_SIZE];
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, len, (const uint8_t *)text);
	sha256_digest(&context, sizeof(bytes), bytes);
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
}

/* Adds the end of the last step, which may give the job's elapsed time. The extern step ends after the job's processes. */
static void put_end(struct json_object *essence, struct json_object *record)
{
	struct json_object *steps = field_typed(record, "steps", json_type_array), *last;
	int64_t end, latest = 0, of_extern = 0;

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);
		int64_t *kept = field_is(step, "id", "extern") ? &of_extern : &latest;

		if (field_count(step, "end_unix_ns", &end) && end > *kept)
			*kept = end;
	}
	if (!latest)
		latest = of_extern;
	if (!field_length(steps))
		return;
	last = json_object_new_object();
	json_object_array_add(put_array(essence, "steps"), last);
	put_text(last, "id", "all");
	if (latest)
		put_count(last, "end_unix_ns", latest);
}

struct json_object *proof_essence(struct json_object *record)
{
	static const char *const fields[] = {
		"stint_record",   "collector",    "identity",
		"user",           "mode",         "partition",
		"node_list",      "exit_status",  "derived_exit_status",
		"opened_unix_ns", "clock_set_ns", "complete",
		"gaps",           "totals",
	};
	static const char *const given[] = { "cpus", "memory_bytes" };
	unsigned long failures = memory_failures();
	struct json_object *essence = json_object_new_object(), *allocated;
	int64_t value;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		put_copy(essence, fields[i], field_find(record, fields[i]));
	allocated = put_object(essence, "allocated");
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
		put_copy(allocated, given[i], field_find(field_find(record, "allocated"), given[i]));
	if (field_count(record, "pressure.active_ns", &value))
		put_count(put_object(essence, "pressure"), "active_ns", value);
	put_end(essence, record);
	if (memory_failures() == failures)
		return essence;
	json_object_put(essence);
	return NULL;
}

char *proof_seal(const struct notary *notary, struct json_object *record, const char *text, size_t len,
		 struct error *err)
{
	char hex[2 * SHA256_DIGEST_SIZE + 1], *credential;
	cleanup_json struct json_object *word = json_object_new_object();
	struct json_object *essence = proof_essence(record);
	const char *plain;

	digest(text, len, hex);
	put_count(word, "stint_part", WORD_VERSION);
	put_text(word, "sha256", hex);
	json_object_object_add(word, "record", essence);
	plain = json_object_to_json_string_ext(word, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	if (!essence || !plain) {
		error_set(err, "out of memory");
		return NULL;
	}
	credential = notary->seal(notary, plain, err);
	if (!credential || strlen(credential) < PROOF_MAX)
		return credential;
	free(credential);
	error_set(err, "its credential is longer than %d bytes", PROOF_MAX - 1);
	return NULL;
}

/* ---- checking one ---- */

static int refuse(struct error *err, const char *why)
{
	return error_set(err, "its credential is %s", why);
}

static int check_word(const struct proof_wanted *wanted, const struct record_identity *job, const char *node,
		      struct json_object *word, struct error *err)
{
	struct json_object *record = field_typed(word, "record", json_type_object);
	const char *cluster = field_text(record, "identity.cluster");
	struct record_identity identity;
	int64_t uid = -1, closed, version = 0;

	if (!field_count(word, "stint_part", &version) || version != WORD_VERSION ||
	    record_identify(record, "credential", &identity, err) < 0)
		return refuse(err, "no part's, or of another version of stint");
	if (identity.job_id != job->job_id || identity.attempt != job->attempt || strcmp(identity.node, node) != 0)
		return refuse(err, "of another job, attempt or node");
	if (wanted->cluster && *wanted->cluster && (!cluster || strcmp(cluster, wanted->cluster) != 0))
		return refuse(err, "of another cluster");
	if (wanted->uid >= 0 && (!field_count(record, "user.uid", &uid) || uid != wanted->uid))
		return refuse(err, "of another user's job");
	if (wanted->begin_unix_ns && (!field_count(record, "collector.closed_unix_ns", &closed) ||
				      closed + CLOCKS_APART_NS < wanted->begin_unix_ns))
		return refuse(err, "of an earlier job of the same number");
	return 0;
}

struct json_object *proof_open(const struct proof_wanted *wanted, const struct record_identity *job, const char *node,
			       const char *credential, struct error *err)
{
	cleanup_free char *text = NULL;
	struct json_object *word;
	uid_t uid = -1;

	text = wanted->notary->open(wanted->notary, credential, &uid, err);
	if (!text)
		return NULL;
	if (uid != 0) {
		error_set(err, "its credential is user %u's and not root's", uid);
		return NULL;
	}
	word = field_parse(text, strlen(text), "credential", json_type_object, err);
	if (!word || check_word(wanted, job, node, word, err) == 0)
		return word;
	json_object_put(word);
	return NULL;
}

int proof_check(struct json_object *word, const char *text, size_t len, struct error *err)
{
	const char *wanted_hex = field_text(word, "sha256");
	char hex[2 * SHA256_DIGEST_SIZE + 1];

	digest(text, len, hex);
	if (wanted_hex && strcmp(wanted_hex, hex) == 0)
		return 0;
	return error_set(err, "it is not what its node's root has left there");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/proof.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/model/report_read.h"
#include "reports/model/report_write.h"

#define ESSENCE_GPUS 8
#define WORD_VERSION 1
#define CLOCKS_APART_NS \
	(300 * NS_PER_S) /* between the clocks of two nodes; with a larger difference, munge fails for Slurm, too */

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

/*
 * Adds one step, which has the end of the last step: the job's elapsed time may be computed from it.
 * The extern step ends after the job's processes, so its end counts only if no other step has an end.
 */
static void put_end(struct record *essence, const struct record_step_list *steps)
{
	int64_t latest = 0, of_extern = 0;
	struct record_step *last;

	for (size_t i = 0; i < steps->count; i++) {
		const struct record_step *step = &steps->items[i];
		int64_t *kept = report_text_is(step->id, "extern") ? &of_extern : &latest;

		if (step->end_unix_ns > *kept)
			*kept = step->end_unix_ns;
	}
	if (!latest)
		latest = of_extern;
	if (!steps->count)
		return;
	last = RECORD_ADD(essence, &essence->steps, step);
	last->id = "all";
	if (latest)
		last->end_unix_ns = latest;
}

/* Copies fields unchanged. Their lists and texts stay in the memory of @record. */
static void put_same(struct record *essence, const struct record *record)
{
	essence->stint_record = record->stint_record;
	essence->collector = record->collector;
	essence->identity = record->identity;
	essence->user = record->user;
	essence->mode = record->mode;
	essence->partition = record->partition;
	essence->node_list = record->node_list;
	essence->exit_status = record->exit_status;
	essence->derived_exit_status = record->derived_exit_status;
	essence->opened_unix_ns = record->opened_unix_ns;
	essence->clock_set_ns = record->clock_set_ns;
	essence->complete = record->complete;
	essence->gaps = record->gaps;
	essence->totals = record->totals;
}

/*
 * Adds what the job summary says of the GPUs that the job used. A credential has room for few of them: with more, their use
 * is not known.
 */
static void put_gpus(struct record *essence, const struct record *record)
{
	size_t used = 0;

	for (size_t i = 0; i < record->gpus.count; i++)
		used += record->gpus.items[i].used;
	for (size_t i = 0; used <= ESSENCE_GPUS && i < record->gpus.count; i++) {
		const struct record_gpu *from = &record->gpus.items[i];
		struct record_gpu *gpu;

		if (!from->used)
			continue;
		gpu = RECORD_ADD(essence, &essence->gpus, gpu);
		gpu->used = true;
		gpu->minor = from->minor;
		gpu->slice = from->slice;
		gpu->busy = from->busy;
		gpu->memory_total_bytes = from->memory_total_bytes;
		gpu->job_memory_peak_bytes = from->job_memory_peak_bytes;
		essence->gpus.known = true;
	}
}

struct record *proof_essence(const struct record *record)
{
	struct record *essence = record_new(NULL);

	if (!essence)
		return NULL;
	report_keep(record_memory(essence), record_memory(record));
	put_same(essence, record);
	essence->allocated.known = true;
	essence->allocated.cpus = record->allocated.cpus;
	essence->allocated.memory_bytes = record->allocated.memory_bytes;
	essence->pressure.active_ns = record->pressure.active_ns;
	essence->pressure.known = essence->pressure.active_ns >= 0;
	put_end(essence, &record->steps);
	put_gpus(essence, record);
	if (!report_lacks_memory(record_memory(essence)))
		return essence;
	record_free(essence);
	return NULL;
}

static char *write_word(const struct record *record, const char *sha256)
{
	cleanup_record struct record *essence = proof_essence(record);
	size_t length;

	return essence ? report_write_object(record_table_word(),
					     &(struct record_word){ true, WORD_VERSION, sha256, *essence }, &length)
		       : NULL;
}

char *proof_seal(const struct notary *notary, const struct record *record, const char *text, size_t len,
		 struct error *err)
{
	cleanup_free char *word = NULL;
	char hex[2 * SHA256_DIGEST_SIZE + 1], *credential;

	digest(text, len, hex);
	word = write_word(record, hex);
	if (!word) {
		error_set(err, "out of memory");
		return NULL;
	}
	credential = notary->seal(notary, word, err);
	if (!credential || strlen(credential) < PROOF_MAX)
		return credential;
	free(credential);
	error_set(err, "the credential of the part is longer than %d bytes", PROOF_MAX - 1);
	return NULL;
}

/* ---- checking one ---- */

static int refuse(struct error *err, const char *why)
{
	return error_set(err, "its credential is %s", why);
}

static int check_word(const struct proof_wanted *wanted, const struct record_identity *job, const char *node,
		      const struct record *essence, struct error *err)
{
	const struct record_origin *identity = &essence->identity;

	if (identity->job_id != job->job_id || identity->attempt != job->attempt || strcmp(identity->node, node) != 0)
		return refuse(err, "for another job, attempt or node");
	if (wanted->cluster && *wanted->cluster && !report_text_is(identity->cluster, wanted->cluster))
		return refuse(err, "from another cluster");
	if (wanted->uid >= 0 && essence->user.uid != wanted->uid)
		return refuse(err, "for a job of another user");
	if (wanted->begin_unix_ns &&
	    (essence->collector.closed_unix_ns < 0 ||
	     count_sum(essence->collector.closed_unix_ns, CLOCKS_APART_NS) < wanted->begin_unix_ns))
		return refuse(err, "for an earlier job with the same number");
	return 0;
}

static int read_word(struct proof_word *word, char *text, struct error *err)
{
	const struct report_source source = {
		.text = text,
		.len = strlen(text),
		.name = "credential",
		.of = record_table_word,
	};
	struct record_identity identity;
	struct record_word read;

	if (report_read_object(record_memory(word->essence), &source, &read, err) < 0)
		return -1;
	*word->essence = read.record;
	word->sha256 = read.sha256;
	if (read.stint_part == WORD_VERSION && read.sha256 && read.record.known &&
	    record_identify(word->essence, "credential", &identity, err) == 0)
		return 0;
	errno = EBADMSG;
	return refuse(err, "not that of a part, or from another version of stint");
}

static struct proof_word *new_word(char *text, struct error *err)
{
	struct proof_word *word = calloc(1, sizeof(*word));

	if (word)
		word->essence = record_new(text);
	else
		free(text);
	if (word && word->essence && read_word(word, text, err) == 0)
		return word;
	if (!word || !word->essence)
		error_set(err, "out of memory");
	proof_word_free(word);
	return NULL;
}

void proof_word_free(struct proof_word *word)
{
	if (!word)
		return;
	record_free(word->essence);
	free(word);
}

struct proof_word *proof_open(const struct proof_wanted *wanted, const struct record_identity *job, const char *node,
			      const char *credential, struct error *err)
{
	struct proof_word *word;
	uid_t uid = -1;
	char *text;

	text = wanted->notary->open(wanted->notary, credential, &uid, err);
	if (!text)
		return NULL;
	if (uid != 0) {
		free(text);
		error_set(err, "its credential is from user %u, not from root", uid);
		return NULL;
	}
	word = new_word(text, err);
	if (!word || check_word(wanted, job, node, word->essence, err) == 0)
		return word;
	proof_word_free(word);
	return NULL;
}

int proof_check(const struct proof_word *word, const char *text, size_t len, struct error *err)
{
	char hex[2 * SHA256_DIGEST_SIZE + 1];

	digest(text, len, hex);
	if (strcmp(word->sha256, hex) == 0)
		return 0;
	return error_set(err, "the part's content is not what root of its node wrote");
}

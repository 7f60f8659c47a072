/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/part_set.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/files/user.h"

#define PREFIX ".stint-"
#define PART ".part"
#define LEAD ".lead"
#define HEADER "stint-part " /* begins the first line of each part; a credential follows */
#define NO_CREDENTIAL "-"
#define HEADER_MAX (sizeof(HEADER) + PROOF_MAX)
#define BEGIN_BYTES 262144 /* most parts are shorter: one read is one operation on a network file system */

static int make_name(const struct record_identity *job, const char *node, const char *suffix, char name[NAME_MAX + 1])
{
	int length = snprintf(name, NAME_MAX + 1, PREFIX "%u.%u.%s%s", job->job_id, job->attempt, node, suffix);

	return length > NAME_MAX || strchr(node, '/') ? -1 : 0;
}

int part_set_name(const struct record_identity *job, const char *node, char name[NAME_MAX + 1])
{
	return make_name(job, node, PART, name);
}

bool part_set_read_name(const char *name, struct record_identity *job, char **node)
{
	size_t length = strlen(name), end = strlen(PART);
	unsigned int id, attempt;
	char made[NAME_MAX + 1];
	int begin = 0;

	if (length <= end || (strcmp(name + length - end, PART) != 0 && strcmp(name + length - end, LEAD) != 0) ||
	    sscanf(name, PREFIX "%9u.%9u.%n", &id, &attempt, &begin) != 2 || !begin || begin + end >= length)
		return false;
	job->job_id = id;
	job->attempt = attempt;
	*node = strndup(name + begin, length - end - begin);
	job->node = *node;
	/* sscanf() also accepts "+1" and "01". So make the name again, and compare. */
	if (*node && make_name(job, *node, name + length - end, made) == 0 && strcmp(made, name) == 0)
		return true;
	free(*node);
	*node = NULL;
	job->node = NULL;
	return false;
}

bool part_set_has_node(const struct report_texts *nodes, const char *node)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (report_text_is(nodes->items[i], node))
			return true;
	return false;
}

/* A user may give a part's file any name, and the report shows the node in it: check the node's name. */
static bool is_node_name(const char *name)
{
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] == '\0';
}

void part_set_add_nodes(int dirfd, const struct record_identity *job, struct report *memory,
			struct report_texts *nodes, size_t most)
{
	cleanup_close int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct file_names names = { .fd = fd };
	const char *name;

	while (most > 0 && fd >= 0 && (name = file_names_next(&names))) {
		struct record_identity found;
		cleanup_free char *node = NULL;

		if (name[0] != '.' || !part_set_read_name(name, &found, &node) ||
		    found.job_id != job->job_id || found.attempt != job->attempt || !is_node_name(node) ||
		    part_set_has_node(nodes, node))
			continue;
		report_add_text(memory, nodes, report_copy(memory, node));
		most--;
	}
}

char *part_set_make(const struct notary *notary, const struct record *record, const struct record_slurm_job *slurm, size_t *len,
		    struct error *err)
{
	cleanup_free char *text = NULL, *credential = NULL;
	struct record part = *record;
	char *data;
	int length;

	if (slurm)
		part.slurm_job = *slurm;
	text = record_write(&part, len);
	if (text)
		credential = notary ? proof_seal(notary, record, text, *len, err) : strdup(NO_CREDENTIAL);
	if (text && notary && !credential)
		return NULL;
	length = credential ? asprintf(&data, HEADER "%s\n%s", credential, text) : -1;
	if (length < 0) {
		error_set(err, "the part: out of memory");
		return NULL;
	}
	*len = length;
	return data;
}

static int make_own_name(const struct record_identity *job, const char *suffix, char name[NAME_MAX + 1], struct error *err)
{
	if (make_name(job, job->node, suffix, name) < 0)
		return error_set(err, "node name '%.64s' cannot be a file name", job->node);
	return 0;
}

int part_set_write(int dirfd, const struct record_identity *job, mode_t mode, const char *data, size_t len,
		   struct error *err)
{
	char name[NAME_MAX + 1];

	return make_own_name(job, PART, name, err) < 0 ? -1 : user_write_file(dirfd, name, mode, data, len, err);
}

int part_set_keep_lead(int dirfd, const struct record_identity *job, mode_t mode, const char *data, size_t len,
		       struct error *err)
{
	char name[NAME_MAX + 1];

	return make_own_name(job, LEAD, name, err) < 0 ? -1 : user_write_file(dirfd, name, mode, data, len, err);
}

void part_set_drop_lead(int dirfd, const struct record_identity *job)
{
	char name[NAME_MAX + 1];

	if (make_name(job, job->node, LEAD, name) == 0)
		unlinkat(dirfd, name, 0);
}

static struct part_set_stamp stamp_of(const struct stat *st)
{
	return st ? (struct part_set_stamp){ st->st_ino, st->st_ctim } : (struct part_set_stamp){ 0 };
}

static void look(int dirfd, const struct record_identity *job, const char *node, struct part_set_stamp *stamp)
{
	char name[NAME_MAX + 1];
	struct stat st;

	if (part_set_name(job, node, name) == 0 && fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		*stamp = stamp_of(&st);
	else
		*stamp = stamp_of(NULL);
}

bool part_set_exist(int dirfd, const struct record_identity *job, const char *node,
		    const struct part_set_stamp *refused)
{
	struct part_set_stamp stamp;

	look(dirfd, job, node, &stamp);
	return stamp.inode &&
	       (!refused || stamp.inode != refused->inode || stamp.changed.tv_sec != refused->changed.tv_sec ||
		stamp.changed.tv_nsec != refused->changed.tv_nsec);
}

static char *read_begin(int fd, off_t size, size_t *len)
{
	size_t most = size < BEGIN_BYTES ? (size_t)size : BEGIN_BYTES;
	char *begin = malloc(most + 1);
	ssize_t some = 1;

	for (*len = 0; begin && some > 0 && *len < most; *len += some > 0 ? some : 0)
		some = pread(fd, begin + *len, most - *len, (off_t)*len);
	if (begin)
		begin[*len] = '\0';
	if (some >= 0)
		return begin;
	free(begin);
	return NULL;
}

static bool copy_credential(const char *data, char **credential)
{
	const char *end = strncmp(data, HEADER, strlen(HEADER)) == 0 ? strchr(data, '\n') : NULL;
	const char *begin = data + strlen(HEADER);

	if (!end || (end - begin == 1 && strncmp(begin, NO_CREDENTIAL, 1) == 0))
		return true;
	*credential = strndup(begin, end - begin);
	return *credential;
}

static const char *skip_first_line(const char *data, size_t *len)
{
	const char *end = strncmp(data, HEADER, strlen(HEADER)) == 0 ? strchr(data, '\n') : NULL;

	if (!end)
		return data;
	*len -= end + 1 - data;
	return end + 1;
}

/* A part that is being read. */
struct reading {
	const struct part_set_wanted *wanted;
	int fd;
	struct stat file;
	char name[NAME_MAX + 1];
	char *credential; /* NULL if the part has none */
	struct proof_word *word; /* the word of the credential; NULL if nothing can be proved */
	char *data;
	size_t len; /* of data */
};

static void reading_end(struct reading *reading)
{
	if (reading->fd >= 0)
		close(reading->fd);
	free(reading->credential);
	proof_word_free(reading->word);
	free(reading->data);
}

#define cleanup_reading __attribute__((cleanup(reading_end), unused))

/*
 * Opens the file of the part, and stores the file's name.
 * If the leading node has no part, opens the file of part_set_keep_lead().
 * For all other nodes, does not look for that file, because they never have it. Returns 0; -1 with @err set.
 */
static int open_file(struct reading *reading, struct part_set_stamp *stamp, struct error *err)
{
	const struct part_set_wanted *wanted = reading->wanted;
	int dirfd = wanted->dirfd;

	if (part_set_name(wanted->job, wanted->node, reading->name) < 0)
		return error_set(err, "the node's name cannot be a file name");
	reading->fd = user_open_file(dirfd, reading->name, &reading->file, err);
	if (reading->fd < 0 && errno == ENOENT && wanted->leads &&
	    make_name(wanted->job, wanted->node, LEAD, reading->name) == 0)
		reading->fd = user_open_file(dirfd, reading->name, &reading->file, err);
	if (reading->fd < 0 && errno == ENOENT)
		error_set(err, "its record has not arrived");
	else if (reading->fd < 0 && !reading->file.st_ino) /* a link, which was refused without being opened */
		look(dirfd, wanted->job, wanted->node, stamp);
	else
		*stamp = stamp_of(&reading->file);
	return reading->fd < 0 ? -1 : 0;
}

/*
 * Checks that root made the credential in the first line. Does this before the rest of the file is read,
 * because a user can give one large file very many names of parts.
 */
static int prove_begin(struct reading *reading, const struct proof_wanted *proof, struct part_bounds *bounds,
		       struct error *err)
{
	size_t len;
	cleanup_free char *begin = read_begin(reading->fd, reading->file.st_size, &len);

	if (!begin)
		return error_errno(err, "%s", reading->name);
	if (!copy_credential(begin, &reading->credential))
		return error_set(err, "out of memory");
	if (len == (uint64_t)reading->file.st_size) {
		reading->data = begin;
		reading->len = len;
		begin = NULL;
	}
	if (!proof->notary)
		return 0;
	if (reading->credential)
		reading->word = proof_open(proof, reading->wanted->job, reading->wanted->node, reading->credential, err);
	else
		error_set(err, "the part has no credential from root");
	if (reading->word)
		return 0;
	part_form_count(bounds, len);
	return -1;
}

static struct record *parse(struct reading *reading, const char *text, struct part_bounds *bounds, struct error *err)
{
	const struct record_identity *job = reading->wanted->job;
	char *data = memmove(reading->data, text, reading->len + 1);
	struct record_identity identity;
	struct record *record;

	reading->data = NULL;
	record = part_form_read(data, reading->len, bounds, reading->name, &identity, err);
	if (!record)
		return NULL;
	if (identity.job_id == job->job_id && identity.attempt == job->attempt &&
	    strcmp(identity.node, reading->wanted->node) == 0)
		return record;
	error_set(err, "%s is the record of another job or node", reading->name);
	record_free(record);
	return NULL;
}

/*
 * Checks that the credential was made for the record @text.
 * Returns 0, also if nothing can be proved; -1 with @err set to why the part is left out.
 */
static int prove_all(const struct reading *reading, const char *text, size_t len, struct error *err)
{
	return reading->word ? proof_check(reading->word, text, len, err) : 0;
}

static struct record *leave_out(const struct reading *reading, const struct error *why, struct error *err)
{
	error_set(err, "stint leaves out %s: %s", reading->name, why->text);
	return NULL;
}

struct record *part_set_read(const struct part_set_wanted *wanted, const struct proof_wanted *proof,
			     struct part_bounds *bounds, struct part_set_found *found, struct error *err)
{
	cleanup_reading struct reading reading = { .wanted = wanted, .fd = -1 };
	size_t most = part_form_bytes(bounds) + HEADER_MAX;
	struct record *record;
	const char *text;
	struct error why;

	memset(found, 0, sizeof(*found));
	if (open_file(&reading, &found->stamp, err) < 0)
		return NULL;
	if (S_ISREG(reading.file.st_mode) && reading.file.st_size <= (off_t)most &&
	    prove_begin(&reading, proof, bounds, &why) < 0)
		return leave_out(&reading, &why, err);
	if (!reading.data)
		reading.data = file_read_known(reading.fd, &reading.file, reading.name, most, &reading.len, err);
	if (!reading.data)
		return NULL;
	part_form_count(bounds, reading.len);
	text = skip_first_line(reading.data, &reading.len);
	if (prove_all(&reading, text, reading.len, &why) < 0)
		return leave_out(&reading, &why, err);
	record = parse(&reading, text, bounds, err);
	if (!record)
		return NULL;
	if (proof->notary) {
		found->credential = reading.credential;
		reading.credential = NULL;
	} else {
		record_add_gapf(record, "nodes", "nothing proves that the record comes from root: %s", proof->reason);
	}
	return record;
}

void part_set_remove(int dirfd, const struct record_identity *job, const char *node, bool leads)
{
	char name[NAME_MAX + 1];

	if (make_name(job, node, PART, name) == 0)
		unlinkat(dirfd, name, 0);
	if (leads && make_name(job, node, LEAD, name) == 0)
		unlinkat(dirfd, name, 0);
}

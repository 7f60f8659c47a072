/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/munge.h"

#include <stddef.h>

#ifdef HAVE_MUNGE

#include <dlfcn.h>
#include <munge.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libmunge.so.2"

static struct {
	__typeof__(munge_ctx_create) *ctx_create;
	__typeof__(munge_ctx_destroy) *ctx_destroy;
	__typeof__(munge_ctx_set) *ctx_set;
	__typeof__(munge_ctx_strerror) *ctx_strerror;
	__typeof__(munge_encode) *encode;
	__typeof__(munge_decode) *decode;
	__typeof__(munge_strerror) *strerror;
} libmunge;

static int load(struct error *err)
{
	static const struct {
		const char *name;
		void **function;
	} wanted[] = {
		{ "munge_ctx_create", (void **)&libmunge.ctx_create },
		{ "munge_ctx_destroy", (void **)&libmunge.ctx_destroy },
		{ "munge_ctx_set", (void **)&libmunge.ctx_set },
		{ "munge_ctx_strerror", (void **)&libmunge.ctx_strerror },
		{ "munge_encode", (void **)&libmunge.encode },
		{ "munge_decode", (void **)&libmunge.decode },
		{ "munge_strerror", (void **)&libmunge.strerror },
	};
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL); /* loaded once, never closed */

	if (!library)
		return error_set(err, "%s", dlerror());
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		*wanted[i].function = dlsym(library, wanted[i].name);
		if (!*wanted[i].function)
			return error_set(err, LIBRARY " has no %s", wanted[i].name);
	}
	return 0;
}

static void set_error(munge_ctx_t context, munge_err_t error, struct error *err)
{
	const char *why = libmunge.ctx_strerror(context);

	error_set(err, "munge: %s", why ? why : libmunge.strerror(error));
}

static munge_ctx_t new_context(const struct notary *notary, struct error *err)
{
	munge_ctx_t context = libmunge.ctx_create();

	if (!context) {
		error_set(err, "munge: out of memory");
		return NULL;
	}
	if (!notary->socket[0] || libmunge.ctx_set(context, MUNGE_OPT_SOCKET, notary->socket) == EMUNGE_SUCCESS)
		return context;
	error_set(err, "munge: %s is not a socket's path", notary->socket);
	libmunge.ctx_destroy(context);
	return NULL;
}

/* @life_s: seconds for which the credential is valid; 0 for munged's default */
static char *seal_for(const struct notary *notary, const char *text, int life_s, struct error *err)
{
	munge_ctx_t context = new_context(notary, err);
	munge_err_t error = EMUNGE_SUCCESS;
	char *credential = NULL;

	if (!context)
		return NULL;
	if (life_s)
		error = libmunge.ctx_set(context, MUNGE_OPT_TTL, life_s);
	if (error == EMUNGE_SUCCESS)
		error = libmunge.encode(&credential, context, text, (int)strlen(text));
	if (error != EMUNGE_SUCCESS) {
		set_error(context, error, err);
		free(credential);
		credential = NULL;
	}
	libmunge.ctx_destroy(context);
	return credential;
}

static char *seal(const struct notary *notary, const char *text, struct error *err)
{
	return seal_for(notary, text, 0, err);
}

#define PROBE "stint asks whether munged answers"

/*
 * Returns whether munged works, by making a credential.
 * The credential is root's, and a later child that becomes a user could find it in memory.
 * So it is valid for a second, and is erased.
 * Slurm refuses this credential, because it has a text, and Slurm's own credentials have no text.
 */
static bool answers(const struct notary *notary, struct error *err)
{
	char *credential = seal_for(notary, PROBE, 1, err);

	if (credential)
		explicit_bzero(credential, strlen(credential));
	free(credential);
	return credential != NULL;
}

/*
 * Accepts an expired or replayed credential: a record may wait in a spool for days.
 * munged checks time and replay after it has found the credential authentic (munge(3)).
 * An old credential does no harm, because its text names its part.
 */
static bool is_authentic(munge_err_t error)
{
	return error == EMUNGE_SUCCESS || error == EMUNGE_CRED_EXPIRED || error == EMUNGE_CRED_REWOUND ||
	       error == EMUNGE_CRED_REPLAYED;
}

static char *open_credential(const struct notary *notary, const char *credential, uid_t *uid, struct error *err)
{
	munge_ctx_t context = new_context(notary, err);
	char *text = NULL;
	void *payload = NULL;
	int length = 0;
	gid_t gid;
	munge_err_t error;

	if (!context)
		return NULL;
	error = libmunge.decode(credential, context, &payload, &length, uid, &gid);
	if (!is_authentic(error))
		set_error(context, error, err);
	else if (!payload || length < 1 || memchr(payload, '\0', length))
		error_set(err, "munge: the credential contains no text");
	else if (!(text = strndup(payload, length)))
		error_set(err, "out of memory");
	free(payload);
	libmunge.ctx_destroy(context);
	return text;
}

const struct notary *munge_notary(const char *socket, struct error *err)
{
	static struct notary notary = { seal, open_credential, NULL };
	static struct error reason;
	static bool tried, there;

	if (!tried) {
		tried = true;
		notary.socket = strdup(socket);
		there = notary.socket && load(&reason) == 0 && answers(&notary, &reason);
	}
	if (there)
		return &notary;
	*err = reason;
	return NULL;
}

#else

const struct notary *munge_notary(const char *socket, struct error *err)
{
	(void)socket;
	error_set(err, "stint was built without munge");
	return NULL;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credentials of munge, which most sites run for Slurm. A credential proves to every node who wrote a text, and that
 * the text is unchanged. libmunge is loaded when it is needed. If it is missing, nothing can be proved; everything else
 * works.
 */
#ifndef STINT_MUNGE_H
#define STINT_MUNGE_H

#include <sys/types.h>

#include "common/error.h"

/* Makes and checks credentials. Tests use a notary of their own. */
struct notary {
	/* Returns a credential of this process's user for @text, one word, to be freed; NULL with @err set. */
	char *(*seal)(const struct notary *notary, const char *text, struct error *err);
	/* Returns the text of @credential, to be freed, and sets @uid to the user who made it; NULL with @err set. */
	char *(*open)(const struct notary *notary, const char *credential, uid_t *uid, struct error *err);
	const char *socket;
};

/*
 * Returns the notary that uses munged at @socket and lasts as long as the process; NULL with @err set to the reason: no
 * library, no answer from munged, or built without munge.
 *
 * @socket: "" for libmunge's own default
 */
const struct notary *munge_notary(const char *socket, struct error *err);

#endif

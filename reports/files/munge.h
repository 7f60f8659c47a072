/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and checks credentials of munge, which most sites run for Slurm.
 * A credential proves who wrote a text, and that the text is unchanged.
 * libmunge is loaded when needed. Without it, stint can prove nothing, but works.
 */
#ifndef STINT_MUNGE_H
#define STINT_MUNGE_H

#include <sys/types.h>

#include "common/error.h"

/* Makes and checks credentials. Tests have a notary of their own. */
struct notary {
	/*
	 * Returns a credential that this process's user wrote @text, which the caller must free.
	 * It contains no blanks. On failure returns NULL with @err set.
	 */
	char *(*seal)(const struct notary *notary, const char *text, struct error *err);
	/*
	 * Returns the text of @credential, which the caller must free. @uid: set to the user who made it
	 * On failure returns NULL with @err set.
	 */
	char *(*open)(const struct notary *notary, const char *credential, uid_t *uid, struct error *err);
	const char *socket;
};

/*
 * Returns the notary that uses munged, valid until the process ends.
 * Returns NULL with @err set if libmunge is missing, if munged does not answer, or if stint was built without munge.
 *
 * @socket: of munged; "" for libmunge's default
 */
const struct notary *munge_notary(const char *socket, struct error *err);

#endif

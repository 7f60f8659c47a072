/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and checks credentials of munge, which most sites run for Slurm. A credential proves to every node who wrote a
 * text, and that the text is unchanged. stint loads libmunge only when it is needed. If libmunge is missing, stint can
 * prove nothing, but everything else works.
 */
#ifndef STINT_MUNGE_H
#define STINT_MUNGE_H

#include <sys/types.h>

#include "common/error.h"

/* Makes and checks credentials. Tests have a notary of their own. */
struct notary {
	/*
	 * Returns a credential which proves that this process's user wrote @text. The credential contains no blanks.
	 * The caller must free it. On failure returns NULL with @err set.
	 */
	char *(*seal)(const struct notary *notary, const char *text, struct error *err);
	/*
	 * Returns the text of @credential, which the caller must free, and sets @uid to the user who made the
	 * credential. On failure returns NULL with @err set.
	 */
	char *(*open)(const struct notary *notary, const char *credential, uid_t *uid, struct error *err);
	const char *socket;
};

/*
 * Returns the notary that uses munged at @socket. The notary is valid until the process ends. Returns NULL with @err
 * set to the reason if libmunge is missing, if munged does not answer, or if stint was built without munge.
 *
 * @socket: "" for the default of libmunge
 */
const struct notary *munge_notary(const char *socket, struct error *err);

#endif

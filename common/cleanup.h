/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cleanup attributes: a variable releases its resource when it goes out of scope. */
#ifndef STINT_CLEANUP_H
#define STINT_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_freep(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_fclosep(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void cleanup_closedirp(DIR **d)
{
	if (*d)
		closedir(*d);
}

#define cleanup_free __attribute__((cleanup(cleanup_freep), unused))
#define cleanup_close __attribute__((cleanup(cleanup_closep), unused))
#define cleanup_fclose __attribute__((cleanup(cleanup_fclosep), unused))
#define cleanup_closedir __attribute__((cleanup(cleanup_closedirp), unused))

#endif

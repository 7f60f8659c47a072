/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands lists of nodes such as "n[1-3,07],gpu[01-02]-ib", without Slurm. */
#ifndef STINT_NODE_LIST_H
#define STINT_NODE_LIST_H

#include <stddef.h>

#define NODE_LIST_MAX 65536 /* nodes */

/*
 * Returns the names in the order of the list; release them with node_list_free(). Returns NULL if @list is no list of
 * nodes, if it is too long, or if out of memory.
 *
 * @count: set to the number of names
 */
char **node_list_expand(const char *list, size_t *count);

void node_list_free(char **names, size_t count);

#endif

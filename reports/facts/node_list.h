/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands lists of nodes in Slurm's form, such as "n[1-3,07],gpu[01-02]-ib", without calling Slurm. */
#ifndef STINT_NODE_LIST_H
#define STINT_NODE_LIST_H

#include <stddef.h>

#define NODE_LIST_MAX 65536 /* nodes */

/*
 * Expands @list into the names of its nodes.
 *
 * @count: set to the number of names
 *
 * Returns the names in the order of the list. Release them with node_list_free(). Returns NULL if @list is not a
 * list of nodes, if it has too many nodes, or if out of memory.
 */
char **node_list_expand(const char *list, size_t *count);

void node_list_free(char **names, size_t count);

#endif

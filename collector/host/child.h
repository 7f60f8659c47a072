/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child of stintd that goes on with what stintd knows: it is forked, and runs no program of its own. */
#ifndef STINT_CHILD_H
#define STINT_CHILD_H

#define CHILD_NO_PARENT 97 /* its exit code where stintd was gone before it began */

/*
 * To be called first in a child. Resets its signals, and has it die with stintd, for the next stintd may replace the
 * maps that it reads. @parent: stintd's pid
 */
void child_begin(int parent);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of the stint command: each takes its own arguments, @argv[0] being its name for messages. */
#ifndef STINT_CMD_H
#define STINT_CMD_H

/*
 * Each returns the command's exit code.
 */
int cmd_report(int argc, char *argv[]);
int cmd_compare(int argc, char *argv[]);
int cmd_timeline(int argc, char *argv[]);
int cmd_export(int argc, char *argv[]);
int cmd_doctor(int argc, char *argv[]);

#endif

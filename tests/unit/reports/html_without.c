/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the page of a report as a stint without the charting library makes it.
 *
 *   html_without REPORT
 */
#include <stdio.h>
#include <stdlib.h>

#include "reports/files/report_file.h"
#include "reports/html/html.h"

int main(int argc, char *argv[])
{
	struct error err = { "which report?" };
	cleanup_report struct report *report = argc == 2 ? report_load(argv[1], NULL, &err) : NULL;

	if (!report || html_print(report, stdout, &err) < 0) {
		fprintf(stderr, "html_without: %s\n", err.text);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/html/page_frame.h"

#include "reports/html/html_internal.h"

/* output_write() recognises stint's pages by their first two lines. */
void html_frame_begin(FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<!-- Made by stint report --html. SPDX-License-Identifier: GPL-2.0-or-later -->\n"
	      "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"", out);
	fprintf(out,
		"default-src 'none'; script-src %s; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
		"form-action 'none'\">\n", html_script_hash);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>", out);
	html_text(out, title);
	fprintf(out, " - stint</title>\n<style>%s</style>\n</head>\n<body>\n", html_style);
}

void html_frame_end(FILE *out, const char *made_by)
{
	fputs("<footer><p>Made by ", out);
	html_text(out, made_by);
	fprintf(out, ", stint " PACKAGE_VERSION ". This page loads nothing from anywhere.</p></footer>\n<script>%s</script>\n"
		"</body>\n</html>\n", html_script);
}

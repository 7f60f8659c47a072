# SPDX-License-Identifier: GPL-2.0-or-later
# Tools to try, test and deploy stint with; none of them is installed.
EXTRA_DIST += \
	contrib/examples/pipeline.sh \
	contrib/examples/summarise.py \
	contrib/packages.sh \
	contrib/quickstart \
	contrib/testbed \
	contrib/testbed-lib/common.sh \
	contrib/testbed-lib/config.sh \
	contrib/testbed-lib/daemons.sh \
	contrib/testbed-lib/down.sh \
	contrib/testbed-lib/run.sh \
	contrib/testbed-lib/up.sh \
	#

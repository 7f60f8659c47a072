# SPDX-License-Identifier: GPL-2.0-or-later
# Tools to try, test and deploy stint with, and the files that a site installs besides the programs.
EXTRA_DIST += \
	.ci/run \
	contrib/check \
	contrib/check-lib/build.sh \
	contrib/check-lib/confirm.sh \
	contrib/check-lib/count.sh \
	contrib/check-lib/environment.sh \
	contrib/check-lib/kernels.sh \
	contrib/check-lib/leftovers.sh \
	contrib/check-lib/machines.sh \
	contrib/check-lib/matrix.sh \
	contrib/check-lib/packages.sh \
	contrib/check-lib/system.sh \
	contrib/check-lib/timed \
	contrib/check-lib/times.sh \
	contrib/check-lib/turns.sh \
	contrib/check-lib/until.sh \
	contrib/debian-root \
	contrib/debian/build \
	contrib/debian/control.in \
	contrib/debian/copyright \
	contrib/debian/rules \
	contrib/debian/source/format \
	contrib/debian/stint-client.install \
	contrib/debian/stint-doc.install \
	contrib/debian/stint-node.README.Debian \
	contrib/debian/stint-node.install \
	contrib/debian/stint-node.postinst \
	contrib/debian/stint-node.postrm \
	contrib/debian/stint-node.prerm \
	contrib/debian/stint-site.install \
	contrib/debian/stint-slurm.install.in \
	contrib/debian/stint-slurm.postrm.in \
	contrib/examples/fields.py \
	contrib/examples/pictures \
	contrib/examples/pipeline.sh \
	contrib/examples/summarise.py \
	contrib/examples/update \
	contrib/news \
	contrib/packages.sh \
	contrib/quickstart \
	contrib/release \
	contrib/rpm/stint.spec \
	contrib/stint-ingest.timer \
	contrib/stint-reconcile.timer \
	contrib/testbed \
	contrib/testbed-lib/common.sh \
	contrib/testbed-lib/settings.sh \
	contrib/testbed-lib/daemons.sh \
	contrib/testbed-lib/down.sh \
	contrib/testbed-lib/run.sh \
	contrib/testbed-lib/up.sh \
	#

# These name directories of the installation, which make knows, but not configure.
contrib_templates = \
	contrib/plugstack.conf \
	contrib/stint-mail \
	contrib/stint.conf \
	contrib/stint-ingest.service \
	contrib/stint-reconcile.service \
	contrib/stintd.service \
	#
$(contrib_templates): %: %.in Makefile
	$(AM_V_GEN)$(MKDIR_P) contrib && $(SED) \
		-e 's|@bindir[@]|$(bindir)|g' \
		-e 's|@pkglibexecdir[@]|$(pkglibexecdir)|g' \
		-e 's|@sbindir[@]|$(sbindir)|g' \
		-e 's|@sysconfdir[@]|$(sysconfdir)|g' \
		-e 's|@localstatedir[@]|$(localstatedir)|g' \
		-e 's|@spankdir[@]|$(spankdir)|g' \
		$< >$@.tmp && mv $@.tmp $@
CLEANFILES += $(contrib_templates)
EXTRA_DIST += $(contrib_templates:=.in)

pkglibexec_SCRIPTS = contrib/stint-mail
systemdsystemunit_DATA = contrib/stintd.service
if HAVE_SITE
systemdsystemunit_DATA += \
	contrib/stint-ingest.service \
	contrib/stint-ingest.timer \
	contrib/stint-reconcile.service \
	contrib/stint-reconcile.timer \
	#
endif
exampledir = $(docdir)/examples
example_DATA = contrib/plugstack.conf contrib/stint.conf
grafanadir = $(docsdir)/grafana
dist_grafana_DATA = contrib/grafana/stint-itself.json contrib/grafana/stint-node.json contrib/grafana/stint-site.json
prometheusdir = $(docsdir)/prometheus
dist_prometheus_DATA = contrib/prometheus/stint.rules.test.yml contrib/prometheus/stint.rules.yml

# The site's own configuration is never overwritten, and removed only if nobody changed it. stintd itself makes only the last directory of
# its spool.
site_conf = $(DESTDIR)$(sysconfdir)/stint/stint.conf
install-data-local: contrib/stint.conf
	$(MKDIR_P) "$(DESTDIR)$(sysconfdir)/stint" "$(DESTDIR)$(localstatedir)/spool"
	test -e "$(site_conf)" || $(INSTALL_DATA) contrib/stint.conf "$(site_conf)"
uninstall-local:
	! cmp -s contrib/stint.conf "$(site_conf)" || rm -f "$(site_conf)"
# Only stint uses these directories: they go with the last file in them. (Others, such as $(bindir), stay: they may have existed before.)
own_directories = $(exampledir) $(grafanadir) $(prometheusdir) $(picturesdir) $(decisionsdir) $(docsdir) $(docdir) $(pkglibexecdir) $(pkgdatadir) $(spankdir) $(sysconfdir)/stint

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/common/conf_sample
TESTS += tests/unit/common/conf_sample
endif
TESTS += tests/tree/package_versions tests/tree/rooms
EXTRA_DIST += tests/packages/build tests/packages/install tests/tree/package_versions tests/tree/rooms

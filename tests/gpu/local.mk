# SPDX-License-Identifier: GPL-2.0-or-later
# Vendors' libraries that are made up, and what stint-gpu says with them.
check_LTLIBRARIES += tests/gpu/fake_nvml.la tests/gpu/fake_rsmi.la
tests_gpu_fake_nvml_la_SOURCES = tests/gpu/fake_nvml.c tests/gpu/scene.h
tests_gpu_fake_nvml_la_CFLAGS = $(PLAIN_CFLAGS) -D_GNU_SOURCE
tests_gpu_fake_nvml_la_LDFLAGS = $(tests_system_refuse_la_LDFLAGS)
tests_gpu_fake_rsmi_la_SOURCES = tests/gpu/fake_rsmi.c tests/gpu/scene.h
tests_gpu_fake_rsmi_la_CFLAGS = $(PLAIN_CFLAGS) -D_GNU_SOURCE
tests_gpu_fake_rsmi_la_LDFLAGS = $(tests_system_refuse_la_LDFLAGS)
TESTS += tests/gpu/sampler
EXTRA_DIST += tests/gpu/sampler

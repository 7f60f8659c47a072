/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/interpreters.h"

#include <bpf/bpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <string.h>

#include "bpf/abi.h"

/* Names without a version ("python", not "python3.11"). */
static const struct {
	const char *name;
	struct interpreter rules;
} table[] = {
	{ "env", { .style = INTERPRETER_ENV } },
	{ "sh", { .style = INTERPRETER_SHORT, .code = "cs", .value = "oO", .plus = 1 } },
	{ "bash", { .style = INTERPRETER_SHORT, .code = "cs", .value = "oO", .plus = 1 } },
	{ "dash", { .style = INTERPRETER_SHORT, .code = "cs", .value = "o", .plus = 1 } },
	{ "ksh", { .style = INTERPRETER_SHORT, .code = "cs", .value = "o", .plus = 1 } },
	{ "zsh", { .style = INTERPRETER_SHORT, .code = "cs", .value = "o", .plus = 1 } },
	{ "csh", { .style = INTERPRETER_SHORT, .code = "cs" } },
	{ "tcsh", { .style = INTERPRETER_SHORT, .code = "cs" } },
	{ "fish", { .style = INTERPRETER_SHORT, .code = "c", .value = "Cdf" } },
	{ "python", { .style = INTERPRETER_SHORT, .code = "c", .value = "WX", .script = "m" } },
	{ "pypy", { .style = INTERPRETER_SHORT, .code = "c", .value = "WX", .script = "m" } },
	{ "perl", { .style = INTERPRETER_SHORT, .code = "eE", .value = "I" } },
	{ "ruby", { .style = INTERPRETER_SHORT, .code = "e", .value = "ICr" } },
	{ "lua", { .style = INTERPRETER_SHORT, .code = "e", .value = "l" } },
	{ "php", { .style = INTERPRETER_SHORT, .code = { 'r', 'B', 'R', 'E' }, .value = { 'c', 'd', 'z', 'S' } } },
	{ "node", { .style = INTERPRETER_SHORT, .code = "ep", .value = "rC" } },
	{ "nodejs", { .style = INTERPRETER_SHORT, .code = "ep", .value = "rC" } },
	{ "julia", { .style = INTERPRETER_SHORT, .code = "eE", .value = { 'J', 'p', 't', 'L' } } },
	{ "Rscript", { .style = INTERPRETER_SHORT, .code = "e" } },
	{ "R", { .style = INTERPRETER_SHORT, .code = "e", .value = "gd" } },
	{ "tclsh", { .style = INTERPRETER_SHORT } },
	{ "wish", { .style = INTERPRETER_SHORT } },
	{ "octave", { .style = INTERPRETER_SHORT, .value = "p" } },
	{ "octave-cli", { .style = INTERPRETER_SHORT, .value = "p" } },
	{ "guile", { .style = INTERPRETER_SHORT, .code = "c", .value = "Lle" } },
	{ "java", { .style = INTERPRETER_JAVA } },
};

/* ---- runtimes of containers ---- */

/* Sets of options. 0: a program that is given no image. */
enum options {
	NO_OPTIONS,
	APPTAINER,
	PODMAN,
	CH_RUN,
	ENROOT,
	SARUS,
};

/* Names without what follows a digit or a full stop, and at most 15 letters of them (interpreter_get() in bpf/image.h). */
static const struct {
	const char *name;
	enum options options;
	bool command;
} runtimes[] = {
	{ "apptainer", APPTAINER, true },
	{ "singularity", APPTAINER, true },
	{ "starter", NO_OPTIONS, false },
	{ "starter-suid", NO_OPTIONS, false },
	{ "podman", PODMAN, true },
	{ "nerdctl", PODMAN, true },
	{ "conmon", NO_OPTIONS, false },
	{ "crun", NO_OPTIONS, false },
	{ "runc", NO_OPTIONS, false },
	{ "containerd-shim", NO_OPTIONS, false },
	{ "ch-run", CH_RUN, false },
	{ "enroot", ENROOT, true },
	{ "enroot-nsenter", NO_OPTIONS, false },
	{ "enroot-mount", NO_OPTIONS, false },
	{ "enroot-switchroot", NO_OPTIONS, false },
	{ "enroot-mksquashovlfs", NO_OPTIONS, false },
	{ "enroot-aufs", NO_OPTIONS, false },
	{ "sarus", SARUS, true },
	{ "bwrap", NO_OPTIONS, false },
	{ "unshare", NO_OPTIONS, false },
	{ "squashfuse", NO_OPTIONS, false },
	{ "squashfuse_ll", NO_OPTIONS, false },
	{ "fuse-overlayfs", NO_OPTIONS, false },
	{ "fuse", NO_OPTIONS, false }, /* fuse2fs */
	{ "gocryptfs", NO_OPTIONS, false },
	{ "unsquashfs", NO_OPTIONS, false },
	{ "mksquashfs", NO_OPTIONS, false },
	{ "newuidmap", NO_OPTIONS, false },
	{ "newgidmap", NO_OPTIONS, false },
	{ "nvidia-container-cli", NO_OPTIONS, false },
	{ "catatonit", NO_OPTIONS, false },
	{ "slirp", NO_OPTIONS, false }, /* slirp4netns */
	{ "pasta", NO_OPTIONS, false },
	{ "netavark", NO_OPTIONS, false },
	{ "aardvark-dns", NO_OPTIONS, false },
};

/*
 * What arguments are. An option that is not listed ends the search for the image: the argument behind it may be its value, which
 * may be a secret. An option with "=" needs no line.
 */
static const struct {
	enum options options;
	bool commanded;
	enum runtime_option is;
	const char *names;
} arguments[] = {
	/* apptainer 1.4, cmd/internal/cli/; singularity-ce 4 has the same options, and some more */
	{ APPTAINER, false, RUNTIME_COMMAND, "exec run shell test start" },
	{ APPTAINER, false, RUNTIME_GROUP, "instance" },
	{ APPTAINER, false, RUNTIME_FLAG, "-d --debug -q --quiet -s --silent -v --verbose --nocolor --build-config" },
	{ APPTAINER, false, RUNTIME_VALUE, "-c --config" },
	{ APPTAINER, true, RUNTIME_FLAG,
	  "-c -C -e -f -i -n -p -u -w --allow-setuid --cleanenv --compat --contain --containall --disable-cache --docker-login "
	  "--fakeroot --ignore-fakeroot-command --ignore-subuid --ignore-userns --ipc --keep-privs --net --no-compat --no-eval "
	  "--no-home --no-https --no-init --no-pid --no-privs --no-setgroups --no-tmp-sandbox --no-umask --nv --nvccli --oci "
	  "--no-oci --oom-kill-disable --passphrase --pid --rocm --sif-fuse --sharens --tmp-sandbox --underlay --unsquash --userns "
	  "--uts --writable --writable-tmpfs --boot" },
	{ APPTAINER, true, RUNTIME_VALUE,
	  "-B -H -o -S -W --add-caps --app --apply-cgroups --authfile --bind --blkio-weight --blkio-weight-device --cdi-dirs "
	  "--cpu-shares --cpus --cpuset-cpus --cpuset-mems --cwd --data --device --dns --docker-host --drop-caps --env --env-file "
	  "--fusemount --home --hostname --memory --memory-reservation --memory-swap --mount --network --network-args --no-mount "
	  "--overlay --pem-path --pid-file --pids-limit --platform --pwd --scratch --security --shell --workdir --arch" },
	/* podman 5, cmd/podman/; nerdctl and docker take the same */
	{ PODMAN, false, RUNTIME_COMMAND, "run create" },
	{ PODMAN, false, RUNTIME_GROUP, "container" },
	{ PODMAN, false, RUNTIME_FLAG, "-r --remote --syslog --transient-store --noout --debug --debug-full" },
	{ PODMAN, false, RUNTIME_VALUE,
	  "-c --cgroup-manager --config --conmon --connection --events-backend --hooks-dir --identity --imagestore --log-level "
	  "--module --namespace -n --network-cmd-path --network-config-dir --out --root --runroot --runtime --runtime-flag "
	  "--snapshotter --ssh --storage-driver --storage-opt --tmpdir --url --volumepath -a --address --data-root --cni-path --cni-netconfpath" },
	{ PODMAN, true, RUNTIME_FLAG,
	  "-d -i -P -q -t --detach --disable-content-trust --env-host --http-proxy --init --interactive --no-healthcheck "
	  "--no-hostname --no-hosts --oom-kill-disable --passwd --privileged --publish-all --quiet --read-only --read-only-tmpfs --replace --rm "
	  "--rmi --rootfs --sig-proxy --tls-verify --tty" },
	{ PODMAN, true, RUNTIME_VALUE,
	  "-a -c -e -h -l -m -p -u -v -w --add-host --annotation --arch --attach --authfile --cap-add --cap-drop --cgroup-conf "
	  "--cgroup-parent --cgroupns --cgroups --cidfile --conmon-pidfile --cpu-period --cpu-quota --cpu-shares --cpus "
	  "--cpuset-cpus --cpuset-mems --creds --decryption-key --detach-keys --device --device-cgroup-rule --dns --dns-option "
	  "--dns-search --entrypoint --env --env-file --env-merge --expose --gidmap --gpus --group-add --health-cmd --hostname "
	  "--hostuser --image-volume --init-path --ip --ip6 --ipc --label --label-file --log-driver --log-opt --mac-address "
	  "--memory --memory-reservation --memory-swap --mount --name --net --network --network-alias --oom-score-adj --os "
	  "--passwd-entry --personality --pid --pidfile --pids-limit --platform --pod --preserve-fds --publish --pull --requires "
	  "--restart --retry --sdnotify --secret --security-opt --shm-size --stop-signal --stop-timeout --subgidname --subuidname "
	  "--sysctl --systemd --timeout --tmpfs --tz --uidmap --ulimit --umask --unsetenv --user --userns --uts --variant "
	  "--volume --volumes-from --workdir" },
	/* Charliecloud 0.39, bin/ch-run.c */
	{ CH_RUN, false, RUNTIME_FLAG,
	  "-j -q -t -v -w -W --env-no-expand --home --join --no-passwd --private-tmp --quiet --seccomp --set-env --unsafe --verbose "
	  "--write --write-fake --abort-fatal --color" },
	{ CH_RUN, false, RUNTIME_VALUE,
	  "-b -c -g -m -s -u --bind --cd --feature --gid --join-ct --join-pid --join-tag --mount --storage --test --uid "
	  "--unset-env --warnings" },
	/* enroot 3 and 4, src/runtime.sh */
	{ ENROOT, false, RUNTIME_COMMAND, "start" },
	{ ENROOT, true, RUNTIME_FLAG, "-r -w --root --rw" },
	{ ENROOT, true, RUNTIME_VALUE, "-c -e -m --conf --env --mount --rc" },
	/* sarus 1.7, src/cli/CommandRun.hpp */
	{ SARUS, false, RUNTIME_COMMAND, "run" },
	{ SARUS, false, RUNTIME_FLAG, "--debug --verbose" },
	{ SARUS, true, RUNTIME_FLAG, "-t --tty --glibc --init --mpi --centralized-repository --ssh" },
	{ SARUS, true, RUNTIME_VALUE, "-e -w --device --entrypoint --env --mount --mpi-type --name --pid --workdir" },
};

static int add_runtime(int fd, const char *name, enum options options, bool command, struct error *err)
{
	const struct interpreter rules = { .style = INTERPRETER_RUNTIME, .options = options, .command = command };
	struct interpreter_key key = { "" };

	memcpy(key.name, name, strnlen(name, sizeof(key.name) - 1));
	if (bpf_map_update_elem(fd, &key, &rules, BPF_ANY) < 0)
		return error_errno(err, "cannot update stint's BPF map of interpreters");
	return 0;
}

/* @name: not terminated; @length bytes */
static int add_option(int fd, size_t of, const char *name, size_t length, struct error *err)
{
	struct runtime_option_key key = { .options = arguments[of].options, .commanded = arguments[of].commanded };
	__u32 is = arguments[of].is;

	if (length > sizeof(key.name))
		return error_set(err, "the option %.*s of a container's runtime is too long", (int)length, name);
	memcpy(key.name, name, length);
	if (bpf_map_update_elem(fd, &key, &is, BPF_ANY) < 0)
		return error_errno(err, "cannot update stint's BPF map of container runtimes' options");
	return 0;
}

static int fill_runtimes(int interpreters_fd, int options_fd, struct error *err)
{
	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (add_runtime(interpreters_fd, runtimes[i].name, runtimes[i].options, runtimes[i].command, err) < 0)
			return -1;
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
		const char *name = arguments[i].names;

		while (*name) {
			size_t length = strcspn(name, " ");

			if (add_option(options_fd, i, name, length, err) < 0)
				return -1;
			name += length + strspn(name + length, " ");
		}
	}
	return 0;
}

int interpreters_fill(int map_fd, int options_fd, struct error *err)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct interpreter_key key = { "" };

		strncpy(key.name, table[i].name, sizeof(key.name) - 1);
		if (bpf_map_update_elem(map_fd, &key, &table[i].rules, BPF_ANY) < 0)
			return error_errno(err, "cannot update stint's BPF map of interpreters");
	}
	return fill_runtimes(map_fd, options_fd, err);
}

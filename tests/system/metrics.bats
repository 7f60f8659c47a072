#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint.prom has what the jobs used, and Prometheus reads it by way of node_exporter: docs/metrics.md, contrib/prometheus, contrib/grafana.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	METRICS=$STINT_TESTBED/metrics/stint.prom SERVERS=()
	collector_looks
}

teardown() {
	local server

	for server in "${SERVERS[@]}"; do
		kill "$server" && wait "$server"
	done
	testbed_evidence
}

# The value of the series NAME, which includes its label.
metric() { # NAME
	awk -v name="$1" '$1 == name { print $2; found = 1 } END { exit !found }' "$METRICS"
}

metric_is() { # NAME VALUE
	[ "$(metric "$1")" = "$2" ]
}

@test "the file has the sums of all jobs, exactly as their reports" {
	local first

	tool burner
	job -- "$TOOLS/burner" burn 700
	first=$REPORT
	job -- sh -c "for i in 1 2 3; do $TOOLS/burner burn 100; done; cat $TOOLS/burner >/dev/null; exec sleep 1"
	soon_looked metric_is stint_reports_written_total 2
	jq --slurp --exit-status --argjson cpu "$(metric stint_cpu_seconds_total)" --argjson sleep "$(metric 'stint_thread_seconds_total{state="sleep"}')" \
		--argjson read "$(metric stint_syscall_read_bytes_total)" --argjson processes "$(metric stint_processes_started_total)" '
		def sum(f): map(f) | add;
		def near($a; $b): ($a - $b) | (. < 1e-6 and . > -1e-6);
		near(sum(.used.cpu_s); $cpu) and near(sum(.states.sleep_s); $sleep) and sum(.used.syscall_read_bytes) == $read and
			sum(.used.processes) == $processes' "$first" "$REPORT" ||
		{ grep -v '^#' "$METRICS"; jq '{used, states}' "$first" "$REPORT"; false; }
	metric_is 'stint_jobs{phase="open"}' 0
	metric_is stint_cpus_allocated 0
	metric_is stint_memory_used_bytes 0
}

@test "a running job is in the levels, and what it has used so far in the sums" {
	local id before

	before=$(metric stint_cpu_seconds_total)
	tool burner
	meet
	"$TESTBED" exec mkfifo "$MEET/end" # waiting for it starts no process
	id=$("$TESTBED" exec sbatch --parsable --mem=300 --chdir="$MEET" --output=/dev/null --wrap "$TOOLS/burner burn 2000; touch began; read x <end")
	told began
	soon_looked metric_is 'stint_jobs{phase="open"}' 1
	metric_is stint_cpus_allocated 1
	metric_is stint_memory_allocated_bytes $((300 << 20))
	metric_is stint_jobs_without_processes 0
	soon_looked has_used_since "$before" 2
	soon_looked is_above stint_memory_used_bytes 0
	metric_is stint_jobs_idle 0
	"$TESTBED" restart-collector
	soon_looked metric_is stint_processes 1
	metric_is stint_processes_started_total 0 # what it started before is in no counter
	"$TESTBED" exec sh -c "echo >$MEET/end"
	soon_looked metric_is 'stint_jobs{phase="open"}' 0
	between 0 "$(metric stint_cpu_seconds_total)" 1.9
	soon has_ended_job "$id"
}

has_used_since() { # BEFORE SECONDS
	awk -v now="$(metric stint_cpu_seconds_total)" -v before="$1" -v least="$2" 'BEGIN { exit !(now - before >= least) }'
}

is_above() { # NAME VALUE
	awk -v now="$(metric "$1")" -v value="$2" 'BEGIN { exit !(now > value) }'
}

has_ended_job() { # JOB
	[ -z "$("$TESTBED" exec squeue --noheader --jobs "$1" 2>/dev/null)" ]
}

@test "an allocation in which no process lives is counted as such" {
	local id

	id=$("$TESTBED" exec sh -c 'cd "$HOME" 2>/dev/null || cd /; salloc --no-shell 2>&1' | sed -n 's/.*Granted job allocation //p')
	soon_looked metric_is 'stint_jobs{phase="open"}' 1
	soon_looked metric_is stint_jobs_without_processes 1
	"$TESTBED" exec scancel "$id"
	soon_looked metric_is stint_jobs_without_processes 0
}

@test "no series names a user, a job or a tool, and jobs make no more series" {
	local series

	[ "$(stat -c %a "$METRICS" "$STINT_TESTBED/metrics" | tr '\n' ' ')" = '644 755 ' ]
	series=$(grep -v '^#' "$METRICS" | sed 's/ [^ ]*$//')
	[ "$(wc -l <<<"$series")" -le 120 ]
	job --job-name=secret-name -- sh -c 'for i in $(seq 100); do (exec -a "tool$i" true); done'
	soon_looked metric_is 'stint_jobs{phase="open"}' 0
	diff <(echo "$series") <(grep -v '^#' "$METRICS" | sed 's/ [^ ]*$//')
	! grep -e secret-name -e "$TESTBED_USER" -e tool1 "$METRICS"
}

@test "the file describes each metric, and docs/metrics.md has each" {
	local name

	while read -r name; do
		grep -q "\`$name[\`{]" "$SOURCE/docs/metrics.md" || { echo "docs/metrics.md lacks $name"; false; }
	done < <(sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' "$METRICS")
	while read -r name; do
		grep -q "^# TYPE $name " "$METRICS" || { echo "there is no $name"; false; }
	done < <(grep -o '`stint_[a-z_]*' "$SOURCE/docs/metrics.md" | tr -d '`' | sort -u)
	command -v promtool >/dev/null || skip "promtool is not installed"
	promtool check metrics <"$METRICS"
}

@test "the alert rules are right, and each fires above its threshold and not below" {
	command -v promtool >/dev/null || skip "promtool is not installed"
	promtool check rules "$SOURCE/contrib/prometheus/stint.rules.yml"
	promtool test rules "$SOURCE/contrib/prometheus/stint.rules.test.yml"
}

@test "without stintd there is no file; metrics = off makes none; a directory of a user's is refused" {
	kill -TERM "$(daemon_pid stintd)"
	soon has_ended "$(daemon_pid stintd)"
	[ ! -e "$METRICS" ]
	collector_gets 'metrics = off'
	collector_looks
	[ ! -e "$METRICS" ]
	mkdir "$STINT_TESTBED/others"
	chown "$TESTBED_USER" "$STINT_TESTBED/others"
	collector_gets "metrics = $STINT_TESTBED/others"
	collector_looks
	[ ! -e "$STINT_TESTBED/others/stint.prom" ]
	grep -h 'stintd writes no metrics: .*/others must belong to root' "$STINT_TESTBED"/log/stintd.*
	collector_gets "metrics = $STINT_TESTBED/metrics"
	soon_looked [ -s "$METRICS" ]
}

free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# A server of ours on loopback, until the test ends.
serve() { # COMMAND...
	"$@" >"$BATS_TEST_TMPDIR/${1##*/}.log" 2>&1 3>&- &
	SERVERS+=($!)
}

asked() { # QUERY : prints the number of series
	curl --silent --fail --get --data-urlencode "query=$1" "http://127.0.0.1:$PORT/api/v1/query" | jq '.data.result | length'
}

has_data() { # QUERY
	[ "$(asked "$1")" -gt 0 ]
}

# Each query of a dashboard, with Grafana's variables set.
queries() { # FILE
	jq -r '.panels[].targets[].expr' "$1" | sed "s/\\\$__rate_interval/10s/g; s/\\\$instance/$NODE_ADDRESS/g"
}

@test "Prometheus reads the file by way of node_exporter, and each query of each dashboard and alert has data while a job runs" {
	local dashboard query

	command -v prometheus >/dev/null && command -v prometheus-node-exporter >/dev/null || skip "prometheus or node_exporter is not installed"
	PORT=$(free_port) NODE_ADDRESS=127.0.0.1:$(free_port)
	serve prometheus-node-exporter --web.listen-address="$NODE_ADDRESS" --collector.disable-defaults --collector.textfile \
		--collector.textfile.directory="$STINT_TESTBED/metrics"
	cat >"$BATS_TEST_TMPDIR/prometheus.yml" <<-END
		global: {scrape_interval: 1s, evaluation_interval: 1s}
		rule_files: [$SOURCE/contrib/prometheus/stint.rules.yml]
		scrape_configs: [{job_name: node, static_configs: [{targets: ["$NODE_ADDRESS"]}]}]
	END
	serve prometheus --config.file="$BATS_TEST_TMPDIR/prometheus.yml" --storage.tsdb.path="$BATS_TEST_TMPDIR/data" \
		--web.listen-address="127.0.0.1:$PORT"
	meet
	"$TESTBED" exec sbatch --parsable --mem=100 --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end)"
	told began
	soon_looked metric_is 'stint_jobs{phase="open"}' 1
	soon has_data 'stint_jobs{phase="open"} == 1'
	for dashboard in "$SOURCE"/contrib/grafana/*.json; do
		while read -r query; do
			soon has_data "$query" || { echo "no data: $query"; false; }
		done < <(queries "$dashboard")
	done
	[ "$(curl --silent "http://127.0.0.1:$PORT/api/v1/rules" | jq '[.data.groups[].rules[] | select(.health == "ok")] | length')" -eq \
		"$(grep -c 'alert:' "$SOURCE/contrib/prometheus/stint.rules.yml")" ]
	tell end
}

@test "dashboards are what Grafana imports: own ids, units, and no data source of ours" {
	local dashboard

	for dashboard in "$SOURCE"/contrib/grafana/*.json; do
		jq --exit-status '
			(.panels | map(.id) | length == (unique | length)) and
			(.panels | all(.title and .fieldConfig.defaults.unit and (.targets | length > 0))) and
			([.. | .datasource? // empty | .uid] | unique == ["${DS_PROMETHEUS}"]) and
			.__inputs[0].name == "DS_PROMETHEUS" and (.uid | length <= 40) and .title and .schemaVersion' "$dashboard" >/dev/null ||
			{ echo "$dashboard"; false; }
	done
	[ "$(jq -r .uid "$SOURCE"/contrib/grafana/*.json | sort | uniq -d)" = '' ]
}

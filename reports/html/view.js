// SPDX-License-Identifier: GPL-2.0-or-later
// The part of the job's time that all pictures show, and the moment that the reader points at: all pictures share this
// time axis. Times are milliseconds from the data's first moment.

const SHORTEST_MS = 1;

function makeView(end) {
	const listeners = new Set();
	const view = {
		from: 0, to: end, end,
		cursor: null,

		// what: "range" or "cursor"
		listen(listener) {
			listeners.add(listener);
		},
		notify(what) {
			for (const listener of listeners)
				listener(what);
		},
		show(from, to) {
			const length = Math.min(Math.max(to - from, SHORTEST_MS), end);
			from = Math.min(Math.max(from, 0), end - length);
			if (from === view.from && from + length === view.to)
				return;
			view.from = from;
			view.to = from + length;
			view.notify("range");
		},
		pan(part) {
			const by = (view.to - view.from) * part;
			view.show(view.from + by, view.to + by);
		},
		// factor below 1 shows less; the moment `at` keeps its place
		zoom(factor, at = (view.from + view.to) / 2) {
			const length = Math.min(Math.max((view.to - view.from) * factor, SHORTEST_MS), end);
			const left = (at - view.from) / (view.to - view.from);
			view.show(at - left * length, at + (1 - left) * length);
		},
		point(ms) {
			if (ms === view.cursor)
				return;
			view.cursor = ms;
			view.notify("cursor");
		},
	};
	return view;
}

// ---- words for numbers ----

function sizeText(bytes) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
	let unit = 0;

	while (bytes >= 1024 && unit < units.length - 1) {
		bytes /= 1024;
		unit++;
	}
	return `${unit === 0 ? Math.round(bytes) : bytes.toFixed(1)} ${units[unit]}`;
}

// A duration.
function lengthText(ms) {
	if (ms < 1000)
		return `${Math.round(ms)} ms`;
	if (ms < 60000)
		return `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
	return momentText(ms, 1000);
}

// A time since the start, as exact as `step` needs it.
function momentText(ms, step = 1) {
	const two = number => String(number).padStart(2, "0");
	const decimals = step >= 1000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3;
	let seconds = ms / 1000;
	const rounded = 10 ** decimals;

	seconds = Math.round(seconds * rounded) / rounded;
	const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60), days = Math.floor(hours / 24);
	const rest = (seconds - 60 * minutes).toFixed(decimals).padStart(decimals ? 3 + decimals : 2, "0");
	return `${days ? days + "-" : ""}${days || hours ? two(hours % 24) + ":" : ""}${two(minutes % 60)}:${rest}`;
}

// Distances between the marks of a time axis.
const STEPS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 15000, 30000, 60000, 120000, 300000,
	600000, 900000, 1800000, 3600000, 7200000, 14400000, 21600000, 43200000, 86400000, 172800000, 604800000];

function marks(from, to, most) {
	const week = STEPS_MS[STEPS_MS.length - 1];
	const step = STEPS_MS.find(one => (to - from) / one <= most) ?? week * Math.ceil((to - from) / week / most);
	const list = [];

	for (let ms = Math.ceil(from / step) * step; ms <= to; ms += step)
		list.push(ms);
	return { step, list };
}

// SPDX-License-Identifier: GPL-2.0-or-later
// The charts of what was used over time, below the timeline and on its time axis. dygraphs draws them.

// The same groups in the same order as in html_states.c.
const STATE_WORDS = {
	"on-cpu": "on a CPU", runnable: "waiting for a CPU", memory: "memory", file: "file I/O", gpu: "GPU", network: "network",
	lock: "locks", pipe: "pipes", idle: "threads, event, sleep", other: "other",
};
const STATE_COLUMNS = {
	"on-cpu": ["on_cpu_s"], runnable: ["runnable_s"], memory: ["memory_stall_s", "fault_io_s"], file: ["file_io_s"],
	gpu: ["gpu_s"], network: ["network_s"], lock: ["lock_s"], pipe: ["pipe_s"],
	idle: ["condition_s", "event_s", "sleep_s"], other: ["other_s"],
};
const POINTS_DRAWN = 1200; // for each line, at most
const POINTS_MOVING = 300; // the same while the reader zooms and moves
const RATE_LEAST = 1 << 20; // bytes per second: the scale goes up to this at least, so that next to nothing looks like nothing
const ABOVE = 1.08;        // of the scale, so that its highest line can be seen
const SETTLED_MS = 160;    // after so long without a move, all points are drawn

// A small number keeps two digits that count: labels of an axis that goes up to 0.015 must not be the same.
const number = value => value > 0 && value < 0.1 ? String(Number(value.toPrecision(2))) :
	value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const rate = value => `${sizeText(value)}/s`;

// The charts: lines of columns. level: values are drawn as they are; else per second. The last line of a stack is the
// lowest.
function chartList(data) {
	return [
		{
			title: "CPU", unit: number, limit: "cpus", limitText: cpus => `${cpus} CPU${cpus === 1 ? "" : "s"} allocated`,
			lines: [{ name: "cores used", columns: ["cpu_s"], colour: "on-cpu" }],
		},
		{
			title: "Memory", unit: sizeText, level: true, limit: "memory", limitText: size => `${sizeText(size)} allocated`, binary: true,
			lines: [
				{ name: "cache", columns: ["memory_cache_bytes"], colour: "idle" },
				{ name: "used", columns: ["memory_used_bytes"], colour: "memory", peak: data.memoryPeak },
			],
			stacked: true,
		},
		{
			title: "I/O", unit: rate, binary: true, least: RATE_LEAST,
			lines: [
				{ name: "storage read", columns: ["read_bytes"], colour: "on-cpu" },
				{ name: "storage written", columns: ["write_bytes"], colour: "file" },
				{ name: "calls read", columns: ["syscall_read_bytes"], colour: "on-cpu", dashed: true },
				{ name: "calls written", columns: ["syscall_write_bytes"], colour: "file", dashed: true },
			],
		},
		{
			title: "Network", unit: rate, binary: true, least: RATE_LEAST,
			lines: [
				{ name: "received", columns: ["socket_rx_bytes"], colour: "network" },
				{ name: "sent", columns: ["socket_tx_bytes"], colour: "pipe" },
			],
		},
		{
			title: "Threads, without those at rest", unit: number, stacked: true, limit: "cpus",
			limitText: cpus => `${cpus} CPU${cpus === 1 ? "" : "s"}`,
			lines: Object.keys(STATE_COLUMNS).filter(name => name !== "idle").reverse().map(name => ({
				name: STATE_WORDS[name], columns: STATE_COLUMNS[name], colour: name,
			})),
		},
	];
}

// Adds up lists of numbers, point by point; null where none is known.
function added(lists, points) {
	const out = new Array(points).fill(null);

	for (const list of lists)
		for (let i = 0; list && i < points; i++)
			if (list[i] !== null && list[i] !== undefined)
				out[i] = (out[i] ?? 0) + list[i];
	return out;
}

// Returns one node's line: its values at the ends of its points. Milliseconds and bytes of a point become values per
// second.
function nodeLine(series, line, level) {
	const { ends, columns } = series;
	const sums = added(line.columns.map(name => columns[name]), ends.length);

	if (level)
		return sums;
	const thousandth = line.columns[0].endsWith("_s") ? 1 : 1000;
	return sums.map((sum, i) => {
		const length = ends[i] - (i ? ends[i - 1] : 0);
		return sum === null || length <= 0 ? null : sum * thousandth / length;
	});
}

// Joins several nodes' lines on one axis: adds up rates, and takes the highest node of a level, since that is what
// limits act on.
function joinNodes(list, level) {
	const times = [...new Set(list.flatMap(one => one.times))].sort((a, b) => a - b);
	const values = times.map(() => null);

	for (const one of list) {
		let at = 0;
		times.forEach((ms, i) => {
			while (at < one.times.length && one.times[at] < ms)
				at++;
			const value = ms > one.start && at < one.times.length ? one.values[at] : null;
			if (value !== null)
				values[i] = values[i] === null ? value : level ? Math.max(values[i], value) : values[i] + value;
		});
	}
	return { times, values };
}

// Returns the points of a chart, [[ms, value...]...]. A rate is that of the time before its point, back to the point before;
// a level is what was found at its point.
function chartPoints(data, chart, nodes) {
	const lines = chart.lines.map(line => joinNodes(nodes.map(series => ({
		start: series.start ?? 0,
		times: series.ends.map(end => (series.start ?? 0) + end),
		values: nodeLine(series, line, chart.level),
	})), chart.level));

	return lines[0].times.map((ms, i) => [ms, ...lines.map(line => line.values[i])]);
}

// Returns the points to draw a chart with. A rate holds from the point before it: so it is a step that begins there.
function drawnPoints(chart, rows, before) {
	if (chart.level || rows.length === 0)
		return rows;
	return [...rows.map((row, i) => [i ? rows[i - 1][0] : before, ...row.slice(1)]), rows[rows.length - 1]];
}

// Returns the values that are drawn at a moment; null: none are.
function valuesAt(chart, rows, ms) {
	if (rows.length === 0 || ms < (chart.level ? rows[0][0] : chart.begin) || ms > rows[rows.length - 1][0])
		return null;
	const at = rowAt(rows, ms), behind = rows[at].slice(1);
	if (!chart.level || at === 0 || rows[at][0] === ms)
		return behind;
	const before = rows[at - 1], part = (ms - before[0]) / (rows[at][0] - before[0]);
	return behind.map((value, i) => value === null || before[i + 1] === null ? null :
		before[i + 1] + part * (value - before[i + 1]));
}

// Returns the highest value of the scale: what was allocated, or more where more was used; to fit, what was used.
function scaleTop(chart, fit) {
	const top = fit ? chart.top : Math.max(chart.top, chart.line ?? 0, chart.least ?? 0);

	return (top || 1) * ABOVE;
}

// Makes coarser levels: each joins two points of the level before into the higher one, so that no peak is lost.
function makeLevels(rows) {
	const levels = [rows];

	while (levels[levels.length - 1].length > POINTS_DRAWN) {
		const fine = levels[levels.length - 1], coarse = [];

		for (let i = 0; i < fine.length; i += 2)
			coarse.push(i + 1 < fine.length ? fine[i + 1].map((value, c) => c === 0 ? value :
				value === null ? fine[i][c] : fine[i][c] === null ? value : Math.max(value, fine[i][c])) : fine[i]);
		levels.push(coarse);
	}
	return levels;
}

// Returns the index of the first row at or after the moment.
function rowAt(rows, ms) {
	let low = 0, high = rows.length - 1;

	while (low < high) {
		const middle = (low + high) >> 1;
		if (rows[middle][0] < ms)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

function binaryTicks(unit) {
	return (from, to, pixels) => {
		const most = Math.max(Math.floor(pixels / 20), 2);
		let step = 1;

		while ((to - from) / step > most)
			step *= 2;
		const list = [];
		for (let value = Math.ceil(from / step) * step; value <= to; value += step)
			list.push({ v: value, label: unit(value).replace(/\.0 /, " ") });
		return list;
	};
}

// Marks at round numbers, at most five.
function roundTicks(unit) {
	return (from, to) => {
		let step = 10 ** Math.floor(Math.log10(to));

		while (to / step > 5)
			step *= 2;
		while (to / step < 2)
			step /= 2;
		return Array.from({ length: Math.floor(to / step) + 1 }, (_, i) => ({ v: i * step, label: unit(i * step) }));
	};
}

function timeTicks(from, to, pixels) {
	const { step, list } = marks(from, to, Math.max(pixels / 90, 2));

	// In the corner stands the label of the other axis.
	return list.map(ms => ({ v: ms, label: ms - from < (to - from) * 0.02 ? "" : momentText(ms, step) }));
}

// All pictures count from the first moment that the report has anything about: mostly this is the job's start.
function axisName(data) {
	return data.zero === 0 ? "time since the job's start" : "time since the first known moment of the job";
}

function makeCharts(data, view, box, colours) {
	const charts = [];
	const late = []; // charts that do not show the current range yet
	let last = null, moving = null;
	let nodes = data.series, fit = false;

	const make = (tag, name, parent) => {
		const out = document.createElement(tag);
		if (name)
			out.className = name;
		parent?.append(out);
		return out;
	};
	const line = make("div", "cursor-line", box);

	const clock = make("span", "cursor-time", line);

	line.hidden = true;
	for (const chart of chartList(data)) {
		const figure = make("figure", "chart", box);
		const caption = make("figcaption", "", figure);
		const values = chart.lines.map(one => {
			const key = make("span", "key-value");
			const swatch = make("i", `swatch s-${one.colour}${one.dashed ? " dashed" : ""}`, key);
			swatch.setAttribute("aria-hidden", "true");
			key.append(`${one.name} `);
			return make("b", "", key);
		});

		for (const value of chart.stacked ? [...values].reverse() : values)
			caption.append(value.parentNode);

		caption.prepend(Object.assign(make("strong"), { textContent: chart.title }));
		const nothing = Object.assign(make("span", "label", caption), { textContent: "none" });
		const plot = make("div", "plot", figure);
		plot.setAttribute("role", "img");
		plot.setAttribute("aria-label", `Chart: ${chart.title}; the table below it has the same numbers`);
		charts.push({ ...chart, values, nothing, plot, figure });
	}

	// Returns what was allocated to the nodes that the charts are of; null: that is not known. Levels are of the highest node.
	function allocated(chart) {
		if (!chart.limit)
			return null;
		if (nodes.length === data.series.length && data[chart.limit])
			return data[chart.limit];
		const all = nodes.map(series => series[chart.limit] ?? null);
		return all.includes(null) ? null : chart.level ? Math.max(...all) : all.reduce((sum, one) => sum + one, 0);
	}

	// Returns the points in the range and one on either side, as fine as the chart needs.
	function visible(chart) {
		const most = moving ? POINTS_MOVING : POINTS_DRAWN;
		let level = 0, from, to;

		do {
			const rows = chart.levels[level];
			from = rowAt(rows, view.from);
			to = rowAt(rows, view.to);
		} while (to - from > most && ++level < chart.levels.length);
		const rows = chart.levels[Math.min(level, chart.levels.length - 1)];
		from = Math.max(from - 1, 0);
		chart.drawn = { rows, points: drawnPoints(chart, rows.slice(from, to + 2), from ? rows[from - 1][0] : chart.begin) };
		return chart.drawn.points;
	}

	function options(chart) {
		const paint = name => colours.state[name];
		return {
			dateWindow: [view.from, view.to],
			colors: chart.lines.map(one => paint(one.colour)),
			axes: {
				x: { drawAxis: chart === last, drawGrid: true, gridLineColor: colours.grid, axisLineColor: colours.grid,
					axisLabelFontSize: 11, axisLabelWidth: 84, ticker: timeTicks },
				y: { axisLabelWidth: GUTTER - 4, axisLabelFontSize: 11, gridLineColor: colours.grid, axisLineColor: colours.grid,
					axisLabelFormatter: value => chart.unit(value),
					ticker: (chart.binary ? binaryTicks : roundTicks)(chart.unit) },
			},
		};
	}

	// Finds what a chart shows of the chosen nodes; lines that are 0 all the time are hidden.
	function fill(chart) {
		const rows = chartPoints(data, chart, nodes);

		chart.graph?.destroy();
		chart.graph = chart.levels = chart.line = null;
		chart.figure.hidden = !rows.some(row => row.slice(1).some(value => value !== null));
		chart.highest = chart.lines.map((_, at) => rows.reduce((high, row) => Math.max(high, row[at + 1] ?? 0), 0));
		const least = chart.stacked ? Math.max(...chart.highest) / 1000 : 0; // a line below this cannot be seen
		chart.values.forEach((value, at) => value.parentNode.hidden = !(chart.highest[at] > least));
		chart.nothing.hidden = chart.highest.some(value => value > 0);
		chart.line = allocated(chart);
		chart.plot.hidden = !chart.nothing.hidden && chart.line === null;
		if (chart.figure.hidden || chart.plot.hidden)
			return;
		chart.levels = makeLevels(rows);
		chart.top = rows.reduce((high, row) => Math.max(high,
			chart.stacked ? row.slice(1).reduce((sum, one) => sum + (one ?? 0), 0) : Math.max(...row.slice(1))), 0);
		chart.begin = Math.min(...nodes.map(series => series.start ?? 0));
		last = chart;
	}

	// Data may lie below the text, in any colour: so it has a ground of its own.
	function labelLimit(text, context, x, y) {
		const wide = context.measureText(text).width;

		context.fillStyle = colours.page;
		context.fillRect(x - wide - 3, context.textBaseline === "bottom" ? y - 12 : y - 2, wide + 6, 14);
		context.fillStyle = colours.text;
		context.fillText(text, x, y);
	}

	function drawLimit(chart, context, area, y) {
		if (chart.line === null || y < area.y - 1)
			return;
		context.save();
		context.strokeStyle = colours.bad;
		context.setLineDash([6, 4]);
		context.beginPath();
		context.moveTo(area.x, y);
		context.lineTo(area.x + area.w, y);
		context.stroke();
		context.font = colours.font;
		context.textAlign = "right";
		context.textBaseline = y - area.y > 16 ? "bottom" : "top";
		labelLimit(chart.limitText(chart.line), context, area.x + area.w - 4, y + (y - area.y > 16 ? -3 : 4));
		context.restore();
	}

	function build() {
		last = null;
		late.length = 0;
		for (const chart of charts)
			fill(chart);
		for (const chart of charts.filter(one => one.levels)) {
			chart.plot.classList.toggle("last", chart === last);
			chart.graph = new Dygraph(chart.plot, visible(chart), {
				...options(chart),
				labels: ["time", ...chart.lines.map(one => one.name)],
				series: Object.fromEntries(chart.lines.map(one => [one.name, one.dashed ? { strokePattern: [4, 3] } : {}])),
				stackedGraph: Boolean(chart.stacked), fillGraph: Boolean(chart.stacked) || chart.lines.length === 1,
				fillAlpha: chart.stacked ? 0.6 : 0.25, strokeWidth: chart.stacked ? 0.8 : 1.5,
				legend: "never", highlightCircleSize: 0, interactionModel: {}, rightGap: 0, xRangePad: 0, labelsKMB: false,
				stepPlot: !chart.level, valueRange: [0, scaleTop(chart, fit)],
				plugins: [{ // above the data, as in a picture that is saved
					activate: graph => ({ didDrawChart: ({ drawingContext }) =>
						drawLimit(chart, drawingContext, graph.getArea(),
							chart.line === null ? 0 : graph.toDomYCoord(chart.line)) }),
				}],
			});
		}
	}

	function showCursor() {
		const ms = view.cursor;

		line.hidden = ms === null;
		if (ms !== null)
			line.style.left = `${GUTTER + (ms - view.from) / (view.to - view.from) * (box.clientWidth - GUTTER)}px`;
		clock.textContent = ms === null ? "" : momentText(ms, (view.to - view.from) / 1000);
		clock.classList.toggle("left", ms !== null && ms > (view.from + view.to) / 2);
		for (const chart of charts) {
			if (!chart.levels)
				continue;
			const row = ms === null ? null : valuesAt(chart, chart.drawn.rows, ms);
			chart.values.forEach((value, at) => {
				value.classList.toggle("quiet", ms === null);
				value.textContent = ms === null ? mostText(chart, at) :
					!row || row[at] === null ? "not known" : chart.unit(row[at]);
			});
		}
	}

	// Samples miss what lasts less than a second. So the kernel's own peak is shown beside their maximum.
	function mostText(chart, at) {
		const { peak } = chart.lines[at], most = `max ${chart.unit(chart.highest[at])}`;

		return peak > chart.highest[at] && chart.unit(peak) !== chart.unit(chart.highest[at]) ?
			`${most} as sampled, ${chart.unit(peak)} between` : most;
	}

	function drawOne(chart) {
		chart.graph.updateOptions({ dateWindow: [view.from, view.to], file: visible(chart) });
	}

	// Draws one chart in each frame, so that moving stays smooth.
	function drawNext() {
		drawOne(late.shift());
		if (late.length)
			requestAnimationFrame(drawNext);
	}

	function drawSoon() {
		const asked = late.length > 0;

		for (const chart of charts)
			if (chart.graph && !late.includes(chart))
				late.push(chart);
		if (!asked && late.length)
			requestAnimationFrame(drawNext);
	}

	function move() {
		clearTimeout(moving);
		moving = setTimeout(() => {
			moving = null;
			drawSoon();
		}, SETTLED_MS);
		drawSoon();
		showCursor();
	}

	function draw() {
		for (const chart of charts.filter(one => one.graph))
			drawOne(chart);
		showCursor();
	}

	const axis = make("p", "axis-name", box);

	axis.textContent = axisName(data);
	build();
	showCursor();
	view.listen(what => what === "cursor" ? showCursor() : move());
	return {
		draw,
		recolour() {
			for (const chart of charts)
				chart.graph?.updateOptions(options(chart));
		},
		resize() {
			for (const chart of charts)
				chart.graph?.resize();
			draw();
		},
		show(list) {
			nodes = list;
			build();
			draw();
		},
		// to the data, or to what was allocated
		fit(wanted) {
			fit = wanted;
			for (const chart of charts)
				chart.graph?.updateOptions({ valueRange: [0, scaleTop(chart, fit)] });
		},
		// what is shown, for picture.js
		shown() {
			return charts.filter(chart => chart.levels).map(chart => ({
				...chart, points: visible(chart), top: scaleTop(chart, fit), paint: chart.lines.map(one => colours.state[one.colour]),
				drawLimit: (context, area, y) => drawLimit(chart, context, area, y),
			}));
		},
	};
}

// SPDX-License-Identifier: GPL-2.0-or-later
// The charts below the timeline, on its x axis: what was used over time. dygraphs draws them.

// In the order in which html_states.c has them.
const STATE_WORDS = {
	"on-cpu": "on a CPU", runnable: "waiting for a CPU", memory: "memory", file: "file I/O", network: "network",
	lock: "locks", pipe: "pipes", idle: "child, event, sleep", other: "other",
};
const STATE_COLUMNS = {
	"on-cpu": ["on_cpu_s"], runnable: ["runnable_s"], memory: ["memory_stall_s", "fault_io_s"], file: ["file_io_s"],
	network: ["network_s"], lock: ["lock_s"], pipe: ["pipe_s"], idle: ["child_s", "event_s", "sleep_s"],
	other: ["other_s"],
};
const POINTS_DRAWN = 1200; // of a line, at most
const POINTS_MOVING = 300; // while the reader zooms and moves
const SETTLED_MS = 160;    // after which that is over

const number = value => value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const rate = value => `${sizeText(value)}/s`;

// What the charts show: lines of columns; level: as it stands, else by second. Of a stack the last line is lowest.
function chartList(data) {
	return [
		{
			title: "CPU", unit: number, limit: data.cpus, limitText: "allocated",
			lines: [{ name: "cores used", columns: ["cpu_s"], colour: "on-cpu" }],
		},
		{
			title: "Memory", unit: sizeText, level: true, limit: data.memory, limitText: "allocated", binary: true,
			lines: [
				{ name: "cache", columns: ["memory_cache_bytes"], colour: "idle" },
				{ name: "used", columns: ["memory_used_bytes"], colour: "memory", peak: data.memoryPeak },
			],
			stacked: true,
		},
		{
			title: "I/O", unit: rate, binary: true,
			lines: [
				{ name: "storage read", columns: ["read_bytes"], colour: "on-cpu" },
				{ name: "storage written", columns: ["write_bytes"], colour: "file" },
				{ name: "calls read", columns: ["syscall_read_bytes"], colour: "on-cpu", dashed: true },
				{ name: "calls written", columns: ["syscall_write_bytes"], colour: "file", dashed: true },
			],
		},
		{
			title: "Network", unit: rate, binary: true,
			lines: [
				{ name: "received", columns: ["socket_rx_bytes"], colour: "network" },
				{ name: "sent", columns: ["socket_tx_bytes"], colour: "pipe" },
			],
		},
		{
			title: "Threads, without those at rest", unit: number, stacked: true,
			lines: Object.keys(STATE_COLUMNS).filter(name => name !== "idle").reverse().map(name => ({
				name: STATE_WORDS[name], columns: STATE_COLUMNS[name], colour: name,
			})),
		},
	];
}

// The sum of lists of numbers, point by point; null where none is known.
function added(lists, points) {
	const out = new Array(points).fill(null);

	for (const list of lists)
		for (let i = 0; list && i < points; i++)
			if (list[i] !== null && list[i] !== undefined)
				out[i] = (out[i] ?? 0) + list[i];
	return out;
}

// One node's line as values at the ends of its points. Of milliseconds and of bytes in a point, what they were by second.
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

// Several nodes' lines on one axis: rates are added; of levels the highest node is shown, which is what limits act on.
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

// The points of a chart, [[ms, value...]...]: each stands for the time before it, so the first begins with a point more.
function chartPoints(data, chart, nodes) {
	const lines = chart.lines.map(line => joinNodes(nodes.map(series => ({
		start: series.start ?? 0,
		times: series.ends.map(end => (series.start ?? 0) + end),
		values: nodeLine(series, line, chart.level),
	})), chart.level));
	const rows = lines[0].times.map((ms, i) => [ms, ...lines.map(line => line.values[i])]);

	if (rows.length)
		rows.unshift([Math.min(...nodes.map(series => series.start ?? 0)), ...rows[0].slice(1)]);
	return rows;
}

// Each coarser than the one before by two points in one: the higher of them, so that no peak is lost.
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

// The index of the first row at or after the moment.
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

function timeTicks(from, to, pixels) {
	const { step, list } = marks(from, to, Math.max(pixels / 90, 2));

	// The corner is where the other axis has its label.
	return list.map(ms => ({ v: ms, label: ms - from < (to - from) * 0.02 ? "" : momentText(ms, step) }));
}

function makeCharts(data, view, box, colours) {
	const charts = [];
	const late = []; // charts that do not show the window yet
	let last = null, moving = null;
	let nodes = data.series;

	const make = (tag, name, parent) => {
		const out = document.createElement(tag);
		if (name)
			out.className = name;
		parent?.append(out);
		return out;
	};
	const line = make("div", "cursor-line", box);

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
		plot.setAttribute("aria-label", `Chart: ${chart.title}; the table below it tells the same`);
		charts.push({ ...chart, values, nothing, plot, figure });
	}

	// The points in the window and one on either side, as fine as the chart is to be.
	function visible(chart) {
		const most = moving ? POINTS_MOVING : POINTS_DRAWN;
		let level = 0, from, to;

		do {
			const rows = chart.levels[level];
			from = rowAt(rows, view.from);
			to = rowAt(rows, view.to);
		} while (to - from > most && ++level < chart.levels.length);
		return chart.levels[Math.min(level, chart.levels.length - 1)].slice(Math.max(from - 1, 0), to + 2);
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
					...(chart.binary ? { ticker: binaryTicks(chart.unit) } : { pixelsPerLabel: 26 }) },
			},
		};
	}

	// What the chart has to show of the nodes; nothing of what was used none of.
	function fill(chart) {
		const rows = chartPoints(data, chart, nodes);

		chart.graph?.destroy();
		chart.graph = chart.levels = null;
		chart.figure.hidden = !rows.some(row => row.slice(1).some(value => value !== null));
		chart.highest = chart.lines.map((_, at) => rows.reduce((high, row) => Math.max(high, row[at + 1] ?? 0), 0));
		const least = chart.stacked ? Math.max(...chart.highest) / 1000 : 0; // below which it cannot be seen
		chart.values.forEach((value, at) => value.parentNode.hidden = !(chart.highest[at] > least));
		chart.nothing.hidden = chart.highest.some(value => value > 0);
		chart.plot.hidden = !chart.nothing.hidden;
		if (chart.figure.hidden || chart.plot.hidden)
			return;
		chart.levels = makeLevels(rows);
		chart.top = rows.reduce((high, row) => Math.max(high,
			chart.stacked ? row.slice(1).reduce((sum, one) => sum + (one ?? 0), 0) : Math.max(...row.slice(1))), 0);
		// The limit is shown where what was used comes near it: else it would flatten all lines.
		chart.line = chart.limit && chart.top > chart.limit / 3 ? chart.limit : null;
		last = chart;
	}

	function drawLimit(chart, context, area, graph) {
		const y = chart.line === null ? 0 : graph.toDomYCoord(chart.line);

		if (chart.line === null)
			return;
		context.save();
		context.strokeStyle = colours.bad;
		context.setLineDash([6, 4]);
		context.beginPath();
		context.moveTo(area.x, y);
		context.lineTo(area.x + area.w, y);
		context.stroke();
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
				valueRange: [0, Math.max(chart.top, chart.line ?? 0) * 1.08],
				underlayCallback: (context, area, graph) => drawLimit(chart, context, area, graph),
			});
		}
	}

	function tell() {
		const ms = view.cursor;

		line.hidden = ms === null;
		if (ms !== null)
			line.style.left = `${GUTTER + (ms - view.from) / (view.to - view.from) * (box.clientWidth - GUTTER)}px`;
		for (const chart of charts) {
			if (!chart.levels)
				continue;
			const row = ms === null ? null : chart.levels[0][rowAt(chart.levels[0], ms)];
			chart.values.forEach((value, at) => {
				value.classList.toggle("quiet", !row);
				value.textContent = !row ? mostText(chart, at) :
					row[at + 1] === null ? "not known" : chart.unit(row[at + 1]);
			});
		}
	}

	// Samples miss what lasts less than a second: the peak that the kernel kept is told beside them.
	function mostText(chart, at) {
		const { peak } = chart.lines[at], most = `max ${chart.unit(chart.highest[at])}`;

		return peak > chart.highest[at] ? `${most} as sampled, ${chart.unit(peak)} between` : most;
	}

	function drawOne(chart) {
		chart.graph.updateOptions({ dateWindow: [view.from, view.to], file: visible(chart) });
	}

	// One chart a frame, the others in the next ones: what the reader moves is to move smoothly.
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
		tell();
	}

	function draw() {
		for (const chart of charts.filter(one => one.graph))
			drawOne(chart);
		tell();
	}

	build();
	tell();
	view.listen(what => what === "cursor" ? tell() : move());
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
	};
}

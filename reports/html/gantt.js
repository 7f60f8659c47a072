// SPDX-License-Identifier: GPL-2.0-or-later
// Draws steps, tasks and tools over time on one canvas. It draws only what is visible: the rows in the window and, in
// each lane, what lies between its edges, with at most one bar for each pixel.

const FORKED = 1, DISMISSED = 2, LIVING = 4, SLURMS = 8, SIGPIPE = 13;
const LANE = 15, BAR = 12, HEAD = 24, AXIS = 24, TOOL_COLOURS = 10;

// Gives a colour to each of the job's own tools that used most CPU time, of those that the rows show.
function pickTools(data, rows) {
	const { timeline } = data;
	const cpu = new Map(), colour = new Array(data.tools.length).fill(-1);

	for (const row of rows)
		for (const i of row.lane ?? [])
			if (timeline.tool[i] >= 0 && !(timeline.kind[i] & SLURMS))
				cpu.set(timeline.tool[i], (cpu.get(timeline.tool[i]) ?? 0) + (timeline.cpu[i] ?? 0));
	const top = [...cpu.keys()].sort((a, b) => cpu.get(b) - cpu.get(a)).slice(0, TOOL_COLOURS);
	top.forEach((tool, at) => colour[tool] = at);
	return { colour, top, count: cpu.size };
}

function makeGantt(data, view, element, colours) {
	const box = element("gantt"), space = element("gantt-space"), canvas = element("gantt-canvas");
	let context = canvas.getContext("2d"); // what is drawn on: the page, or a picture to save
	const { rows, startOf, endOf, order } = makeRows(data, view);
	const { timeline } = data;
	const tools = pickTools(data, rows);
	const tops = new Float64Array(rows.length + 1);
	const rowOf = new Int32Array(timeline.start.length), placeOf = new Int32Array(timeline.start.length);
	let width = 0, height = 0, asked = false, selected = -1, alone = -1, drawn = 0;

	rows.forEach((row, at) => {
		tops[at + 1] = tops[at] + (row.head ? HEAD : LANE);
		for (const entry of row.lane ?? [])
			rowOf[entry] = at;
	});
	order.forEach((entry, place) => placeOf[entry] = place);

	const plot = () => width - GUTTER;
	const xOf = ms => GUTTER + (ms - view.from) / (view.to - view.from) * plot();
	const timeAt = x => view.from + (x - GUTTER) / plot() * (view.to - view.from);
	const failed = i => (timeline.failures[i] ?? 0) > 0;

	// Returns the first of the lane's entries that ends after the moment.
	function firstAfter(lane, ms) {
		let low = 0, high = lane.length;

		while (low < high) {
			const middle = (low + high) >> 1;
			if (endOf(lane[middle]) <= ms)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	function toolColour(tool) {
		const at = tool >= 0 ? tools.colour[tool] : -1;
		return at < 0 ? colours.rest : colours.tools[at];
	}

	function drawBar(i, x, to, y) {
		const tool = timeline.tool[i], fill = toolColour(tool), wide = Math.max(to - x, 1);

		context.globalAlpha = alone >= 0 && tool !== alone ? 0.15 : 1;
		context.fillStyle = fill.fill;
		context.fillRect(x, y, wide, BAR);
		if (failed(i)) {
			context.fillStyle = colours.bad;
			context.fillRect(x, y + BAR - 3, wide, 3);
		}
		if (wide > 28 && tool >= 0 && context.globalAlpha === 1) { // paler, text could not be read
			const name = timeline.count[i] > 1 ? `${data.tools[tool]} × ${timeline.count[i]}` : data.tools[tool];
			const room = Math.floor((wide - 6) / colours.letter);
			context.fillStyle = fill.text;
			context.fillText(name.length > room ? name.slice(0, room - 1) + "…" : name, x + 3, y + BAR / 2 + 0.5);
		}
		context.globalAlpha = 1;
		drawn++;
	}

	function drawLane(lane, y) {
		let painted = -1;

		for (let at = firstAfter(lane, view.from); at < lane.length; at++) {
			const i = lane[at], start = startOf(i);
			if (start > view.to)
				break;
			const x = Math.max(xOf(start), GUTTER), to = Math.min(xOf(endOf(i)), width);
			if (to <= painted && !(failed(i) && painted - to < 1))
				continue; // its pixel has a bar already
			drawBar(i, x, Math.max(to - (to - x > 4 ? 1 : 0), x), y);
			painted = Math.floor(to) + 1;
		}
	}

	function drawHead(row, y) {
		context.fillStyle = row.step ? colours.band : colours.thin;
		context.fillRect(0, y + (row.step ? 1 : 3), width, HEAD - (row.step ? 3 : 6));
		if (row.start !== undefined && row.start !== null) {
			const x = Math.max(xOf(row.start), GUTTER), to = Math.min(xOf(row.end), width);
			context.fillStyle = colours.line;
			if (to > x)
				context.fillRect(x, y + HEAD - 4, to - x, 2);
		}
		context.fillStyle = colours.text;
		context.font = colours.bold;
		context.fillText(row.text, row.step ? 6 : 16, y + HEAD / 2);
		context.font = colours.font;
	}

	function outline(i, colour) {
		const y = tops[rowOf[i]] - box.scrollTop + AXIS;
		const x = Math.max(xOf(startOf(i)), GUTTER), to = Math.min(xOf(endOf(i)), width);

		if (to < x || y < AXIS - LANE)
			return;
		context.strokeStyle = colour;
		context.lineWidth = 2;
		context.strokeRect(x - 1, y, Math.max(to - x, 2) + 2, BAR + 2);
	}

	function drawAxis() {
		const { step, list } = marks(view.from, view.to, Math.max(plot() / 90, 2));

		context.fillStyle = colours.page;
		context.fillRect(0, 0, width, AXIS);
		context.fillStyle = colours.quiet;
		context.textAlign = "center";
		for (const ms of list) {
			const text = momentText(ms, step), half = context.measureText(text).width / 2;
			context.fillText(text, Math.min(Math.max(xOf(ms), half), width - half - 2), AXIS / 2);
		}
		context.textAlign = "left";
		context.strokeStyle = colours.grid;
		context.beginPath();
		context.moveTo(0, AXIS - 0.5);
		context.lineTo(width, AXIS - 0.5);
		context.stroke();
	}

	function drawGrid() {
		context.strokeStyle = colours.grid;
		context.lineWidth = 1;
		context.beginPath();
		for (const ms of marks(view.from, view.to, Math.max(plot() / 90, 2)).list) {
			const x = Math.round(xOf(ms)) + 0.5;
			context.moveTo(x, AXIS);
			context.lineTo(x, height);
		}
		context.stroke();
	}

	// Draws a scroll bar, since the browser's own would take its width from the time axis.
	function drawScroll() {
		const all = tops[rows.length] + AXIS + 6, track = height - AXIS;

		if (all <= height)
			return;
		context.fillStyle = colours.line;
		context.globalAlpha = 0.7;
		context.fillRect(width - 5, AXIS + box.scrollTop / all * track, 5, Math.max(height / all * track, 12));
		context.globalAlpha = 1;
	}

	function draw() {
		const top = box.scrollTop;
		let at = 0;

		asked = false;
		drawn = 0;
		context.clearRect(0, 0, width, height);
		context.font = colours.font;
		context.textBaseline = "middle";
		drawGrid();
		while (at < rows.length && tops[at + 1] < top)
			at++;
		for (; at < rows.length && tops[at] < top + height; at++) {
			const y = tops[at] - top + AXIS;
			if (rows[at].head)
				drawHead(rows[at], y);
			else
				drawLane(rows[at].lane, y + 1);
		}
		if (selected >= 0)
			outline(selected, colours.text);
		drawAxis();
		drawScroll();
		if (view.cursor !== null) {
			context.fillStyle = colours.cursor;
			context.fillRect(Math.round(xOf(view.cursor)), 0, 1, height);
		}
		box.dataset.drawn = drawn;
	}

	// Draws what is shown onto another context. Returns the height it takes.
	function drawOn(other) {
		const own = context;

		context = other;
		draw();
		context = own;
		draw();
		return height;
	}

	function ask() {
		if (!asked)
			requestAnimationFrame(draw);
		asked = true;
	}

	function resize() {
		const scale = window.devicePixelRatio || 1;
		const most = colours.printing ? 900 : Math.max(240, Math.round(window.innerHeight * 0.45));

		height = Math.min(tops[rows.length] + AXIS + 6, most);
		box.style.height = `${height}px`;
		space.style.height = `${tops[rows.length] + AXIS + 6}px`;
		width = space.clientWidth;
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
		context.setTransform(scale, 0, 0, scale, 0, 0);
		draw();
	}

	// Returns the entry at a place of the canvas; -1: none.
	function entryAt(x, y) {
		const down = y - AXIS + box.scrollTop;
		let low = 0, high = rows.length;

		if (y < AXIS || x < GUTTER)
			return -1;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (tops[middle + 1] <= down)
				low = middle + 1;
			else
				high = middle;
		}
		const lane = rows[low]?.lane, ms = timeAt(x), slack = 3 * (view.to - view.from) / plot();
		if (!lane)
			return -1;
		const near = firstAfter(lane, ms);
		let best = -1, distance = slack;
		for (const at of [near - 1, near]) {
			const i = lane[at];
			if (i === undefined)
				continue;
			const away = Math.max(startOf(i) - ms, ms - endOf(i), 0);
			if (away <= distance) {
				distance = away;
				best = i;
			}
		}
		return best;
	}

	// Returns what is known of an entry, as lines.
	function describe(i) {
		const known = (value, text) => value === null || value === undefined ? null : text(value);
		const count = timeline.count[i] ?? 1, start = timeline.start[i];
		const code = timeline.signal[i] ? `signal ${timeline.signal[i]}` : known(timeline.code[i], code => `exit code ${code}`);
		const dismissed = timeline.signal[i] === SIGPIPE ? " (the reader of its output had ended)" : " (ended by its parent)";
		const step = data.steps[timeline.step[i]], node = data.nodes[timeline.node[i]];
		const wait = STATE_WORDS[Object.keys(STATE_WORDS)[timeline.wait[i]]];
		const kib = value => sizeText(value * 1024);

		return [
			(data.tools[timeline.tool[i]] ?? "?") + (count > 1 ? ` × ${count}` : "") + (timeline.kind[i] & FORKED ? " (forked)" : ""),
			[step === undefined ? null : `step ${step}`, node, known(timeline.pid[i], pid => `pid ${pid}`)]
				.filter(text => text).join(", "),
			`${start === null ? "start not known" : "from " + momentText(start)}, ` +
				(timeline.length[i] === null ? "end not known" : `for ${lengthText(timeline.length[i])}${timeline.kind[i] & LIVING ? " so far" : ""}`) +
				(count > 1 ? ` in all, ${lengthText(timeline.wall[i] ?? 0)} of runs` : ""),
			[known(timeline.cpu[i], ms => `CPU ${lengthText(ms)}`), known(timeline.peak[i], peak => `resident peak ${kib(peak)}`)]
				.filter(text => text).join(", "),
			[known(timeline.read[i], size => `read ${kib(size)}`), known(timeline.write[i], size => `written ${kib(size)}`)]
				.filter(text => text).join(", "),
			wait && `threads waited most for: ${wait}, ${lengthText(timeline.waited[i])}`,
			count > 1 ? `${timeline.failures[i] ?? 0} failed` : code ? code + (timeline.kind[i] & DISMISSED ? dismissed : "") : timeline.kind[i] & LIVING && "still running",
		].filter(line => line);
	}

	function select(i) {
		selected = i;
		if (i >= 0) {
			const y = tops[rowOf[i]];
			if (y < box.scrollTop)
				box.scrollTop = y;
			else if (y + LANE > box.scrollTop + height - AXIS)
				box.scrollTop = y + LANE - height + AXIS + 6;
			if (endOf(i) < view.from || startOf(i) > view.to) {
				const length = view.to - view.from;
				view.show(startOf(i) - length / 4, startOf(i) + 3 * length / 4);
			}
		}
		ask();
	}

	// Selects the next entry in time (1), or the one before (-1); only of the tool that is shown alone, if there is
	// one.
	function step(by) {
		let place = selected < 0 ? (by > 0 ? 0 : order.length - 1) : placeOf[selected] + by;

		while (place >= 0 && place < order.length && alone >= 0 && timeline.tool[order[place]] !== alone)
			place += by;
		if (place >= 0 && place < order.length)
			select(order[place]);
		return selected;
	}

	view.listen(ask);
	box.addEventListener("scroll", ask);
	return {
		ask, draw, drawOn, resize, entryAt, describe, select, step, timeAt, tools,
		rows, box, toolColour,
		get selected() {
			return selected;
		},
		get alone() {
			return alone;
		},
		set alone(tool) {
			alone = tool;
			ask();
		},
		scroll(by) {
			box.scrollTop += by;
		},
	};
}

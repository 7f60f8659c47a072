// SPDX-License-Identifier: GPL-2.0-or-later
// What makes the page move: the pictures, tables that are sorted, and lines that are copied. Without it, all of the
// report but the pictures is there. Whatever comes from the report becomes text, never HTML.

const element = id => document.getElementById(id);
let GUTTER = 64; // px left of every picture, for the charts' numbers

// ---- tables and lines to paste ----

function sortBy(table, column, down) {
	const body = table.tBodies[0];
	const key = row => {
		const cell = row.cells[column], value = cell.dataset.v;
		return value !== undefined ? Number(value) : cell.classList.contains("unknown") ? null : cell.textContent;
	};
	const compare = (a, b) => {
		if (a === null || b === null)
			return a === b ? 0 : a === null ? 1 : -1; // what is not known stands last
		const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
		return down ? -order : order;
	};
	const rows = [...body.rows].map(row => ({ row, key: key(row) }));

	rows.sort((a, b) => compare(a.key, b.key));
	body.append(...rows.map(one => one.row));
}

function makeSortable(table) {
	const heads = [...table.tHead.rows[0].cells];

	heads.forEach((head, column) => {
		const button = document.createElement("button");

		button.type = "button";
		button.append(...head.childNodes);
		head.append(button);
		button.addEventListener("click", () => {
			const numbers = head.classList.contains("n");
			const down = head.ariaSort ? head.ariaSort === "ascending" : numbers;
			for (const other of heads)
				other.removeAttribute("aria-sort");
			head.setAttribute("aria-sort", down ? "descending" : "ascending");
			sortBy(table, column, down);
		});
	});
}

async function copyLines(button) {
	const from = element(button.dataset.from), text = from.textContent;
	let done = true;

	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const range = document.createRange();
		range.selectNodeContents(from);
		getSelection().removeAllRanges();
		getSelection().addRange(range);
		done = document.execCommand("copy");
	}
	button.textContent = done ? "Copied" : "Press Ctrl+C";
	setTimeout(() => button.textContent = "Copy", 2000);
}

// ---- data and colours ----

// Numbers that ascend stand as what each is above the one before.
function addUp(list) {
	let sum = 0;

	return list.map(step => step === null ? null : (sum += step));
}

async function readData() {
	const packed = Uint8Array.from(atob(element("data").textContent.trim()), c => c.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));

	const data = await new Response(stream).json();
	for (const name of ["start", "pid", "ppid"])
		data.timeline[name] = addUp(data.timeline[name]);
	return data;
}

function brightness(colour) {
	const [red, green, blue] = colour.match(/[0-9a-f]{2}/gi).map(part => parseInt(part, 16));
	return 0.299 * red + 0.587 * green + 0.114 * blue;
}

function readColours(colours) {
	const style = getComputedStyle(document.documentElement);
	const of = name => style.getPropertyValue(name).trim();
	const bar = fill => ({ fill, text: brightness(fill) > 140 ? "#111111" : "#ffffff" });

	Object.assign(colours, {
		page: of("--card"), text: of("--text"), quiet: of("--quiet"), grid: of("--grid"), line: of("--line"),
		band: of("--band"), thin: of("--thin"), bad: of("--bad"), cursor: of("--cursor"), rest: bar(of("--t-rest")),
		tools: Array.from({ length: TOOL_COLOURS }, (_, i) => bar(of(`--t${i}`))),
		state: Object.fromEntries(Object.keys(STATE_WORDS).map(name => [name, of(`--s-${name}`)])),
		font: `11px ${of("--sans")}`, bold: `600 11px ${of("--sans")}`, letter: 6,
	});
	return colours;
}

// ---- the reader's hands ----

// A drag moves, with Shift it zooms to a range; two fingers zoom; Ctrl and the wheel zoom, Shift and the wheel move.
function followPointer(area, view, gantt, range) {
	const fingers = new Map();
	let drag = null;
	const left = event => event.clientX - area.getBoundingClientRect().left;
	const plot = () => area.clientWidth - GUTTER;
	const timeAt = x => view.from + (x - GUTTER) / plot() * (view.to - view.from);
	const clamp = x => Math.min(Math.max(x, GUTTER), area.clientWidth);

	area.addEventListener("pointerdown", event => {
		if (event.button !== 0)
			return;
		fingers.set(event.pointerId, left(event));
		drag = { x: left(event), y: event.clientY, from: view.from, to: view.to, range: event.shiftKey, moved: false };
		if (fingers.size === 2)
			drag.fingers = [...fingers.values()].sort((a, b) => a - b).map(timeAt);
	});
	area.addEventListener("pointermove", event => {
		if (fingers.has(event.pointerId))
			fingers.set(event.pointerId, left(event));
		view.point(left(event) < GUTTER ? null : timeAt(left(event)));
		if (!drag || !fingers.has(event.pointerId))
			return;
		if (!drag.moved && Math.abs(left(event) - drag.x) < 4 && Math.abs(event.clientY - drag.y) < 4)
			return;
		if (!drag.moved)
			area.setPointerCapture(event.pointerId);
		drag.moved = true;
		if (drag.fingers && fingers.size === 2) {
			const [a, b] = [...fingers.values()].sort((one, other) => one - other);
			const scale = (drag.fingers[1] - drag.fingers[0]) / Math.max(b - a, 10);
			const from = drag.fingers[0] - (a - GUTTER) * scale;
			view.show(from, from + plot() * scale);
		} else if (drag.range) {
			const [a, b] = [clamp(drag.x), clamp(left(event))].sort((one, other) => one - other);
			range.hidden = false;
			range.style.left = `${a}px`;
			range.style.width = `${b - a}px`;
		} else {
			const by = (left(event) - drag.x) / plot() * (drag.to - drag.from);
			view.show(drag.from - by, drag.to - by);
			if (event.pointerType === "mouse")
				gantt.scroll(drag.y - event.clientY);
			drag.y = event.clientY;
		}
	});
	const end = event => {
		fingers.delete(event.pointerId);
		if (drag?.range && drag.moved) {
			const [a, b] = [clamp(drag.x), clamp(left(event))].map(timeAt).sort((one, other) => one - other);
			if (event.type === "pointerup" && b > a)
				view.show(a, b);
			range.hidden = true;
		}
		drag = null;
	};
	area.addEventListener("pointerup", end);
	area.addEventListener("pointercancel", end);
	area.addEventListener("pointerleave", () => view.point(null));
	area.addEventListener("dblclick", event => view.zoom(event.shiftKey ? 2 : 0.5, timeAt(clamp(left(event)))));
	area.addEventListener("wheel", event => {
		if (event.ctrlKey || event.metaKey) {
			event.preventDefault();
			view.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 60) / 250), timeAt(clamp(left(event))));
		} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			event.preventDefault();
			view.pan((event.deltaX || event.deltaY) / plot());
		}
	}, { passive: false });
}

function followKeys(box, view, gantt, tellEntry) {
	const keys = {
		ArrowLeft: () => view.pan(-0.15), ArrowRight: () => view.pan(0.15),
		ArrowUp: () => gantt.scroll(-3 * LANE), ArrowDown: () => gantt.scroll(3 * LANE),
		PageUp: () => gantt.scroll(-box.clientHeight), PageDown: () => gantt.scroll(box.clientHeight),
		"+": () => view.zoom(0.67), "=": () => view.zoom(0.67), "-": () => view.zoom(1.5),
		"0": () => view.show(0, view.end), Home: () => view.show(0, view.to - view.from),
		End: () => view.show(view.end - (view.to - view.from), view.end),
		n: () => tellEntry(gantt.step(1)), p: () => tellEntry(gantt.step(-1)),
		Escape: () => tellEntry(-1),
	};

	box.addEventListener("keydown", event => {
		const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
		if (!action)
			return;
		event.preventDefault();
		action();
	});
}

// What stands beside the pointer.
function followTip(gantt, tip, tellEntry) {
	let shown = -1;
	const hide = () => {
		tip.hidden = true;
		shown = -1;
	};

	gantt.box.addEventListener("pointermove", event => {
		const place = gantt.box.getBoundingClientRect();
		const i = gantt.entryAt(event.clientX - place.left, event.clientY - place.top);

		if (i < 0 || event.buttons) {
			hide();
			return;
		}
		if (i !== shown) {
			const [name, ...lines] = gantt.describe(i);
			const head = document.createElement("strong");
			head.textContent = name;
			tip.replaceChildren(head, ...lines.map(line => Object.assign(document.createElement("div"), { textContent: line })));
			tip.hidden = false;
			shown = i;
		}
		const x = Math.min(event.clientX + 14, document.documentElement.clientWidth - tip.offsetWidth - 6);
		const y = event.clientY + 18 + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18;
		tip.style.left = `${Math.max(x, 4)}px`;
		tip.style.top = `${Math.max(y, 4)}px`;
	});
	gantt.box.addEventListener("pointerleave", hide);
	gantt.box.addEventListener("click", event => {
		const place = gantt.box.getBoundingClientRect();
		tellEntry(gantt.entryAt(event.clientX - place.left, event.clientY - place.top));
	});
}

function makeLegend(data, gantt, legend, colours) {
	const buttons = gantt.tools.top.map(tool => {
		const button = document.createElement("button"), key = document.createElement("i");

		button.type = "button";
		button.setAttribute("aria-pressed", "false");
		key.className = `swatch t${gantt.tools.colour[tool]}`;
		key.setAttribute("aria-hidden", "true");
		button.append(key, data.tools[tool]);
		button.addEventListener("click", () => {
			gantt.alone = gantt.alone === tool ? -1 : tool;
			for (const other of buttons)
				other.setAttribute("aria-pressed", String(other === button && gantt.alone >= 0));
		});
		return button;
	});

	legend.append(...buttons);
	if (data.tools.length > buttons.length)
		legend.append(Object.assign(document.createElement("span"), {
			className: "label", textContent: `and ${data.tools.length - buttons.length} more in grey`,
		}));
	const failed = Object.assign(document.createElement("span"), { className: "label failed", textContent: "failed" });
	legend.append(failed);
}

// Charts of one node, or of all.
function makeChooser(data, charts, box) {
	const label = document.createElement("label"), select = document.createElement("select");
	const add = (text, value) => select.append(Object.assign(document.createElement("option"), { textContent: text, value }));

	add(`all ${data.series.length} nodes: sums, and of memory the highest`, "-1");
	data.series.forEach((series, at) => add(data.nodes[series.node] ?? "?", String(at)));
	select.addEventListener("change", () =>
		charts.show(Number(select.value) < 0 ? data.series : [data.series[Number(select.value)]]));
	label.className = "chooser";
	label.append("Charts of ", select);
	box.before(label);
}

// ---- all of it ----

function timeRange(data) {
	const ends = data.timeline.start.map((start, i) => (start ?? 0) + (data.timeline.length[i] ?? 0));

	for (const series of data.series)
		ends.push((series.start ?? 0) + (series.ends[series.ends.length - 1] ?? 0));
	for (const row of data.stepRows)
		ends.push(row.end ?? 0);
	return ends.reduce((a, b) => Math.max(a, b), Math.max(data.end ?? 0, 1));
}

function setGutter() {
	GUTTER = document.documentElement.clientWidth < 600 ? 58 : 64;
	document.documentElement.style.setProperty("--gutter", `${GUTTER}px`);
}

function makePictures(data) {
	const view = makeView(timeRange(data)), colours = readColours({});
	const dark = matchMedia("(prefers-color-scheme: dark)");

	element("pictures").hidden = false;
	setGutter();
	const gantt = makeGantt(data, view, element, colours);
	const charts = typeof Dygraph === "function" && data.series.length ? makeCharts(data, view, element("charts"), colours) : null;
	const range = Object.assign(document.createElement("div"), { className: "range", hidden: true });
	const tellRange = () => {
		const length = view.to - view.from, step = length / 1000;
		element("range").textContent = `${momentText(view.from, step)} to ${momentText(view.to, step)} of ${momentText(view.end, 1000)}`;
	};
	const tellEntry = i => {
		gantt.select(i);
		element("entry").textContent = i < 0 ? "" : gantt.describe(i).join("; ");
	};
	const redraw = () => {
		setGutter();
		readColours(colours);
		gantt.resize();
		charts?.recolour();
		charts?.resize();
	};

	if (data.timeline.start.length === 0)
		gantt.box.hidden = true;
	element("pictures").append(range);
	followPointer(gantt.box, view, gantt, range);
	if (charts)
		followPointer(element("charts"), view, { scroll() {} }, range);
	followKeys(gantt.box, view, gantt, tellEntry);
	followTip(gantt, element("tip"), tellEntry);
	makeLegend(data, gantt, element("tool-legend"), colours);
	if (charts && data.series.length > 1)
		makeChooser(data, charts, element("charts"));
	for (const [id, action] of Object.entries({
		"zoom-in": () => view.zoom(0.5), "zoom-out": () => view.zoom(2), "pan-left": () => view.pan(-0.3),
		"pan-right": () => view.pan(0.3), fit: () => view.show(0, view.end),
	}))
		element(id).addEventListener("click", action);
	view.listen(what => what === "range" && tellRange());
	tellRange();
	gantt.resize();
	dark.addEventListener("change", redraw);
	let last = 0;
	new ResizeObserver(() => {
		if (colours.printing || element("pictures").clientWidth === last)
			return;
		last = element("pictures").clientWidth;
		redraw();
	}).observe(element("pictures"));
	for (const [event, printing] of [["beforeprint", true], ["afterprint", false]])
		addEventListener(event, () => {
			document.documentElement.classList.toggle("printing", printing);
			colours.printing = printing;
			redraw();
		});
}

function expandForPrint() {
	let closed = [];

	addEventListener("beforeprint", () => {
		closed = [...document.querySelectorAll("details:not([open]):not(.licence)")];
		for (const one of closed)
			one.open = true;
	});
	addEventListener("afterprint", () => {
		for (const one of closed)
			one.open = false;
	});
}

async function start() {
	for (const table of document.querySelectorAll("table"))
		makeSortable(table);
	for (const button of document.querySelectorAll("button.copy")) {
		button.hidden = false;
		button.addEventListener("click", () => copyLines(button));
	}
	expandForPrint();
	try {
		const data = await readData();
		if (data.timeline.start.length || data.series.length)
			makePictures(data);
	} catch (error) {
		element("no-pictures").hidden = false;
		element("no-pictures").textContent = typeof DecompressionStream === "undefined" ?
			"This browser is too old for the pictures; the tables below tell the same." :
			`The pictures could not be drawn (${error.message}); the tables below tell the same.`;
	}
	document.documentElement.dataset.ready = "true";
}

start();

// SPDX-License-Identifier: GPL-2.0-or-later
// Moves the page: draws the pictures, sorts tables, copies lines. Without it, all of the report but the pictures is
// there. Whatever comes from the report becomes text, never HTML.

const element = id => document.getElementById(id);
let GUTTER = 64; // px left of each picture, for the numbers of the charts' axes

// ---- lines to paste ----

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

// Undoes the differences by which columns of ascending numbers are stored.
function addUp(list) {
	let sum = 0;

	return list.map(step => step === null ? null : (sum += step));
}

async function readData() {
	const data = await unpacked(element("data"));

	for (const name of ["start", "pid", "ppid"])
		data.timeline[name] = addUp(data.timeline[name]);
	return data;
}

// Relative luminance by WCAG 2.
function luminance(colour) {
	const [red, green, blue] = colour.match(/[0-9a-f]{2}/gi).map(part => parseInt(part, 16) / 255)
		.map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// Returns black or white, whichever has the higher contrast to a colour: that is 4.58 or more for every colour.
function textOn(colour) {
	const of = luminance(colour);
	return 1.05 / (of + 0.05) > (of + 0.05) / 0.05 ? "#ffffff" : "#000000";
}

function readColours(colours) {
	const style = getComputedStyle(document.documentElement);
	const of = name => style.getPropertyValue(name).trim();
	const bar = fill => ({ fill, text: textOn(fill) });

	Object.assign(colours, {
		page: of("--card"), text: of("--text"), quiet: of("--quiet"), grid: of("--grid"), line: of("--line"),
		band: of("--band"), thin: of("--thin"), bad: of("--bad"), cursor: of("--cursor"), rest: bar(of("--t-rest")),
		tools: Array.from({ length: TOOL_COLOURS }, (_, i) => bar(of(`--t${i}`))),
		state: Object.fromEntries(Object.keys(STATE_WORDS).map(name => [name, of(`--s-${name}`)])),
		font: `11px ${of("--sans")}`, bold: `600 11px ${of("--sans")}`, letter: 6,
	});
	return colours;
}

// ---- mouse, fingers and keys ----

// A drag moves, and with Shift it zooms to a range. Two fingers zoom. The wheel zooms with Ctrl, and moves with Shift.
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

function followKeys(box, view, gantt, describeEntry) {
	const keys = {
		ArrowLeft: () => view.pan(-0.15), ArrowRight: () => view.pan(0.15),
		ArrowUp: () => gantt.scroll(-3 * LANE), ArrowDown: () => gantt.scroll(3 * LANE),
		PageUp: () => gantt.scroll(-box.clientHeight), PageDown: () => gantt.scroll(box.clientHeight),
		"+": () => view.zoom(0.67), "=": () => view.zoom(0.67), "-": () => view.zoom(1.5),
		"0": () => view.show(0, view.end), Home: () => view.show(0, view.to - view.from),
		End: () => view.show(view.end - (view.to - view.from), view.end),
		n: () => describeEntry(gantt.step(1)), p: () => describeEntry(gantt.step(-1)),
		Escape: () => describeEntry(-1),
	};

	box.addEventListener("keydown", event => {
		const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
		if (!action)
			return;
		event.preventDefault();
		action();
	});
}

// Shows an entry's details beside the pointer.
function followTip(gantt, tip, describeEntry) {
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
		describeEntry(gantt.entryAt(event.clientX - place.left, event.clientY - place.top));
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
	if (gantt.tools.count > buttons.length)
		legend.append(Object.assign(document.createElement("span"), {
			className: "label", textContent: `and ${gantt.tools.count - buttons.length} more in grey`,
		}));
	const failed = Object.assign(document.createElement("span"), { className: "label failed", textContent: "failed" });
	legend.append(failed);
}

// Lets the reader choose the charts of one node, or of all.
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

// ---- the whole page ----

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
	const showRange = () => {
		const length = view.to - view.from, step = length / 1000;
		element("range").textContent = `${momentText(view.from, step)} to ${momentText(view.to, step)} of ${momentText(view.end, 1000)}`;
	};
	const describeEntry = i => {
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
	followKeys(gantt.box, view, gantt, describeEntry);
	followTip(gantt, element("tip"), describeEntry);
	makeLegend(data, gantt, element("tool-legend"), colours);
	if (charts && data.series.length > 1)
		makeChooser(data, charts, element("charts"));
	for (const [id, action] of Object.entries({
		"zoom-in": () => view.zoom(0.5), "zoom-out": () => view.zoom(2), "pan-left": () => view.pan(-0.3),
		"pan-right": () => view.pan(0.3), fit: () => view.show(0, view.end),
	}))
		element(id).addEventListener("click", action);
	if (charts) {
		element("scale").hidden = false;
		element("scale").addEventListener("change", event => charts.fit(event.target.value === "fit"));
	}
	for (const kind of ["svg", "png"])
		element(`save-${kind}`).addEventListener("click", () => savePicture(kind, { gantt, charts, view, data, colours, redraw }));
	view.listen(what => what === "range" && showRange());
	showRange();
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
	for (const table of document.querySelectorAll("table:not(.plain-table)"))
		await makeList(table);
	for (const button of document.querySelectorAll("button.copy")) {
		button.hidden = false;
		button.addEventListener("click", () => copyLines(button));
	}
	expandForPrint();
	if (element("data"))
		await startPictures();
	document.documentElement.dataset.ready = "true";
}

async function startPictures() {
	try {
		const data = await readData();
		if (data.timeline.start.length || data.series.length)
			makePictures(data);
	} catch (error) {
		element("no-pictures").hidden = false;
		element("no-pictures").textContent = typeof DecompressionStream === "undefined" ?
			"This browser is too old for the pictures; the tables below have the same numbers." :
			`The pictures could not be drawn (${error.message}); the tables below have the same numbers.`;
	}
}

start();

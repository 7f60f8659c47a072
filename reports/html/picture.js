// SPDX-License-Identifier: GPL-2.0-or-later
// Saves what the pictures show as one file for a paper: as SVG or PNG, in the light colours, as wide as the page shows it.

const PNG_SCALE = 3; // some 300 dots an inch where the picture is printed 4 inches wide
const MARGIN = 12, CAPTION = 20, PLOT = 120, BETWEEN = 12;

const xmlText = text => String(text).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);

// What the pictures use of a canvas's context, written as SVG.
class SvgContext {
	constructor(width, height) {
		Object.assign(this, { width, height, out: [], path: [], x: 0, y: 0, dash: [], globalAlpha: 1, lineWidth: 1,
			fillStyle: "#000000", strokeStyle: "#000000", font: "11px sans-serif", textAlign: "left", textBaseline: "alphabetic" });
		this.saved = [];
		this.measure = document.createElement("canvas").getContext("2d");
	}
	save() {
		const { x, y, dash, globalAlpha, lineWidth, fillStyle, strokeStyle, font, textAlign, textBaseline } = this;
		this.saved.push({ x, y, dash, globalAlpha, lineWidth, fillStyle, strokeStyle, font, textAlign, textBaseline });
	}
	restore() {
		Object.assign(this, this.saved.pop());
	}
	translate(x, y) {
		this.x += x;
		this.y += y;
	}
	setLineDash(dash) {
		this.dash = dash;
	}
	clearRect() {
	}
	place(x, y) {
		return `${(x + this.x).toFixed(1)} ${(y + this.y).toFixed(1)}`;
	}
	look() {
		return this.globalAlpha === 1 ? "" : ` opacity="${this.globalAlpha}"`;
	}
	line() {
		return ` fill="none" stroke="${xmlText(this.strokeStyle)}" stroke-width="${this.lineWidth}"` +
			(this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "") + this.look();
	}
	rect(x, y, width, height, look) {
		this.out.push(`<rect x="${(x + this.x).toFixed(1)}" y="${(y + this.y).toFixed(1)}" width="${Math.max(width, 0).toFixed(1)}" ` +
			`height="${height.toFixed(1)}"${look}/>`);
	}
	fillRect(x, y, width, height) {
		this.rect(x, y, width, height, ` fill="${xmlText(this.fillStyle)}"${this.look()}`);
	}
	strokeRect(x, y, width, height) {
		this.rect(x, y, width, height, this.line());
	}
	beginPath() {
		this.path = [];
	}
	moveTo(x, y) {
		this.path.push(`M${this.place(x, y)}`);
	}
	lineTo(x, y) {
		this.path.push(`L${this.place(x, y)}`);
	}
	stroke() {
		this.out.push(`<path d="${this.path.join("")}"${this.line()}/>`);
	}
	fill() {
		this.out.push(`<path d="${this.path.join("")}" fill="${xmlText(this.fillStyle)}"${this.look()}/>`);
	}
	measureText(text) {
		this.measure.font = this.font;
		return this.measure.measureText(text);
	}
	fillText(text, x, y) {
		const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign];
		const down = { alphabetic: 0, middle: 4, top: 10, bottom: -2 }[this.textBaseline];
		const [, weight, size] = /^(\d+ )?(\d+)px/.exec(this.font) ?? [null, null, "11"];

		this.out.push(`<text x="${(x + this.x).toFixed(1)}" y="${(y + this.y + down).toFixed(1)}" text-anchor="${anchor}" ` +
			`font-size="${size}"${weight ? ` font-weight="${weight.trim()}"` : ""} fill="${xmlText(this.fillStyle)}"${this.look()}>` +
			`${xmlText(text)}</text>`);
	}
	text() {
		return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" ` +
			`viewBox="0 0 ${this.width} ${this.height}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n${this.out.join("\n")}\n</svg>\n`;
	}
}

// Follows the points of one line: as steps for a rate, straight for a level. The line breaks where nothing is known.
function tracePoints(context, points, value, x, y, steps) {
	let before = null;

	context.beginPath();
	for (const point of points) {
		const now = value(point);
		if (now === null) {
			before = null;
			continue;
		}
		if (before === null)
			context.moveTo(x(point[0]), y(now));
		else if (steps)
			context.lineTo(x(point[0]), y(before));
		context.lineTo(x(point[0]), y(now));
		before = now;
	}
}

// Fills the area below a line, down to the axis. A stack's upper lines are drawn first: the lower ones cover them.
function fillBelow(context, points, value, x, y, steps) {
	const known = points.filter(point => value(point) !== null);

	if (known.length < 2)
		return;
	tracePoints(context, known, value, x, y, steps);
	context.lineTo(x(known[known.length - 1][0]), y(0));
	context.lineTo(x(known[0][0]), y(0));
	context.fill();
}

function drawChart(context, chart, view, width, colours, last) {
	const area = { x: GUTTER, y: CAPTION, w: width - GUTTER, h: PLOT };
	const x = ms => area.x + Math.min(Math.max((ms - view.from) / (view.to - view.from), 0), 1) * area.w;
	const y = value => area.y + area.h - Math.min(value / chart.top, 1) * area.h;
	const ticks = (chart.binary ? binaryTicks : roundTicks)(chart.unit)(0, chart.top, PLOT);
	const times = marks(view.from, view.to, Math.max(area.w / 90, 2));
	const shown = chart.lines.map((line, i) => ({ ...line, i, paint: chart.paint[i] })).filter(line => chart.highest[line.i] > 0);
	let left = area.x;

	context.textBaseline = "middle";
	context.textAlign = "left";
	context.font = colours.bold;
	context.fillStyle = colours.text;
	context.fillText(chart.title, left, CAPTION / 2);
	left += context.measureText(chart.title).width + 16;
	context.font = colours.font;
	for (const line of chart.stacked ? [...shown].reverse() : shown) {
		context.fillStyle = line.paint;
		context.fillRect(left, CAPTION / 2 - 5, 10, line.dashed ? 3 : 10);
		context.fillStyle = colours.text;
		context.fillText(line.name, left + 14, CAPTION / 2);
		left += 14 + context.measureText(line.name).width + 14;
	}
	context.strokeStyle = colours.grid;
	context.lineWidth = 1;
	context.fillStyle = colours.quiet;
	context.textAlign = "right";
	for (const tick of ticks) {
		context.beginPath();
		context.moveTo(area.x, y(tick.v));
		context.lineTo(width, y(tick.v));
		context.stroke();
		context.fillText(tick.label, area.x - 5, y(tick.v));
	}
	shown.forEach((line, place) => {
		const sum = point => chart.stacked ? shown.slice(place).reduce((all, other) => point[other.i + 1] === null ? all :
			(all ?? 0) + point[other.i + 1], null) : point[line.i + 1];
		if (chart.stacked || chart.lines.length === 1) {
			context.fillStyle = line.paint;
			context.globalAlpha = chart.stacked ? 1 : 0.25;
			fillBelow(context, chart.points, sum, x, y, !chart.level);
			context.globalAlpha = 1;
		}
		context.strokeStyle = line.paint;
		context.lineWidth = 1.5;
		context.setLineDash(line.dashed ? [4, 3] : []);
		tracePoints(context, chart.points, sum, x, y, !chart.level);
		context.stroke();
		context.setLineDash([]);
		context.lineWidth = 1;
	});
	if (chart.line !== null)
		chart.drawLimit(context, area, y(chart.line));
	if (!last)
		return CAPTION + PLOT;
	context.fillStyle = colours.quiet;
	context.textAlign = "center";
	context.textBaseline = "middle";
	for (const ms of times.list)
		context.fillText(momentText(ms, times.step), Math.min(Math.max(x(ms), 24), width - 24), CAPTION + PLOT + 10);
	return CAPTION + PLOT + 20;
}

// Draws all onto a context. Returns the height it takes.
function drawPicture(context, width, { gantt, charts, view, data, colours }) {
	let y = MARGIN;
	const below = (height, between) => {
		context.restore();
		y += height + between;
	};
	const begin = () => {
		context.save();
		context.translate(MARGIN, y);
	};

	if (data.timeline.start.length) {
		begin();
		below(gantt.drawOn(context), BETWEEN);
	}
	const shown = charts?.shown() ?? [];
	shown.forEach((chart, i) => {
		begin();
		below(drawChart(context, chart, view, width, colours, i === shown.length - 1), BETWEEN);
	});
	context.textAlign = "right";
	context.textBaseline = "middle";
	context.font = colours.font;
	context.fillStyle = colours.quiet;
	context.fillText(axisName(data), MARGIN + width, y + 2);
	return y + MARGIN;
}

function saveAs(blob, name) {
	const link = document.createElement("a");

	link.href = URL.createObjectURL(blob);
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function savePicture(kind, pictures) {
	const root = document.documentElement, job = document.title.split(" ")[1] ?? "job";
	const width = element("gantt").clientWidth || element("charts").clientWidth;
	const whole = width + 2 * MARGIN;

	root.classList.add("printing"); // the light colours
	pictures.view.point(null);
	readColours(pictures.colours);
	const svg = new SvgContext(whole, 0);
	svg.height = Math.ceil(drawPicture(svg, width, pictures));
	svg.out.unshift(`<rect width="100%" height="100%" fill="#ffffff"/>`);
	const name = `stint-${job.replace(/[^\w+.-]/g, "_")}.${kind}`;
	if (kind === "svg") {
		saveAs(new Blob([svg.text()], { type: "image/svg+xml" }), name);
	} else {
		const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
		canvas.width = whole * PNG_SCALE;
		canvas.height = svg.height * PNG_SCALE;
		context.scale(PNG_SCALE, PNG_SCALE);
		context.fillStyle = "#ffffff";
		context.fillRect(0, 0, whole, svg.height);
		context.clearRect = () => {};
		drawPicture(context, width, pictures);
		saveAs(await new Promise(done => canvas.toBlob(done, "image/png")), name);
	}
	root.classList.remove("printing");
	pictures.redraw();
}

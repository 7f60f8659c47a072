// SPDX-License-Identifier: GPL-2.0-or-later
// Tables that are sorted by a click on a head. Where a table has more rows than the page shows (list.c), all of them are read
// from compressed data, and its reader can turn pages and search.

const ROWS_SHOWN = 100; // as in list.c

async function unpacked(from) {
	const packed = Uint8Array.from(atob(from.textContent.trim()), c => c.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));

	return new Response(stream).json();
}

// Unknown values, which are null, come last either way.
function compareKeys(a, b, down) {
	if (a === null || b === null)
		return a === b ? 0 : a === null ? 1 : -1;
	const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
	return down ? -order : order;
}

// Makes buttons of the table's heads; sort(column, down) is called for a click.
function makeHeads(table, sort) {
	const heads = [...table.tHead.rows[0].cells];

	heads.forEach((head, column) => {
		const button = document.createElement("button");

		button.type = "button";
		button.append(...head.childNodes);
		head.append(button);
		button.addEventListener("click", () => {
			const down = head.ariaSort ? head.ariaSort === "ascending" : head.classList.contains("n");
			for (const other of heads)
				other.removeAttribute("aria-sort");
			head.setAttribute("aria-sort", down ? "descending" : "ascending");
			sort(column, down);
		});
	});
}

// ---- tables that are in the page as a whole ----

function sortBy(table, column, down) {
	const body = table.tBodies[0];
	const key = row => {
		const cell = row.cells[column], value = cell.dataset.v;
		return value !== undefined ? Number(value) : cell.classList.contains("unknown") ? null : cell.textContent;
	};
	const rows = [...body.rows].map(row => ({ row, key: key(row) }));

	rows.sort((a, b) => compareKeys(a.key, b.key, down));
	body.append(...rows.map(one => one.row));
}

// ---- tables of many rows ----

// A cell: its text, or [text, value, style, file, share, title].
const cellText = cell => Array.isArray(cell) ? cell[0] : cell;
const cellKey = cell => Array.isArray(cell) ? cell[1] ?? cell[0] : cell;

function shareBar(share) {
	const svg = (tag, attributes) => {
		const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
		for (const [name, value] of Object.entries(attributes))
			out.setAttribute(name, value);
		return out;
	};
	const bar = svg("svg", { class: "bar", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" });

	bar.append(svg("rect", { class: "whole", width: 100, height: 4 }),
		svg("rect", { class: "part", width: 100 * Math.min(Math.max(share, 0), 1), height: 4 }));
	return bar;
}

function makeCell(cell, head, first) {
	const out = document.createElement(first ? "th" : "td");
	const [text, , style, file, share, title] = Array.isArray(cell) ? cell : [cell];
	let place = out;

	out.className = head.classList.contains("n") ? "n" : "";
	if (first)
		out.scope = "row";
	if (text === null) {
		out.classList.add("unknown");
		out.textContent = "-";
		return out;
	}
	if (style)
		out.classList.add(style);
	if (title)
		out.title = title;
	if (typeof share === "number") {
		const bar = shareBar(share);
		bar.classList.add(style);
		out.classList.add("share");
		out.append(bar);
		place = out.appendChild(document.createElement("span"));
	}
	if (file) {
		const link = document.createElement("a");
		link.setAttribute("href", `./${file}`);
		place = place.appendChild(link);
	}
	place.textContent = text;
	return out;
}

function makePaged(table, rows) {
	const heads = [...table.tHead.rows[0].cells], box = table.parentElement;
	const bar = document.createElement("div"), shown = document.createElement("span"), search = document.createElement("input");
	let found = rows, at = 0;

	const show = () => {
		at = Math.max(0, Math.min(at, Math.floor((found.length - 1) / ROWS_SHOWN) * ROWS_SHOWN));
		table.tBodies[0].replaceChildren(...found.slice(at, at + ROWS_SHOWN).map(row => {
			const out = document.createElement("tr");
			out.append(...row.map((cell, column) => makeCell(cell, heads[column], column === 0)));
			return out;
		}));
		shown.textContent = found.length === 0 ? `none of ${rows.length}` :
			`${at + 1} to ${Math.min(at + ROWS_SHOWN, found.length)} of ${found.length}` +
			(found.length < rows.length ? ` (of ${rows.length})` : "");
		box.scrollTop = 0;
	};
	const button = (text, label, by) => {
		const out = document.createElement("button");
		out.type = "button";
		out.textContent = text;
		out.setAttribute("aria-label", label);
		out.addEventListener("click", () => {
			at += by;
			show();
		});
		return out;
	};

	search.type = "search";
	search.placeholder = "Search";
	search.setAttribute("aria-label", "Search the table");
	search.addEventListener("input", () => {
		const words = search.value.toLowerCase();
		found = rows.filter(row => row.some(cell => (cellText(cell) ?? "").toLowerCase().includes(words)));
		at = 0;
		show();
	});
	bar.className = "controls";
	shown.setAttribute("aria-live", "polite");
	bar.append(search, button("←", "Previous rows", -ROWS_SHOWN), button("→", "Next rows", ROWS_SHOWN), shown);
	box.before(bar);
	makeHeads(table, (column, down) => {
		const order = (a, b) => compareKeys(cellKey(a[column]), cellKey(b[column]), down);
		rows.sort(order);
		found = found.length === rows.length ? rows : [...found].sort(order);
		at = 0;
		show();
	});
	show();
}

async function makeList(table) {
	const data = document.querySelector(`script.rows[data-of="${table.id}"]`);

	if (!table.id || !data || typeof DecompressionStream === "undefined") {
		makeHeads(table, (column, down) => sortBy(table, column, down));
		return;
	}
	makePaged(table, await unpacked(data));
	data.previousElementSibling.hidden = true; // how many there are, for pages without a script
}

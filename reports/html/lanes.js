// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the row of the picture for each entry of the timeline: below its step, below its task where the step has
// several, in the first free lane.

// A heap: its first element is the smallest.
class Heap {
	constructor(before) {
		this.list = [];
		this.before = before;
	}
	get size() {
		return this.list.length;
	}
	get first() {
		return this.list[0];
	}
	push(one) {
		const list = this.list;
		let at = list.push(one) - 1;

		while (at > 0) {
			const up = (at - 1) >> 1;
			if (!this.before(one, list[up]))
				break;
			list[at] = list[up];
			at = up;
		}
		list[at] = one;
	}
	pop() {
		const list = this.list, first = list[0], last = list.pop();
		let at = 0;

		if (list.length === 0)
			return first;
		for (;;) {
			let down = 2 * at + 1;
			if (down >= list.length)
				break;
			if (down + 1 < list.length && this.before(list[down + 1], list[down]))
				down++;
			if (!this.before(list[down], last))
				break;
			list[at] = list[down];
			at = down;
		}
		list[at] = last;
		return first;
	}
}

// Finds the task of each entry: the nearest of its ancestors that is a task. -1: none is known.
function findTasks(data) {
	const { timeline } = data;
	const count = timeline.start.length;
	const taskOf = new Map(), parentOf = new Map(), found = new Map();
	const key = (node, pid) => node * 4294967296 + pid;
	const tasks = [];

	data.stepRows.forEach((row, at) => row.tasks.forEach(([rank, node, pid]) => {
		taskOf.set(key(node, pid), tasks.length);
		tasks.push({ row: at, step: row.step, rank, node });
	}));
	for (let i = 0; i < count; i++)
		if (timeline.pid[i] !== null && timeline.ppid[i] !== null)
			parentOf.set(key(timeline.node[i], timeline.pid[i]), timeline.ppid[i]);

	const find = (node, pid) => {
		const way = [];
		let task = -1;

		for (let depth = 0; depth < 1000 && pid; depth++) {
			const at = key(node, pid);
			if (taskOf.has(at) || found.has(at)) {
				task = taskOf.get(at) ?? found.get(at);
				break;
			}
			way.push(at);
			found.set(at, -1); // a ring of pids ends here
			pid = parentOf.get(at);
		}
		for (const at of way)
			found.set(at, task);
		return task;
	};
	return {
		tasks,
		of: timeline.pid.map((pid, i) => {
			const task = pid === null ? -1 : find(timeline.node[i], pid);
			return task >= 0 && tasks[task].step === timeline.step[i] ? task : -1;
		}),
	};
}

// Packs entries, sorted by start, into lanes. Returns the lanes: each a list of entries that follow each other.
function packLanes(list, startOf, endOf) {
	const lanes = [], free = new Heap((a, b) => a < b), busy = new Heap((a, b) => a.end < b.end);

	for (const entry of list) {
		const start = startOf(entry);

		while (busy.size && busy.first.end <= start)
			free.push(busy.pop().lane);
		const lane = free.size ? free.pop() : lanes.push([]) - 1;
		lanes[lane].push(entry);
		busy.push({ end: Math.max(endOf(entry), start + 0.001), lane });
	}
	return lanes;
}

// Returns the rows of the picture from the top: {head: true, text, start, end} or {lane: [entries]}.
function makeRows(data, view) {
	const { timeline } = data;
	const startOf = i => timeline.start[i] ?? 0;
	const endOf = i => timeline.length[i] === null ? view.end : startOf(i) + timeline.length[i];
	const { tasks, of } = findTasks(data);
	const order = timeline.start.map((_, i) => i).sort((a, b) => startOf(a) - startOf(b) || endOf(b) - endOf(a));
	const groups = new Map(), rows = [];
	const group = name => groups.get(name) ?? groups.set(name, []).get(name);

	for (const i of order)
		group(`${timeline.step[i]}/${of[i]}`).push(i);

	const addGroup = (name, head) => {
		const list = groups.get(name);

		if (!list)
			return;
		groups.delete(name);
		if (head)
			rows.push(head);
		for (const lane of packLanes(list, startOf, endOf))
			rows.push({ lane });
	};
	const mine = new Map(data.stepRows.map(row => [row.step, []]));
	tasks.forEach((task, at) => mine.get(task.step).push({ ...task, at }));
	// Nobody looks for Slurm's extern step, which only holds the job's processes together.
	const isSlurms = step => data.steps[step] === "extern" && (groups.get(`${step}/-1`)?.length ?? 0) +
		(mine.get(step) ?? []).reduce((sum, task) => sum + (groups.get(`${step}/${task.at}`)?.length ?? 0), 0) <= data.nodes.length;
	const has = new Set([...groups.keys()].map(name => Number(name.split("/")[0])));

	for (const row of [...data.stepRows].sort((a, b) => (a.start ?? 0) - (b.start ?? 0))) {
		const own = mine.get(row.step).sort((a, b) => a.rank - b.rank);

		if (!has.has(row.step) || isSlurms(row.step))
			continue;
		rows.push({
			head: true, step: true, start: row.start, end: row.end ?? view.end,
			text: `step ${data.steps[row.step]}` + (own.length > 1 ? `, ${own.length} tasks` : ""),
		});
		for (const task of own)
			addGroup(`${row.step}/${task.at}`, own.length < 2 ? null : {
				head: true, text: `task ${task.rank} on ${data.nodes[task.node]}`,
			});
		addGroup(`${row.step}/-1`, null);
	}
	for (const name of [...groups.keys()]) {
		if (data.steps[Number(name.split("/")[0])] === "extern" && isSlurms(Number(name.split("/")[0])))
			continue;
		const step = data.steps[Number(name.split("/")[0])];
		addGroup(name, { head: true, step: true, text: step === undefined ? "step not known" : `step ${step}` });
	}
	return { rows, startOf, endOf, order };
}

// SPDX-License-Identifier: GPL-2.0-or-later
// node store_duckdb.mjs MODULES DATABASE THREADS STATEMENT...
// Runs the statements. Prints elapsed and CPU seconds and the number of rows of each, as JSON.
import { createRequire } from "node:module";

const [modules, file, threads, ...statements] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/x`)("@duckdb/node-api");
const connection = await (await DuckDBInstance.create(file, { threads })).connect();
const measured = [];

for (const statement of statements) {
	const begin = performance.now(), before = process.cpuUsage();
	const rows = (await connection.runAndReadAll(statement)).currentRowCount;
	const used = process.cpuUsage(before);
	measured.push([(performance.now() - begin) / 1000, (used.user + used.system) / 1e6, rows]);
}
console.log(JSON.stringify(measured));

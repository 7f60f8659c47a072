// SPDX-License-Identifier: GPL-2.0-or-later
// Asks DuckDB: node warehouse.mjs MODULES SETUP.sql SQL. Runs the statements of SETUP.sql, then SQL, and prints the rows of SQL as CSV with a head.
import fs from "node:fs";
import { createRequire } from "node:module";

const [modules, setup, sql] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${fs.realpathSync(modules)}/x`)("@duckdb/node-api");
const database = await DuckDBInstance.create(":memory:", { threads: "2" });
const connection = await database.connect();
const quoted = (value) => (value === null ? "" : `"${String(value).replaceAll('"', '""')}"`);

await connection.run(fs.readFileSync(setup, "utf8"));
const result = await connection.runAndReadAll(sql);
const lines = [result.columnNames(), ...result.getRowsJson()];
process.stdout.write(lines.map((line) => line.map(quoted).join(",") + "\n").join(""));

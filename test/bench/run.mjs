// npm run bench: runs the named suites, or all. Prints the results beside their goals; a slow result never fails
// it. Usage: npm run bench -- [suite ...] [--only=part,of,names] [--rounds=7] [--quick] [--json=file]
// [--against=commit]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SUITES } from './suites/index.mjs';
import { buildShipped } from './support/build-shipped.mjs';
import { describeMachine, toTable } from './support/print-rows.mjs';
import { runScenario } from './support/run-scenario.mjs';
import { toRow } from './support/to-row.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Parts of names; only scenarios whose name contains one of them are run. */
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    /** Makes hardly any calls: checks that everything runs, but the results mean nothing. */
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    /** A commit whose bundles are measured as well, by the suites that support it. */
    against: { type: 'string' },
  },
});

const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds=${values.rounds} is no number of rounds`);
const unknown = positionals.find((name) => !Object.hasOwn(SUITES, name));
if (unknown !== undefined)
  throw new Error(`there is no suite ${unknown}; there are ${Object.keys(SUITES).join(', ')}`);

const parts = values.only.split(',').filter(Boolean);
const isWanted = ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part));

/** Runs a suite scenario by scenario; each table is printed as soon as it is complete. */
async function runSuite(name, dist) {
  const { openSuite } = await SUITES[name]();
  const suite = await openSuite({ dist, isQuick: values.quick, against: values.against });
  try {
    const rows = [];
    for (const scenario of suite.scenarios.filter(isWanted)) {
      process.stderr.write(`${name}: ${scenario.name}\n`);
      const job = { ...scenario.job, ...(await scenario.prepare?.()) };
      const clients = scenario.clients ?? suite.clients;
      const samples = await runScenario({ ...scenario, job }, { clients, rounds });
      rows.push(...scenario.rows.map((row) => toRow(row, samples, suite)));
    }
    if (rows.length > 0) console.log(`\n${suite.title}\n\n${toTable(rows, suite)}`);
    return { name, rows };
  } finally {
    await suite.close();
  }
}

console.log(
  `${describeMachine()}; ${rounds} round${rounds === 1 ? '' : 's'}${values.quick ? ', quick' : ''}`,
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

const results = [];
const { dist, remove } = buildShipped();
try {
  const names = positionals.length > 0 ? positionals : Object.keys(SUITES);
  for (const name of names) results.push(await runSuite(name, dist));
} finally {
  remove();
}
if (results.every(({ rows }) => rows.length === 0))
  throw new Error(`--only=${values.only} names no scenario`);
if (values.json !== undefined) {
  const document = { machine: describeMachine(), rounds, isQuick: values.quick, suites: results };
  writeFileSync(values.json, `${JSON.stringify(document, undefined, 2)}\n`);
}

// Prints how many cases of the field are right, by kind, and what is wrong with the others; without arguments for the
// project's own cases: node test/support/run-typescript.mjs test/support/scores/print-field-score.ts [file.jsonl …]
import { closeConnections } from '../../../src/library';
import type { FieldCase } from '../field/field-case';
import { readFieldCases } from '../field/field-case';
import { judgeCase } from '../field/judge-case';
import { closeReplies } from '../field/play-replies';

const MAX_SHOWN = 600;

const files = process.argv.slice(2);
const judged: { item: FieldCase; problems: string[] }[] = [];
for (const item of readFieldCases(files.length > 0 ? files : undefined))
  judged.push({ item, problems: await judgeCase(item) });

for (const { item, problems } of judged.filter((one) => one.problems.length > 0)) {
  console.log(`${item.id} (${item.what})`);
  for (const problem of problems) console.log(`    ${problem.slice(0, MAX_SHOWN)}`);
}

const row = (name: string, cells: readonly (string | number)[]): void =>
  console.log(name.padEnd(8) + cells.map((cell) => String(cell).padStart(12)).join(''));
const score = (isControl: boolean, kind?: string): string => {
  const all = judged.filter(
    ({ item }) => (item.control ?? false) === isControl && (kind ?? item.kind) === item.kind,
  );
  return `${all.filter(({ problems }) => problems.length === 0).length} of ${all.length}`;
};
row('', ['faults', 'controls']);
for (const kind of [...new Set(judged.map(({ item }) => item.kind))].toSorted())
  row(kind, [score(false, kind), score(true, kind)]);
row('all', [score(false), score(true)]);
await closeConnections();
await closeReplies();

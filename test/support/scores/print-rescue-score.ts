// Prints precision and recall of rescued calls, by kind and by format, for files of cases; without arguments for
// both corpora: node test/support/run-typescript.mjs test/support/scores/print-rescue-score.ts [file.jsonl …]
import { readFileSync } from 'node:fs';
import { CORPUS, OWN_CORPUS, toolsOf } from '../../unit/library/rescue/rescue-fixtures';
import type { CorpusCase } from '../../unit/library/rescue/rescue-fixtures';
import { scoreCase, toScoreTable } from './score-rescue';

const readCases = (file: string): CorpusCase[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as CorpusCase);

function print(title: string, cases: readonly CorpusCase[]): void {
  const scores = cases.map((item) => scoreCase(item, toolsOf(item.tools)));
  const inexact = scores.filter(({ isExact }) => !isExact).map(({ item }) => item.id);
  console.log(`\n${title}\n\n${toScoreTable(scores)}`);
  if (inexact.length > 0) console.log(`\nnot exact: ${inexact.join(' ')}`);
}

const files = process.argv.slice(2);
for (const file of files) print(file, readCases(file));
if (files.length === 0) {
  print('the given corpus', CORPUS);
  print('our own corpus', OWN_CORPUS);
}

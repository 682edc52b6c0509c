// Goes on with an evaluation of 60 samples until it ends, or somebody kills the process. Notes every request in a file before it is
// answered, and says when the first one is sent. Prints what came of all samples at the end.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileRunStore, RefusalError } from '../../../src/session';
import type { Script } from '../session/scripted-session';
import { openSession } from '../session/scripted-session';

const [folder = ''] = process.argv.slice(2);
const MAX_REPLY_MS = 20;
const rows = Array.from({ length: 60 }, (_, index) => ({ id: `row-${index}` }));
const text = JSON.stringify({
  messages: [{ role: 'user', content: '{{id}}' }],
  lanes: [{ id: 'a' }],
  evaluate: { rows },
  expect: [{ text: 'sunny' }],
});

const script: Script = async ({ messages }) => {
  process.send?.('sent');
  appendFileSync(join(folder, 'sent.txt'), `${messages.at(-1)?.content}\n`);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_REPLY_MS));
  return { content: 'sunny' };
};

const store = new FileRunStore({
  folder: join(folder, 'store'),
  limits: () => ({ maxBytes: 1e9, maxRuns: 1_000 }),
  redact: (value) => value,
  onProblem: (problem) => console.error(problem),
});
const { session, ask } = await openSession({ text, store, script, limit: 4 });
await ask('evaluation/start', { isConfirmed: true }).catch((error: unknown) => {
  // Killed after its last sample, so nothing is left to send.
  if (!(error instanceof RefusalError) || error.info.code !== 'complete') throw error;
});
await session.evaluation.ended();
const lost: string[] = [];
for (const { id: rowId } of rows) {
  const { entries } = await ask('evaluation/sample', { rowId, laneId: 'a', repeat: 1 });
  const last = entries.at(-1);
  const isWhole = last?.kind === 'run' && last.outcome?.reply?.raw.content === 'sunny';
  if (!isWhole || entries.length !== 2) lost.push(rowId);
}
const { passed } = session.evaluation.snapshot.result?.summary ?? {};
await session.dispose();
console.log(JSON.stringify({ passed, lost }));
process.exit(0);

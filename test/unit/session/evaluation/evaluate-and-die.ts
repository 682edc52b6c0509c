// Goes on with an evaluation, and kills its process when one more sample is stored and the next one would be sent. Notes every
// request in a file before the reply comes. Prints the number of passed samples when the evaluation has all of them.
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileRunStore } from '../../../../src/session';
import type { Script } from '../../../support/session/scripted-session';
import { openSession } from '../../../support/session/scripted-session';

const [folder = ''] = process.argv.slice(2);
const sent = join(folder, 'sent.txt');
const stored = join(folder, 'store');
const PAUSE_MS = 20;
mkdirSync(stored, { recursive: true });

const text = JSON.stringify({
  messages: [{ role: 'user', content: 'weather in {{id}}' }],
  lanes: [
    { id: 'a', model: 'one' },
    { id: 'b', model: 'two' },
  ],
  evaluate: { rows: [{ id: 'oslo' }, { id: 'bergen' }] },
  expect: [{ text: 'sunny' }],
});

const countStored = (): number =>
  readdirSync(stored)
    .filter((name) => name.endsWith('.jsonl'))
    .reduce(
      (sum, name) => sum + readFileSync(join(stored, name), 'utf8').split('"kind":"sample"').length - 1,
      0,
    );

/** Replies to one request; before it would note the next one, it is dead. */
function createScript(): Script {
  let asked = 0;
  const before = countStored();
  return async ({ messages, model }) => {
    if (asked++ > 0) {
      while (countStored() === before) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      process.kill(process.pid, 'SIGKILL');
    }
    appendFileSync(sent, `${model} ${messages.at(-1)?.content}\n`);
    return { content: 'sunny' };
  };
}

async function evaluate(): Promise<void> {
  const store = new FileRunStore({
    folder: stored,
    limits: () => ({ maxBytes: 1e9, maxRuns: 100 }),
    redact: (value) => value,
    onProblem: (problem) => console.error(problem),
  });
  const { session, ask } = await openSession({ text, store, script: createScript(), limit: 1 });
  await ask('evaluation/start', { isConfirmed: true });
  await session.evaluation.ended();
  const { summary } = session.evaluation.snapshot.result ?? {};
  await session.dispose();
  console.log(summary?.passed);
}

await evaluate();

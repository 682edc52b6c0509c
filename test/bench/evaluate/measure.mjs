// Opens a stored evaluation, and runs one on a provider that answers at once, beside the same runs without an evaluation.
import { createRequire } from 'node:module';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLOCK = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(() => callback(), delayMs);
    return () => clearTimeout(timer);
  },
};
const nothing = () => undefined;
const VIEW = {
  id: 'demo',
  label: 'Demo',
  provider: 'bench',
  address: 'built in',
  scope: 'built-in',
  model: 'm',
  needsKey: false,
  hasKey: false,
  samplingKeys: {},
  limits: { connectTimeoutMs: 1000, maxAttempts: 1 },
  toolChoiceKey: null,
  hasRates: false,
};
const CALL = { id: 'call_1', name: 'get_weather', arguments: { city: 'Oslo' }, source: 'native' };

const toText = (rows, repeat) =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
    tools: [
      { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    ],
    evaluate: { repeat, rows: Array.from({ length: rows }, (_, id) => ({ id: `row-${id}`, city: 'Oslo' })) },
    expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
  });

function openSession({ Session, RequestGate, library }, store, text) {
  class Instant extends library.Providers {
    async chatInternal() {
      return {
        content: '',
        toolCalls: [CALL],
        usage: { promptTokens: 50, completionTokens: 9 },
        attempts: 1,
      };
    }
  }
  const opened = { provider: new Instant(), view: VIEW, model: 'm', gate: 'demo', secrets: [] };
  return Session.open({
    backing: {
      id: 'bench',
      title: 'bench',
      kind: 'scratch',
      read: () => text,
      apply: nothing,
      onDidChange: () => nothing,
    },
    store,
    rowsFile: { read: async () => '', onDidChange: () => nothing },
    connections: {
      views: async () => [VIEW],
      open: async () => opened,
      explain: async (error) => ({ code: 'bench', title: '', what: String(error), why: '', next: '' }),
      redactor: async () => undefined,
      onDidChange: () => nothing,
    },
    tools: { resolve: async () => '', onDidChange: () => nothing },
    gate: new RequestGate(() => 4),
    clock: CLOCK,
    log: { info: nothing, warn: nothing, error: nothing },
    requestsLeaveFrom: 'bench',
  });
}

const toEntry = (row, repeat) => ({
  kind: 'sample',
  key: `${row}:${repeat}`,
  rowId: `row-${row}`,
  laneId: 'a',
  repeat,
  at: 1,
  runsIn: 'stored',
  runIds: [`${row}-${repeat}`],
  outcome: {
    facts: {
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo' }, step: 1, source: 'native' }],
      text: '',
      outcome: 'native',
      spent: { promptTokens: 50, completionTokens: 9, totalTokens: 59, timeMs: 900, attempts: 1 },
      hasRates: false,
    },
    measures: { hasValidArguments: true, calls: 'get_weather {"city":"Oslo"}', replyHash: `${row}${repeat}` },
  },
});

const openStore = ({ FileRunStore }, folder) =>
  new FileRunStore({
    folder,
    limits: () => ({ maxBytes: 1e9, maxRuns: 1000 }),
    redact: (value) => value,
    onProblem: nothing,
  });

/** @returns the folder of a stored evaluation with 10 samples a row, judged, as a window that was closed leaves it */
export async function storeEvaluation({ file, rows }) {
  const engine = createRequire(import.meta.url)(file);
  const folder = mkdtempSync(join(tmpdir(), 'bench-evaluate-'));
  const store = openStore(engine, folder);
  const head = { id: 'stored', startedAt: 1, passed: 0, planned: 0, durationMs: 1, isEnded: true, more: {} };
  const [index, samples] = await Promise.all([store.open('bench'), store.open('part:samples:stored')]);
  index.append({ kind: 'evaluation', head });
  for (let row = 0; row < rows; row++)
    for (let repeat = 1; repeat <= 10; repeat++) samples.append(toEntry(row, repeat));
  await Promise.all([index.close(), samples.close()]);
  const session = await openSession(engine, openStore(engine, folder), toText(rows, 10));
  await session.evaluation.show(undefined);
  await session.dispose();
  return folder;
}

/** @param job.folder Of the stored evaluation. @param job.runs Number of samples that are run. */
export async function openMeasurement({ file, folder, rows, runs }) {
  const engine = createRequire(import.meta.url)(file);
  let [openMs, againMs, ownMs] = [0, 0, 0];
  const open = async () => {
    const start = performance.now();
    const session = await openSession(engine, openStore(engine, folder), toText(rows, 10));
    await session.evaluation.show(undefined);
    return { session, ms: performance.now() - start };
  };
  return {
    async step() {
      const { session, ms } = await open();
      openMs = ms;
      if (session.evaluation.snapshot.result.summary.passed !== rows * 10)
        throw new Error('not all are judged');
      await session.dispose();
      const again = await open();
      againMs = again.ms;
      await again.session.dispose();
      ownMs = (await measureOwn(engine, runs)) / runs;
    },
    sample: () => ({ openMs, againMs, ownMs }),
  };
}

const cpuMs = (since) => Object.values(process.cpuUsage(since)).reduce((sum, us) => sum + us / 1000, 0);

/** CPU time of an evaluation less that of the same number of runs in a lane. */
async function measureOwn(engine, runs) {
  const evaluated = await openSession(engine, new engine.MemoryRunStore(), toText(1, Math.min(100, runs)));
  let since = process.cpuUsage();
  for (let done = 0; done < runs; done += 100) {
    await evaluated.evaluation.start({ isAnew: true, isConfirmed: true });
    await evaluated.evaluation.ended();
  }
  const whole = cpuMs(since);
  await evaluated.dispose();
  const chatted = await openSession(engine, new engine.MemoryRunStore(), toText(1, 1));
  await chatted.evaluation.chooseRow('row-0');
  since = process.cpuUsage();
  for (let done = 0; done < runs; done++) {
    await chatted.conversations.replay(['a'], { kind: 'chat' });
    await idle(chatted);
  }
  const bare = cpuMs(since);
  await chatted.dispose();
  return whole - bare;
}

/** Resolves when no run is under way. */
const idle = (session) =>
  new Promise((resolve) => {
    const unsubscribe = session.onDidChange(() => check());
    const check = () => {
      if (session.runningCount > 0) return;
      unsubscribe();
      resolve();
    };
    check();
  });

// Evaluations of demo models over real sockets, from the first sample to the stored runs.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { EvaluationResult } from '../../../../src/protocol';
import { parseDocument } from '../../../../src/session';
import type { HostSession, HostSetup } from '../../../support/vscode/host-session';
import { QUESTION, TestHost } from '../../../support/vscode/host-session';

const host = new TestHost();

afterEach(() => host.reset());
afterAll(() => host.close());

const lane = (id: string, model: string) => ({ id, connection: 'demo', model });

const evaluate = (document: object, setup: HostSetup = {}): Promise<HostSession> =>
  evaluateWhole(
    {
      messages: [{ role: 'user', content: QUESTION }],
      expect: [{ calls: [{ tool: 'get_weather', arguments: { city: 'Oslo' } }] }],
      ...document,
    },
    setup,
  );

async function evaluateWhole(document: object, setup: HostSetup = {}): Promise<HostSession> {
  const one = await host.open({ ...setup, document });
  // Before its connections are known, nothing can be sent.
  await expect.poll(() => one.session.environment).toBeDefined();
  await one.ask('evaluation/start', { isConfirmed: true });
  await one.session.evaluation.ended();
  return one;
}

function resultOf({ session }: HostSession): EvaluationResult {
  const { result } = session.evaluation.snapshot;
  if (!result) throw new Error('There is no result.');
  return result;
}

describe('an evaluation of demo models', () => {
  test('counts how the replies of each came out', async () => {
    const models = ['native-call', 'hermes-text', 'prose-only'];
    const one = await evaluate({
      lanes: models.map((model) => lane(model, model)),
      evaluate: { repeat: 3 },
    });
    const { summary, requests, stopped } = resultOf(one);
    expect(stopped).toBeUndefined();
    // A connection that was closed while it rested costs one more attempt.
    const { rows } = await one.ask('evaluation/rows', { filter: 'all', from: 0, count: 1 });
    const rowId = rows[0]?.id ?? '';
    const asked = { filter: 'all', from: 1, count: 1, find: rowId } as const;
    expect(await one.ask('evaluation/rows', asked)).toEqual({ total: 1, rows: [], found: 0 });
    const ofOthers = await one.ask('evaluation/rows', { ...asked, filter: 'no-verdict' });
    expect(ofOthers).toEqual({ total: 0, rows: [] });
    const cases = await Promise.all(models.map((laneId) => one.ask('evaluation/case', { rowId, laneId })));
    const attempts = cases.flatMap(({ samples }) => samples.map((sample) => sample.attempts ?? 0));
    expect(attempts).toHaveLength(9);
    expect(requests).toBe(attempts.reduce((sum, count) => sum + count, 0));
    expect(summary.lanes.map(({ laneId, passed, outcomes }) => ({ laneId, passed, outcomes }))).toMatchObject(
      [
        { laneId: 'native-call', passed: 3, outcomes: { native: 3 } },
        { laneId: 'hermes-text', passed: 3, outcomes: { rescued: 3 } },
        { laneId: 'prose-only', passed: 0, outcomes: { none: 3 } },
      ],
    );
  });

  test('runs an agent to its answer, and counts its steps', async () => {
    const one = await evaluate({
      lanes: [lane('a', 'native-call')],
      evaluate: { mode: 'agent', repeat: 2 },
      expect: [{ stop: 'answer', steps: { min: 2, max: 2 }, calls: [{ tool: 'get_weather' }] }],
    });
    expect(resultOf(one).summary).toMatchObject({ passed: 2, planned: 2 });
    const { rows } = await one.ask('evaluation/rows', { filter: 'all', from: 0, count: 1 });
    const rowId = rows[0]?.id ?? '';
    const { entries } = await one.ask('evaluation/sample', { rowId, laneId: 'a', repeat: 1 });
    expect(entries.map((entry) => (entry.kind === 'run' ? entry.step?.number : entry.role))).toEqual([
      'user',
      1,
      2,
    ]);
    expect(entries.at(-1)).toMatchObject({ ending: { stopReason: 'answer' } });
  });

  test('has no verdict where the server is unavailable, and sends each sample again at the end', async () => {
    const one = await evaluate({ lanes: [lane('a', 'unavailable')] });
    const { summary, newestFailures } = resultOf(one);
    expect(summary).toMatchObject({ noVerdict: 1, failed: 0, passed: 0, notRun: 0 });
    expect(newestFailures).toEqual([]);
    const { rows } = await one.ask('evaluation/rows', { filter: 'no-verdict', from: 0, count: 1 });
    const { samples } = await one.ask('evaluation/case', { rowId: rows[0]?.id ?? '', laneId: 'a' });
    expect(samples).toMatchObject([{ verdict: 'no-verdict', reason: 'infrastructure', requeued: 2 }]);
  });

  test('stops a lane whose model does not exist, and says why once', async () => {
    const one = await evaluate(
      {
        lanes: [lane('a', 'native-call'), lane('b', 'gone')],
        evaluate: { repeat: 5 },
      },
      { limit: 1 },
    );
    const { summary, stopped } = resultOf(one);
    expect(summary.lanes).toMatchObject([{ passed: 5 }, { noVerdict: 1, notRun: 4 }]);
    expect(stopped).toMatchObject({ reason: 'failures' });
  });

  test('stores its samples as ordinary runs', async () => {
    const { store, contents } = host.openFileStore();
    const first = await evaluate({ lanes: [lane('a', 'hermes-text')], evaluate: { repeat: 4 } }, { store });
    await first.session.dispose();
    expect(contents()).toContain('get_weather');
    const again = await host.open({ store, backing: first.backing });
    await again.ask('evaluation/show', {});
    expect(resultOf(again).summary).toMatchObject({ passed: 4, planned: 4 });
    const { rows } = await again.ask('evaluation/rows', { filter: 'all', from: 0, count: 1 });
    const { entries } = await again.ask('evaluation/sample', {
      rowId: rows[0]?.id ?? '',
      laneId: 'a',
      repeat: 4,
    });
    expect(entries.at(-1)).toMatchObject({ kind: 'run', outcome: { verdict: { kind: 'rescued' } } });
    // What a sample sent is beside it, as with any other run.
    const run = { laneId: 'a', runId: entries.at(-1)?.id ?? '' };
    expect((await again.ask('wire/read', run)).attempts).toHaveLength(1);
    const text = { laneId: 'a', entryId: run.runId, path: 'reply.raw.content' };
    expect((await again.ask('text/read', text)).text).toContain('<tool_call>');
    const options = { rescueToolCalls: false, tools: 'offered' } as const;
    expect((await again.ask('reading/make', { ...run, ...options })).after.calls).toEqual([]);
  });
});

describe('the example of an evaluation', () => {
  test('decides one comparison and not the other, has flaky rows, and a failure that explains itself', async () => {
    const text = readFileSync('media/examples/reliability.playground.json', 'utf8');
    const one = await evaluateWhole({ ...parseDocument(text).document });
    const { summary, rows, comparisons, stopped } = resultOf(one);
    expect(stopped).toBeUndefined();
    expect(summary).toMatchObject({ planned: 360, noVerdict: 0, notRun: 0 });
    // Ten seeds in a row show each case of the flaky model once.
    expect(summary.lanes).toMatchObject([{ passed: 120 }, { failed: 30 }, { laneId: 'c', passed: 84 }]);
    expect(comparisons.map(({ comparison }) => comparison.isDecided)).toEqual([false, true]);
    expect(rows.flaky).toBe(12);
    const { samples } = await one.ask('evaluation/case', { rowId: 'oslo', laneId: 'c' });
    expect(samples.slice(0, 3).map(({ outcome, message }) => ({ outcome, message }))).toEqual([
      { outcome: 'none', message: 'No call was made; expected get_weather {"city":"Oslo" (any case)}.' },
      { outcome: 'malformed', message: 'No call was made; expected get_weather {"city":"Oslo" (any case)}.' },
      {
        outcome: 'native',
        message: 'get_weather: city is "Oslo, as you asked"; expected "Oslo" (any case).',
      },
    ]);
  });
});

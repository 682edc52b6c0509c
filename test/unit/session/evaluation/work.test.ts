// The samples of an evaluation under way: stopped, limited, failing, and gone on with after a crash.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EvaluationResult } from '../../../../src/protocol';
import { createRedactor, findServerWords, HttpError } from '../../../../src/library';
import { FileRunStore, MemoryRunStore, RefusalError } from '../../../../src/session';
import type { Opened, Script, SessionSetup } from '../../../support/session/scripted-session';
import { calling, hang, openSession } from '../../../support/session/scripted-session';

const ROWS = ['oslo', 'bergen', 'tromso'].map((id) => ({ id }));

const playground = (change: object = {}, options: object = {}): string =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'weather in {{id}}' }],
    tools: [{ name: 'get_weather' }],
    lanes: [{ id: 'a' }, { id: 'b', connection: 'other' }],
    evaluate: { repeat: 2, rows: ROWS, ...options },
    expect: [{ calls: [{ tool: 'get_weather', arguments: { city: 'Oslo' } }] }],
    ...change,
  });

async function begin(setup: SessionSetup = {}): Promise<Opened> {
  const opened = await openSession({ text: playground(), script: () => calling('get_weather'), ...setup });
  await opened.ask('evaluation/start', { isConfirmed: true });
  return opened;
}

async function evaluate(setup: SessionSetup = {}): Promise<Opened> {
  const opened = await begin(setup);
  await opened.session.evaluation.ended();
  return opened;
}

function resultOf({ session }: Opened): EvaluationResult {
  const { result } = session.evaluation.snapshot;
  if (!result) throw new Error('There is no result.');
  return result;
}

/** Replies to the first ones, and then no more until it is stopped. */
const hangAfter = (count: number): Script => {
  let asked = 0;
  return (one) => (asked++ < count ? calling('get_weather') : hang(one));
};

describe('an evaluation that is stopped', () => {
  it('keeps what has ended, and its counts add up wherever it was stopped', async () => {
    for (let count = 0; count <= 12; count++) {
      const opened = await begin({ script: hangAfter(count), limit: 1 });
      await opened.until(() => opened.asked.length >= Math.min(12, count + 1));
      await opened.ask('evaluation/stop', {});
      await opened.session.evaluation.ended();
      const { summary, stopped } = resultOf(opened);
      const { planned, passed, failed, noVerdict, notRun } = summary;
      expect(planned).toBe(12);
      expect(passed + failed + noVerdict + notRun).toBe(12);
      expect(passed).toBe(count);
      expect(stopped?.reason).toBe(count === 12 ? undefined : 'person');
    }
  });

  it('goes on with the samples that are missing', async () => {
    const opened = await begin({ script: hangAfter(5), limit: 1 });
    await opened.until(() => opened.asked.length >= 6);
    await opened.ask('evaluation/stop', {});
    await opened.session.evaluation.ended();
    const before = opened.asked.length;
    const plan = opened.session.evaluation.snapshot.plan;
    expect(plan).toMatchObject({ samples: 12, stored: 5, left: 7 });
    await opened.ask('evaluation/start', {});
    await opened.until(() => opened.asked.length > before);
    // With those that are there, as the counts beside it.
    expect(opened.session.evaluation.snapshot.progress).toMatchObject({ done: 5, planned: 12 });
  });

  it('goes on with the repeats that were added', async () => {
    const opened = await begin({ script: hangAfter(15), limit: 1 });
    await opened.session.evaluation.ended();
    await opened.ask('evaluation/start', { more: 2 });
    await opened.until(() => opened.asked.length >= 16);
    expect(opened.session.evaluation.snapshot.progress).toMatchObject({ done: 15, planned: 24 });
    await opened.ask('evaluation/stop', {});
    await opened.session.evaluation.ended();
    const { plan } = opened.session.evaluation.snapshot;
    expect(plan).toMatchObject({ repeats: 2, addedRepeats: 2, samples: 24, stored: 15, left: 9 });
    await opened.ask('evaluation/start', {});
    await opened.until(() => opened.asked.length >= 17);
    expect(resultOf(opened).summary).toMatchObject({ planned: 24, passed: 15, notRun: 9 });
  });

  it('plans a new evaluation when nothing is left, with what that would send', async () => {
    const opened = await evaluate();
    const { plan } = opened.session.evaluation.snapshot;
    expect(plan).toMatchObject({ left: 0, stored: 12, mostRequests: 12 });
    expect(plan?.promptTokens).toBeGreaterThan(0);
  });

  it('adds repeats beside those that are there, of all cases or of the failing ones', async () => {
    const text = playground({
      expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{id}}' } }], when: { id: 'oslo' } }],
    });
    const opened = await evaluate({ text });
    expect(resultOf(opened).summary).toMatchObject({ planned: 12, failed: 4 });
    await opened.ask('evaluation/start', { scope: 'failing' });
    await opened.session.evaluation.ended();
    expect(resultOf(opened).summary).toMatchObject({ planned: 16, failed: 8, passed: 8, notRun: 0 });
    await opened.ask('evaluation/start', { more: 1 });
    await opened.session.evaluation.ended();
    expect(resultOf(opened).summary).toMatchObject({ planned: 22, failed: 10, notRun: 0 });
  });
});

describe('the limits of an evaluation', () => {
  it('sends no more requests than allowed, and says so', async () => {
    const opened = await evaluate({ text: playground({}, { maxRequests: 5 }) });
    expect(opened.asked).toHaveLength(5);
    const { summary, stopped } = resultOf(opened);
    expect(summary).toMatchObject({ passed: 5, notRun: 7 });
    expect(stopped).toEqual({ reason: 'budget', text: '5 of 5 requests were sent.' });
  });

  it('has no verdict of a sample that takes too long, unless its time is expected', async () => {
    const text = playground({}, { timeoutMs: 50, repeat: 1 });
    expect(resultOf(await evaluate({ text, script: hang })).summary).toMatchObject({
      noVerdict: 6,
      failed: 0,
    });
    const timed = playground({ expect: [{ max: { timeMs: 20 } }] }, { timeoutMs: 50, repeat: 1 });
    const { summary, newestFailures } = resultOf(await evaluate({ text: timed, script: hang }));
    expect(summary).toMatchObject({ noVerdict: 0, failed: 6 });
    expect(newestFailures[0]?.message).toBe('It took longer than 50 ms; expected at most 20 ms.');
  });

  it('spends no more than allowed, and says so', async () => {
    const text = playground({}, { maxCostUsd: 0.25 });
    const costPer1kTokens = { input: 1, output: 1 };
    const script: Script = () => ({
      ...calling('get_weather'),
      usage: { promptTokens: 100, completionTokens: 0 },
    });
    const { summary, stopped } = resultOf(await evaluate({ text, script, costPer1kTokens, limit: 1 }));
    // Each costs 0.10 USD, and the two connections are sent to at once.
    expect(summary).toMatchObject({ passed: 3, notRun: 9 });
    expect(stopped).toEqual({ reason: 'budget', text: '0.3000 of 0.25 USD were spent.' });
  });

  it('stops a connection after five failures in a row that no attempt changes', async () => {
    const said = 'The response was filtered\n[code] content_filter';
    const explanation = { what: said, why: '', next: '' };
    const script: Script = ({ model }) => {
      if (model !== 'filtered') return calling('get_weather');
      throw new HttpError(400, said, explanation, { serverWords: findServerWords(said, 400) });
    };
    const lanes = [
      { id: 'a', model: 'filtered' },
      { id: 'b', connection: 'other' },
    ];
    const { summary, stopped } = resultOf(await evaluate({ text: playground({ lanes }), script, limit: 1 }));
    expect(summary).toMatchObject({ passed: 6, noVerdict: 5, notRun: 1 });
    expect(stopped?.reason).toBe('failures');
    expect(stopped?.text).toContain('content_filter');
  });

  it('sends what came to nothing again, but not where that uses up a quota', async () => {
    const script: Script = () => {
      throw new RefusalError({ code: 'network', title: '', what: 'It is away.', why: '', next: '' });
    };
    const lanes = [
      { id: 'a', model: 'own' },
      { id: 'b', model: 'of-quota', connection: 'other' },
    ];
    const opened = await evaluate({ text: playground({ lanes }), script, ofQuota: ['other'] });
    const sent = (model: string): number => opened.asked.filter((one) => one.model === model).length;
    expect([sent('own'), sent('of-quota')]).toEqual([18, 6]);
    expect(resultOf(opened).summary).toMatchObject({ planned: 12, noVerdict: 12 });
  });

  it('takes the delays of mocks for no time of the model', async () => {
    const delayed = { name: 'get_weather', mocks: [{ result: 4, delayMs: 60_000 }] };
    const expected = [{ max: { timeMs: 5_000 } }];
    const text = playground({ tools: [delayed], expect: expected }, { mode: 'agent', repeat: 1 });
    const script: Script = ({ messages }) =>
      messages.at(-1)?.role === 'tool' ? { content: '4 °C' } : calling('get_weather');
    expect(resultOf(await evaluate({ text, script })).summary).toMatchObject({ passed: 6, failed: 0 });
  });

  it('asks before it sends many', async () => {
    const opened = await openSession({ text: playground({}, { repeat: 10 }) });
    await expect(opened.ask('evaluation/start', {})).rejects.toThrow('60');
    expect(opened.asked).toHaveLength(0);
  });
});

describe('what is stored of a sample', () => {
  /** A reply whose text is longer than what is kept of it in memory. */
  const long: Script = () => ({ content: `${'a'.repeat(5_000)} end` });

  it('is judged whole, also when it was stored and its text is long', async () => {
    const store = new MemoryRunStore();
    const text = playground({ expect: [{ text: { $matches: ' end$' } }] });
    const first = await evaluate({ text, script: long, store });
    expect(resultOf(first).summary).toMatchObject({ passed: 12 });
    await first.session.dispose();
    for (const expected of [' end$', 'a end$', 'other$']) {
      const again = await openSession({
        text: playground({ expect: [{ text: { $matches: expected } }] }),
        store,
      });
      await again.ask('evaluation/show', {});
      expect(resultOf(again).summary).toMatchObject({ passed: expected === 'other$' ? 0 : 12 });
      await again.session.dispose();
    }
  });

  it('is read without its runs until one of them is looked at', async () => {
    const kept = new MemoryRunStore();
    const first = await evaluate({ store: kept, script: () => ({ content: 'x'.repeat(3_000) }) });
    await first.session.dispose();
    const read: string[] = [];
    const open: MemoryRunStore['open'] = async (id) => {
      const journal = await kept.open(id);
      const readBody = (key: string): Promise<unknown> => {
        read.push(key);
        return journal.readBody(key);
      };
      return { ...journal, readBody };
    };
    const again = await openSession({
      text: playground(),
      store: Object.assign(Object.create(kept), { open }),
    });
    await again.ask('evaluation/show', {});
    expect(resultOf(again)).toEqual(resultOf(first));
    await again.ask('evaluation/rows', { filter: 'all', from: 0, count: 3 });
    await again.ask('evaluation/case', { rowId: 'oslo', laneId: 'a' });
    expect(read).toEqual(['verdicts']);
    await again.ask('evaluation/sample', { rowId: 'oslo', laneId: 'a', repeat: 1 });
    expect(new Set(read).size).toBe(3);
  });

  it('contains no key, whatever the model says', async () => {
    const key = 'canary-0123456789-canary';
    const folder = mkdtempSync(join(tmpdir(), 'evaluation-'));
    const store = new FileRunStore({
      folder,
      limits: () => ({ maxBytes: 1e9, maxRuns: 4 }),
      redact: createRedactor([key]).value,
      onProblem: () => undefined,
    });
    const says: Script = () => ({
      content: `The key is ${key}.`,
      toolCalls: [{ id: '1', name: 'get_weather', arguments: { [key]: key }, source: 'native' }],
    });
    const opened = await evaluate({ script: says, secrets: [key], store });
    const view = await opened.ask('evaluation/sample', { rowId: 'oslo', laneId: 'a', repeat: 1 });
    const shown = JSON.stringify([view, opened.session.evaluation.snapshot]);
    await opened.session.dispose();
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    rmSync(folder, { recursive: true });
    expect(files.join('\n')).toContain('get_weather');
    expect(files.join('\n')).not.toContain(key);
    expect(shown).not.toContain(key);
  });
});

describe('an evaluation whose window ended', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** A store of another window on the same folder. */
  const openStore = (folder: string): FileRunStore =>
    new FileRunStore({
      folder,
      limits: () => ({ maxBytes: 1e9, maxRuns: 4 }),
      redact: (value) => value,
      onProblem: (problem) => {
        throw new Error(problem);
      },
    });

  it('sends nothing again that had ended, after whichever sample it was', async () => {
    for (let count = 1; count < 12; count += 2) {
      const folder = mkdtempSync(join(tmpdir(), 'evaluation-'));
      folders.push(folder);
      const first = await begin({ script: hangAfter(count), limit: 1, store: openStore(folder) });
      await first.until(() => first.session.evaluation.snapshot.progress?.done === count);
      await first.session.dispose();
      const again = await openSession({
        text: playground(),
        script: () => calling('get_weather'),
        store: openStore(folder),
      });
      await again.ask('evaluation/start', {});
      await again.session.evaluation.ended();
      expect(again.asked).toHaveLength(12 - count);
      expect(resultOf(again).summary).toMatchObject({ passed: 12, notRun: 0 });
      const place = { rowId: 'oslo', laneId: 'a', repeat: 1 };
      const { entries } = await again.ask('evaluation/sample', place);
      expect(entries.at(-1)).toMatchObject({ outcome: { verdict: { kind: 'native' } } });
      await again.session.dispose();
    }
  });

  it('sends nothing again when its process is killed after each sample', { timeout: 240_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'evaluation-'));
    folders.push(folder);
    const args = [
      'test/support/run-typescript.mjs',
      'test/unit/session/evaluation/evaluate-and-die.ts',
      folder,
    ];
    // What a killed process leaves in its folder for temporary files is removed with the rest.
    const env = { ...process.env, TMPDIR: folder, TEMP: folder };
    const go = (): Promise<string | null> =>
      new Promise((resolve, reject) => {
        execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
          if (error && error.signal !== 'SIGKILL') reject(new Error(stderr, { cause: error }));
          else resolve(error ? null : stdout.trim());
        });
      });
    expect([await go(), await go(), await go(), await go()]).toEqual([null, null, null, '4']);
    expect(readFileSync(join(folder, 'sent.txt'), 'utf8').trim().split('\n').toSorted()).toEqual([
      'one weather in bergen',
      'one weather in oslo',
      'two weather in bergen',
      'two weather in oslo',
    ]);
  });
});

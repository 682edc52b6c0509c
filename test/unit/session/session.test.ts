// The document of a session, what it stores, and what its views receive.
import { describe, expect, test } from 'vitest';
import { MemoryRunStore, readRun } from '../../../src/session';
import { bodyKey } from '../../../src/session/journal/run-lines';
import { MAX_BODY_VALUES } from '../../../src/session/store/record';
import type { Script } from '../../support/session/scripted-session';
import { calling, inTurn, MemoryBacking, openSession } from '../../support/session/scripted-session';
import { lanes, open, QUESTION, send, toText, withTool } from './weather';

describe('the document', () => {
  test('gets the typed text as its last message, in one step, and it is sent from there', async () => {
    const one = await open({ text: '{}' });
    await one.ask('message/draft', { text: 'What' });
    await one.ask('message/draft', { text: 'What is' });
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'What is it?' });
    await one.settled();
    expect(JSON.parse(one.backing.text).messages).toEqual([{ role: 'user', content: 'What is it?' }]);
    expect(one.asked).toHaveLength(1);
    expect(one.session.documentSnapshot().draft).toBe('');
  });

  test('has what is typed last at once, in one step with what was typed just before', async () => {
    const one = await open();
    const type = (value: string, isLast?: boolean) =>
      one.ask('document/edit', {
        edits: [{ path: ['system'], value }],
        gather: 'system',
        ...(isLast && { isLast }),
      });
    await type('Be');
    expect(one.session.editable.document.system).toBe('');
    await type('Be brief.', true);
    expect([one.session.editable.document.system, one.backing.edits]).toEqual(['Be brief.', 1]);
    one.backing.apply = () => Promise.resolve(false);
    await expect(type('Be long.', true)).rejects.toMatchObject({ info: { code: 'refused' } });
  });

  test('asks again for the connections when its lanes name others, since one may be listed only then', async () => {
    const text = (connection: string): string => JSON.stringify({ lanes: [{ id: 'a', connection }] });
    const { session, backing } = await openSession({ text: text('demo') });
    const known = () => session.environment?.connections.map(({ id }) => id);
    await expect.poll(known).toEqual(['demo']);
    backing.replace(text('vscode-lm'));
    await expect.poll(known).toContain('vscode-lm');
  });

  test('knows the line of what stands at a path, and of what is around what does not', async () => {
    const { session, backing } = await openSession({
      text: '{\n "expect": [\n  { "calls": [] },\n  { "calls": [] } ]\n}',
    });
    expect(session.lineOf(['expect', 1])).toBe(4);
    expect(session.lineOf(['expect', 1, 'text'])).toBe(4);
    expect(session.lineOf(['evaluate', 'pass'])).toBe(1);
    backing.replace('{');
    expect(session.lineOf(['expect', 1])).toBeUndefined();
  });

  test('that is invalid is reported with its line; the last valid state stays, and nothing is sent', async () => {
    const one = await open({ text: toText({ system: 'Be short.' }) });
    one.backing.replace('{ "version": 1,\n "system": ');
    const { document, error, blocker } = one.session.documentSnapshot();
    expect(document.system).toBe('Be short.');
    expect(error?.line).toBe(2);
    const [what, next] = ['Line 2 of the playground cannot be read: ', 'Open it as text and correct it.'];
    const refused = { code: 'refused', what: what + (error?.message ?? ''), next };
    await expect(send(one, QUESTION)).rejects.toMatchObject({ info: refused });
    expect(blocker).toBe(`${refused.what} ${next}`);
    await expect(one.ask('document/edit', { edits: [{ path: ['system'], value: 'x' }] })).rejects.toThrow();
    expect(one.asked).toEqual([]);
  });

  test('with a secret sends nothing, and the error names the place without the value', async () => {
    const one = await open({
      text: toText({ lanes: [{ id: 'a', raw: { api_key: 'sk-canary-0123456789' } }] }),
    });
    const failed = await send(one, QUESTION).catch((error: unknown) => error);
    expect(failed).toMatchObject({ info: { what: expect.stringContaining('lanes[0].raw.api_key') } });
    const { blocker } = one.session.documentSnapshot();
    expect(blocker).toContain('lanes[0].raw.api_key looks like a secret. Remove it from the playground');
    expect(JSON.stringify([failed, blocker])).not.toContain('canary');
    expect(one.asked).toEqual([]);
    one.backing.replace(toText({}));
    expect(one.session.documentSnapshot()).not.toHaveProperty('blocker');
  });

  test('that is read-only can still be run', async () => {
    const backing = new MemoryBacking('{}');
    backing.readOnly = 'It is read-only.';
    const one = await open({ backing });
    await send(one, QUESTION);
    await one.settled();
    expect(one.entries()).toHaveLength(2);
    expect(backing.text).toBe('{}');
  });

  test('is updated at once after a change from outside, and conversations stay', async () => {
    const one = await open();
    await send(one, QUESTION);
    await one.settled();
    one.backing.replace(toText({ system: 'Other.', messages: [] }));
    expect(one.session.documentSnapshot().document.system).toBe('Other.');
    expect(one.entries()).toHaveLength(2);
  });
});

describe('the store', () => {
  test('restores all conversations of a reopened playground', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking(toText({ ...withTool([{ result: 'mild' }]) }));
    const script = inTurn(calling('get_weather'), { content: 'Cold.' });
    const first = await openSession({ store, backing, script });
    await first.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION });
    await first.settled();
    const before = first.entries();
    await first.session.dispose();
    const again = await open({ store, backing, script: () => ({ content: 'more' }) });
    expect(again.entries()).toEqual(before);
    await send(again, 'And tomorrow?');
    await again.settled();
    expect(again.asked[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  test('says of a stored run that is too large to be read what it is, and sends the rest', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking('{}');
    const first = await openSession({ store, backing });
    await send(first, QUESTION);
    await first.settled();
    const runId = first.runs()[0]?.id ?? '';
    await first.session.dispose();
    const journal = await store.open(backing.id);
    const value = Array.from({ length: MAX_BODY_VALUES + 1 }, () => 1);
    journal.append({ kind: 'none' }, { key: bodyKey(runId), value });
    await journal.close();
    const again = await open({ store, backing });
    const { error, verdict } = again.runs()[0]?.outcome ?? {};
    expect([error?.code, verdict?.detail]).toEqual(['too-large', 'too large to be read']);
    expect((await readRun(journal, runId))?.record.error).toEqual(error);
    await send(again, 'And?');
    await again.settled();
    expect(again.asked[0]?.messages.map(({ content }) => content)).toEqual([QUESTION, 'And?']);
  });

  test('restores a run during which the window was closed as interrupted, with its partial reply', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking('{}');
    const first = await openSession({
      store,
      backing,
      script: ({ emit }) => {
        emit({ content: 'It was a dark' });
        return new Promise(() => undefined);
      },
    });
    await send(first, QUESTION);
    await first.until(() => first.asked.length === 1);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    await first.session.dispose();
    const again = await open({ store, backing });
    const [run] = again.runs();
    expect(run?.outcome?.verdict.kind).toBe('interrupted');
    expect(run?.outcome?.partial?.content).toBe('It was a dark');
    await again.ask('run/start', { laneIds: ['a'], kind: 'chat' });
    await again.settled();
    expect(again.runs()).toHaveLength(1);
    expect(again.runs()[0]?.outcome?.reply?.raw.content).toBe('answer 1');
  });

  test('is closed and runs end even if the editor never applies the last edit', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking('{}');
    let signal: AbortSignal | undefined;
    const first = await openSession({
      store,
      backing,
      script: ({ emit, signal: given }) => {
        signal = given;
        emit({ content: 'It was a dark' });
        return new Promise(() => undefined);
      },
    });
    await send(first, QUESTION);
    await first.until(() => first.asked.length === 1);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    backing.apply = () => new Promise(() => undefined);
    await first.ask('message/draft', { text: 'And tomorrow?' });
    await first.session.dispose();
    expect(signal?.aborted).toBe(true);
    backing.apply = MemoryBacking.prototype.apply.bind(backing);
    const again = await open({ store, backing });
    expect(again.runs()[0]?.outcome).toMatchObject({
      verdict: { kind: 'interrupted' },
      partial: { content: 'It was a dark' },
    });
  });
});

describe('what a view receives', () => {
  test('is everything once, then changes: whole entries, and only new ones', async () => {
    const one = await open({ text: toText(lanes('a', 'b')) });
    const whole = await one.ask('session/open', {});
    expect(whole).toMatchObject({ laneIds: ['a', 'b'], document: {}, environment: {}, embedding: {} });
    await send(one, 'one', ['a']);
    await one.settled();
    await one.until(() => one.clock.pending === 0);
    one.events.length = 0;
    await send(one, 'two', ['a']);
    await one.settled();
    await one.until(() => one.clock.pending === 0);
    const changes = one.events.filter(({ name }) => name === 'session/changed');
    const entries = changes.flatMap(({ data }) =>
      (data as { lanes: { id: string; entries: { content?: string }[] }[] }).lanes.flatMap(
        (lane) => lane.entries,
      ),
    );
    expect(changes.length).toBeGreaterThan(0);
    expect(JSON.stringify(entries)).not.toContain('"one"');
    expect(JSON.stringify(changes)).not.toContain('"id":"b","version"');
  });

  test('is a few updates for a stream of 20,000 pieces', async () => {
    const one = await open({
      script: ({ emit }) => {
        for (let piece = 0; piece < 20_000; piece++) emit({ content: 'word ' });
        return { content: 'word '.repeat(20_000) };
      },
    });
    await one.ask('session/open', {});
    await send(one, QUESTION);
    await one.settled();
    await one.until(() => one.clock.pending === 0);
    expect(one.events.length).toBeLessThan(20);
  });

  test('contains no body of an exchange', async () => {
    const one = await open();
    await one.ask('session/open', {});
    await send(one, QUESTION);
    await one.settled();
    await one.until(() => one.clock.pending === 0);
    expect(JSON.stringify(one.events)).not.toContain('exchange');
  });
});

describe('the embedding', () => {
  test('embeds the texts of the document and is restored after reopening', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking(toText({ embedding: { model: 'e', texts: ['one', 'three', ' '] } }));
    const first = await openSession({ store, backing });
    await first.ask('embedding/run', {});
    await first.until(() => first.session.embedding.snapshot.outcome !== undefined);
    expect(first.session.embedding.snapshot.outcome?.result?.vectors).toHaveLength(2);
    await first.session.dispose();
    const again = await open({ store, backing });
    expect(again.session.embedding.snapshot).toMatchObject({
      labels: ['one', 'three'],
      outcome: { model: 'e' },
    });
  });

  test('is interrupted if the playground was closed before its end', async () => {
    const store = new MemoryRunStore();
    const backing = new MemoryBacking(
      toText({ embedding: { connection: 'never', model: 'e', texts: ['one'] } }),
    );
    const first = await openSession({ store, backing });
    await first.ask('embedding/run', {});
    await first.session.dispose();
    const again = await open({ store, backing });
    expect(again.session.embedding.snapshot).toMatchObject({
      labels: ['one'],
      outcome: { model: 'e', error: { code: 'interrupted' } },
    });
    expect(again.session.embedding.snapshot.since).toBeUndefined();
  });

  test('reports that it is waiting, which does not count as time of the model', async () => {
    let answer: ((reply: object) => void) | undefined;
    const script: Script = () => new Promise((resolve) => (answer = resolve));
    const text = toText({ lanes: [{ id: 'a' }, { id: 'b' }], embedding: { model: 'e', texts: ['one'] } });
    const one = await open({ text, script, limit: 1 });
    await one.ask('run/start', { laneIds: ['a', 'b'], kind: 'chat', text: 'hello' });
    await one.until(() => one.session.laneSnapshot('b', undefined)?.run?.phase === 'queued');
    await one.ask('embedding/run', {});
    await one.until(() => one.session.embedding.snapshot.queue !== undefined);
    expect(one.session.embedding.snapshot.queue).toEqual({ limit: 1, ahead: 1 });
    one.clock.advance(60_000);
    answer?.({ content: 'first' });
    await one.until(() => one.session.laneSnapshot('b', undefined)?.run?.phase === 'running');
    answer?.({ content: 'second' });
    await one.until(() => one.session.embedding.snapshot.outcome !== undefined);
    expect(one.runs('a')[0]?.outcome?.durationMs).toBeGreaterThanOrEqual(60_000);
    expect(one.runs('b')[0]?.outcome?.durationMs).toBeLessThan(60_000);
    expect(one.session.embedding.snapshot.outcome?.durationMs).toBeLessThan(60_000);
  });
});

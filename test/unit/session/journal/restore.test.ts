import { describe, expect, test } from 'vitest';
import type { JournalLine } from '../../../../src/session';
import { MemoryRunStore } from '../../../../src/session';
import { withLongFields } from '../../../../src/session/journal/journal-lines';
import { Lane } from '../../../../src/session/conversation/lane';
import type { Restored } from '../../../../src/session/journal/restore';
import { restoreLanes } from '../../../../src/session/journal/restore';
import { toEntry, toMessages } from '../../../../src/session/conversation/transcript';
import { fc, runs } from '../../../support/arbitrary/properties';

const message = (id: string, lane = 'a', content = id): JournalLine => ({
  kind: 'message',
  lane,
  id,
  message: { role: 'user', content },
});
const run = (id: string, more: object = {}): JournalLine => ({
  kind: 'run',
  lane: 'a',
  id,
  at: 5,
  connectionId: 'demo',
  model: 'm',
  ...more,
});
const ended = (id: string): JournalLine => ({ kind: 'ended', id, verdict: { kind: 'answer', detail: '' } });
const idsOf = ({ lanes }: Restored, lane = 'a'): string[] => (lanes.get(lane) ?? []).map(({ id }) => id);

describe('restoreLanes', () => {
  test('restores conversations per lane, in order', () => {
    const restored = restoreLanes([
      message('one'),
      message('two', 'b'),
      run('r'),
      ended('r'),
      message('three'),
    ]);
    expect(idsOf(restored)).toEqual(['one', 'r', 'three']);
    expect(idsOf(restored, 'b')).toEqual(['two']);
    expect(restored.interrupted).toEqual([]);
    expect(restored.lanes.get('a')?.[1]).toMatchObject({ isStored: true, verdict: { kind: 'answer' } });
  });

  test('restores results with their calls; a later result replaces an earlier one', () => {
    const result = (content: string): JournalLine => ({
      kind: 'result',
      run: 'r',
      call: 1,
      result: { content, isError: false, source: 'given' },
    });
    const { lanes } = restoreLanes([run('r'), result('first'), result('second'), ended('r')]);
    const item = lanes.get('a')?.[0];
    expect(item?.kind === 'run' && [...item.results]).toEqual([
      [1, { content: 'second', isError: false, source: 'given' }],
    ]);
  });

  test('restores a run without an end as interrupted, with its partial reply', () => {
    const lines = [
      run('r'),
      { kind: 'partial', id: 'r', content: 'It was ', reasoning: 'Hm' },
      { kind: 'partial', id: 'r', content: 'a dark', toolCalls: [{ name: 't', arguments: '{' }] },
    ];
    const { lanes, interrupted } = restoreLanes(lines);
    expect(interrupted).toMatchObject([
      {
        runId: 'r',
        connectionId: 'demo',
        model: 'm',
        startedAt: 5,
        verdict: { kind: 'interrupted' },
        partial: { content: 'It was a dark', reasoning: 'Hm', toolCalls: [{ name: 't', arguments: '{' }] },
      },
    ]);
    expect(lanes.get('a')?.[0]).toMatchObject({ record: { verdict: { kind: 'interrupted' } } });
    expect(restoreLanes([run('r')]).interrupted[0]).not.toHaveProperty('partial');
  });

  test('restores an agent run without an end as interrupted at its last step, even if that step is complete', () => {
    const step = (number: number) => ({ step: { agentRunId: 'agent', number } });
    const answer = { content: 'x', isError: true, source: 'mock' };
    const lines = [
      run('agent/1', step(1)),
      ended('agent/1'),
      run('agent/2', step(2)),
      ended('agent/2'),
      { kind: 'result', run: 'agent/2', call: 0, result: answer },
    ];
    const { endings, lanes } = restoreLanes(lines);
    expect([...endings]).toMatchObject([
      ['agent/2', { stopReason: 'interrupted', steps: 2, answered: 1, errors: 1 }],
    ]);
    expect(lanes.get('a')?.[1]).toMatchObject({ ending: { stopReason: 'interrupted' } });
    const ending = { stopReason: 'answer', usage: {} };
    const whole = restoreLanes([...lines, { kind: 'ending', id: 'agent/2', ending }]);
    expect(whole.endings.size).toBe(0);
    // The same applies if its last step was removed from the conversation.
    const cut = restoreLanes([
      ...lines,
      { kind: 'ending', id: 'agent/2', ending },
      { kind: 'cut', lane: 'a', from: 'agent/2' },
    ]);
    expect(cut.endings.size).toBe(0);
  });

  test('leaves out what was cut, and keeps what was cleared until something new begins', () => {
    const before = [message('one'), message('two'), { kind: 'cut', lane: 'a', from: 'two' }];
    expect(idsOf(restoreLanes(before))).toEqual(['one']);
    const cleared = restoreLanes([...before, { kind: 'clear', lanes: ['a'] }]);
    expect(idsOf(cleared)).toEqual([]);
    expect(cleared.kept?.lanes.get('a')).toHaveLength(1);
    const lines = [...before, { kind: 'clear', lanes: ['a'] }, message('three')];
    expect(idsOf(restoreLanes([...lines, { kind: 'restore' }]))).toEqual(['one']);
    const forgotten = restoreLanes([...lines, { kind: 'forget' }]);
    expect(forgotten.kept).toBeUndefined();
    expect(idsOf(restoreLanes([...lines, { kind: 'forget' }, { kind: 'restore' }]))).toEqual(['three']);
  });

  test('restores a run that was cleared before its end as interrupted, too', () => {
    const { kept, interrupted } = restoreLanes([run('r'), { kind: 'clear', lanes: ['a'] }]);
    expect(interrupted).toHaveLength(1);
    expect(kept?.lanes.get('a')?.[0]).toMatchObject({ record: { verdict: { kind: 'interrupted' } } });
  });

  test('ignores a duplicate id', () => {
    expect(idsOf(restoreLanes([message('one'), message('one'), run('one')]))).toEqual(['one']);
  });

  test.each([
    ...['__proto__', 'constructor', 'hasOwnProperty', 'valueOf', 'toString', 'no-kind'].map((kind) => ({
      kind,
    })),
    {},
    { kind: 7 },
    { kind: { toString: 1 } },
    { kind: 'message', lane: 'a', id: 'x' },
    { kind: 'message', lane: 'a', id: 'x', message: { role: 'god', content: '' } },
    { kind: 'message', lane: 'a', id: 'x', message: { role: 'user', content: 7 } },
    { kind: 'message', lane: 'a', id: 'x', message: { role: 'assistant', content: '', toolCalls: 'all' } },
    { kind: 'message', lane: { toString: 1 }, id: 'x', message: { role: 'user', content: '' } },
    { kind: 'run', lane: 'a', id: null },
    { kind: 'ending', id: 'r', ending: null },
    { kind: 'clear', lanes: 'a' },
    { kind: 'clear', lanes: [{ toString: 1 }] },
  ])('ignores an invalid line: %o', (line) => {
    const restored = restoreLanes([line, message('one')]);
    expect(idsOf(restored)).toEqual(['one']);
    expect([...restored.lanes.keys()]).toEqual(['a']);
  });

  const part = fc.oneof(
    fc.constantFrom<unknown>('a', 'b', 'r1', 'r2', '', '__proto__', 0, 1, -1, 1.5, null, true, [], {}),
    fc.constantFrom<unknown>(
      { role: 'user', content: 'x' },
      { role: 'tool', content: 'x', toolCalls: [{ id: 'c', name: 't' }] },
      { content: 'x', isError: false, source: 'given' },
      { agentRunId: 'r', number: 1 },
      { kind: 'answer', detail: '' },
      { stopReason: 'answer', usage: {} },
      ['a', 'b'],
      ['r1', 7, null],
      [{ name: 't', arguments: '' }],
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const anyLine = fc.oneof(
    fc.record(
      {
        kind: fc.oneof(
          fc.constantFrom(
            'message',
            'run',
            'partial',
            'ended',
            'result',
            'ending',
            'cut',
            'clear',
            'keep',
            'restore',
            'forget',
          ),
          part,
        ),
        lane: part,
        lanes: part,
        id: part,
        run: part,
        call: part,
        from: part,
        message: part,
        result: part,
        ending: part,
        step: part,
        verdict: part,
        content: part,
        toolCalls: part,
        at: part,
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.string(), fc.jsonValue()),
  ) as fc.Arbitrary<JournalLine>;

  test('never throws for any lines, and its result can be shown and sent', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30, size: 'max' }), (lines) => {
        const { lanes, kept } = restoreLanes(lines);
        for (const items of [...lanes.values(), ...(kept?.lanes.values() ?? [])]) {
          expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
          expect(JSON.stringify(items.map(toEntry))).toBeTypeOf('string');
          expect(toMessages(items, true).every(({ content }) => typeof content === 'string')).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('readLines', () => {
  const openLane = async (store: MemoryRunStore): Promise<Lane> =>
    new Lane('a', [], await store.open('s'), {
      onChange: () => undefined,
      onProgressChange: () => undefined,
    });
  const restore = async (store: MemoryRunStore): Promise<Restored> =>
    restoreLanes(await withLongFields(await store.open('s')));

  test.each([10, 99_000, 150_000, 2_000_000])(
    'restores a message and a result of %i characters, however long a line may be',
    async (length) => {
      const store = new MemoryRunStore();
      const lane = await openLane(store);
      const long = '\u0001'.repeat(length);
      lane.addMessage({ role: 'user', content: long });
      lane.beginRun('r', { connectionId: 'demo', model: 'm' });
      lane.setResult('r', 0, { content: long, isError: false, source: 'given' });
      lane.setResult('r', 0, { content: `${long}!`, isError: false, source: 'given' });
      const [said, replied] = (await restore(store)).lanes.get('a') ?? [];
      expect(said?.kind === 'message' && said.message.content === long).toBe(true);
      expect(replied?.kind === 'run' && replied.results.get(0)?.content === `${long}!`).toBe(true);
    },
  );

  test('ignores a line whose body is missing', async () => {
    const store = new MemoryRunStore({ maxBytes: 1 });
    const lane = await openLane(store);
    lane.addMessage({ role: 'user', content: 'x'.repeat(200_000) });
    lane.addMessage({ role: 'user', content: 'short' });
    const items = (await restore(store)).lanes.get('a') ?? [];
    expect(items.map((item) => item.kind === 'message' && item.message.content)).toEqual(['short']);
  });
});

import { describe, expect, it } from 'vitest';
import { MAX_TEXT_LENGTH, MAX_TEXTS } from '../../../webview/embedding-state';
import { MAX_STATE_BYTES, restoreState, toPersisted } from '../../../webview/persisted-state';
import type { Entry } from '../../../webview/state';
import { CALL, readyState, toOutcome, toRun, toTurn } from './samples';

const rescue = {
  calls: [
    {
      ...CALL,
      source: 'rescued' as const,
      format: 'hermes-json',
      evidence: 'marker' as const,
      rawName: 'get_weather',
      start: 0,
      end: 9,
      repairs: [{ kind: 'trailing-comma', at: 3 }],
      schemaIssues: [{ path: '/unit', message: 'is unknown' }],
    },
  ],
  content: 'rest',
  rejected: [{ format: 'hermes-json', start: 9, end: 12, reason: 'example', detail: 'An example.' }],
};

function throughTheEditor(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function bigRun(runId: string, bodyLength: number): Entry {
  const turn = toTurn('Cold.', []);
  const exchange = { ...turn.exchange, request: { ...turn.exchange.request, body: 'é'.repeat(bodyLength) } };
  return toRun(runId, toOutcome(runId, { ...turn, exchange }));
}

describe('restoreState', () => {
  it('brings back everything that was kept', () => {
    const state = readyState({
      entries: [
        { kind: 'user', id: 'u1', content: 'Weather?' },
        {
          ...toRun('r1', toOutcome('r1', toTurn('text', [CALL], rescue))),
          results: { 0: { content: '1', isError: true } },
        },
        toRun('r2', toOutcome('r2', undefined)),
        toRun('r3'),
      ],
      pendingRunId: 'r3',
      selection: { runId: 'r1', callIndex: 0 },
      tab: 'attempts',
      inspectorWidth: 420,
    });
    const restored = restoreState(throughTheEditor(toPersisted(state)));
    expect(restored).toEqual(throughTheEditor({ ...toPersisted(state), version: undefined }));
    expect(restored?.pendingRunId).toBe('r3');
  });

  it('brings back a run to the end, its steps, and the embeddings', () => {
    const usage = { promptTokens: 3 };
    const counts = { steps: 1, answered: 1, unmatched: 0, durationMs: 5 };
    const step = { agentRunId: 'a', number: 1 };
    const ended = {
      ...toRun('a/1', toOutcome('a/1', toTurn('', [CALL]))),
      step,
      ending: { stopReason: 'max-steps' as const, ...counts, usage },
      results: { 0: { content: '1', isError: false, source: 'mock' as const } },
    };
    const result = {
      vectors: [{ dimension: 2, norm: null, head: [1] }],
      similarity: [[null]],
      findings: [],
    };
    const embedded = { usage: { promptTokens: 12, costUsd: 0.1 }, durationMs: 1, tries: 1, result };
    const outcome = { runId: 'e', connectionLabel: 'Demo', model: 'm', ...embedded };
    const state = readyState({
      entries: [ended],
      agent: { runId: 'b', maxSteps: 10, since: 1 },
      view: 'embeddings',
      embedding: { connectionId: 'demo', model: 'm', texts: ['x'], last: { labels: ['x'], outcome } },
    });
    const restored = restoreState(throughTheEditor(toPersisted(state)));
    expect(restored).toMatchObject(throughTheEditor({ ...toPersisted(state), version: undefined }) as object);
  });

  it('brings back what was kept before there were runs to the end and embeddings', () => {
    const { agent: _a, embedding: _e, view: _v, lane, ...older } = toPersisted(readyState());
    const { limits: _l, ...olderLane } = lane;
    const restored = restoreState(throughTheEditor({ ...older, lane: olderLane }));
    expect(restored).toMatchObject({
      view: 'chat',
      lane: { limits: { maxSteps: '' } },
      embedding: readyState().embedding,
    });
  });

  it('starts afresh from an unknown version', () => {
    expect(restoreState({ ...toPersisted(readyState()), version: 2 })).toBeUndefined();
  });

  it.each([
    ['nothing', undefined],
    ['no object', 'state'],
    ['a form of another shape', { ...toPersisted(readyState()), lane: { connectionId: 7 } }],
  ])('starts afresh from %s', (_title, stored) => expect(restoreState(stored)).toBeUndefined());
});

describe('restoreState, of a single entry that it cannot read,', () => {
  const user: Entry = { kind: 'user', id: 'u1', content: 'Weather?' };
  const good = toRun('r9', toOutcome('r9', toTurn('Cold.', [])));
  const restore = (entry: unknown): Entry[] | undefined =>
    restoreState(throughTheEditor({ ...toPersisted(readyState()), entries: [user, entry, good] }))?.entries;

  it.each([
    ['of another kind', { kind: 'robot' }],
    ['that is nothing', null],
    ['that is a text', 'entry'],
    ['without a text', { kind: 'user', id: 'u2', content: 5 }],
  ])('drops one %s and keeps the others', (_title, entry) => {
    expect(restore(entry)).toEqual(throughTheEditor([user, good]));
  });

  it.each([
    ['a broken outcome', { ...toRun('r1'), outcome: { runId: 'r1' } }],
    [
      'a count that is null',
      toRun('r1', {
        ...toOutcome('r1', { ...toTurn('', [CALL]), usage: { promptTokens: null as never } }),
      }),
    ],
  ])('keeps a run with %s, and says that its reply is gone', (_title, entry) => {
    expect(restore(entry)).toMatchObject([
      user,
      { kind: 'run', runId: 'r1', problem: { code: 'not-kept', next: 'Run again.' } },
      { runId: 'r9', outcome: { turn: {} } },
    ]);
  });

  it('keeps the signature of a call', () => {
    const signed = { ...CALL, extraContent: { google: { thought_signature: 'abc' } } };
    expect(restore(toRun('r1', toOutcome('r1', toTurn('', [signed]))))?.[1]).toMatchObject({
      outcome: { turn: { toolCalls: [signed] } },
    });
  });

  it('forgets a result of embeddings that it cannot read, and nothing else', () => {
    const { embedding, ...others } = toPersisted(readyState({ entries: [user] }));
    const last = { labels: ['x'], outcome: { runId: 5 } };
    const restored = restoreState(throughTheEditor({ ...others, embedding: { ...embedding, last } }));
    expect(restored?.embedding).toEqual(embedding);
    expect(restored?.entries).toEqual([user]);
  });
});

describe('toPersisted', () => {
  it('keeps nothing that the host says anew', () => {
    const kept = toPersisted(readyState({ notice: 'Copied.' }));
    expect(Object.keys(kept)).not.toEqual(expect.arrayContaining(['snapshot']));
    expect(kept).not.toHaveProperty('models');
    expect(kept).not.toHaveProperty('notice');
  });

  it('drops the bodies of the oldest exchanges first', () => {
    const entries = [bigRun('r1', 300_000), bigRun('r2', 300_000)];
    const bodies = toPersisted(readyState({ entries })).entries.map((entry) =>
      entry.kind === 'run' ? entry.outcome?.turn?.exchange.request.body.length : undefined,
    );
    expect(bodies).toEqual([0, 300_000]);
  });

  it('keeps the question of a reply that is too long, and says that the reply is gone', () => {
    const user: Entry = { kind: 'user', id: 'u1', content: 'Count to a million' };
    const long = toRun('r1', toOutcome('r1', toTurn('1 2 3 '.repeat(200_000), [])));
    const { entries } = toPersisted({ ...readyState(), entries: [user, long] });
    expect(entries[0]).toEqual(user);
    expect(entries[1]).toMatchObject({
      kind: 'run',
      runId: 'r1',
      problem: { code: 'not-kept', next: 'Run again.' },
    });
    expect(entries[1]).not.toHaveProperty('outcome');
    expect(
      restoreState(throughTheEditor(toPersisted({ ...readyState(), entries: [user, long] })))?.entries,
    ).toHaveLength(2);
  });

  it('drops the oldest entries when the texts themselves are too long', () => {
    const content = 'x'.repeat(400_000);
    const entries = ['a', 'b', 'c'].map((id): Entry => ({ kind: 'user', id, content }));
    const kept = toPersisted(readyState({ entries }));
    expect(kept.entries.map((entry) => entry.kind === 'user' && entry.id)).toEqual(['b', 'c']);
  });

  it('keeps every text that can be embedded whole', () => {
    const texts = Array.from({ length: MAX_TEXTS }, () => 'я'.repeat(MAX_TEXT_LENGTH));
    const kept = toPersisted(readyState({ embedding: { ...readyState().embedding, texts } }));
    expect(kept.embedding.texts).toEqual(texts);
  });

  it('says so at the end of a text to embed that it had to cut', () => {
    const texts = ['short', 'x'.repeat(2_000_000)];
    const { embedding } = toPersisted(readyState({ embedding: { ...readyState().embedding, texts } }));
    expect(embedding.texts[0]).toBe('short');
    expect(embedding.texts[1]).toMatch(/^x{100000}… \(the rest was not kept over the reload\)$/);
  });

  it('stays below its limit whatever is typed', () => {
    const long = '\u0000'.repeat(2_000_000);
    const kept = toPersisted(
      readyState({
        draft: 'é'.repeat(2_000_000),
        systemPrompt: 'é'.repeat(2_000_000),
        entries: [{ kind: 'user', id: 'u', content: long }],
      }),
    );
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(MAX_STATE_BYTES);
    expect(kept.draft.length).toBeGreaterThan(0);
  });
});

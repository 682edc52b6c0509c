import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../../../src/session/run/record/run-record';
import { exportedRun } from '../../../../../src/session/run/record/exported-run';
import {
  boundText,
  boundValue,
  readRecord,
  readText,
  toRunOutcome,
} from '../../../../../src/session/run/record/run-record';
import type { ChatTurn } from '../../../../../src/types';
import { makeTurn, NATIVE, RESCUED, rejection } from '../../../../support/session/turns';
import { fc, runs } from '../../../../support/arbitrary/properties';

function toRecord(turn: ChatTurn, more: Partial<RunRecord> = {}): RunRecord {
  const { ledger, ...rest } = turn;
  return {
    runId: 'r',
    connectionId: 'demo',
    connectionLabel: 'Demo',
    model: 'm',
    startedAt: 0,
    durationMs: 1,
    verdict: { kind: 'native', detail: '1 call' },
    turn: rest,
    ledger,
    findings: [],
    ...more,
  };
}

const withArguments = (args: unknown): RunRecord =>
  toRecord(makeTurn({ native: [{ ...NATIVE, arguments: args }] }));
const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

describe('toRunOutcome', () => {
  test('contains each text once, and no exchange', () => {
    const turn = makeTurn({ native: [NATIVE] });
    turn.exchange.response = { status: 200, headers: {}, body: 'the body' };
    const text = JSON.stringify(toRunOutcome(toRecord(turn)));
    expect(text).not.toContain('the body');
    expect(text).not.toContain('exchange');
    expect(text.split('"text"')).toHaveLength(2);
  });

  test('contains the text for the conversation if it differs from the reply', () => {
    const turn = makeTurn({ rescued: [RESCUED] });
    turn.assistant.content = 'the rest';
    expect(toRunOutcome(toRecord(turn)).reply).toMatchObject({
      content: 'the rest',
      raw: { content: 'text' },
    });
    expect(toRunOutcome(toRecord(makeTurn({}))).reply).not.toHaveProperty('content');
  });

  test('contains parse errors and schema violations by the index of the call', () => {
    const turn = makeTurn({ native: [NATIVE, NATIVE] });
    turn.exchange.toolCalls = [{ rawArguments: '{}' }, { rawArguments: '{', parseError: 'cut' }];
    const schemaIssues = { 0: [{ path: '/city', message: 'is missing' }] };
    expect(toRunOutcome(toRecord(turn, { schemaIssues })).reply).toMatchObject({
      parseErrors: { 1: 'cut' },
      schemaIssues,
    });
  });

  test('has no reply after a failure', () => {
    const { turn: _turn, ...failed } = toRecord(makeTurn({}));
    expect(toRunOutcome(failed)).not.toHaveProperty('reply');
  });

  test('is limited in size, whatever the server sent', () => {
    const turn = makeTurn({
      native: Array.from({ length: 5_000 }, () => ({ ...NATIVE, name: 'x'.repeat(100) })),
      rejected: Array.from({ length: 5_000 }, () => rejection('truncated')),
    });
    turn.raw.content = 'a'.repeat(1_000_000);
    turn.raw.reasoning = 'b'.repeat(1_000_000);
    turn.assistant.content = 'c'.repeat(1_000_000);
    const findings = Array.from({ length: 5_000 }, () => ({ severity: 'info' as const, what: 'w' }));
    const outcome = toRunOutcome(toRecord(turn, { findings }));
    expect(outcome.reply?.raw.content).toHaveLength(200_000);
    expect(outcome.reply?.raw.reasoning).toHaveLength(20_000);
    expect(outcome.reply?.toolCalls).toHaveLength(1_000);
    expect(outcome.findings).toHaveLength(1_000);
    expect(outcome.cut.map(({ path }) => path).toSorted()).toEqual([
      'findings',
      'reply.content',
      'reply.raw.content',
      'reply.raw.reasoning',
      'reply.raw.toolCalls',
      'reply.toolCalls',
    ]);
    expect(outcome.cut).toContainEqual({ path: 'reply.toolCalls', length: 5_000 });
  });

  test('limits arguments with a hundred thousand members or levels', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index]));
    expect(JSON.stringify(toRunOutcome(withArguments(wide))).length).toBeLessThan(100_000);
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(JSON.stringify(toRunOutcome(withArguments(deep)))).toContain('nested too deeply');
  });

  test('never splits a character', () => {
    const turn = makeTurn({});
    turn.raw.content = `x${'😀'.repeat(150_000)}`;
    turn.raw.reasoning = `x${'😀'.repeat(20_000)}`;
    const { reply } = toRunOutcome(toRecord(turn));
    expect(isWhole(reply?.raw.content ?? '') && isWhole(reply?.raw.reasoning ?? '')).toBe(true);
    expect(reply?.raw.content).toHaveLength(199_999);
  });
});

describe('readText', () => {
  const key = fc.oneof(
    fc.constantFrom('a', 'a.b', '.', '~', '~1', '~0.', '', '__proto__', 'constructor', '0'),
    fc.string(),
  );
  const long = fc.constantFrom('x'.repeat(20_001), 'y'.repeat(30_000), `z${'😀'.repeat(15_000)}`);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      long,
      fc.constant<unknown>(7),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
    ),
  }));

  test('returns every text completely that an outcome has in part, with any path', () => {
    fc.assert(
      fc.property(tree, (args) => {
        const record = withArguments(args);
        const outcome = toRunOutcome(record);
        const all: string[] = [];
        JSON.stringify(args, (_key, value: unknown) => {
          if (typeof value === 'string') all.push(value);
          return value;
        });
        // The arguments occur twice: as received from the server, and in the resulting calls.
        expect(outcome.cut).toHaveLength(all.length * 2);
        for (const { path, length } of outcome.cut) {
          const text = readText(record, path);
          expect(text?.length).toBe(length);
          expect(all.includes(text ?? '')).toBe(true);
        }
        expect(new Set(outcome.cut.map(({ path }) => path)).size).toBe(outcome.cut.length);
      }),
      { numRuns: runs(200) },
    );
  });

  test.each(['', 'no.such', 'verdict.kind.0', '__proto__', 'constructor.name', 'reply.raw.content.length'])(
    'returns undefined if there is no text: %s',
    (path) => {
      expect(readText(withArguments({}), path)).toBeUndefined();
    },
  );

  test('returns an object or a list as JSON, with all of its texts and elements', () => {
    const calls = Array.from({ length: 1_001 }, () => ({
      ...NATIVE,
      arguments: { text: 'x'.repeat(20_001) },
    }));
    const record = toRecord(makeTurn({ native: calls }));
    expect(JSON.parse(readText(record, 'reply.toolCalls') ?? '')).toEqual(calls);
    expect(JSON.parse(readText(record, 'reply.toolCalls.1000') ?? '')).toEqual(calls[1_000]);
    expect(readText(withArguments({}), 'ledger')).toMatch(/^\[/);
  });

  test('returns a text that is shown completely, too', () => {
    expect(readText(withArguments({}), 'verdict.detail')).toBe('1 call');
  });
});

describe('readRecord', () => {
  test('accepts a stored record', () => {
    const record = toRecord(makeTurn({ native: [NATIVE] }));
    expect(readRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
    const { turn: _turn, ...failed } = record;
    expect(readRecord(failed)).toEqual(failed);
  });

  test.each([undefined, null, 7, 'record', [], {}, { runId: 'r', verdict: 1, ledger: [], findings: [] }])(
    'refuses anything else: %o',
    (value) => {
      expect(readRecord(value)).toBeUndefined();
    },
  );

  test.each([
    ['no date', { startedAt: 1e300 }],
    ['a date as text', { startedAt: '2026-05-01' }],
    ['no model', { model: undefined }],
    ['a finding that is none', { findings: [null] }],
    ['an attempt that is none', { ledger: [null] }],
  ])('refuses a record with %s, which could not be exported', (_, change) => {
    expect(readRecord({ ...toRecord(makeTurn({})), ...change })).toBeUndefined();
  });

  test('refuses any changed record, or it can be shown and exported', () => {
    const record = toRecord(makeTurn({ native: [NATIVE] }));
    const places: (string | number)[][] = [];
    const walk = (value: unknown, path: (string | number)[]): void => {
      if (path.length > 0) places.push(path);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, entry] of Object.entries(value)) walk(entry, [...path, name]);
    };
    walk(record, []);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 1 }), (path, value) => {
        const changed = JSON.parse(JSON.stringify(record)) as Record<string | number, unknown>;
        let holder = changed;
        for (const step of path.slice(0, -1)) holder = holder[step] as typeof holder;
        holder[path.at(-1) ?? ''] = value;
        const read = readRecord(changed);
        if (!read) return;
        expect(JSON.stringify(toRunOutcome(read))).toBeTypeOf('string');
        expect(
          JSON.stringify(exportedRun('Run', { record: read, wire: undefined, setup: undefined })),
        ).toBeTypeOf('string');
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('boundValue', () => {
  test('reads only the members of a large object that it shows', () => {
    const members = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key ${n}`, n]));
    let reads = 0;
    const counted = new Proxy(members, {
      get: (target, key) => {
        reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
    const shown = boundValue({ args: counted }).args;
    expect(Object.entries(shown)).toEqual(Object.entries(members).slice(0, 1_000));
    expect(reads).toBe(1_000);
  });
});

describe('boundText', () => {
  test('returns the beginning, the whole length, and only whole characters', () => {
    expect(boundText('short')).toEqual({ content: 'short', length: 5 });
    const { content, length } = boundText(`x${'😀'.repeat(20_000)}`);
    expect(length).toBe(40_001);
    expect(content).toHaveLength(19_999);
    expect(isWhole(content)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import type { ToolType } from '../../../../src/types';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { FORMAT_IDS, isSingle, SEED, toKeys, write } from './law-support';
import { fc } from '../../../support/arbitrary/properties';

/** Long enough for a busy machine. */
const LIMIT = { timeout: 60_000 };

const RUNS = 25;

const MARKERS = RESCUE_FORMATS.flatMap(({ openers }) => openers);
const CLOSERS = MARKERS.filter((opener) => /^<[a-z]/.test(opener)).map((opener) => `</${opener.slice(1)}`);
const SIGNS =
  '{ } [ ] " \' ` ``` ~~~ \\ , : ; = ( ) < > & &amp; # | --- </parameter> </think> <think> END_ARG null 1'.split(
    ' ',
  );
const HARD = [
  '\n',
  '\n\n',
  ' ',
  '  ',
  '\t',
  '',
  '\r\n',
  'שלום',
  '😀',
  'a: b',
  "it's",
  'C:\\dir\\new',
  'f(x="y")',
  '- a',
  '{"name": "x"}',
];

/** Texts that contain markup of every dialect. */
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom(...SIGNS, ...HARD, ...MARKERS, ...CLOSERS), { maxLength: 6 })
      .map((pieces) => pieces.join('')),
  },
  { weight: 2, arbitrary: anyText({ maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('Ghent', 'two words', 'src/app.ts', '2026-01-31', 'true', 'null', '7', '-0.5'),
  },
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const key = fc
  .oneof(fc.stringMatching(/^[a-z][a-zA-Z0-9_]{0,8}$/), text)
  .filter((name) => !FORBIDDEN.has(name));
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }).map((record) => ({ ...record })),
  ),
}));
const object = fc.dictionary(key, json, { maxKeys: 3 }).map((record) => ({ ...record }));

const parameter = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('string'), value: text }) },
  fc.record({ type: fc.constant('integer'), value: fc.integer() }),
  fc.record({ type: fc.constant('number'), value: number }),
  fc.record({ type: fc.constant('boolean'), value: fc.boolean() }),
  fc.record({ type: fc.constant('array'), value: fc.array(json, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('object'), value: object }),
);
const name = fc.stringMatching(/^[a-z][a-z0-9]{1,6}(_[a-z]{1,6}){1,2}$/);

interface Invocation {
  tool: ToolType;
  call: { name: string; arguments: Record<string, unknown> };
}

const invocation: fc.Arbitrary<Invocation> = fc
  .record({ name, values: fc.dictionary(name, parameter, { maxKeys: 4 }) })
  .map(({ name: toolName, values }) => {
    const entries = Object.entries(values);
    const properties = Object.fromEntries(entries.map(([label, { type }]) => [label, { type }]));
    return {
      tool: { name: toolName, parameters: { type: 'object', properties } },
      call: {
        name: toolName,
        arguments: Object.fromEntries(entries.map(([label, { value }]) => [label, value])),
      },
    };
  });
const invocations = fc.uniqueArray(invocation, {
  minLength: 1,
  maxLength: 3,
  selector: ({ tool }) => tool.name,
});

describe('formatToolCalls and rescueToolCalls', LIMIT, () => {
  it.each(FORMAT_IDS)('write and read back any calls unchanged, or refuse to write them: %s', (format) => {
    let written = 0;
    fc.assert(
      fc.property(invocations, (all) => {
        const used = isSingle(format) ? all.slice(0, 1) : all;
        const calls = used.map(({ call }) => call);
        const reply = write(calls, format);
        if (reply === undefined) return;
        written += 1;
        const report = rescueToolCalls(
          reply,
          used.map(({ tool }) => tool),
        );
        expect(toKeys(report.calls)).toEqual(toKeys(calls));
        expect(report.content).toBe('');
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(written).toBeGreaterThan(RUNS / 8);
  });
});

import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { createRandom } from '../../../../support/arbitrary/random';
import { toPlain } from '../rescue-fixtures';

const TOOLS = [
  {
    name: 'note',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string' }, tags: { type: 'array' }, count: { type: 'number' } },
      required: ['text'],
    },
  },
  { name: 'list_notes', parameters: { type: 'object', properties: {} } },
];

const call = (args: string): string => `<tool_call>{"name": "note", "arguments": ${args}}</tool_call>`;

/** The text of a row has `¦` at the offset of the repair. */
interface Row {
  kind: string;
  text: string;
  value?: object;
}

const X = { text: 'x' };

const REPAIRS: readonly Row[] = [
  { kind: 'missing-comma', text: call('{"text": "x" ¦"tags": []}'), value: { text: 'x', tags: [] } },
  {
    kind: 'missing-comma',
    text: call('{"text": "x", "tags": [{} ¦{}]}'),
    value: { text: 'x', tags: [{}, {}] },
  },
  {
    kind: 'missing-comma',
    text: call('{"text": "x", "tags": [1\n¦"b"]}'),
    value: { text: 'x', tags: [1, 'b'] },
  },
  {
    kind: 'missing-comma',
    text: '<tool_call>{"name": "note" ¦"arguments": {"text": "x"}}</tool_call>',
    value: X,
  },
  { kind: 'wrong-separator', text: call('{"text": "x",¦, "tags": []}'), value: { text: 'x', tags: [] } },
  { kind: 'wrong-separator', text: call('{"count": 1¦; "text": "x"}'), value: { text: 'x', count: 1 } },
  { kind: 'trailing-comma', text: call('{"text": "x"¦,}'), value: X },
  { kind: 'trailing-comma', text: call('{"text": "x", "tags": [1¦, ]}'), value: { text: 'x', tags: [1] } },
  { kind: 'single-quotes', text: call(`{"text": ¦'x'}`), value: X },
  { kind: 'single-quotes', text: call(`{"text": ¦'L'Aquila'}`), value: { text: "L'Aquila" } },
  {
    kind: 'python-literal',
    text: call('{"text": "x", "tags": [¦None]}'),
    value: { text: 'x', tags: [null] },
  },
  {
    kind: 'python-literal',
    text: call('{"text": "x", "tags": [¦True]}'),
    value: { text: 'x', tags: [true] },
  },
  { kind: 'unquoted-key', text: call('{¦text: "x"}'), value: X },
  { kind: 'unquoted-key', text: call('{¦größe: 1, "text": "x"}'), value: { größe: 1, text: 'x' } },
  { kind: 'smart-quotes', text: call('{"text": ¦“x”}'), value: X },
  { kind: 'smart-quotes', text: call('{"text": ¦“say "hi" “there””}'), value: { text: 'say "hi" “there”' } },
  { kind: 'control-char', text: call('{"text": "a¦\nb\tc"}'), value: { text: 'a\nb\tc' } },
  { kind: 'bad-escape', text: call('{"text": "¦\\d+¦\\.¦\\_"}'), value: { text: '\\d+\\.\\_' } },
  { kind: 'bad-escape', text: call('{"text": "it¦\\\'s"}'), value: { text: "it's" } },
  { kind: 'bad-escape', text: call('{"text": "C:¦\\Users¦\\work"}'), value: { text: 'C:\\Users\\work' } },
  { kind: 'bad-escape', text: call('{"text": "print(¦"hi¦")"}'), value: { text: 'print("hi")' } },
  { kind: 'comment', text: call('{"text": "x" ¦// why\n}'), value: X },
  { kind: 'comment', text: call('{¦/* a } */ "text": "x"}'), value: X },
  {
    kind: 'double-encoded',
    text: `¦{"name": "note", "arguments": "{\\"text\\": \\"x\\"}"}\n</tool_call>`,
    value: X,
  },
  {
    kind: 'double-encoded',
    text: `<tool_call>¦${JSON.stringify('{"name": "note", "arguments": {"text": "x"}}')}</tool_call>`,
    value: X,
  },
  {
    kind: 'missing-closer',
    text: '<tool_call>{"name": "note", "arguments": {"text": "x"}¦</tool_call>',
    value: X,
  },
  {
    kind: 'missing-closer',
    text: '<tool_call>[{"name": "note", "arguments": {"text": "x"}}¦</tool_call>',
    value: X,
  },
  {
    kind: 'missing-closer',
    text: '[TOOL_REQUEST]{"name": "note", "arguments": {"text": "x"}¦[END_TOOL_REQUEST]',
    value: X,
  },
  {
    kind: 'extra-closer',
    text: '<tool_call>{"name": "note", "arguments": {"text": "x"}}¦}</tool_call>',
    value: X,
  },
  {
    kind: 'extra-closer',
    text: '<tool_call>[{"name": "note", "arguments": {"text": "x"}}¦}]</tool_call>',
    value: X,
  },
  {
    kind: 'schema-envelope',
    text: '<tool_call>¦{"name": "note", "arguments": {"properties": {"text": "x"}}}</tool_call>',
    value: X,
  },
];

/** Damage that could be repaired only by guessing. */
const REFUSALS: readonly [string, string, string][] = [
  ['a string at the end of the text', 'truncated', call('{"text": "x').slice(0, -13)],
  ['a string without its quote before the closer', 'malformed', call('{"text": "x}')],
  [
    'a string that has run into the next call',
    'malformed',
    '<|tool_call_begin|>functions.note:0<|tool_call_argument_begin|>{"text": "x"}"|tool_call_end|>' +
      '<|tool_call_begin|>functions.note:1<|tool_call_argument_begin|>{"text": "y"}<|tool_call_end|>',
  ],
  [
    'a string without its quote at the end of a line',
    'truncated',
    '<tool_call>{"name": "note", "arguments": {"text": "x\n}}',
  ],
  ['an unclosed single quote', 'truncated', `<tool_call>{"name": "note", "arguments": {"text": 'x}}`],
  ['an unclosed curly quote', 'truncated', '<tool_call>{"name": "note", "arguments": {"text": “x"}}'],
  [
    'arguments without their brace at the end of the text',
    'truncated',
    '<tool_call>{"name": "note", "arguments": {"text": "x"',
  ],
  [
    'a list in the arguments at the end of the text',
    'truncated',
    '<tool_call>{"name": "note", "arguments": {"text": "x", "tags": [1]',
  ],
  [
    'arguments without their brace before the closer',
    'malformed',
    '<tool_call>{"name": "note", "arguments": {"count": 1</tool_call>',
  ],
  ['a list closed by a brace', 'malformed', call('{"text": "x", "tags": [1}}')],
  [
    'a number at the end of the text',
    'truncated',
    '<tool_call>{"name": "note", "arguments": {"text": "x", "count": 1',
  ],
  ['a truncated literal', 'truncated', '<tool_call>{"name": "note", "arguments": {"text": "x", "tags": nul'],
  ['a truncated key', 'truncated', '<tool_call>{"name": "note", "arguments": {"text": "x", "ta'],
  ['an unclosed comment', 'truncated', '<tool_call>{"name": "note", "arguments": {"text": "x" /* and'],
  ['a bare word', 'malformed', call('{"text": hello}')],
  ['a number with a leading zero', 'malformed', call('{"text": "x", "count": 007}')],
  ['a missing colon', 'malformed', call('{"text" "x"}')],
  ['an expression', 'malformed', call('{"text": "a" + b}')],
];

const toPlaces = (text: string): { text: string; places: number[] } => ({
  text: text.replaceAll('¦', ''),
  places: [...text.matchAll(/¦/g)].map(({ index }, before) => index - before),
});

describe('the repairs of JSON', () => {
  it.each(REPAIRS)('repairs $kind in $text and notes its offsets', (row) => {
    const { text, places } = toPlaces(row.text);
    const { calls, rejected } = rescueToolCalls(text, TOOLS);
    expect(rejected).toEqual([]);
    expect(calls.map(toPlain)).toEqual([{ name: 'note', arguments: row.value }]);
    const noted = calls[0]?.repairs.filter(({ kind }) => kind === row.kind).map(({ at }) => at);
    expect(noted).toEqual(places);
  });

  it('notes missing arguments of a tool that needs none', () => {
    const { calls } = rescueToolCalls(
      '<tool_call>{"name": "list_notes", "arguments": null}</tool_call>',
      TOOLS,
    );
    expect(calls[0]).toMatchObject({ arguments: {}, repairs: [{ kind: 'missing-arguments', at: 11 }] });
  });

  it('notes no repair when nothing is damaged', () => {
    const text = call('{"text": "“a” \'b\' // \\n \\u00e9 \\\\d", "tags": [true, null, -1.5e3]}');
    expect(rescueToolCalls(text, TOOLS).calls[0]?.repairs).toEqual([]);
  });

  it.each(REFUSALS)('does not repair %s', (_, reason, text) => {
    const { calls, rejected } = rescueToolCalls(text, TOOLS);
    expect(calls).toEqual([]);
    expect(rejected.map((item) => item.reason)).toEqual([reason]);
  });

  it.each([
    ['`,` or `}`', call('{"count": 1 ¦| "text": "x"}')],
    ['`,` or `]`', call('{"tags": [1¦}}')],
    ['`:`', call('{"text" ¦"x"}')],
    ['a value', call('{"text": ¦hello}')],
    ['a key', call('{"text": "x", ¦!}')],
  ])('reports that %s was expected, with the offset', (expected, marked) => {
    const { text, places } = toPlaces(marked);
    const [rejection] = rescueToolCalls(text, TOOLS).rejected;
    expect(rejection).toMatchObject({ reason: 'malformed', name: 'note' });
    expect(rejection?.detail).toContain(`breaks at offset ${places[0]}, `);
    expect(rejection?.detail).toMatch(
      new RegExp(`: expected ${expected.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\\.$`),
    );
  });

  it('never returns a value that the damaged text does not contain', () => {
    const intact = call('{"text": "a, b: c", "tags": ["d", {"e": 1}], "count": 12}');
    const values = new Set(['a, b: c', 'd', 'e', 1, 12]);
    for (let seed = 0; seed < 600; seed += 1) {
      const random = createRandom(seed);
      const at = random.below(intact.length);
      const damaged = `${intact.slice(0, at)}${random.pick(['', '"', '}', ',', "'", '\n', '\\'])}${intact.slice(at + 1)}`;
      const leaves = rescueToolCalls(damaged, TOOLS).calls.flatMap(({ arguments: value }) => toLeaves(value));
      for (const leaf of leaves) {
        const isSaid =
          values.has(leaf as string) || damaged.includes(String(leaf)) || isDecoded(leaf, damaged);
        expect(isSaid, `${JSON.stringify(leaf)} of ${damaged}`).toBe(true);
      }
    }
  });
});

function toLeaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(toLeaves);
}

/** A backslash that the damage inserted turns the characters after it into an escape. */
const isDecoded = (leaf: unknown, text: string): boolean =>
  typeof leaf === 'string' && text.includes(JSON.stringify(leaf).slice(1, -1));

import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { formatToolCalls } from '../../../../src/library/rescue/format-tool-calls';
import { DIALECTS, rescue, toPlain } from './rescue-fixtures';
import type { Dialect } from './rescue-fixtures';

const ONE = { name: 'get_weather', arguments: { city: 'Gent', unit: 'celsius' } };
const TWO = [ONE, { name: 'get_weather', arguments: { city: 'Oslo' } }];

const KNOWN = new Set(RESCUE_FORMATS.map(({ id }) => id));
const OURS = DIALECTS.filter(({ format }) => KNOWN.has(format));
const nameOf = ({ format, variant }: Dialect): string => (variant ? `${format} (${variant})` : format);
const texts = OURS.flatMap((dialect) => [
  { title: `one call, ${nameOf(dialect)}`, dialect, text: dialect.one, expected: [ONE] },
  ...(dialect.two === undefined
    ? []
    : [{ title: `two calls, ${nameOf(dialect)}`, dialect, text: dialect.two, expected: TWO }]),
]);

describe('rescueToolCalls on every dialect', () => {
  it('has formats to test', () => expect(OURS.length).toBeGreaterThan(2));

  it.each(texts)('reads $title', ({ text, expected }) => {
    const { calls, content, rejected } = rescue(text);
    expect(calls.map(toPlain)).toEqual(expected);
    expect(calls.flatMap(({ repairs }) => repairs)).toEqual([]);
    expect(content).toBe('');
    expect(rejected).toEqual([]);
  });

  /** Formats that have no marker of their own: a call may be reported under the format whose form they share. */
  const SHARED = new Set(['xlam', 'llama-json']);

  it.each(texts.filter(({ dialect }) => !SHARED.has(dialect.format)))(
    'names the format of $title',
    ({ dialect, text, expected }) => {
      expect(rescue(text).calls.map(({ format }) => format)).toEqual(expected.map(() => dialect.format));
    },
  );
});

/** What a call does not carry: the thought before it, and the name of the server that offers the tool. */
const UNSAID = /^(?:Thought: .*\n|<\|thought_start\|>[^<]*<\|thought_end\|>\n)|(?<=<server_name>)\w+/g;
const withoutUnsaid = (text: string): string => text.replaceAll(UNSAID, '');

describe('formatToolCalls', () => {
  it.each(texts.filter(({ dialect }) => !dialect.variant))('writes $title', ({ dialect, text, expected }) => {
    const calls = rescue(text).calls.map(({ id }, index) => ({ ...expected[index], id }));
    const written = formatToolCalls(calls as typeof TWO, dialect.format);
    expect(withoutUnsaid(written)).toBe(withoutUnsaid(text));
  });

  it('returns an empty text for an empty list of calls', () =>
    expect(formatToolCalls([], 'hermes-json')).toBe(''));

  it('refuses an unknown format and names it in the error', () => {
    expect(() => formatToolCalls([ONE], 'morse')).toThrow(/format is "morse"/);
  });

  it('refuses arguments that are not an object', () => {
    const call = { name: 'get_weather', arguments: 'Oslo' };
    expect(() => formatToolCalls([call], 'hermes-json')).toThrow(/get_weather/);
  });

  it('refuses arguments that are not JSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const value of [cycle, { days: 1n }, { city: () => 'Oslo' }]) {
      const write = (): string => formatToolCalls([{ name: 'get_weather', arguments: value }], 'hermes-json');
      expect(write).toThrow(expect.objectContaining({ code: 'invalid-options', field: 'calls' }));
    }
  });

  it('refuses a value that contains the closing tag of its element', () => {
    const call = { name: 'get_weather', arguments: { city: '</get_weather>' } };
    expect(() => formatToolCalls([call], 'tool-tag-yaml')).toThrow(/tool-tag-yaml cannot express/);
  });

  it.each([
    ['tool-tag-yaml', { 'a b': 'x' }],
    ['name-line-xml', { city: '\nOslo\n' }],
  ])('refuses a value that would be read back as another one: %s', (format, value) => {
    expect(() => formatToolCalls([{ name: 'get_weather', arguments: value }], format)).toThrow(
      `${format} cannot express`,
    );
  });
});

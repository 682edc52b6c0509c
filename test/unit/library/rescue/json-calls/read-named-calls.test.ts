import { describe, expect, it } from 'vitest';
import type { NamedSpelling } from '../../../../../src/library/rescue/json-calls/read-named-calls';
import { readNamedCalls, readPlainName } from '../../../../../src/library/rescue/json-calls/read-named-calls';
import { createContext, kindsOf, toPlain, toolsOf } from '../rescue-fixtures';

const SPELLING: NamedSpelling = {
  wrapper: { open: '<all>', close: '</all>' },
  open: ['<one>', '<name>'],
  separators: ['</name>'],
  closers: ['</one>'],
};

const read = (text: string, spelling = SPELLING) => {
  const context = createContext(text, toolsOf('assistant'));
  const reading = readNamedCalls(context, 0, spelling);
  if (reading?.kind !== 'calls') return reading;
  const { calls, repairs, end, isOpen, failure } = reading;
  return {
    calls: calls.map(toPlain),
    repairs: kindsOf([...repairs, ...calls.flatMap((call) => call.repairs)]),
    rest: text.slice(end),
    isOpen,
    failure: failure?.reason,
  };
};

const weather = (city: string): string => `<one><name>get_weather</name>{"city": "${city}"}</one>`;
const Ghent = { name: 'get_weather', arguments: { city: 'Ghent' } };
const Oslo = { name: 'get_weather', arguments: { city: 'Oslo' } };
const whole = { repairs: [], isOpen: false, failure: undefined };

describe('readNamedCalls', () => {
  it('reads several calls in one wrapper, and nothing after it', () => {
    expect(read(`<all>\n${weather('Ghent')}\n${weather('Oslo')}\n</all> Bye.`)).toEqual({
      ...whole,
      calls: [Ghent, Oslo],
      rest: ' Bye.',
    });
  });

  it.each([
    ['the wrapper', weather('Ghent'), ['missing-open-tag']],
    ['the end of the wrapper', `<all>${weather('Ghent')}`, ['missing-close-tag']],
    ['the first token', `<all>${weather('Ghent').slice(5)}</all>`, ['missing-open-tag']],
    [
      'the token after the name',
      `<all>${weather('Ghent').replace('</name>', ' ')}</all>`,
      ['missing-separator'],
    ],
    ['the closer', `<all>${weather('Ghent').slice(0, -6)}</all>`, ['missing-close-tag']],
  ])('notes that %s is missing', (_, text, repairs) => {
    expect(read(text)).toMatchObject({ calls: [Ghent], repairs });
  });

  it('reports that the text ended before the closers', () => {
    expect(read(`<all>${weather('Ghent').slice(0, -2)}`)).toMatchObject({ calls: [Ghent], isOpen: true });
    expect(read(`<all>${weather('Ghent')}</al`)).toMatchObject({ calls: [Ghent], isOpen: true, rest: '' });
  });

  it('notes the missing wrapper of a call, even if the next one was cut', () => {
    const text = `${weather('Ghent')}${weather('Oslo').slice(0, -12)}`;
    expect(read(text)).toMatchObject({ calls: [Ghent], repairs: ['missing-open-tag'], failure: 'truncated' });
  });

  it('keeps the calls before one that was cut', () => {
    const text = `<all>${weather('Ghent')}${weather('Oslo').slice(0, -9)}`;
    expect(read(text)).toMatchObject({ calls: [Ghent], failure: 'truncated' });
  });

  it.each([
    '<all><one><name>',
    '<all><one><name>get_w',
    '<all><one><name>get_weather</name>',
    weather('x').slice(0, -7),
  ])('rejects %j as cut', (text) => {
    expect(read(text)).toMatchObject({ kind: 'rejection', reason: 'truncated' });
  });

  it('treats the closer directly after the name as a call without arguments', () => {
    expect(read('<all><one><name>get_time</name></one></all>')).toMatchObject({
      calls: [{ name: 'get_time', arguments: undefined }],
    });
  });

  it('reports what it expected when no object follows the name of an offered tool', () => {
    expect(read('<one><name>get_weather</name>Ghent</one>')).toMatchObject({
      kind: 'rejection',
      reason: 'malformed',
      detail: 'The call of `get_weather` cannot be read at offset 29: expected `{`.',
      end: 40,
    });
  });

  it.each(['<all>', '<one>{"city": "Ghent"}</one>', '<one><name>hello</name> world', 'get_weather'])(
    'does not read %j',
    (text) => expect(read(text)).toBeNull(),
  );

  it('reads a first call whose name stands before the tokens', () => {
    const context = createContext('get_weather</name>{"city": "Ghent"}</one>', []);
    const reading = readNamedCalls(
      context,
      0,
      { ...SPELLING, wrapper: undefined },
      { name: 'get_weather', end: 11 },
    );
    expect(reading).toMatchObject({
      kind: 'calls',
      calls: [{ ...Ghent, repairs: [{ kind: 'missing-open-tag' }] }],
    });
  });
});

describe('readPlainName', () => {
  it('ends the name at white space, brackets, quotes and bars', () => {
    expect(readPlainName(createContext('files.search-2<', []), 0)).toEqual({
      name: 'files.search-2',
      end: 14,
    });
    expect(readPlainName(createContext('größe x', []), 0)?.name).toBe('größe');
  });

  it.each(['', ' x', '{', 'x'.repeat(200)])('returns null for %j', (text) => {
    expect(readPlainName(createContext(text, []), 0)).toBeNull();
  });
});

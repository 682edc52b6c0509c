import { describe, expect, it } from 'vitest';
import { formatToolCalls, InvalidOptionsError, rescueToolCalls } from '../../../../src/library';
import { FORMAT_IDS, toKeys, write } from './law-support';

const CALL = { name: 'save_note', arguments: {} };

describe('formatToolCalls', () => {
  it.each<[field: string, calls: unknown]>([
    ['calls', undefined],
    ['calls', null],
    ['calls', 'save_note'],
    ['calls', CALL],
    ['calls[1]', [CALL, null]],
    ['calls[0].name', [{ arguments: {} }]],
    ['calls[0].id', [{ ...CALL, id: 7 }]],
  ])('refuses by the name %s what is no list of calls: %j', (field, calls) => {
    const format = (): string => formatToolCalls(calls as never, 'kimi-k2');
    expect(format).toThrow(InvalidOptionsError);
    expect(format).toThrow(expect.objectContaining({ field }));
  });

  it.each([undefined, null, 7, {}, Symbol('x'), 'no-such-format'])('refuses %s as a format', (format) => {
    const wrong = (): string => formatToolCalls([CALL], format as never);
    expect(wrong).toThrow(expect.objectContaining({ code: 'invalid-options', field: 'format' }));
  });

  it('writes a call whose id is null as one without an id', () => {
    expect(formatToolCalls([{ ...CALL, id: null as never }], 'hermes-json')).toBe(
      formatToolCalls([CALL], 'hermes-json'),
    );
  });

  it.each([
    ['name-line-xml', [{ name: 'save_note', arguments: { note_text: { a: { '</note_text>': [] } } } }]],
    [
      'functiongemma',
      [
        { name: 'save_note', arguments: { note_text: '{"' } },
        { name: 'list_notes', arguments: {} },
      ],
    ],
  ])('refuses to write as %s what would not be read back', (format, calls) => {
    expect(() => formatToolCalls(calls, format)).toThrow(`contains a value that ${format} cannot express`);
  });

  it.each(['hermes-json', 'qwen-xml', 'pythonic-call', 'react'])(
    'writes as %s an example, which is not read as a call because of what it says',
    (format) => {
      const examples = [{ city: '<city>' }, { type: 'object', properties: { city: { type: 'string' } } }];
      for (const example of examples) {
        const reply = formatToolCalls([{ name: 'get_weather', arguments: example }], format);
        expect(reply).toContain('city');
      }
    },
  );

  it.each(FORMAT_IDS)('writes as %s any name that is read back, and refuses every other', (format) => {
    for (const name of [
      '',
      ' ',
      'save note',
      'save_note\n',
      '</tool_call>"',
      'a(b)',
      'nöte',
      'a'.repeat(300),
    ]) {
      const calls = [{ name, arguments: { text: 'x' } }];
      const reply = write(calls, format);
      if (reply === undefined) continue;
      const properties = { text: { type: 'string' } };
      const report = rescueToolCalls(reply, [{ name, parameters: { type: 'object', properties } }]);
      expect(toKeys(report.calls)).toEqual(toKeys(calls));
    }
  });
});

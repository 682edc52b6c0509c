// A lab as a file: what is written can be read again, and invalid content is refused with its place.
import { describe, expect, it } from 'vitest';
import { RefusalError } from '../../../../src/session';
import { labOfText, parseLabFile, printLabFile } from '../../../../src/session/lab/lab-file';

const LAB = {
  version: 1 as const,
  text: '<tool_call>\u202e\u0000',
  tools: [{ name: 'a', description: 'b', parameters: { type: 'object', properties: { constructor: {} } } }],
  format: 'hermes-json',
  writeAs: 'react',
};

function refusalOf(text: string): RefusalError['info'] {
  try {
    parseLabFile(text);
  } catch (error) {
    if (error instanceof RefusalError) return error.info;
  }
  throw new Error('it was taken');
}

describe('a file of the format lab', () => {
  it('is read as it was written', () => {
    expect(parseLabFile(printLabFile(LAB))).toEqual(LAB);
    expect(parseLabFile(printLabFile({ version: 1, text: '' }))).toEqual({ version: 1, text: '' });
  });

  it('may contain comments and trailing commas', () => {
    expect(parseLabFile('{"version": 1, // mine\n"text": "x",}')).toEqual({ version: 1, text: 'x' });
  });

  it.each([
    ['not JSON', '{"version": 1,\n"text": oops}', 'Line 2'],
    ['an empty file', '', 'Line 1'],
    ['another version', '{"version": 2, "text": ""}', 'version'],
    ['no text', '{"version": 1}', 'text'],
    ['an unknown key', '{"version": 1, "text": "", "more": 1}', 'more'],
    ['a tool without a name', '{"version": 1, "text": "",\n "tools": [{"parameters": {}}]}', 'tools[0].name'],
    ['a text that is too long', JSON.stringify({ version: 1, text: 'x'.repeat(1_000_001) }), 'text'],
    [
      'too many tools',
      JSON.stringify({ version: 1, text: '', tools: Array.from({ length: 201 }, () => ({ name: 'a' })) }),
      'tools',
    ],
    ['nesting that is too deep', '['.repeat(100_000), 'Line 1'],
  ])('is refused with its place: %s', (_, text, place) => {
    const { what, next } = refusalOf(text);
    expect(what).toContain(place);
    expect(next).not.toBe('');
  });
});

describe('labOfText', () => {
  it('normalizes line ends like the page that shows it', () => {
    expect(labOfText('a\r\nb\rc\n')).toEqual({ version: 1, text: 'a\nb\nc\n' });
  });

  it('refuses a text that is too long, with both lengths', () => {
    expect(labOfText('x'.repeat(1_000_000)).text).toHaveLength(1_000_000);
    expect(() => labOfText('x'.repeat(1_000_001))).toThrow(/1000001 .*1000000/);
  });
});

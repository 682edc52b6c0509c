import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../../src/library/rescue/formats/index';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { POSITIVE, write } from '../law-support';
import { toPlain } from '../rescue-fixtures';

const IDS =
  'hermes-json tool-calls-tag nemotron-toolcall granite-list granite-fc lmstudio bracket-tool-call bracket-name ' +
  'openpangu-v2 vcp functools phi-tool-token internlm apertus gigachat sarashina inkling plamo3 qwen-agent ' +
  'functionary-v3 functionary-v2 rwkv';
const FORMATS = RESCUE_FORMATS.filter(({ id }) => IDS.split(' ').includes(id));
/** The shortest case of each format and kind, to be the text of a value. */
const SHORTEST = FORMATS.flatMap(({ id }) =>
  ['clean', 'malformed'].flatMap((kind) =>
    POSITIVE.filter((item) => item.format === id && item.kind === kind)
      .toSorted((one, other) => one.text.length - other.text.length)
      .slice(0, 1),
  ),
);

describe('formats of JSON behind an opener', () => {
  it('are all registered', () => expect(FORMATS).toHaveLength(IDS.split(' ').length));

  it.each(FORMATS.map((format) => ({ id: format.id, format })))(
    'read back what $id writes, whatever the value contains',
    ({ format }) => {
      const tools = [
        { name: 'echo', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
      ];
      const texts = [
        ...SHORTEST.slice(0, 16).map(({ text }) => text),
        '',
        '\\',
        `"'`,
        '「末」',
        '😀 \u2028',
        '{"a": [1,',
        '</tool_call>',
      ];
      for (const text of texts) {
        const outer = { name: 'echo', arguments: { text } };
        const written = write([outer], format.id);
        if (written === undefined) continue;
        const { calls } = rescueToolCalls(written, tools);
        expect(calls.map(toPlain), written).toEqual([outer]);
        expect(calls[0]?.repairs, written).toEqual([]);
      }
    },
  );
});

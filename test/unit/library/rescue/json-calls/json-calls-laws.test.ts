import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import { RESCUE_FORMATS } from '../../../../../src/library/rescue/formats/index';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { someOf, textLength } from '../../../../support/properties';
import { CORPUS, OWN_CORPUS, toolsOf, toPlain, WEATHER } from '../rescue-fixtures';
import type { CorpusCase } from '../rescue-fixtures';

const IDS =
  'hermes-json tool-calls-tag nemotron-toolcall granite-list granite-fc lmstudio bracket-tool-call bracket-name ' +
  'openpangu-v2 vcp functools phi-tool-token internlm apertus gigachat sarashina inkling plamo3 qwen-agent ' +
  'functionary-v3 functionary-v2 rwkv';
const FORMATS = RESCUE_FORMATS.filter(({ id }) => IDS.split(' ').includes(id));
const CASES = [...CORPUS, ...OWN_CORPUS].filter(
  ({ format, kind, expected }) =>
    FORMATS.some(({ id }) => id === format) && expected.length > 0 && kind !== 'mixed',
);
/** Formats with pairs: a call that is cut may end after any complete pair. */
const isPairs = ({ format, text }: CorpusCase): boolean => format === 'vcp' || text.includes('｜');

/** The shortest case of each format and kind: each one is read once for every length. */
const SHORTEST = FORMATS.flatMap(({ id }) =>
  ['clean', 'malformed'].flatMap((kind) =>
    CASES.filter((item) => item.format === id && item.kind === kind)
      .toSorted((one, other) => one.text.length - other.text.length)
      .slice(0, 1),
  ),
);

const plain = (text: string, { tools }: CorpusCase, finishReason?: string): string[] =>
  rescueToolCalls(text, toolsOf(tools), { finishReason }).calls.map((call) => JSON.stringify(toPlain(call)));

const wanted = ({ expected }: CorpusCase): string[] => expected.map((call) => JSON.stringify(toPlain(call)));

function findFalseCuts(item: CorpusCase, finishReason?: string): number[] {
  const calls = wanted(item);
  const lengths = Array.from({ length: item.text.length }, (_, length) => length);
  return someOf(lengths, item.id.length).filter((length) =>
    plain(item.text.slice(0, length), item, finishReason).some((call, index) => call !== calls[index]),
  );
}

const withoutNone = (found: { id: string; found: readonly unknown[] }[]): object[] =>
  found.filter((item) => item.found.length > 0);

describe('formats of JSON after an opener', () => {
  it('are all registered', () => expect(FORMATS).toHaveLength(IDS.split(' ').length));

  it('find only calls of the whole reply, wherever it is cut', () => {
    const cuts = SHORTEST.map((item) => ({
      id: item.id,
      found: findFalseCuts(item, isPairs(item) ? 'length' : undefined),
    }));
    expect(cuts.length).toBeGreaterThan(FORMATS.length);
    expect(withoutNone(cuts)).toEqual([]);
  });

  it('find the same calls after a paragraph', () => {
    const bad = CASES.filter(
      (item) => plain(`Ein Satz davor.\n\n${item.text}`, item).join() !== wanted(item).join(),
    );
    expect(bad.map(({ id }) => id)).toEqual([]);
  });

  it('find no call in closed reasoning, in a quote, in inline code and in a fence with prose after it', () => {
    const wraps: ((text: string) => string)[] = [
      (text) => (/think>|content_thinking|scratch_pad/.test(text) ? '' : `<think>${text}</think>\nDone.`),
      (text) => `> ${text.replaceAll('\n', '\n> ')}\n\nThat was quoted.`,
      (text) => (text.includes('`') ? '' : `Write \`${text.replaceAll('\n', ' ')}\` there.`),
      (text) => (text.includes('`') ? '' : `Look:\n\n\`\`\`\`\n${text}\n\`\`\`\`\n\nLike that.`),
    ];
    const found = CASES.map((item) => ({
      id: item.id,
      found: wraps.flatMap((wrap) => plain(wrap(item.text), item)),
    }));
    expect(withoutNone(found)).toEqual([]);
  });

  it('find no call when the tools have other names', () => {
    const renamed = CASES.filter(({ text, tools }) => {
      const others = toolsOf(tools).map((tool) => ({ ...tool, name: `zz_${tool.name}` }));
      return rescueToolCalls(text, others).calls.length > 0;
    });
    expect(renamed.map(({ id }) => id)).toEqual([]);
  });

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
        const written = format.write([outer], DIALECTS);
        if (written === undefined) continue;
        const { calls } = rescueToolCalls(written, tools);
        expect(calls.map(toPlain), written).toEqual([outer]);
        expect(calls[0]?.repairs, written).toEqual([]);
      }
    },
  );

  it.each(FORMATS.map((format) => ({ id: format.id, format })))(
    'read a text full of openers of $id in linear time',
    ({ format }) => {
      const one = format.write([{ name: 'get_weather', arguments: { city: 'x' } }], DIALECTS) ?? '';
      const openings = [...format.openers, ...(format.firstCharacters ?? '').split(''), one];
      const damaged = openings.flatMap((opener) => [
        opener,
        `${opener}{"name": "`,
        `${opener}[{'a': 'b`,
        `${opener}get_weather\n`,
      ]);
      for (const piece of [
        ...damaged,
        one.slice(0, -1),
        one.slice(0, one.length * 0.9),
        one.slice(0, one.length / 2),
      ]) {
        const steps = [textLength(4_000), textLength(16_000)].map((size) => {
          const text = piece.repeat(Math.ceil(size / piece.length));
          return scanReply(text, WEATHER, {}).steps / text.length;
        });
        expect(steps[1], piece).toBeLessThan(Math.max(32, 1.5 * (steps[0] ?? 0)));
      }
    },
  );
});

import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { someOf, textLength } from '../../../../support/properties';
import { CORPUS, OWN_CORPUS, toolsOf, toPlain } from '../rescue-fixtures';
import type { CorpusCase } from '../rescue-fixtures';

const FORMATS = new Set(
  (
    'mistral-array mistral-args llama-json llama-function-tag deepseek-v3 deepseek-v31 kimi-k2 command-r7b command-r ' +
    'harmony react react-json continue-codeblock openai-envelope xlam'
  ).split(' '),
);
const POSITIVE = [...CORPUS, ...OWN_CORPUS].filter(
  ({ format, expected }) => FORMATS.has(format) && expected.length > 0,
);
const TOOLS = [...toolsOf('weather'), ...toolsOf('coding')];

/** Only the shortest replies of each format: each one is read once for every length. */
const MOST_CUT = 4;

const plainCalls = (text: string, { tools }: CorpusCase, finishReason?: string): string[] =>
  rescueToolCalls(text, toolsOf(tools), { finishReason }).calls.map((call) => JSON.stringify(toPlain(call)));

const wantedOf = ({ expected }: CorpusCase): string[] =>
  expected.map((call) => JSON.stringify(toPlain(call)));

const idsOf = (items: readonly CorpusCase[]): string[] => items.map(({ id }) => id);

describe('formats with tokens and labels, cut at every length', () => {
  it('find only calls of the whole reply when the token limit cut it', () => {
    const shortest = [...FORMATS].flatMap((id) =>
      POSITIVE.filter(({ format }) => format === id)
        .toSorted((one, other) => one.text.length - other.text.length)
        .slice(0, MOST_CUT),
    );
    const bad = shortest.filter((item) => {
      const wanted = wantedOf(item);
      const cuts = Array.from({ length: item.text.length }, (_, length) => item.text.slice(0, length));
      return someOf(cuts, item.id.length).some((cut) =>
        plainCalls(cut, item, 'length').some((call, index) => call !== wanted[index]),
      );
    });
    expect(idsOf(bad)).toEqual([]);
  });
});

describe('formats with tokens and labels, by the place of the call', () => {
  const calling = (wrap: (text: string) => string, without?: RegExp): string[] =>
    idsOf(
      POSITIVE.filter(({ text }) => !without?.test(text)).filter(
        (item) => plainCalls(wrap(item.text), item).length > 0,
      ),
    );

  it('find no call in quotes, in code and in reasoning', () => {
    expect(calling((text) => `> ${text.replaceAll('\n', '\n> ')}\n\nThat was quoted.`)).toEqual([]);
    expect(calling((text) => `Write \`${text.replaceAll('\n', ' ')}\` there.`, /`/)).toEqual([]);
    expect(calling((text) => `Look:\n\n\`\`\`\`\n${text}\n\`\`\`\`\n\nLike that.`)).toEqual([]);
    expect(calling((text) => `<think>${text}</think>\nDone.`, /think>|think\]/i)).toEqual([]);
  });

  it('find the same calls after a sentence', () => {
    const missed = POSITIVE.filter(
      (item) => plainCalls(`Ich sehe nach.\n\n${item.text}`, item).join('\n') !== wantedOf(item).join('\n'),
    );
    expect(idsOf(missed)).toEqual([]);
  });

  it('find no call when the tools have other names', () => {
    const renamed = POSITIVE.filter(({ text, tools }) => {
      const others = toolsOf(tools).map((tool) => ({ ...tool, name: `zz_${tool.name}` }));
      return rescueToolCalls(text, others).calls.length > 0;
    });
    expect(idsOf(renamed)).toEqual([]);
  });
});

const SHAPES = [
  'Action: a\n',
  'Action: get_weather\nAction Input: x\n',
  'Action: get_weather\nAction Input:\n',
  'Action: read_file\nAction Input: {"path":"',
  'Thought: x\nAction: ',
  'Action:\n```json\n{"action":"',
  'Action: ```json\n[{"tool_name":"x","parameters":{"b":"',
  '<|channel|>analysis<|message|>',
  '<|channel|>commentary to=functions.a json{"a":"',
  'commentary to=functions.get_weather ',
  '<|channel|>final<|message|>x',
  '[TOOL_CALLS]',
  '[TOOL_CALLS]a[ARGS]{"a":"',
  '[ARGS]{',
  'get_weather{"a":',
  'functions.a:0{"a":"',
  '<|tool_calls_section_begin|>',
  '<｜tool▁calls▁begin｜>',
  'a<｜tool▁sep｜>{"a":"',
  '```tool\nTOOL_NAME: a\nBEGIN_ARG: b\n',
  'TOOL_NAME: a\nBEGIN_ARG: b\n',
  '<function=a>{"a":"',
  '<|START_ACTION|>[{"a":"',
  '<|start_header_id|>assistant<|end_header_id|>{"a":',
  '{"role":"user"}',
  'a: b = c\n',
];

const stepsOf = (piece: string, length: number, ending: string): number => {
  const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + ending;
  return scanReply(text, TOOLS, {}).steps;
};

describe('formats with tokens and labels, repeated', () => {
  it.each(SHAPES)('take linear time: %j', (piece) => {
    const length = textLength(20_000);
    for (const ending of ['', '", %', '\n"}\n']) {
      const [half, whole] = [stepsOf(piece, length / 2, ending), stepsOf(piece, length, ending)];
      expect(whole / half).toBeLessThan(2.6);
      expect(whole).toBeLessThan(length * 14);
    }
  });
});

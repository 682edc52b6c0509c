import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import type { RescueReport } from '../../../../src/types';
import { createRandom } from '../../../support/random';
import { CORPUS, toolsOf, toPlain } from './rescue-fixtures';
import type { CorpusCase } from './rescue-fixtures';

const FORMATS = new Set(['hermes-json', 'json-fence', 'json-bare', 'openai-envelope']);
const POSITIVE = CORPUS.filter(({ format, expected }) => FORMATS.has(format) && expected.length > 0);
const TOOLS = [...toolsOf('weather'), ...toolsOf('data')];
const SEEDS = Array.from({ length: 4000 }, (_, seed) => seed);

const WORDS = 'prose | get_weather | null | 1 | True | é | 😀 | __proto__ | <|im_end|> ';
const SIGNS =
  '{ } [ ] " \' ` ``` ~~~ : , \\ “ // /* <think> </think> <scratch_pad> </scratch_pad> [THINK] [/THINK]';

const PIECES = [
  '<tool_call>',
  '</tool_call>',
  '<tools>',
  '<tool_response>',
  '</tool_response>',
  '{"name": "get_weather", "arguments": {"city": "#"}}',
  '{"name": "lookup_user", "arguments": "{\\"user_id\\": \\"#\\"}"}',
  '{"name": "add", "arguments": {"a": 1, "b": #}}',
  '[{"name": "get_weather", "arguments": {"city": "#"}}, ',
  '{"tool_calls":[{"id":"#","function":{"name":"get_weather","arguments":"{\\"city\\":\\"#\\"}"}}]}',
  '{"a": "',
  '```json\n',
  '\n',
  '\n\n',
  '> ',
  ' ',
  '\ud83d',
  ...WORDS.split(' | '),
  ...SIGNS.split(' '),
];

/** Each call differs from every other one, so that a call found twice is the same call. */
function writeSoup(seed: number): string {
  const random = createRandom(seed);
  const length = 1 + random.below(14);
  return Array.from({ length }, (_, index) => random.pick(PIECES).replaceAll('#', `${seed}${index}`)).join(
    '',
  );
}

const plain = ({ calls }: RescueReport): string[] => calls.map((call) => JSON.stringify(toPlain(call)));

const failing = (holds: (text: string) => boolean): string[] =>
  SEEDS.map(writeSoup).filter((text) => !holds(text));

const withoutIds = (report: RescueReport): object => ({
  ...report,
  calls: report.calls.map((call) => ({ ...call, id: '' })),
});

describe('rescueToolCalls, whatever the text', () => {
  it('does not throw, and keeps every span inside the text', () => {
    const bad = failing((text) => {
      const { calls, rejected } = rescueToolCalls(text, TOOLS);
      return [...calls, ...rejected].every(
        ({ start, end }) => start >= 0 && start <= end && end <= text.length,
      );
    });
    expect(bad).toEqual([]);
  });

  it('gives spans of calls in text order that do not overlap', () => {
    const bad = failing((text) => {
      const { calls } = rescueToolCalls(text, TOOLS);
      return calls.every(({ start, end }, index) => start < end && start >= (calls[index - 1]?.end ?? 0));
    });
    expect(bad).toEqual([]);
  });

  it('gives the same report twice, but for the ids it makes', () => {
    const bad = failing((text) => {
      const [one, other] = [rescueToolCalls(text, TOOLS), rescueToolCalls(text, TOOLS)];
      return JSON.stringify(withoutIds(one)) === JSON.stringify(withoutIds(other));
    });
    expect(bad).toEqual([]);
  });

  it('does not find an accepted call again in the content', () => {
    const bad = failing((text) => {
      const report = rescueToolCalls(text, TOOLS);
      const again = plain(rescueToolCalls(report.content, TOOLS));
      return !plain(report).some((call) => again.includes(call));
    });
    expect(bad).toEqual([]);
  });

  it('adds nothing to the content: it is what is left of the text', () => {
    const bad = failing((text) => {
      const { content } = rescueToolCalls(text, TOOLS);
      let matched = 0;
      for (const unit of text.split('')) if (content.charAt(matched) === unit) matched += 1;
      return matched === content.length;
    });
    expect(bad).toEqual([]);
  });

  it('explains every rejection in a sentence', () => {
    const bad = failing((text) =>
      rescueToolCalls(text, TOOLS).rejected.every(
        ({ detail, reason }) => detail.endsWith('.') && reason !== '',
      ),
    );
    expect(bad).toEqual([]);
  });

  it('makes calls in some of these texts, so that the laws above say something', () => {
    const calling = SEEDS.filter((seed) => rescueToolCalls(writeSoup(seed), TOOLS).calls.length > 0);
    expect(calling.length).toBeGreaterThan(SEEDS.length / 10);
  });
});

/** Cuts every reply at every length and gives the cuts at which other calls than the first ones came out. */
function findFalseCuts(item: CorpusCase, finishReason: string | undefined): number[] {
  const wanted = item.expected.map((call) => JSON.stringify(toPlain(call)));
  return Array.from({ length: item.text.length }, (_, length) => length).filter((length) => {
    const options = finishReason === undefined ? {} : { finishReason };
    const found = plain(rescueToolCalls(item.text.slice(0, length), toolsOf(item.tools), options));
    return found.some((call, index) => call !== wanted[index]);
  });
}

describe('rescueToolCalls, wherever the reply is cut', () => {
  it('never makes another call of a reply that the limit cut', () => {
    const bad = POSITIVE.map((item) => ({ id: item.id, cuts: findFalseCuts(item, 'length') }));
    expect(bad.filter(({ cuts }) => cuts.length > 0)).toEqual([]);
  });

  it('never makes another call of any cut reply, a complete one at the end of open reasoning excepted', () => {
    const closed = POSITIVE.filter(({ kind }) => kind !== 'mixed');
    const bad = closed.map((item) => ({ id: item.id, cuts: findFalseCuts(item, undefined) }));
    expect(bad.filter(({ cuts }) => cuts.length > 0)).toEqual([]);
  });
});

describe('rescueToolCalls, wherever a call stands', () => {
  const callsIn = (text: string, item: CorpusCase): string[] =>
    plain(rescueToolCalls(text, toolsOf(item.tools)));
  const calling = (wrap: (text: string) => string, items: readonly CorpusCase[]): string[] =>
    items.filter((item) => callsIn(wrap(item.text), item).length > 0).map(({ id }) => id);
  const untagged = POSITIVE.filter(({ text }) => !/think>|scratch_pad/.test(text));
  const unfenced = POSITIVE.filter(({ text }) => !text.includes('`'));

  it('makes none of what stands in closed reasoning', () => {
    expect(calling((text) => `<think>${text}</think>\nDone.`, untagged)).toEqual([]);
  });

  it('makes none of what stands in a block quote', () => {
    expect(calling((text) => `> ${text.replaceAll('\n', '\n> ')}\n\nThat was quoted.`, POSITIVE)).toEqual([]);
  });

  it('makes none of what stands in inline code', () => {
    expect(calling((text) => `Write \`${text.replaceAll('\n', ' ')}\` there.`, unfenced)).toEqual([]);
  });

  it('makes none of what stands in a fence with prose after it', () => {
    expect(calling((text) => `Look:\n\n\`\`\`\`\n${text}\n\`\`\`\`\n\nLike that.`, unfenced)).toEqual([]);
    expect(calling((text) => `Look:\n\n\`\`\`\`python\n${text}\n\`\`\`\`\n\nLike that.`, unfenced)).toEqual(
      [],
    );
  });

  it('makes only the outer call when a reply stands in its arguments', () => {
    const echo = { name: 'echo', parameters: { type: 'object', properties: { text: { type: 'string' } } } };
    const bad = POSITIVE.filter((item) => {
      const outer = { name: 'echo', arguments: { text: item.text } };
      const text = `<tool_call>${JSON.stringify(outer)}</tool_call>`;
      const { calls } = rescueToolCalls(text, [...toolsOf(item.tools), echo]);
      return JSON.stringify(calls.map(toPlain)) !== JSON.stringify([outer]);
    });
    expect(bad.map(({ id }) => id)).toEqual([]);
  });

  it('makes none for tools of other names, and none without tools', () => {
    const renamed = POSITIVE.filter(({ text, tools }) => {
      const others = toolsOf(tools).map((tool) => ({ ...tool, name: `zz_${tool.name}` }));
      return rescueToolCalls(text, others).calls.length > 0 || rescueToolCalls(text, []).calls.length > 0;
    });
    expect(renamed.map(({ id }) => id)).toEqual([]);
  });
});

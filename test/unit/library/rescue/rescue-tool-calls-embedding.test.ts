import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import { runs, someOf } from '../../../support/arbitrary/properties';
import type { ToolType } from '../../../../src/types';
import { FORMAT_IDS, POSITIVE, rescueCase, sample, SEED, toKeys, write } from './law-support';
import { toolsOf } from './rescue-fixtures';
import type { CorpusCase } from './rescue-fixtures';

/** Long enough for a busy machine. */
const LIMIT = { timeout: 60_000 };

const idsOf = (items: readonly CorpusCase[]): string[] => items.map(({ id }) => id);
const calling = (wrap: (text: string) => string, items: readonly CorpusCase[]): string[] =>
  idsOf(items.filter((item) => rescueCase(item, wrap(item.text)).calls.length > 0));

/** Replies without reasoning of their own, which would end the reasoning put around them. */
const UNTHINKING = POSITIVE.filter(
  ({ text }) => !/think|thought|scratch_pad|reasoning|inner_prefix|channel|RESPONSE/i.test(text),
);
const UNFENCED = POSITIVE.filter(({ text }) => !/[`~]{3}/.test(text));
const UNTICKED = POSITIVE.filter(({ text }) => !text.includes('`'));

describe('rescueToolCalls, by the place of the call', LIMIT, () => {
  it('has enough replies of each kind', () => {
    for (const items of [UNTHINKING, UNFENCED, UNTICKED]) expect(items.length).toBeGreaterThan(250);
  });

  it('finds no call in closed reasoning', () => {
    expect(calling((text) => `<think>${text}</think>\nDone.`, UNTHINKING)).toEqual([]);
    expect(calling((text) => `[THINK]Maybe\n${text}\n[/THINK]\n\nIt is done.`, UNTHINKING)).toEqual([]);
  });

  it('finds no call before the end of reasoning that began in the prompt', () => {
    // a reply that ends inside a value would take the closing tag into that value
    const closed = UNTHINKING.filter(({ kind }) => kind !== 'mixed' && kind !== 'truncated');
    expect(calling((text) => `I could do this:\n${text}\n</think>\n\nIt is done.`, closed)).toEqual([]);
  });

  it('finds no call in a block quote', () => {
    expect(calling((text) => `> ${text.replaceAll('\n', '\n> ')}\n\nThat was quoted.`, POSITIVE)).toEqual([]);
  });

  it('finds no call that begins in a block quote, wherever its opener stands', () => {
    const text = '> git_status\n<|tool_arg:start|>a<|tool_arg:value|>b<|tool_arg:end|>\n<|tool_call:end|>';
    const { calls, rejected } = rescueToolCalls(text.replace('> ', '>'), toolsOf('coding'));
    expect(calls).toEqual([]);
    expect(rejected.map(({ reason }) => reason)).toEqual(['quoted']);
  });

  it('finds no call in inline code', () => {
    expect(calling((text) => `Write \`${text.replaceAll('\n', ' ')}\` there.`, UNTICKED)).toEqual([]);
  });

  it('finds no call in a fence with prose after it', () => {
    const fence = (label: string) => (text: string) =>
      `Look:\n\n\`\`\`\`${label}\n${text}\n\`\`\`\`\n\nThat is what it looks like.`;
    for (const [index, label] of ['', 'json', 'xml', 'text'].entries())
      expect(calling(fence(label), someOf(UNFENCED, index))).toEqual([]);
  });

  it('finds no call in a fence of a programming language, except JSON that fills the fence', () => {
    for (const [index, label] of ['python', 'ts', 'diff', 'bash'].entries()) {
      const bad = someOf(UNFENCED, index).filter((item) => {
        const { calls } = rescueCase(item, `Look:\n\n\`\`\`\`${label}\n${item.text}\n\`\`\`\``);
        return calls.some(({ format }) => format !== 'json-fence');
      });
      expect(idsOf(bad)).toEqual([]);
    }
  });

  it('finds the same calls after a paragraph of prose', () => {
    // reasoning without an opening tag is read only at the start of a reply
    const prose = 'Let me look at what is there first; then I can say more about it.\n\n';
    const bad = UNTHINKING.filter((item) => {
      const { calls } = rescueCase(item, prose + item.text);
      return JSON.stringify(toKeys(calls)) !== JSON.stringify(toKeys(item.expected));
    });
    expect(idsOf(bad)).toEqual([]);
  });

  it('finds no call when the tools have other names, or when there are none', () => {
    const renamed = POSITIVE.filter(({ text, tools }) => {
      const others = toolsOf(tools).map((tool) => ({ ...tool, name: `zz_${tool.name}` }));
      return rescueToolCalls(text, others).calls.length > 0 || rescueToolCalls(text, []).calls.length > 0;
    });
    expect(idsOf(renamed)).toEqual([]);
  });
});

const ECHO: ToolType = {
  name: 'echo',
  parameters: { type: 'object', properties: { text: { type: 'string' }, last: { type: 'string' } } },
};

describe(`rescueToolCalls on a call with another reply in its arguments (seed ${SEED})`, LIMIT, () => {
  const INNER = sample(POSITIVE, runs(300));

  it.each(FORMAT_IDS)('finds only the outer call: %s', (format) => {
    let written = 0;
    const bad = INNER.filter((item) => {
      const outer = { name: 'echo', arguments: { text: `Like this:\n${item.text}\nYes.`, last: 'x' } };
      const text = write([outer], format);
      if (text === undefined) return false;
      written += 1;
      const { calls } = rescueToolCalls(text, [...toolsOf(item.tools), ECHO]);
      return JSON.stringify(toKeys(calls)) !== JSON.stringify([JSON.stringify(outer)]);
    });
    expect(idsOf(bad)).toEqual([]);
    expect(written).toBeGreaterThan(INNER.length / 4);
  });
});

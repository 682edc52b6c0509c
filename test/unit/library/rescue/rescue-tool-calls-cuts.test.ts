import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import { isPartOf, POSITIVE, rescueCase, sample, SEED, toKey, toKeys } from './law-support';
import { runs } from '../../../support/arbitrary/properties';
import type { RescuedCall } from '../../../../src/types';
import type { CorpusCase } from './rescue-fixtures';

/** Long enough for a busy machine. */
const LIMIT = { timeout: 60_000 };

/** A long run reads nearly all lengths of all cases, the short one some lengths of some cases. */
const CASES = sample(POSITIVE, runs(4_000));
const MAX_CUTS = runs(200);

/** Formats whose parameters come one after the other: a cut call may end after any of them. */
const MAY_END_EARLY = new Set(
  `anthropic-invoke atem bfcl-xml continue-codeblock deepseek-dsml dots gigachat glm-xml hunyuan-v3 hunyuan-v4 ifm-xml
  iquest kimi-k3 langchain-xml longcat minicpm5 minimax-m2 minimax-m3 name-line-xml qwen-xml seed-oss solar step3
  tool-tag-xml use-mcp-tool vcp`.split(/\s+/),
);

const cutsOf = ({ text }: CorpusCase): readonly number[] =>
  sample(
    Array.from({ length: text.length }, (_, length) => length),
    MAX_CUTS,
  );

/**
 * Whether the cut made a whole call without a fault of one whose quotes were not escaped, as `{"a": "x "}` of
 * `{"a": "x "}" y"}`: nothing in the text then says that it goes on.
 */
const isWholeByChance = ({ repairs = [] }: CorpusCase, call: RescuedCall, length: number): boolean =>
  repairs.includes('bad-escape') && call.repairs.length === 0 && call.end === length;

/** The cases for which the law does not hold, with the lengths. */
const findBad = (holds: (item: CorpusCase, length: number) => boolean): { id: string; cuts: number[] }[] =>
  CASES.map((item) => ({ id: item.id, cuts: cutsOf(item).filter((length) => !holds(item, length)) })).filter(
    ({ cuts }) => cuts.length > 0,
  );

describe(`rescueToolCalls, on cut replies (seed ${SEED})`, LIMIT, () => {
  it('finds only the first calls of the whole reply when the token limit cut it', () => {
    const bad = findBad((item, length) => {
      const wanted = toKeys(item.expected);
      const { calls } = rescueCase(item, item.text.slice(0, length), 'length');
      return calls.every(
        (call, index) => toKey(call) === wanted[index] || isWholeByChance(item, call, length),
      );
    });
    expect(bad).toEqual([]);
  });

  it('finds only the first calls of any other cut reply, of some formats perhaps a call with only its first parameters', () => {
    // Left out, because the end of the text decides: a call in reasoning that is not closed any more when the text is cut,
    // and a value that contains a closing tag.
    const isClear = (item: CorpusCase): boolean =>
      !rescueCase(item).rejected.some(({ reason }) => reason === 'in-reasoning') &&
      !JSON.stringify(item.expected).includes('</');
    const closed = new Set(CASES.filter(isClear).map(({ id }) => id));
    const bad = findBad((item, length) => {
      if (!closed.has(item.id)) return true;
      const { calls } = rescueCase(item, item.text.slice(0, length));
      return calls.every((call, index) => {
        const wanted = item.expected[index];
        if (wanted && toKey(call) === toKey(wanted)) return true;
        if (isWholeByChance(item, call, length)) return true;
        return MAY_END_EARLY.has(item.format) && index === calls.length - 1 && isPartOf(call, wanted);
      });
    });
    expect(bad).toEqual([]);
  });

  it('says of every cut call what to do next', () => {
    const bad = findBad((item, length) =>
      rescueCase(item, item.text.slice(0, length)).rejected.every(
        ({ reason, hint }) => reason !== 'truncated' || hint !== undefined,
      ),
    );
    expect(bad).toEqual([]);
  });

  it('finds no call whose elements may continue when the token limit cut the reply', () => {
    const text = 'scan\n<path>/var/log</path>\n';
    const tools = [{ name: 'scan', parameters: { properties: { path: {}, glob: {} } } }];
    expect(rescueToolCalls(text, tools).calls).toHaveLength(1);
    const { calls, rejected } = rescueToolCalls(text, tools, { finishReason: 'length' });
    expect(calls).toEqual([]);
    expect(rejected).toMatchObject([{ format: 'name-line-xml', reason: 'truncated' }]);
  });

  it('finds calls in more than a quarter of the cut replies, so that the other tests are meaningful', () => {
    const calling = CASES.filter((item) => rescueCase(item, item.text.slice(0, -1)).calls.length > 0);
    expect(calling.length).toBeGreaterThan(CASES.length / 4);
  });
});

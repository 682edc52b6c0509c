import { describe, expect, it } from 'vitest';
import { ReasoningBlocks } from '../../../../../src/library/rescue/regions/reasoning-tags';

const THINK = { open: '<think>', close: '</think>', isFolded: true };
const BODY = '<think>'.length;

const endOf = (text: string, from = BODY): number | undefined =>
  new ReasoningBlocks(text).findEnd(THINK, from);

describe('ReasoningBlocks', () => {
  it('finds the closer of a block after the blocks inside it', () => {
    expect(endOf('<think>a</think>b</think>')).toBe(8);
    const nested = '<think>a<think>b</think>c</think>';
    expect(endOf(nested)).toBe(nested.lastIndexOf('</think>'));
  });

  it('ends a block at the last closer when a mention of the tag inside it is not closed', () => {
    const text = '<think>the <think> tag</think> b';
    expect(endOf(text)).toBe(text.indexOf('</think>'));
  });

  it('returns undefined for a block that is never closed, also when asked again', () => {
    const blocks = new ReasoningBlocks('<think>a<think>b');
    expect([blocks.findEnd(THINK, BODY), blocks.findEnd(THINK, 15)]).toEqual([undefined, undefined]);
  });

  it('reads tags in any case, with offsets of the original text', () => {
    // the first letter gets longer in lower case
    expect(endOf('<THINK>İ</Think>')).toBe(8);
  });

  it('returns the state at an offset', () => {
    const blocks = new ReasoningBlocks('a<think>b</think>c</think>');
    const open = { tag: THINK, depth: 1, isNested: false };
    expect(blocks.follow(open, 0, 1).state).toEqual(open);
    expect(blocks.follow(open, 0, 9).state).toEqual({ ...open, depth: 2, isNested: true });
    expect(blocks.follow(open, 0, 18).state).toEqual({ ...open, isNested: true });
    expect(blocks.follow(open, 0)).toEqual({ state: 'closed', closer: 18, last: 18 });
  });
});

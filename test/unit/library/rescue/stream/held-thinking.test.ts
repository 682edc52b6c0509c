import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import type { ReasoningTagMatch } from '../../../../../src/library/rescue/regions/reasoning-tags';
import { HeldThinking } from '../../../../../src/library/rescue/stream/held-thinking';
import type { StreamThinking } from '../../../../../src/library/rescue/stream/stream-state';

const source = (text: string) => ({ text, regions: DIALECTS.regions });

function tagAt(text: string, at: number): ReasoningTagMatch {
  const match = DIALECTS.regions.reasoning.find(text, at);
  if (!match) throw new Error(`no tag at ${at}`);
  return match;
}

const OPEN: StreamThinking = { tag: tagAt('<think>', 0).tag, depth: 1, isNested: false };

describe('HeldThinking', () => {
  it('tells the thinking that a place is in', () => {
    const text = 'a <think>b</think> c';
    const thinking = new HeldThinking(source(text), 0, 'none');
    thinking.open(2, tagAt(text, 2), true);
    expect(thinking.at(2)).toBe('none');
    expect(thinking.at(10)).toEqual(OPEN);
    expect(thinking.at(19)).toBe('closed');
  });

  it('goes on with what began before the text', () => {
    const thinking = new HeldThinking(source('a</think> b'), 0, OPEN);
    expect(thinking.at(1)).toEqual(OPEN);
    expect(thinking.at(10)).toBe('closed');
    expect(thinking.isNested).toBe(false);
  });

  it('knows that a block in a block leaves open where the outer one ended', () => {
    const thinking = new HeldThinking(source('the <think> tag</think> b'), 0, OPEN);
    expect(thinking.isNested).toBe(true);
    expect(thinking.at(24)).toEqual({ ...OPEN, isNested: true });
  });

  it('tells where thinking of another kind opened inside', () => {
    const text = 'a [THINK]b';
    const thinking = new HeldThinking(source(text), 0, OPEN);
    thinking.open(2, tagAt(text, 2), false);
    expect(thinking.innerAt).toBe(2);
    expect(thinking.unclosed).toEqual([2]);
  });

  it('tells what opened thinking of which only a format knows', () => {
    const thinking = new HeldThinking(source('<|x|>a<|y|>b'), 0, 'none');
    thinking.tell(0, 5, { kind: 'reasoning', start: 0, end: 11, bodyStart: 5, bodyEnd: 6 });
    expect(thinking.openingAt(6)).toBe('<|x|>');
    expect(thinking.openingAt(11)).toBeUndefined();
    expect(thinking.at(12)).toBe('closed');
  });
});

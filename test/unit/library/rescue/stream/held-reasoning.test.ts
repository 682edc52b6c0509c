import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import type { ReasoningTagMatch } from '../../../../../src/library/rescue/regions/reasoning-tags';
import { HeldReasoning } from '../../../../../src/library/rescue/stream/held-reasoning';
import type { StreamReasoning } from '../../../../../src/library/rescue/stream/stream-state';

const source = (text: string) => ({ text, regions: DIALECTS.regions });

function tagAt(text: string, at: number): ReasoningTagMatch {
  const match = DIALECTS.regions.reasoning.find(text, at);
  if (!match) throw new Error(`no tag at ${at}`);
  return match;
}

const OPEN: StreamReasoning = { tag: tagAt('<think>', 0).tag, depth: 1, isNested: false };

describe('HeldReasoning', () => {
  it('tells the reasoning that a place is in', () => {
    const text = 'a <think>b</think> c';
    const reasoning = new HeldReasoning(source(text), 0, 'none');
    reasoning.open(2, tagAt(text, 2), true);
    expect(reasoning.at(2)).toBe('none');
    expect(reasoning.at(10)).toEqual(OPEN);
    expect(reasoning.at(19)).toBe('closed');
  });

  it('goes on with what began before the text', () => {
    const reasoning = new HeldReasoning(source('a</think> b'), 0, OPEN);
    expect(reasoning.at(1)).toEqual(OPEN);
    expect(reasoning.at(10)).toBe('closed');
    expect(reasoning.isNested).toBe(false);
  });

  it('knows that a block in a block leaves open where the outer one ended', () => {
    const reasoning = new HeldReasoning(source('the <think> tag</think> b'), 0, OPEN);
    expect(reasoning.isNested).toBe(true);
    expect(reasoning.at(24)).toEqual({ ...OPEN, isNested: true });
  });

  it('tells where reasoning of another kind opened inside', () => {
    const text = 'a [THINK]b';
    const reasoning = new HeldReasoning(source(text), 0, OPEN);
    reasoning.open(2, tagAt(text, 2), false);
    expect(reasoning.innerAt).toBe(2);
    expect(reasoning.unclosed).toEqual([2]);
  });

  it('tells what opened reasoning of which only a format knows', () => {
    const reasoning = new HeldReasoning(source('<|x|>a<|y|>b'), 0, 'none');
    reasoning.tell(0, 5, { kind: 'reasoning', start: 0, end: 11, bodyStart: 5, bodyEnd: 6 });
    expect(reasoning.openingAt(6)).toBe('<|x|>');
    expect(reasoning.openingAt(11)).toBeUndefined();
    expect(reasoning.at(12)).toBe('closed');
  });
});

import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import type { ReasoningState } from '../../../../../src/library/rescue/regions/reasoning-tags';
import { RegionHistory } from '../../../../../src/library/rescue/regions/region-history';

const { regions } = DIALECTS;

function follow(text: string, reasoning: ReasoningState = 'none'): RegionHistory {
  const history = new RegionHistory({ text, regions }, 0, reasoning);
  history.goTo(text.length);
  return history;
}

const THINK = regions.reasoning.find('<think>', 0)?.tag ?? { close: '' };
const OPEN: ReasoningState = { tag: THINK, depth: 1, isNested: false };

describe('RegionHistory', () => {
  it('returns the code or the quote around a place', () => {
    const history = follow('> a\n`b` c\n```js\nd\n```\ne');
    expect(history.regionAt(2)).toMatchObject({ start: 0, end: 3, kind: 'quote' });
    expect(history.regionAt(5)).toMatchObject({ start: 4, end: 7, kind: 'code' });
    expect(history.regionAt(5)?.opening).toBeUndefined();
    expect(history.regionAt(16)).toMatchObject({ start: 10, end: 21, opening: { marker: '```' } });
    expect(history.regionAt(8)).toBeUndefined();
  });

  it('reports that a call may stand in code only if it is first there and the code is not a program', () => {
    const mayClaim = (text: string, at: number): boolean => {
      const history = follow(text);
      const region = history.regionAt(at);
      return region !== undefined && history.mayClaim(region, at);
    };
    expect(mayClaim('```json\n{', 8)).toBe(true);
    expect(mayClaim('```json\na {', 10)).toBe(false);
    expect(mayClaim('```js\n{', 6)).toBe(false);
    // more text on this line may turn the fence into inline code
    expect(mayClaim('```js {', 6)).toBe(true);
  });

  it('returns the state after a place: in a fence, in a quote, after a backtick', () => {
    expect(follow('```js\na').stateAt(6)).toMatchObject({ fence: '```', isQuote: false, reasoning: 'none' });
    expect(follow('> a').stateAt(2)).toMatchObject({ isQuote: true, closedFor: 0 });
    expect(follow('> a\nb').stateAt(2)).toMatchObject({ isQuote: true, closedFor: 1 });
    expect(follow('<think>```js\na').stateAt(13)).toMatchObject({ reasoning: OPEN, fence: undefined });
    expect(follow('it`s').stateAt(4).code).toEqual({ distance: 2, length: 1 });
  });

  it('returns the first unclosed backticks of the line', () => {
    const history = follow('`a\n`` b ` c');
    expect(history.stateAt(11).code).toEqual({ distance: 8, length: 2 });
    expect(history.stateAt(3).code).toBeUndefined();
  });

  it('finds the first backticks that may turn a later tag on their line into code', () => {
    expect(follow('it`s <think>').findUnsure()).toBe(2);
    expect(follow('`a\n`` b <think>').findUnsure()).toBe(3);
    const told = follow('it`s so');
    expect(told.findUnsure()).toBe(7);
    told.addFinding(5);
    expect(told.findUnsure()).toBe(2);
  });

  it('finds no such backticks once another line or paragraph has begun', () => {
    expect(follow('it`s so\n<think>').findUnsure()).toBe(15);
    expect(follow('it`s <think>\n\nAnd so').findUnsure()).toBe(20);
  });

  it('returns the start of the tag for an offset inside it', () => {
    const history = follow('it`s <think>');
    expect(history.startOfTag(8)).toBe(5);
    expect(history.startOfTag(5)).toBe(5);
  });

  it('returns the reasoning around a place', () => {
    const history = follow('a <think>b</think> c');
    expect(history.stateAt(2).reasoning).toBe('none');
    expect(history.stateAt(10).reasoning).toEqual(OPEN);
    expect(history.stateAt(19).reasoning).toBe('closed');
    expect(history.unclosed).toEqual([]);
  });

  it('continues reasoning that began before the text', () => {
    const history = follow('a</think> b', OPEN);
    expect(history.stateAt(1).reasoning).toEqual(OPEN);
    expect(history.stateAt(10).reasoning).toBe('closed');
    expect(history.isNested).toBe(false);
  });

  it('reports a nested block that leaves the reasoning open where the outer block ended', () => {
    const history = follow('the <think> tag</think> b', OPEN);
    expect(history.isNested).toBe(true);
    expect(history.stateAt(24).reasoning).toEqual({ ...OPEN, isNested: true });
  });

  it('finds where another kind of reasoning opens inside', () => {
    const history = follow('a [THINK]b', OPEN);
    expect(history.findUnsure()).toBe(2);
    expect(history.unclosed).toEqual([2]);
  });

  it('returns the opener of reasoning that only a format can delimit', () => {
    const history = new RegionHistory({ text: '<|x|>a<|y|>b', regions }, 0, 'none');
    history.enterReasoning({ start: 0, end: 11, bodyStart: 5, bodyEnd: 6 });
    expect(history.stateAt(6).opening).toBe('<|x|>');
    expect(history.stateAt(11).opening).toBeUndefined();
    expect(history.stateAt(12).reasoning).toBe('closed');
  });
});

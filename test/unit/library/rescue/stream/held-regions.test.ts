import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import { HeldRegions } from '../../../../../src/library/rescue/stream/held-regions';

function follow(text: string): HeldRegions {
  const regions = new HeldRegions({ text, regions: DIALECTS.regions }, 0, 'none');
  regions.goTo(text.length);
  return regions;
}

describe('HeldRegions', () => {
  it('tells the code or the quote around a place', () => {
    const regions = follow('> a\n`b` c\n```js\nd\n```\ne');
    expect(regions.regionAt(2)).toMatchObject({ start: 0, end: 3, kind: 'quote' });
    expect(regions.regionAt(5)).toMatchObject({ start: 4, end: 7, kind: 'code', marker: undefined });
    expect(regions.regionAt(16)).toMatchObject({ start: 10, end: 21, kind: 'code', marker: '```' });
    expect(regions.regionAt(8)).toBeUndefined();
  });

  it('knows where a call may stand in code: first, and in no program', () => {
    const mayCall = (text: string, at: number): boolean => {
      const regions = follow(text);
      const region = regions.regionAt(at);
      return region !== undefined && regions.mayCall(region, at);
    };
    expect(mayCall('```json\n{', 8)).toBe(true);
    expect(mayCall('```json\na {', 10)).toBe(false);
    expect(mayCall('```js\n{', 6)).toBe(false);
    // the line may go on, and then it opens no fence
    expect(mayCall('```js {', 6)).toBe(true);
  });

  it('says how the text goes on: in a fence, in a quote, in reasoning, behind backticks', () => {
    expect(follow('```js\na').stateAt(6)).toMatchObject({ fence: '```', isQuote: false, reasoning: 'none' });
    expect(follow('> a').stateAt(2)).toMatchObject({ isQuote: true, closedTo: undefined });
    expect(follow('> a\nb').stateAt(2)).toMatchObject({ isQuote: true, closedTo: 3 });
    expect(follow('<think>```js\na').stateAt(13)).toMatchObject({
      reasoning: { depth: 1 },
      fence: undefined,
    });
    expect(follow('it`s').stateAt(4)).toMatchObject({ code: { at: 2, length: 1 } });
  });

  it('does not cut a tag, and finds the backticks that may make code of one', () => {
    const regions = follow('it`s <think>');
    expect(regions.markAt(8)).toBe(5);
    expect(regions.markAt(5)).toBe(5);
    expect(regions.findUnsure()).toBe(2);
    expect(follow('it`s so').findUnsure()).toBe(7);
  });
});

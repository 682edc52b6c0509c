import { describe, expect, it } from 'vitest';
import { HeldPlaces } from '../../../../../src/library/rescue/stream/held-places';

function follow(text: string): HeldPlaces {
  const places = new HeldPlaces(text, 0, 'none');
  places.goTo(text.length);
  return places;
}

describe('HeldPlaces', () => {
  it('tells the code or the quote around a place', () => {
    const places = follow('> a\n`b` c\n```js\nd\n```\ne');
    expect(places.regionAt(2)).toMatchObject({ start: 0, end: 3, place: 'quote' });
    expect(places.regionAt(5)).toMatchObject({ start: 4, end: 7, place: 'code', marker: undefined });
    expect(places.regionAt(16)).toMatchObject({ start: 10, end: 21, place: 'code', marker: '```' });
    expect(places.regionAt(8)).toBeUndefined();
  });

  it('knows where a call may stand in code: first, and in no program', () => {
    const mayCall = (text: string, at: number): boolean => {
      const places = follow(text);
      const region = places.regionAt(at);
      return region !== undefined && places.mayCall(region, at);
    };
    expect(mayCall('```json\n{', 8)).toBe(true);
    expect(mayCall('```json\na {', 10)).toBe(false);
    expect(mayCall('```js\n{', 6)).toBe(false);
    // the line may go on, and then it opens no fence
    expect(mayCall('```js {', 6)).toBe(true);
  });

  it('says how the text goes on: in a fence, in a quote, in thinking, behind backticks', () => {
    expect(follow('```js\na').stateAt(6)).toMatchObject({ fence: '```', isQuote: false, thinking: 'none' });
    expect(follow('> a').stateAt(2)).toMatchObject({ isQuote: true, closedTo: undefined });
    expect(follow('> a\nb').stateAt(2)).toMatchObject({ isQuote: true, closedTo: 3 });
    expect(follow('<think>```js\na').stateAt(13)).toMatchObject({ thinking: { depth: 1 }, fence: undefined });
    expect(follow('it`s').stateAt(4)).toMatchObject({ code: { at: 2, length: 1 } });
  });

  it('does not cut a tag, and finds the backticks that may make code of one', () => {
    const places = follow('it`s <think>');
    expect(places.markAt(8)).toBe(5);
    expect(places.markAt(5)).toBe(5);
    expect(places.findUnsure()).toBe(2);
    expect(follow('it`s so').findUnsure()).toBe(7);
  });
});

import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import { StrippedReasoningEnd } from '../../../../../src/library/rescue/stream/stripped-reasoning-end';

/** Returns where the reasoning ends when the text comes in chunks of this length. */
function follow(text: string, length: number): { end: number | undefined; isOn: boolean } {
  const reasoning = new StrippedReasoningEnd(DIALECTS.regions.stripped);
  let end: number | undefined;
  for (let at = 0; at < text.length; at += length) end ??= reasoning.add(text.slice(at, at + length));
  return { end, isOn: reasoning.isOn };
}

describe('StrippedReasoningEnd', () => {
  it.each([1, 5, 9, 100])(
    'finds the end of reasoning that is closed only by words, in chunks of %d',
    (length) => {
      const text = 'analysisFirst this.assistantfinalThe answer';
      expect(follow(text, length)).toEqual({ end: text.indexOf('The answer'), isOn: false });
    },
  );

  it('leaves the closing words to the call when they are part of its header', () => {
    const text = 'analysisSo.assistantcommentary to=functions.add {}';
    expect(follow(text, 3).end).toBe(text.indexOf('assistantcommentary'));
  });

  it('continues while nothing ends the reasoning', () => {
    expect(follow('analysis of', 2)).toEqual({ end: undefined, isOn: true });
  });

  it('finds no reasoning in a reply that begins otherwise', () => {
    expect(follow('An analysis. assistantfinal', 4)).toEqual({ end: undefined, isOn: false });
  });
});

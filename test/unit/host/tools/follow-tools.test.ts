import { describe, expect, test } from 'vitest';
import type { TrackedTool } from '../../../../src/host/tools/follow-tools';
import { followTools } from '../../../../src/host/tools/follow-tools';
import { fc } from '../../../support/properties';

/** Each text is the name of a tool followed by its content, such as `a1`. */
const track = (texts: readonly string[]): TrackedTool[] =>
  texts.map((json, index) => ({ index, name: json.slice(0, 1), json }));
const follow = (before: string[], after: string[]) => followTools(track(before), track(after));

describe('followTools', () => {
  test.each([
    ['that moved', ['a1', 'b1'], ['b1', 'a1'], [1, 0]],
    ['that was edited', ['a1', 'b1'], ['a2', 'b1'], [0, 1]],
    ['that was edited while another one came before it', ['a1'], ['c1', 'a2'], [1]],
    ['that was renamed', ['a1', 'b1'], ['c1', 'b1'], [0, 1]],
    ['unless it was removed', ['a1', 'b1', 'c1'], ['a1', 'c1'], [0, undefined, 1]],
    ['that equals another one, by its position', ['a1', 'a1'], ['a1', 'a1'], [0, 1]],
  ])('finds a tool %s', (_what, before, after, places) => {
    expect(follow(before, after)).toEqual(places);
  });

  test('finds a tool that was removed and added again', () => {
    const gone: TrackedTool = { index: undefined, name: 'a', json: 'a1' };
    expect(followTools([gone], track(['b1', 'a1']))).toEqual([1]);
  });

  test('assigns no index twice', () => {
    const texts = fc.array(fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1'), { maxLength: 6 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const found = follow(before, after).filter((place) => place !== undefined);
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((place) => place < after.length)).toBe(true);
      }),
    );
  });
});

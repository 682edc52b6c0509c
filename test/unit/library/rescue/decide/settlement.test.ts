import { describe, expect, it } from 'vitest';
import { findOpeners } from '../../../../../src/library/rescue/decide/scan-reply';
import { Settler } from '../../../../../src/library/rescue/decide/settle-candidates';
import { unfold } from '../../../../../src/library/rescue/decide/settlement';
import type { Settlement } from '../../../../../src/library/rescue/decide/settlement';
import { ReplyWalk } from '../../../../../src/library/rescue/walk/reply-walk';
import { createContext, GHENT, rescue, tag, WEATHER } from '../rescue-fixtures';

/** More than a walk reads one by one, and more than are settled one by one. */
const COUNT = 2000;
const OPENERS = findOpeners(undefined);

function settle(text: string): Settlement {
  const context = createContext(text, WEATHER);
  return new Settler(context, false).settle(
    new ReplyWalk(context, OPENERS, OPENERS.search(text, context.tools.names)).run(),
  );
}

describe('unfold', () => {
  it('yields the rounds of a loop that were settled alike', () => {
    const piece = `${tag(GHENT)}\n`;
    const settlement = settle(piece.repeat(COUNT));
    expect(settlement.settled.length).toBeLessThan(COUNT / 2);
    const all = [...unfold(settlement.settled, settlement.loops ?? new Map())];
    expect(all.map(({ reading }) => reading.start)).toEqual(
      Array.from({ length: COUNT }, (_, index) => index * piece.length),
    );
    const values = all.flatMap(({ judgements }) =>
      judgements.map((judgement) => judgement.kind === 'approved' && judgement.arguments),
    );
    expect(values).toEqual(values.map(() => ({ city: 'Ghent' })));
    // A caller may change the arguments of one call.
    expect(new Set(values).size).toBe(COUNT);
  });

  it('yields the rounds of a loop with reasoning', () => {
    const piece = `<think>I look: ${tag(GHENT)}</think>\n${tag(GHENT)}\n`;
    const { settled, loops = new Map() } = settle(piece.repeat(COUNT));
    expect(settled.length).toBeLessThan(COUNT / 2);
    const all = [...unfold(settled, loops)].map(({ candidate, judgements }) => [
      candidate.region,
      judgements.map(({ kind }) => kind).join(),
    ]);
    expect(all).toHaveLength(2 * COUNT);
    expect(all).toEqual(
      all.map((_, index) => (index % 2 === 0 ? ['reasoning', 'refused'] : ['answer', 'approved'])),
    );
  });
});

describe('Settler', () => {
  it.each([
    ['what follows', `${GHENT}\n`, 'example'],
    ['its name', `${tag('{"name": "fly at offset 12", "arguments": {}}')}\n${tag(GHENT)}\n`, 'unknown-tool'],
  ])('rejects every call of a loop for the same reason: %s', (_, piece, reason) => {
    const { rejected } = rescue(`${piece.repeat(COUNT)}Done.`);
    const [first] = rejected;
    expect(first?.reason).toBe(reason);
    expect(rejected).toEqual(
      rejected.map((_rejection, index) => ({
        ...first,
        start: (first?.start ?? 0) + index * piece.length,
        end: (first?.end ?? 0) + index * piece.length,
      })),
    );
  });
});

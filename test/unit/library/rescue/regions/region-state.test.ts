import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import { RegionState } from '../../../../../src/library/rescue/regions/region-state';

function passAll(state: RegionState, pieces: readonly string[]): RegionState {
  for (const piece of pieces) state.pass(piece);
  return state;
}

describe('RegionState', () => {
  it('reports whether a line begins, however the text is split', () => {
    expect(passAll(new RegionState(), ['a\n', ' ', ' ']).startsLine).toBe(true);
    expect(passAll(new RegionState(), ['a\n ', ' b']).startsLine).toBe(false);
    expect(passAll(new RegionState(), ['a\n- ', '**']).mayStartLabel).toBe(true);
    expect(new RegionState('a\nb c', 3, 2).last).toBe('b');
  });

  it('continues in the middle of a line, ignoring what belongs to a call', () => {
    expect(new RegionState('{} c', 3, 2).startsLine).toBe(true);
    expect(new RegionState('{} c', 3, 0).startsLine).toBe(false);
  });

  it('counts the distance to open backticks, and forgets them at the end of the line', () => {
    const state = new RegionState();
    state.toggleCode(2);
    passAll(state, ['``a', 'b']);
    expect(state.code).toEqual({ distance: 4, length: 2 });
    state.toggleCode(1);
    expect(state.code?.length).toBe(2);
    state.pass('\n');
    expect(state.code).toBeUndefined();
  });

  it('closes backticks with the same number of backticks', () => {
    const state = new RegionState();
    state.toggleCode(1);
    state.toggleCode(1);
    expect(state.code).toBeUndefined();
  });

  it('ends a quote at the end of its line, and a fence only at its closer', () => {
    const state = new RegionState();
    state.isQuote = true;
    state.fence = '```';
    state.pass('a');
    state.endLine();
    expect([state.isQuote, state.isClosed]).toEqual([false, true]);
    passAll(state, ['\n', '``', '`']);
    state.endLine();
    expect(state.isClosed).toBe(false);
  });

  it('counts down to the end of a region that was found in advance', () => {
    const state = new RegionState();
    state.closedFor = 3;
    expect([passAll(state, ['ab']).closedFor, passAll(state, ['cd']).closedFor]).toEqual([1, 0]);
  });

  it('opens and closes reasoning with its tags', () => {
    const { reasoning } = DIALECTS.regions;
    const state = new RegionState();
    const pass = (tag: string): void => {
      const match = reasoning.find(tag, 0);
      if (match) state.passTag(match);
    };
    pass('<think>');
    expect(state.isReasoning).toBe(true);
    pass('<think>');
    pass('</think>');
    expect(state.reasoning).toMatchObject({ depth: 1, isNested: true });
    pass('</think>');
    expect([state.reasoning, state.isReasoning]).toEqual(['closed', false]);
  });
});

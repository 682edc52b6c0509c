import { describe, expect, it } from 'vitest';
import { renderStrip } from '../../../../webview/components/lane-strip';
import type { PlaygroundState } from '../../../../webview/state';
import { readingState, toOutcome, toRun, toTurn } from '../samples';
import { drawPart, laneOn } from './draw-part';

const entries = [toRun('r1', toOutcome('r1', toTurn('Cold.', [])))];
const draw = (change: Partial<PlaygroundState>) => drawPart(change, renderStrip);

describe('renderStrip', () => {
  it('says of which connection and model the result is, when the lane has others now', () => {
    expect(draw({ entries }).text).not.toContain('This result is of');
    expect(draw({ entries, ...laneOn('demo', 'other') }).text).toContain(
      'This result is of first-look; the next run is not.',
    );
    expect(draw({ entries, ...laneOn('hosted', 'first-look') }).text).toContain(
      'This result is of Demo, first-look; the next run is not.',
    );
  });

  it('says nothing of tokens while they cannot be known', () => {
    expect(draw({ entries }).text).toContain('Tokens 212 tok');
    expect(draw(readingState({})).text).toContain('Tokens … tok');
  });
});

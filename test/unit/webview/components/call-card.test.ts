import { describe, expect, it } from 'vitest';
import type { InspectorTab } from '../../../../src/protocol';
import { renderCallCard } from '../../../../webview/components/call-card';
import { CALL, rescuedCallAt, toOutcome, toRun, toTurn } from '../samples';
import { drawPart } from './draw-part';

const rescued = rescuedCallAt(0, 9);
const entry = toRun(
  'r1',
  toOutcome('r1', toTurn('', [rescued, CALL], { calls: [rescued], content: '', rejected: [] })),
);

/** The tab that is shown after a card was selected on another. */
function select(index: number, tab: InspectorTab): InspectorTab {
  const call = index === 0 ? rescued : CALL;
  const { host, playground } = drawPart({ entries: [entry], tab }, (panel) =>
    renderCallCard(panel, { entry, index, call }),
  );
  host.querySelector<HTMLElement>('.head')?.click();
  expect(playground.state.selection).toEqual({ runId: 'r1', callIndex: index });
  return playground.state.tab;
}

describe('renderCallCard', () => {
  it('shows the call, when it is selected', () => {
    expect(select(0, 'reply')).toBe('tool-calls');
    expect(select(1, 'attempts')).toBe('tool-calls');
  });

  it('shows the place of a rescued call where the text is shown, and a native one, which has none, as a call', () => {
    expect(select(0, 'rescue')).toBe('rescue');
    expect(select(1, 'rescue')).toBe('tool-calls');
  });
});

import { describe, expect, it } from 'vitest';
import { renderRejectedCard } from '../../../../webview/components/rejected-card';
import { rejectionAt, toOutcome, toRun, toTurn } from '../samples';
import { drawPart } from './draw-part';

const rejected = [rejectionAt(0, 5), rejectionAt(9, 20, { name: '<b>', nearest: ['search_flights'] })];
const run = toRun('r1', toOutcome('r1', toTurn('', [], { calls: [], content: '', rejected })));

describe('renderRejectedCard', () => {
  it('shows the place of the rejection in the text when it is selected', () => {
    const { host, text, playground } = drawPart({ entries: [run] }, (panel) =>
      rejected.map((rejection) => renderRejectedCard(panel, run, rejection)),
    );
    expect(text).toContain('<b>left as text');
    expect(text).toContain('Nearest: search_flights.');
    host.querySelectorAll<HTMLElement>('.head')[1]?.click();
    expect(playground.state).toMatchObject({ tab: 'rescue', selection: { runId: 'r1', spanNumber: 2 } });
  });

  it('is marked while it is selected', () => {
    const { host } = drawPart({ entries: [run], selection: { runId: 'r1', spanNumber: 1 } }, (panel) =>
      rejected.map((rejection) => renderRejectedCard(panel, run, rejection)),
    );
    expect([...host.querySelectorAll('.call')].map((card) => card.getAttribute('aria-current'))).toEqual([
      'true',
      null,
    ]);
  });
});

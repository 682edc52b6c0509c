import { describe, expect, it } from 'vitest';
import { compareProposals } from '../../../../webview/lanes/proposals';
import { toPanel } from '../samples';

describe('compareProposals', () => {
  it('proposes copies that differ from the lane in one setting', () => {
    const settings = { sampling: { temperature: 0, seed: 7 } };
    const models = new Map([
      ['demo', { status: 'ready' as const, models: ['first-look:latest', 'first-look', 'slow'] }],
    ]);
    expect(compareProposals(toPanel({ a: { settings } }, { models }), 'a')).toEqual([
      { label: 'rescue off', change: { rescueToolCalls: false } },
      { label: 'temperature 1', change: { sampling: { temperature: 1, seed: 7 } } },
      { label: 'first-look on Hosted', change: { connection: 'hosted', model: 'first-look' } },
      { label: 'slow', change: { model: 'slow' } },
    ]);
  });

  it('proposes both temperatures if none is set, and rescue on if it is off', () => {
    const labels = compareProposals(toPanel({ a: { settings: { rescueToolCalls: false } } }), 'a').map(
      ({ label }) => label,
    );
    expect(labels.slice(0, 3)).toEqual(['rescue on', 'temperature 0', 'temperature 1']);
    expect(compareProposals(toPanel(), 'gone')).toEqual([]);
  });
});

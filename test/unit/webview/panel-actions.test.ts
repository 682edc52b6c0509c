// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import type { PanelAction } from '../../../src/protocol';
import { isInspectorOpen } from '../../../webview/lanes/lane-queries';
import { followActions } from '../../../webview/panel-actions';
import { openPanel, settle } from './open-panel';
import type { LaneSample } from './samples';
import { toRun } from './samples';

const STORED = { isStored: true };

/** Does the action in a panel with these lanes. @returns the panel */
async function act(action: PanelAction, lanes?: Record<string, LaneSample>) {
  const panel = openPanel(lanes);
  followActions(panel.client, panel.playground);
  await panel.playground.start();
  panel.playground.fields.type('message', 'Hello');
  panel.server.emit('panel/act', action);
  await settle();
  return panel;
}

describe('followActions', () => {
  test.each([
    ['run', 'chat'],
    ['run-agent', 'agent'],
  ] as const)('for %s starts a %s in all lanes, as the button does', async (kind, run) => {
    const { sent } = await act({ kind }, { a: {}, b: {} });
    expect(sent('run/start')).toEqual([{ laneIds: ['a', 'b'], kind: run, text: 'Hello' }]);
  });

  test('adds a lane', async () => {
    expect((await act({ kind: 'add-lane' })).sent('lane/add')).toEqual([{}]);
  });

  test('folds the inspector', async () => {
    const { playground } = await act({ kind: 'toggle-inspector' });
    expect(isInspectorOpen(playground.state)).toBe(false);
  });

  test('exports the last run of each lane that has one, and says when none has', async () => {
    const lanes = { a: { entries: [toRun('r1', undefined, STORED), toRun('r2', undefined, STORED)] }, b: {} };
    expect((await act({ kind: 'export', form: 'html' }, lanes)).sent('run/export')).toEqual([
      { runs: [{ laneId: 'a', runId: 'r2' }], form: 'html' },
    ]);
    const { sent, playground } = await act({ kind: 'export', form: 'html' });
    expect(sent('run/export')).toEqual([]);
    expect(playground.state.notice).toBe('No lane has a run to export yet.');
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { renderInspector } from '../../../../webview/components/inspector';
import { loadLaterParts } from '../../../../webview/later';
import type { Entry, PlaygroundState } from '../../../../webview/state';
import { ATTEMPT, CALL, toOutcome, toRun, toTurn } from '../samples';
import { drawPart } from './draw-part';

beforeAll(() => loadLaterParts());

const draw = (change: Partial<PlaygroundState>) =>
  drawPart(change, (playground) => renderInspector(playground, false));

describe('renderInspector', () => {
  it('tells replies to one message apart', () => {
    const entries: Entry[] = [
      { kind: 'user', id: 'u1', content: 'Is it cold?' },
      toRun('r1', toOutcome('r1', toTurn('', [CALL]))),
      toRun('r2', toOutcome('r2', toTurn('Yes.', []))),
      { kind: 'user', id: 'u2', content: 'How cold?' },
      toRun('r3', toOutcome('r3', toTurn('Very.', []))),
    ];
    const crumb = (runId: string): string | undefined =>
      draw({ entries, selection: { runId } }).host.querySelector('.crumb b')?.textContent;
    expect(['r1', 'r2', 'r3'].map(crumb)).toEqual([
      'Reply to message 1',
      'Reply 2 to message 1',
      'Reply to message 2',
    ]);
  });

  it('counts no try that is only waited for', () => {
    const progress = {
      runId: 'r1',
      phase: 'waiting-to-retry' as const,
      attempt: 2,
      maxAttempts: 3,
      since: 0,
      ledger: [ATTEMPT],
    };
    const { host } = draw({ entries: [toRun('r1')], pendingRunId: 'r1', progress });
    expect(host.querySelector('#tab-attempts .count')?.textContent).toBe('1');
    expect([...host.querySelectorAll('.kv dd')].at(-1)?.textContent.trim()).toBe('1');
  });
});

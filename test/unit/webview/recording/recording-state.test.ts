import { describe, expect, it } from 'vitest';
import type { RecordedRow } from '../../../../src/protocol';
import type { RecordingState } from '../../../../webview/recording/recording-state';
import {
  applyChange,
  chipsOf,
  conversationsOf,
  countRows,
  findRow,
  initialRecording,
  toStored,
  withShown,
} from '../../../../webview/recording/recording-state';
import { scriptRecording, scriptRequests } from '../../../support/panel/scripted-recording';

const start = (stored?: unknown): RecordingState => initialRecording(stored, 0);
const holding = (rows: RecordedRow[], stored?: unknown): RecordingState => {
  const before = start(stored);
  return withShown(applyChange(before, { snapshot: scriptRecording(), rows }), before);
};
const numbers = (rows: readonly RecordedRow[]): number[] => rows.map(({ number }) => number);

describe('applyChange', () => {
  it('puts rows in the order of their numbers, whenever they come', () => {
    const [one, two, three] = scriptRequests(3) as [RecordedRow, RecordedRow, RecordedRow];
    const late = applyChange(holding([three]), { rows: [two, one] });
    expect(numbers(late.rows)).toEqual([1, 2, 3]);
    const changed = applyChange(late, { rows: [{ ...two, status: 500 }] });
    expect(findRow(changed, 2)?.status).toBe(500);
    expect(numbers(changed.rows)).toEqual([1, 2, 3]);
  });

  it('drops what the host has dropped, and what was read of it', () => {
    const held = { ...holding(scriptRequests(5)), selected: 2, read: { number: 2 } };
    const after = applyChange(held, {
      snapshot: scriptRecording({ version: 2, first: 4, last: 5 }),
      rows: [],
    });
    expect(numbers(after.rows)).toEqual([4, 5]);
    expect(after.selected).toBeUndefined();
    expect(after.read).toBeUndefined();
  });

  it('ignores a snapshot that is older than the one held', () => {
    const held = applyChange(start(), {
      snapshot: scriptRecording({ version: 3, state: 'stopped' }),
      rows: [],
    });
    expect(applyChange(held, { snapshot: scriptRecording({ version: 2 }), rows: [] }).snapshot?.state).toBe(
      'stopped',
    );
  });
});

describe('withShown', () => {
  it.each([
    ['an outcome', { filter: 'rescued' }, [4, 6, 9]],
    ['words of program, model and path in any order', { text: 'EMBED python' }, [7]],
    ['one conversation', { session: 1 }, [2]],
    ['all of these', { filter: 'rescued', text: 'qwen', session: 1 }, []],
  ])('keeps %s', (_what, stored, kept) => {
    expect(numbers(holding(scriptRequests(10), stored).shown)).toEqual(kept);
  });

  it('finds nothing anew while nothing has changed', () => {
    const held = holding(scriptRequests(10), { filter: 'rescued' });
    expect(withShown({ ...held, now: 5 }, held).shown).toBe(held.shown);
  });
});

describe('countRows', () => {
  it('counts outcomes, and calls that the program did not see', () => {
    expect(countRows(scriptRequests(10))).toMatchObject({
      all: 10,
      open: 1,
      repaired: 0,
      unrepaired: 3,
      kinds: { native: 1, rescued: 3, malformed: 1, none: 1, failed: 1 },
    });
    expect(countRows(scriptRequests(9, { isRepaired: true }))).toMatchObject({ repaired: 3, unrepaired: 0 });
  });
});

describe('conversationsOf', () => {
  it('groups the conversations of each program, with the time of their first request', () => {
    const rows = scriptRequests(10);
    const found = conversationsOf(
      rows.map((row, at) => (at === 9 ? { ...row, program: 'b', session: 3 } : row)),
    );
    expect([...found.keys()]).toEqual(['opencode/1.0.55', 'b']);
    expect(found.get('opencode/1.0.55')).toMatchObject([
      { number: 1, requests: 1, startedAt: rows[1]?.startedAt },
      { number: 2, requests: 6 },
    ]);
    expect(countRows(rows).conversations).toBe(2);
  });
});

describe('chipsOf', () => {
  it('has the usual outcomes always, the others when there are such requests or their chip is pressed', () => {
    const kinds = (stored?: object): string[] =>
      chipsOf(start(stored), countRows([])).map(({ kind }) => kind);
    expect(kinds()).toEqual(['all', 'native', 'rescued', 'malformed', 'none', 'failed']);
    expect(kinds({ filter: 'stopped' })).toContain('stopped');
  });
});

describe('initialRecording', () => {
  it('takes over what was stored, and nothing else', () => {
    const state = { ...start(), filter: 'failed', text: 'qwen', selected: 3, shell: 'cmd' } as const;
    expect(start(structuredClone(toStored(state)))).toEqual(state);
    expect(start({ filter: 'any', text: 5, selected: '1', shell: 'zsh' })).toEqual(start());
  });
});

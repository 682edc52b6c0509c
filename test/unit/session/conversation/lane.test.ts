import { describe, expect, test } from 'vitest';
import { Lane } from '../../../../src/session/conversation/lane';
import type { RunRecord } from '../../../../src/session/run/record/run-record';
import { MemoryRunStore } from '../../../../src/session/store/memory-run-store';
import type { RunItem } from '../../../../src/session/conversation/transcript';

const record = { runId: 'r', verdict: { kind: 'answer', detail: '' }, ledger: [], findings: [] };
const answer = (content: string) => ({ content, isError: false, source: 'mock' as const });

async function open(more: Partial<RunItem> = {}): Promise<Lane> {
  const item: RunItem = { kind: 'run', id: 'r', results: new Map(), asked: new Set(), ...more };
  const watcher = { onChange: () => undefined, onProgressChange: () => undefined };
  return new Lane('a', [item], await new MemoryRunStore().open('test'), watcher);
}
const entriesOf = (lane: Lane, since?: number) => lane.snapshot(since, () => []).entries;

describe('Lane', () => {
  test('updates results in place, but never changes an entry that a view has received', async () => {
    const lane = await open();
    lane.setAsked('r', 1, true);
    const [before] = entriesOf(lane);
    const first = lane.findRun('r');
    lane.setResult('r', 0, answer('zero'));
    lane.setResult('r', 1, answer('one'));
    expect(before).toMatchObject({ results: {}, asked: [1] });
    expect(entriesOf(lane)[0]).toMatchObject({ results: { 0: { content: 'zero' }, 1: { content: 'one' } } });
    expect(entriesOf(lane)[0]).not.toHaveProperty('asked');
    expect(lane.findRun('r')).not.toBe(first);
    expect(lane.findRun('r')?.results).toBe(first?.results);
  });

  test('does not send a record that was read for a request before a view asks for it', async () => {
    const lane = await open({ isStored: true });
    const { version } = lane;
    lane.fillRecord('r', record as unknown as RunRecord);
    expect(lane.version).toBe(version);
    expect(entriesOf(lane)[0]).toMatchObject({ isStored: true });
    expect(entriesOf(lane)[0]).not.toHaveProperty('outcome');
    expect(lane.findRun('r')?.record).toBe(record);
    lane.reveal(lane.items);
    expect(entriesOf(lane)[0]).toHaveProperty('outcome');
    expect(entriesOf(lane)[0]).not.toHaveProperty('isStored');
    // Views that did not request the record receive it as well.
    expect(entriesOf(lane, version)).toHaveLength(1);
  });

  test('sends a record that was read with the next change of its run', async () => {
    const lane = await open({ isStored: true });
    lane.fillRecord('r', record as unknown as RunRecord);
    const { version } = lane;
    lane.setResult('r', 0, answer('zero'));
    expect(entriesOf(lane, version)).toMatchObject([
      { outcome: { runId: 'r' }, results: { 0: { content: 'zero' } } },
    ]);
  });
});

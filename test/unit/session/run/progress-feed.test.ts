import { describe, expect, test } from 'vitest';
import type { CallProgress } from '../../../../src/types';
import { LiveReply } from '../../../../src/session/run/live-reply';
import { ProgressFeed } from '../../../../src/session/run/progress-feed';
import { FakeClock } from '../../../support/fake-clock';

const phase = (attempt: number, more: Partial<CallProgress> = {}): CallProgress => ({
  phase: 'waiting-for-headers',
  attempt,
  maxAttempts: 3,
  since: 0,
  ledger: [],
  ...more,
});

function open() {
  const clock = new FakeClock();
  const changes: number[] = [];
  const reply = new LiveReply({ secrets: [], mask: (text) => text, held: () => 0 });
  const feed = new ProgressFeed({
    runId: 'r',
    reply,
    clock,
    onProgressChange: (length) => void changes.push(length),
  });
  return { clock, feed, changes, reply };
}

describe('ProgressFeed', () => {
  test('returns nothing before the first attempt', () => {
    const { feed } = open();
    expect(feed.view()).toBeUndefined();
    expect(feed.ledger).toEqual([]);
  });

  test('returns the phase and the partial reply, and notifies of changes', () => {
    const { feed, changes } = open();
    feed.setPhase(phase(1));
    feed.addDelta({ content: 'It is ' });
    feed.addDelta({ toolCall: { index: 0, name: 't', arguments: '{' } });
    expect(feed.view()).toMatchObject({
      runId: 'r',
      phase: 'waiting-for-headers',
      reply: { content: 'It is ', toolCalls: [{ name: 't', arguments: '{' }] },
    });
    expect(changes).toEqual([0, 6, 1]);
  });

  test('assumes the phase reading for a provider that reports no phases', () => {
    const { clock, feed } = open();
    clock.advance(10);
    feed.addDelta({ content: 'x' });
    expect(feed.view()).toMatchObject({
      phase: 'reading',
      attempt: 1,
      maxAttempts: 1,
      reply: { content: 'x' },
    });
  });

  test('measures the first piece from the start of its attempt, ignoring empty pieces', () => {
    const { clock, feed } = open();
    feed.setPhase(phase(1));
    clock.advance(1_000);
    feed.setPhase(phase(2, { phase: 'waiting-to-retry' }));
    clock.advance(1_000);
    feed.setPhase(phase(2));
    clock.advance(300);
    feed.addDelta({ content: '' });
    feed.addDelta({ usage: { promptTokens: 1 } });
    clock.advance(40);
    feed.addDelta({ reasoning: 'Hm' });
    clock.advance(500);
    feed.addDelta({ content: 'x' });
    expect(feed.firstTokenMs).toBe(340);
  });

  test('splits a piece of a megabyte, so that it can be stored completely', () => {
    const { feed, changes } = open();
    feed.addDelta({ content: 'x'.repeat(1_000_000), reasoning: 'y'.repeat(10_000) });
    expect(Math.max(...changes)).toBeLessThanOrEqual(16_000);
    expect(changes.reduce((sum, length) => sum + length, 0)).toBe(1_010_000);
    expect(feed.partial).toMatchObject({ omitted: { content: 980_000, reasoning: 0 } });
  });
});

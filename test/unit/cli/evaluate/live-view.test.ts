// What a person sees while samples are sent, on a clock that the test sets forward.
import { describe, expect, it } from 'vitest';
import { LiveView } from '../../../../src/cli/evaluate/live-view';
import type { BatchRuns } from '../../../../src/cli/evaluate/run-batches';
import { fakeTerminal } from '../../../support/cli/fake-terminal';
import { FakeClock } from '../../../support/fake-clock';

const LANE = { laneId: 'a', planned: 60, notRun: 46, passed: 14, failed: 0 };

function show(columns: number | undefined, ms: number): string[] {
  const clock = new FakeClock();
  const terminal = fakeTerminal(columns === undefined ? {} : { columns });
  const view = new LiveView(terminal.talk, clock);
  const progress = {
    done: 14,
    planned: 60,
    leftMs: 90_000,
    underWay: [{}, {}],
    isStopping: false,
    waiting: [{ laneId: 'a', reason: 'answered with 429', untilMs: clock.now() + 3_000 }],
  };
  const batch = {
    path: 'a/very/long/way/to/the/file/weather.playground.json',
    summary: () => ({ lanes: [LANE] }),
  };
  view.follow({ progress: [{ batch, progress }] } as unknown as BatchRuns);
  clock.advance(ms);
  view.end();
  // eslint-disable-next-line no-control-regex
  return terminal.written.talk.replaceAll(/\u001B\[\d*[A-Z]/g, '').split('\n');
}

describe('LiveView', () => {
  it('shows each lane with its progress, the time left and what waits', () => {
    const [head, , lane] = show(120, 300);
    expect(head).toBe(
      'a/very/long/way/to/the/file/weather.playground.json: 14 of 60 samples, 2 under way, about 1 min 30 s left',
    );
    expect(lane).toMatch(/^ {2}a +14\/60 +14 of 14 +answered with 429 2\.7 s$/);
  });

  it('shortens the path in a narrow terminal, not the progress', () => {
    expect(show(80, 300)[0]).toBe(
      '…eather.playground.json: 14 of 60 samples, 2 under way, about 1 min 30 s left',
    );
    const [head = '', ...more] = show(40, 300);
    expect([head, more[0]]).toEqual(['14 of 60 samples, 2 under way', 'about 1 min 30 s left']);
    expect([head, ...more].filter((line) => line.length > 40)).toEqual([]);
  });

  it('writes a plain line now and then into a pipe', () => {
    expect(show(undefined, 9_000)).toEqual(['']);
    expect(show(undefined, 11_000)).toEqual([expect.stringMatching(/: 14 of 60 samples, 2 under way/), '']);
  });
});

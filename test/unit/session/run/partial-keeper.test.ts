import { describe, expect, test } from 'vitest';
import type { LiveReplyView, RunProgress } from '../../../../src/protocol';
import { createRedactor } from '../../../../src/library';
import { LiveReply } from '../../../../src/session/run/live-reply';
import { PartialKeeper } from '../../../../src/session/run/partial-keeper';
import { FakeClock } from '../../../support/fake-clock';
import { fc, runs } from '../../../support/arbitrary/properties';

const SECOND_MS = 1_000;

interface Piece {
  content?: string;
  reasoning?: string;
  toolCalls?: LiveReplyView['toolCalls'];
}

function open(secrets: readonly string[] = []) {
  const clock = new FakeClock();
  const kept: Piece[] = [];
  const { value: mask, held } = createRedactor(secrets);
  const reply = new LiveReply({ secrets, mask, held });
  const view = (): RunProgress | undefined => {
    const live = reply.view();
    return (
      live && { runId: 'r', phase: 'reading', attempt: 1, maxAttempts: 1, since: 0, ledger: [], reply: live }
    );
  };
  const keeper = new PartialKeeper(clock, view, (piece) => void kept.push(piece));
  const arrive = (content: string, reasoning = ''): void => {
    reply.add({ content, reasoning });
    keeper.note(content.length + reasoning.length);
  };
  const all = (part: 'content' | 'reasoning'): string => kept.map((piece) => piece[part] ?? '').join('');
  return { clock, keeper, kept, reply, arrive, all };
}

describe('PartialKeeper', () => {
  test('stores what has arrived within a second, each part once', () => {
    const { arrive, clock, kept } = open();
    arrive('It was ');
    arrive('a dark');
    expect(kept).toEqual([]);
    clock.advance(SECOND_MS);
    arrive(' night', 'Hm.');
    clock.advance(SECOND_MS);
    clock.advance(SECOND_MS);
    expect(kept).toEqual([{ content: 'It was a dark' }, { content: ' night', reasoning: 'Hm.' }]);
    expect(clock.pending).toBe(0);
  });

  test('stores an incomplete call, and again when it has grown', () => {
    const { clock, keeper, kept, reply } = open();
    reply.add({ toolCall: { index: 0, name: 't', arguments: '{"a"' } });
    keeper.note(4);
    clock.advance(SECOND_MS);
    keeper.note(0);
    clock.advance(SECOND_MS);
    reply.add({ toolCall: { index: 0, arguments: ': 1}' } });
    keeper.note(4);
    clock.advance(SECOND_MS);
    expect(kept).toEqual([
      { toolCalls: [{ name: 't', arguments: '{"a"' }] },
      { toolCalls: [{ name: 't', arguments: '{"a": 1}' }] },
    ]);
  });

  test('stores a large amount at once, because the view keeps only the end of a text', () => {
    const { arrive, all } = open();
    for (let piece = 0; piece < 50; piece++) arrive(`${piece} `.padEnd(3_000, 'x'));
    expect(all('content').length).toBeGreaterThan(140_000);
  });

  test('cancels its timer at the end, and stores at once when requested', () => {
    const { arrive, clock, keeper, kept } = open();
    arrive('one');
    keeper.end();
    expect(clock.pending).toBe(0);
    arrive('two');
    keeper.keep();
    expect(kept).toEqual([{ content: 'onetwo' }]);
    expect(clock.pending).toBe(0);
  });

  test('stores nothing before something has arrived', () => {
    const { clock, keeper, kept } = open();
    keeper.note(0);
    clock.advance(SECOND_MS);
    keeper.keep();
    expect(kept).toEqual([]);
  });

  test('withholds a possible beginning of a secret, and redacts the secret', () => {
    const secret = 'canary-0123456789';
    const { all, arrive, clock, keeper } = open([secret]);
    arrive('Key: canary-01');
    clock.advance(SECOND_MS);
    expect(all('content')).toBe('Key: ');
    arrive('23456789, done');
    keeper.keep();
    expect(all('content')).toBe(`Key: ${'*'.repeat(secret.length)}, done`);
  });

  test('stores parts that together are the text, for any pieces and times', () => {
    const step = fc.record({
      length: fc.oneof(fc.nat(50), fc.nat(12_000)),
      isReasoning: fc.boolean(),
      waitMs: fc.constantFrom(0, 0, 0, 300, 900),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { all, arrive, clock, keeper } = open();
        const said = { content: '', reasoning: '' };
        let letter = 0;
        for (const { length, isReasoning, waitMs } of steps) {
          const piece = String.fromCharCode(97 + (letter++ % 26)).repeat(length);
          said[isReasoning ? 'reasoning' : 'content'] += piece;
          if (isReasoning) arrive('', piece);
          else arrive(piece);
          clock.advance(waitMs);
        }
        keeper.keep();
        expect(all('content') === said.content && all('reasoning') === said.reasoning).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});

// Every recorded answer to a chat, read by the real providers over a socket: nothing is lost, and nothing is added.
import { afterAll, describe, expect, test } from 'vitest';
import { closeConnections } from '../../../src/library';
import type { RecordedExchange } from '../../support/messages/recorded';
import { readRecorded, recordedNames } from '../../support/messages/recorded';
import { isChat, protocolOf } from './accepted-requests';
import { readExpected } from './expected-reply';
import { outcomeOf, replayChat } from './replay-chat';

const names = recordedNames().filter((name) => {
  const recorded = readRecorded(name) as Partial<RecordedExchange>;
  return recorded.request?.method === 'POST' && isChat(recorded as RecordedExchange);
});

afterAll(closeConnections);

describe('a recorded answer', () => {
  test.each(names)('is read completely: %s', async (name) => {
    const recorded = readRecorded(name);
    const expected = readExpected(protocolOf(recorded), recorded);
    expect(outcomeOf(await replayChat(recorded))).toEqual(expected);
  });

  test('of each kind was tested', () => {
    const kinds = names.map((name) => {
      const recorded = readRecorded(name);
      return readExpected(protocolOf(recorded), recorded).is;
    });
    const count = (kind: string): number => kinds.filter((other) => other === kind).length;
    expect(count('turn')).toBeGreaterThan(140);
    expect(count('refused')).toBeGreaterThan(50);
    expect(count('broken')).toBeGreaterThan(5);
  });
});

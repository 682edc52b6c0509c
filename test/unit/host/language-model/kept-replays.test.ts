import { describe, expect, it } from 'vitest';
import { KeptReplays } from '../../../../src/host/language-model/kept-replays';
import type { Message, ReplayData } from '../../../../src/types';

const REPLAY: ReplayData = {
  provider: 'messages-api',
  model: 'm',
  connection: 'own',
  data: { thinking: [{ type: 'thinking', thinking: 'Oslo it is.', signature: 'c2ln' }] },
};

const calling = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'get_weather', arguments: {}, source: 'native' })),
});

describe('KeptReplays', () => {
  it('gives back what came with a call, to the connection that it came from', () => {
    const replays = new KeptReplays();
    replays.keep(['1', '2'], REPLAY);
    const question: Message = { role: 'user', content: 'Oslo?' };
    expect(replays.giveBack([question, calling('1', '2'), calling('3')], 'own')).toEqual([
      question,
      { ...calling('1', '2'), replay: REPLAY },
      calling('3'),
    ]);
    expect(replays.giveBack([calling('2')], 'other')).toEqual([
      { ...calling('2'), replay: { ...REPLAY, isWithheld: true } },
    ]);
  });

  it('keeps nothing for a reply without such data', () => {
    const replays = new KeptReplays();
    replays.keep(['1'], undefined);
    expect(replays.giveBack([calling('1')], 'own')).toEqual([calling('1')]);
  });

  it('forgets the oldest calls, by their number and by their size', () => {
    const replays = new KeptReplays();
    for (let call = 0; call < 1_001; call++) replays.keep([`${call}`], REPLAY);
    const kept = (id: string): boolean => replays.giveBack([calling(id)], 'own')[0]?.replay !== undefined;
    expect([kept('0'), kept('1'), kept('1000')]).toEqual([false, true, true]);
    const large = { ...REPLAY, data: { encrypted: 'x'.repeat(9 * 1024 * 1024) } };
    replays.keep(['large'], large);
    replays.keep(['larger'], large);
    expect([kept('1000'), kept('large'), kept('larger')]).toEqual([false, false, true]);
    replays.keep(['both', 'too large'], large);
    expect([kept('both'), kept('larger')]).toEqual([false, true]);
  });
});

// What the editor's chat is told of a finished run.
import { describe, expect, it } from 'vitest';
import { reportReply } from '../../../../src/host/language-model/report-reply';
import type { DeliveredCalls, ServedReply } from '../../../../src/session';
import type { TokenUsage } from '../../../../src/types';

const NO_IDS: ReadonlySet<string> = new Set();

const call = (id: string, value: Record<string, unknown>): DeliveredCalls['calls'][number] => ({
  id,
  name: 'get_weather',
  arguments: value,
});

function served(
  delivered: Partial<DeliveredCalls>,
  { usage = {}, finishReason }: { usage?: TokenUsage; finishReason?: string } = {},
): ServedReply {
  const record = { turn: { raw: { finishReason }, usage } } as unknown as ServedReply['record'];
  return { record, delivered: { calls: [], changed: [], ...delivered } };
}

const failed = (error: object): ServedReply => ({
  record: { error, verdict: { kind: 'failed', detail: '' } } as unknown as ServedReply['record'],
  delivered: { calls: [], changed: [] },
});

describe('reportReply', () => {
  it('reports each call with an id that the conversation does not have yet', () => {
    const calls = [call('a', { city: 'Oslo' }), call('b', {}), call('b', {})];
    const reported = reportReply(served({ calls }), new Set(['a']));
    expect(reported.kind).toBe('reply');
    const told = reported.kind === 'reply' ? reported.calls : [];
    expect(told.map(({ input }) => input)).toEqual([{ city: 'Oslo' }, {}, {}]);
    expect(told[1]?.callId).toBe('b');
    expect(new Set(['a', ...told.map(({ callId }) => callId)]).size).toBe(4);
  });

  it('fails for a call that cannot be delivered, and names it', () => {
    const reported = reportReply(served({ broken: 'get_weather' }), NO_IDS);
    expect(reported).toMatchObject({ kind: 'failure', isKeyWanted: false });
    expect(reported).toHaveProperty('message', expect.stringContaining('get_weather'));
  });

  it('says that a reply was cut at its limit', () => {
    expect(reportReply(served({}, { finishReason: 'length' }), NO_IDS)).toHaveProperty(
      'note',
      expect.stringContaining('limit of tokens'),
    );
    expect(reportReply(served({}, { finishReason: 'stop' }), NO_IDS)).not.toHaveProperty('note');
  });

  it('reports the counts of the server in the names that the editor reads, and none where there are none', () => {
    const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: 4 };
    expect(reportReply(served({}, { usage }), NO_IDS)).toHaveProperty('usage', {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
    });
    expect(reportReply(served({}, { usage: { promptTokens: 10 } }), NO_IDS)).not.toHaveProperty('usage');
  });

  it('tells a wanted key apart, by what the explanation of the failure says', () => {
    const error = { code: 'http', title: 'Refused', what: '', why: '', next: '', isKeyWanted: true };
    expect(reportReply(failed(error), NO_IDS)).toMatchObject({ kind: 'failure', isKeyWanted: true });
  });

  it('tells a failure with what, why and the next step', () => {
    const error = {
      code: 'network',
      title: 'No answer',
      what: 'Nothing listens.',
      why: 'It is off.',
      next: 'Start it',
    };
    const reported = reportReply(failed(error), NO_IDS);
    expect(reported).toMatchObject({ kind: 'failure', isKeyWanted: false });
    expect(reported).toHaveProperty(
      'message',
      expect.stringMatching(/^No answer\. Nothing listens\. It is off\. Start it\. /),
    );
  });
});

// What the editor's chat is told of a finished run.
import { describe, expect, it } from 'vitest';
import { reportReply } from '../../../../src/host/language-model/report-reply';
import type { RunRecord } from '../../../../src/session';
import type { ProviderToolCall, TokenUsage } from '../../../../src/types';

const NO_IDS: ReadonlySet<string> = new Set();
const noRepair = (): undefined => undefined;

const call = (id: string, value: unknown): ProviderToolCall => ({
  id,
  name: 'get_weather',
  arguments: value,
  source: 'native',
});

function record(
  toolCalls: ProviderToolCall[],
  { usage = {}, finishReason }: { usage?: TokenUsage; finishReason?: string } = {},
): RunRecord {
  const assistant = { role: 'assistant' as const, content: '' };
  const raw = { content: '', toolCalls, usage, attempts: 1, finishReason };
  return { turn: { assistant, raw, toolCalls, usage, attempts: 1 } } as unknown as RunRecord;
}

describe('reportReply', () => {
  it('reports each call with an id that the conversation does not have yet', () => {
    const reported = reportReply(
      record([call('a', { city: 'Oslo' }), call('b', {}), call('b', {})]),
      new Set(['a']),
      noRepair,
    );
    expect(reported.kind).toBe('reply');
    const calls = reported.kind === 'reply' ? reported.calls : [];
    expect(calls.map(({ input }) => input)).toEqual([{ city: 'Oslo' }, {}, {}]);
    expect(calls[1]?.callId).toBe('b');
    expect(new Set(['a', ...calls.map(({ callId }) => callId)]).size).toBe(4);
  });

  it('refuses a call whose arguments are no object, and names it, instead of calling with {}', () => {
    for (const value of ['{"city": "Os', ['Oslo'], null]) {
      const reported = reportReply(record([call('a', { city: 'Oslo' }), call('b', value)]), NO_IDS, noRepair);
      expect(reported).toMatchObject({ kind: 'failure', isKeyWanted: false });
      expect(reported).toHaveProperty('message', expect.stringContaining('get_weather'));
    }
  });

  it('reports damaged arguments repaired where they can be read exactly, but not in a reply that was cut', () => {
    const repair = (name: string, text: string) => (text.endsWith(',}') ? { repaired: name } : undefined);
    const calls = [call('a', '{"city": "Oslo",}')];
    expect(reportReply(record(calls), NO_IDS, repair)).toMatchObject({
      kind: 'reply',
      calls: [{ callId: 'a', input: { repaired: 'get_weather' } }],
    });
    const cut = record(calls, { finishReason: 'length' });
    expect(reportReply(cut, NO_IDS, repair)).toMatchObject({ kind: 'failure' });
  });

  it('says that a reply was cut at its limit', () => {
    expect(reportReply(record([], { finishReason: 'length' }), NO_IDS, noRepair)).toHaveProperty(
      'note',
      expect.stringContaining('limit of tokens'),
    );
    expect(reportReply(record([], { finishReason: 'stop' }), NO_IDS, noRepair)).not.toHaveProperty('note');
  });

  it('reports the counts of the server in the names that the editor reads, and none where there are none', () => {
    const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: 4 };
    expect(reportReply(record([], { usage }), NO_IDS, noRepair)).toHaveProperty('usage', {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
    });
    expect(reportReply(record([], { usage: { promptTokens: 10 } }), NO_IDS, noRepair)).not.toHaveProperty(
      'usage',
    );
  });

  it('tells a wanted key apart, by what the explanation of the failure says', () => {
    const error = { code: 'http', title: 'Refused', what: '', why: '', next: '', isKeyWanted: true };
    const refused = { error, verdict: { kind: 'failed', detail: '' } } as unknown as RunRecord;
    expect(reportReply(refused, NO_IDS, noRepair)).toMatchObject({ kind: 'failure', isKeyWanted: true });
  });

  it('tells a failure with what, why and the next step', () => {
    const error = {
      code: 'network',
      title: 'No answer',
      what: 'Nothing listens.',
      why: 'It is off.',
      next: 'Start it',
    };
    const failed = { error, verdict: { kind: 'failed', detail: '' } } as unknown as RunRecord;
    const reported = reportReply(failed, NO_IDS, noRepair);
    expect(reported).toMatchObject({ kind: 'failure', isKeyWanted: false });
    expect(reported).toHaveProperty(
      'message',
      expect.stringMatching(/^No answer\. Nothing listens\. It is off\. Start it\. /),
    );
  });
});

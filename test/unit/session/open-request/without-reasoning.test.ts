// Thinking that a service refuses once the reasoning of earlier replies is gone, in what is opened and in what is replayed.
import { describe, expect, it } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import { openRequest, replaySession } from '../../../../src/session';
import type { RecordedExchange } from '../../../../src/types';

const FIXED = { type: 'enabled', budget_tokens: 2000 };
const THOUGHT = { type: 'thinking', thinking: 'Hm.', signature: 's' };
const CALL = { type: 'tool_use', id: 'c1', name: 'look', input: {} };
const URL = 'https://api.anthropic.com/v1/messages';

function bodyOf(thinking: object, reply: readonly object[]): string {
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: reply },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'done' }] },
  ];
  const tools = [{ name: 'look', input_schema: { type: 'object' } }];
  return JSON.stringify({
    model: 'm',
    max_tokens: 4000,
    thinking,
    metadata: { user_id: 'u' },
    messages,
    tools,
  });
}

const CASES: readonly [string, object, readonly object[], boolean][] = [
  ['with a fixed budget is left out', FIXED, [THOUGHT, CALL], false],
  ['that adapts stays', { type: 'adaptive' }, [THOUGHT, CALL], true],
  ['stays where no reply had any', FIXED, [CALL], true],
  ['stays where no reply has a call', FIXED, [THOUGHT, { type: 'text', text: 'ok' }], true],
];
const PHRASE = 'thinking, which the server takes only with the reasoning of earlier replies';

describe('thinking', () => {
  it.each(CASES)('%s when a request is opened', (_, thinking, reply, stays) => {
    const found = { method: 'POST', url: URL, headers: [], body: bodyOf(thinking, reply), leftOut: [] };
    const { neutral, leftOut } = openRequest(found, PROVIDER_CATALOG);
    expect(neutral.raw).toEqual({ metadata: { user_id: 'u' }, ...(stays && { thinking }) });
    expect(leftOut.includes(PHRASE)).toBe(!stays);
  });

  it.each(CASES)('%s when a session is replayed', async (_, thinking, reply, stays) => {
    const exchange: RecordedExchange = {
      number: 1,
      startedAt: 1,
      endMs: 5,
      endedBy: 'server',
      program: 'agent/1',
      session: 1,
      protocol: 'messages-api',
      model: 'm',
      request: { method: 'POST', url: URL, headers: {}, body: bodyOf(thinking, reply) },
      response: {
        status: 200,
        headers: {},
        isComplete: true,
        body: JSON.stringify({ content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' }),
      },
    };
    const { leftOut, toText } = await replaySession([exchange]);
    const { lanes } = JSON.parse(toText([{ connection: 'x', protocol: 'messages-api' }])) as {
      lanes: object[];
    };
    expect(lanes).toMatchObject([{ raw: { metadata: { user_id: 'u' }, ...(stays && { thinking }) } }]);
    expect(leftOut.includes(PHRASE)).toBe(!stays);
    if (!stays) expect(JSON.stringify(lanes)).not.toContain('thinking');
  });
});

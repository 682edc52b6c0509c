import { describe, expect, test } from 'vitest';
import { toChatTurn } from '../../../../../src/library/providers/call/chat-turn';
import { createCallContext } from '../../../../../src/library/transport/call-context';
import { createRedactor } from '../../../../../src/library/transport/redact/redact';
import type { ChatTurn, ProviderToolCall, ToolType } from '../../../../../src/types';

const TOOLS: ToolType[] = [
  { name: 'forecast', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
];
const OSLO: ProviderToolCall = {
  id: 'call_1',
  name: 'forecast',
  arguments: { city: 'Oslo' },
  source: 'native',
};
const asText = (city: string): string =>
  `<tool_call>{"name": "forecast", "arguments": {"city": "${city}"}}</tool_call>`;

const turnOf = (content: string, toolCalls: ProviderToolCall[]): ChatTurn =>
  toChatTurn(
    { content, toolCalls, usage: {}, attempts: 1 },
    createCallContext({}),
    { provider: 'TestProvider', tools: TOOLS, rescueToolCalls: true, costPer1kTokens: undefined },
    createRedactor(),
  );

describe('toChatTurn with native calls', () => {
  test('reads no calls from the text', () => {
    const { toolCalls, rescue } = turnOf(asText('Bergen'), [OSLO]);
    expect(toolCalls).toEqual([OSLO]);
    expect(rescue).toBeUndefined();
  });

  test('removes the echo of a native call from the message, but not from the raw reply', () => {
    const content = `Let me look.\n${asText('Oslo')}`;
    const { assistant, raw } = turnOf(content, [OSLO]);
    expect(assistant.content).toBe('Let me look.');
    expect(raw.content).toBe(content);
  });

  test('keeps the text of another call', () => {
    const content = `${asText('Oslo')}\n${asText('Bergen')}`;
    expect(turnOf(content, [OSLO]).assistant.content).toBe(asText('Bergen'));
  });

  test('recognizes an echo whose arguments are in another order', () => {
    const native = { ...OSLO, arguments: { city: 'Oslo', place: { lat: 60, lon: 11 } } };
    const args = '{"place": {"lon": 11, "lat": 60}, "city": "Oslo"}';
    const { assistant } = turnOf(`Look. <tool_call>{"name": "forecast", "arguments": ${args}}</tool_call>`, [
      native,
    ]);
    expect(assistant.content).toBe('Look.');
  });

  test('reads each native call a constant number of times, whatever the number of echoes', () => {
    const looksAt = (count: number): number => {
      let looks = 0;
      const counted = (value: object): object =>
        new Proxy(value, {
          ownKeys: (target) => {
            looks += 1;
            return Reflect.ownKeys(target);
          },
        });
      const cities = Array.from({ length: count }, (_, index) => `city ${index}`);
      const native = cities.map((city) => ({ ...OSLO, id: city, arguments: counted({ city }) }));
      expect(turnOf(cities.map(asText).join('\n'), native).assistant.content).toBe('');
      return looks;
    };
    expect(looksAt(200) / 200).toBe(looksAt(50) / 50);
  });

  test('keeps a text without an echo unchanged', () => {
    const content = '  An answer about Oslo. ';
    expect(turnOf(content, [OSLO]).assistant.content).toBe(content);
  });
});

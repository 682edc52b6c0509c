import { describe, expect, test } from 'vitest';
import type { MessagesChat } from '../../../../src/demo/messages/messages-request';
import { SIGNATURE_SCOPE } from '../../../../src/demo/messages/messages-turns';
import { toMessagesBody, toMessagesEvents } from '../../../../src/demo/messages/messages-wire';
import type { DemoTurn } from '../../../../src/demo/model/scenario';
import { isSealed } from '../../../../src/demo/wire/seal';

const mint = { newId: () => 'A'.repeat(32), now: () => new Date(0) };
const usage = { promptTokens: 12, completionTokens: 9, cachedTokens: 8 };
const chat: MessagesChat = {
  request: { protocol: 'messages', model: 'native-call', messages: [], tools: [], sampling: {} },
  isStreamed: true,
  isThinkingHidden: false,
  isCached: false,
};
const turn: DemoTurn = {
  kind: 'turn',
  reasoning: 'Let me see.',
  content: 'I look it up.',
  toolCalls: [{ name: 'get_weather', argumentsText: '{"city": "Oslo"}' }],
};

interface WireEvent {
  type: string;
  index?: number;
  content_block?: { type: string };
  delta?: Record<string, string>;
  message?: { usage: Record<string, unknown>; content: unknown };
  usage?: Record<string, unknown>;
}

function eventsOf(written: DemoTurn, more: Partial<MessagesChat> = {}): WireEvent[] {
  return toMessagesEvents({ ...chat, ...more }, written, usage, mint).map((text) => {
    const [, name, data = ''] = /^event: (.*)\ndata: (.*)\n\n$/.exec(text) ?? [];
    const event = JSON.parse(data) as WireEvent;
    expect(event.type).toBe(name);
    return event;
  });
}

const bodyOf = (written: DemoTurn, more: Partial<MessagesChat> = {}): Record<string, unknown> =>
  toMessagesBody({ ...chat, ...more }, written, usage, mint);

describe('toMessagesEvents', () => {
  test('sends the events in the order of the service, with a ping after the start of the first block', () => {
    const names = eventsOf(turn).map(({ type, index, content_block: block, delta }) =>
      [type.replace('content_block_', ''), index, block?.type ?? delta?.['type']].filter(
        (part) => part !== undefined,
      ),
    );
    expect(names).toEqual([
      ['message_start'],
      ['start', 0, 'thinking'],
      ['ping'],
      ['delta', 0, 'thinking_delta'],
      ['delta', 0, 'thinking_delta'],
      ['delta', 0, 'thinking_delta'],
      ['delta', 0, 'signature_delta'],
      ['stop', 0],
      ['start', 1, 'text'],
      ['delta', 1, 'text_delta'],
      ['delta', 1, 'text_delta'],
      ['delta', 1, 'text_delta'],
      ['delta', 1, 'text_delta'],
      ['stop', 1],
      ['start', 2, 'tool_use'],
      ['delta', 2, 'input_json_delta'],
      ['delta', 2, 'input_json_delta'],
      ['delta', 2, 'input_json_delta'],
      ['stop', 2],
      ['message_delta'],
      ['message_stop'],
    ]);
  });

  test('counts the prompt at the start, and everything at the end', () => {
    const events = eventsOf(turn);
    expect(events[0]?.message).toMatchObject({
      content: [],
      stop_reason: null,
      usage: { input_tokens: 12, cache_read_input_tokens: 0, output_tokens: 1 },
    });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { input_tokens: 12, output_tokens: 9, output_tokens_details: { thinking_tokens: 3 } },
    });
  });

  test('sends one empty piece for a call without arguments', () => {
    const events = eventsOf({ kind: 'turn', content: '', toolCalls: [{ name: 'now', argumentsText: '{}' }] });
    expect(events.map(({ delta }) => delta?.['partial_json']).filter((piece) => piece !== undefined)).toEqual(
      [''],
    );
  });

  test('begins a call that was cut off, which a whole reply shows without input', () => {
    const cut: DemoTurn = {
      kind: 'turn',
      content: '',
      toolCalls: [{ name: 'get_weather', argumentsText: '{"city": "Os' }],
      finishReason: 'length',
    };
    const pieces = eventsOf(cut).map(({ delta }) => delta?.['partial_json'] ?? '');
    expect(pieces.join('')).toBe('{"city": "Os');
    expect(bodyOf(cut)).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ type: 'tool_use', input: {} }],
    });
  });
});

describe('toMessagesBody', () => {
  test('has thinking with its signature, the text and the call', () => {
    const { content } = bodyOf(turn) as { content: Record<string, unknown>[] };
    expect(content).toEqual([
      { type: 'thinking', thinking: 'Let me see.', signature: expect.any(String) },
      { type: 'text', text: 'I look it up.' },
      {
        type: 'tool_use',
        id: `toolu_01${'A'.repeat(22)}`,
        name: 'get_weather',
        input: { city: 'Oslo' },
        caller: { type: 'direct' },
      },
    ]);
    expect(isSealed(String(content[0]?.['signature']), SIGNATURE_SCOPE)).toBe(true);
  });

  test('keeps the signature of thinking whose text is left out', () => {
    const { content } = bodyOf(turn, { isThinkingHidden: true }) as { content: Record<string, unknown>[] };
    expect(content[0]).toEqual({ type: 'thinking', thinking: '', signature: expect.stringMatching(/^\S+$/) });
  });

  test.each<[string, string | null, Partial<DemoTurn>]>([
    ['end_turn', null, {}],
    ['max_tokens', null, { finishReason: 'length' }],
    ['stop_sequence', 'END', { stopSequence: 'END' }],
    ['max_tokens', null, { finishReason: 'length', stopSequence: 'END' }],
  ])('says why it stopped: %s, %j', (stop_reason, stop_sequence, more) => {
    const { content } = turn;
    expect(bodyOf({ kind: 'turn', content, toolCalls: [], ...more })).toMatchObject({
      stop_reason,
      stop_sequence,
    });
  });

  test('divides the prompt into read, written and the rest where the request marks a part for the cache', () => {
    expect(bodyOf(turn, { isCached: true })['usage']).toMatchObject({
      input_tokens: 1,
      cache_read_input_tokens: 8,
      cache_creation_input_tokens: 3,
      output_tokens: 9,
    });
  });

  test('has no block for a turn without text', () => {
    expect(bodyOf({ kind: 'turn', content: '', toolCalls: [] })['content']).toEqual([]);
  });
});

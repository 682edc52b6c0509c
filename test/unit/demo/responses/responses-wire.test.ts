import { describe, expect, test } from 'vitest';
import type { DemoTurn } from '../../../../src/demo/model/scenario';
import type { ResponsesChat } from '../../../../src/demo/responses/responses-request';
import {
  toFinishedResponse,
  toOutput,
  toResponsesEvents,
  toStartedResponse,
} from '../../../../src/demo/responses/responses-wire';

const mint = { newId: () => 'A'.repeat(32), now: () => new Date(5000) };
const usage = { promptTokens: 12, completionTokens: 9, cachedTokens: 8 };
const chat: ResponsesChat = {
  request: { protocol: 'responses', model: 'native-call', messages: [], tools: [], sampling: {} },
  isStreamed: true,
  isObfuscated: false,
  hasSummary: true,
  isStored: false,
  items: [],
  sent: {},
};
const turn: DemoTurn = {
  kind: 'turn',
  reasoning: 'Let me see.',
  content: 'I look.',
  toolCalls: [{ name: 'get_weather', argumentsText: '{"city": "Oslo"}' }],
};
const plain: DemoTurn = { kind: 'turn', content: 'Hello there.', toolCalls: [] };

type Json = Record<string, unknown>;
interface Written {
  events: Json[];
  response: Json & { output: Json[] };
}

function write(written: DemoTurn, more: Partial<ResponsesChat> = {}): Written {
  const asked = { ...chat, ...more };
  const started = toStartedResponse(asked, mint);
  const items = toOutput(asked, written, mint);
  const response = toFinishedResponse(started, items, written, usage) as Written['response'];
  return { events: toResponsesEvents(asked, started, items, response, mint), response };
}

const namesOf = ({ events }: Written): string[] =>
  events.map(({ type, output_index: index }) =>
    `${String(type).replace('response.', '')} ${typeof index === 'number' ? index : ''}`.trim(),
  );

describe('toResponsesEvents', () => {
  test('sends the events in the order of the service, item by item', () => {
    expect(namesOf(write(turn))).toEqual([
      'created',
      'in_progress',
      'output_item.added 0',
      'reasoning_summary_part.added 0',
      'reasoning_summary_text.delta 0',
      'reasoning_summary_text.delta 0',
      'reasoning_summary_text.delta 0',
      'reasoning_summary_text.done 0',
      'reasoning_summary_part.done 0',
      'output_item.done 0',
      'output_item.added 1',
      'content_part.added 1',
      'output_text.delta 1',
      'output_text.delta 1',
      'output_text.done 1',
      'content_part.done 1',
      'output_item.done 1',
      'output_item.added 2',
      'function_call_arguments.delta 2',
      'function_call_arguments.delta 2',
      'function_call_arguments.done 2',
      'output_item.done 2',
      'completed',
    ]);
  });

  test('numbers the events, and names the item of each', () => {
    const { events, response } = write(turn);
    expect(events.map((event) => event['sequence_number'])).toEqual([...events.keys()]);
    const ids = events
      .filter((event) => 'item_id' in event)
      .map((event) => [event['output_index'], event['item_id']]);
    expect(new Set(ids.map(([index, id]) => id === response.output[Number(index)]?.['id']))).toEqual(
      new Set([true]),
    );
  });

  test('hides the length of deltas unless the request says otherwise', () => {
    const lengths = (isObfuscated: boolean): number[] =>
      write(plain, { isObfuscated })
        .events.filter(({ type }) => type === 'response.output_text.delta')
        .map(
          ({ delta, obfuscation }) =>
            [delta, obfuscation].filter((text) => typeof text === 'string').join('').length,
        );
    expect(lengths(true)).toEqual([16, 16]);
    expect(lengths(false)).toEqual(['Hello'.length, ' there.'.length]);
  });

  test('sends reasoning without its text when no summary is asked for', () => {
    const written = write(turn, { hasSummary: false });
    expect(namesOf(written).slice(2, 4)).toEqual(['output_item.added 0', 'output_item.done 0']);
    expect(written.response.output[0]).toMatchObject({ summary: [], encrypted_content: expect.any(String) });
  });

  test('completes the encrypted content only at the end of its item', () => {
    const { events, response } = write(turn);
    const added = events[2]?.['item'] as Json;
    expect(added['encrypted_content']).not.toBe(response.output[0]?.['encrypted_content']);
  });
});

describe('toFinishedResponse', () => {
  test('has reasoning, the text and the call, whose ids show what belongs together', () => {
    const { output } = write(turn).response;
    const stem = 'A'.repeat(32);
    expect(output).toMatchObject([
      { type: 'reasoning', id: `rs_${stem}`, summary: [{ type: 'summary_text', text: 'Let me see.' }] },
      {
        type: 'message',
        id: `msg_${stem}0`,
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'I look.' }],
      },
      { type: 'function_call', id: `fc_${stem}1`, arguments: '{"city": "Oslo"}', status: 'completed' },
    ]);
    expect(write(plain).response.output).toMatchObject([{ id: `msg_${stem}`, phase: 'final_answer' }]);
  });

  test('counts cached and reasoning tokens as parts of the others', () => {
    expect(write(turn).response['usage']).toEqual({
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 21,
    });
  });

  test('is incomplete at the limit, and so is its last item', () => {
    const written = write({ ...turn, finishReason: 'length' });
    expect(written.response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{}, { status: 'completed' }, { status: 'incomplete' }],
    });
    expect(written.events.at(-1)?.['type']).toBe('response.incomplete');
  });

  test('repeats the settings, with the defaults that count', () => {
    const strict = { type: 'object', properties: {}, required: [], additionalProperties: false };
    const tools = [
      { type: 'function', name: 'a', parameters: { type: 'object' } },
      { type: 'function', name: 'b', parameters: strict },
      { type: 'function', name: 'c', parameters: strict, strict: false },
    ];
    const { response } = write(plain, { sent: { tools, temperature: 0.5 } });
    expect(response).toMatchObject({
      temperature: 0.5,
      top_p: 1,
      store: false,
      tool_choice: 'auto',
      error: null,
    });
    expect((response['tools'] as Json[]).map((tool) => tool['strict'])).toEqual([false, true, false]);
  });
});

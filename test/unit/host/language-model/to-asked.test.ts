// What the editor's chat hands over, as a run: its messages, tools and options.
import { describe, expect, it } from 'vitest';
import { toAsked } from '../../../../src/host/language-model/to-asked';

const text = (value: string) => ({ value });
const call = (callId: string, name: string, input: object) => ({ callId, name, input });
const result = (callId: string, content: unknown[], more: object = {}) => ({ callId, content, ...more });

describe('toAsked', () => {
  it('keeps the system prompt, which the editor marks by a role without a name', () => {
    const asked = toAsked(
      [
        { role: 3, content: [text('Be '), text('brief.')] },
        { role: 3, content: [text('Use tools.')] },
        { role: 1, content: [text('Weather?')] },
      ],
      {},
    );
    expect(asked.system).toBe('Be brief.\n\nUse tools.');
    expect(asked.messages).toEqual([{ role: 'user', content: 'Weather?' }]);
  });

  it('joins calls with their results, whose message may say more', () => {
    const { messages } = toAsked(
      [
        { role: 1, content: [text('Weather?')] },
        { role: 2, content: [text('I look.'), call('c1', 'get_weather', { city: 'Oslo' })] },
        { role: 1, content: [result('c1', [text('4 °C')]), text('Be quick.')] },
        { role: 2, content: [call('c2', 'get_time', {})] },
        { role: 1, content: [result('c2', [text('no such zone')], { isError: true })] },
      ],
      {},
    );
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        toolCalls: [{ id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' }, source: 'native' }],
      },
      { role: 'tool', content: '4 °C', toolCallId: 'c1', toolName: 'get_weather' },
      { role: 'user', content: 'Be quick.' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c2', name: 'get_time', arguments: {}, source: 'native' }],
      },
      { role: 'tool', content: 'no such zone', toolCallId: 'c2', toolName: 'get_time', isError: true },
    ]);
  });

  it('keeps thinking apart from the text', () => {
    const { messages } = toAsked(
      [{ role: 2, content: [{ value: ['Let me', ' see.'], id: 't', metadata: undefined }, text('Oslo.')] }],
      {},
    );
    expect(messages).toEqual([{ role: 'assistant', content: 'Oslo.', reasoning: 'Let me see.' }]);
  });

  it('names images that are left out, and never prints marks of the editor into the prompt', () => {
    const { messages, dropped } = toAsked(
      [
        {
          role: 1,
          content: [
            text('What is it? '),
            { mimeType: 'image/png', data: new Uint8Array([1]) },
            { mimeType: 'cache_control', data: new TextEncoder().encode('ephemeral') },
            null,
            { unknown: true },
          ],
        },
        {
          role: 1,
          content: [result('c1', [text('4'), { mimeType: 'cache_control', data: new Uint8Array() }])],
        },
        { role: 1, content: [{ mimeType: 'stateful_marker', data: new Uint8Array() }] },
      ],
      {},
    );
    expect(messages).toEqual([
      { role: 'user', content: 'What is it? [an image was left out]' },
      { role: 'tool', content: '4', toolCallId: 'c1' },
    ]);
    expect(dropped).toBe(5);
  });

  it('offers the tools, with a schema where the editor gives none, and requires a call when it does', () => {
    const tools = [
      {
        name: 'get_weather',
        description: 'The weather.',
        inputSchema: { type: 'object', required: ['city'] },
      },
      { name: 'ping', description: 'Says pong.' },
    ];
    const asked = toAsked([], { tools, toolMode: 2 });
    expect(asked.toolChoice).toBe('required');
    expect(asked.tools).toEqual([
      {
        name: 'get_weather',
        description: 'The weather.',
        parameters: { type: 'object', required: ['city'] },
        offered: true,
        mocks: [],
      },
      {
        name: 'ping',
        description: 'Says pong.',
        parameters: { type: 'object', properties: {} },
        offered: true,
        mocks: [],
      },
    ]);
    expect(toAsked([], { tools, toolMode: 1 }).toolChoice).toBeUndefined();
    expect(toAsked([], { toolMode: 2 }).toolChoice).toBeUndefined();
  });

  it('takes the options of whoever asks, with raw ones only where they are allowed', () => {
    const modelOptions = { temperature: 0.2, format: 'json' };
    expect(toAsked([], { modelOptions })).toMatchObject({
      sampling: { temperature: 0.2 },
      ignored: { notAllowed: ['format'] },
    });
    expect(toAsked([], { modelOptions })).not.toHaveProperty('raw');
    expect(toAsked([], { modelOptions }, { takesRawOptions: true })).toMatchObject({
      sampling: { temperature: 0.2 },
      raw: { format: 'json' },
      ignored: { notAllowed: [], unusable: [] },
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { EditorChat, TranslatedChat } from '../../../../src/host/editor-models/to-editor-request';
import { toEditorRequest } from '../../../../src/host/editor-models/to-editor-request';
import type { Message } from '../../../../src/types';

const tool = (name: string) => ({ name, description: `Does ${name}.`, parameters: { type: 'object' } });
const QUESTION: Message = { role: 'user', content: 'Weather?' };

const translate = (chat: Partial<EditorChat>): TranslatedChat => {
  const made = refuse(chat);
  if (typeof made === 'string') throw new Error(made);
  return made;
};
const refuse = (chat: Partial<EditorChat>): TranslatedChat | string =>
  toEditorRequest({
    vendor: 'copilot',
    messages: [QUESTION],
    tools: [],
    sampling: {},
    toolChoice: undefined,
    ...chat,
  });

describe('toEditorRequest', () => {
  it("sends the system prompt as the user's first message, and says so", () => {
    const { request, changed } = translate({
      messages: [{ role: 'system', content: 'Be brief.' }, QUESTION],
    });
    expect(request.messages).toEqual([
      { role: 'user', content: [{ type: 'text', value: 'Be brief.' }] },
      { role: 'user', content: [{ type: 'text', value: 'Weather?' }] },
    ]);
    expect(changed).toEqual([
      "The system prompt was sent as the user's first message: VS Code has no role for it.",
    ]);
  });

  it('keeps later system text at its place', () => {
    const { request, changed } = translate({
      messages: [QUESTION, { role: 'system', content: 'Now in French.' }],
    });
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'user']);
    expect(changed[0]).toContain('each at its place');
  });

  it('sends calls with their ids, and their results together in one message of the user', () => {
    const call = (id: string) => ({ id, name: 'now', arguments: { at: id }, source: 'native' as const });
    const { request } = translate({
      messages: [
        QUESTION,
        { role: 'assistant', content: 'I look.', toolCalls: [call('1'), call('2')] },
        { role: 'tool', content: 'noon', toolCallId: '1' },
        { role: 'tool', content: 'no clock', toolCallId: '2', isError: true },
        { role: 'user', content: 'And?' },
      ],
    });
    expect(request.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', value: 'I look.' },
          { type: 'call', callId: '1', name: 'now', input: { at: '1' } },
          { type: 'call', callId: '2', name: 'now', input: { at: '2' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'result', callId: '1', content: 'noon' },
          { type: 'result', callId: '2', content: 'Error: no clock' },
        ],
      },
      { role: 'user', content: [{ type: 'text', value: 'And?' }] },
    ]);
  });

  it('names arguments of the history that are no object, and a reply without content', () => {
    const { replaced, request } = translate({
      messages: [
        QUESTION,
        { role: 'assistant', content: '' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: '1', name: 'now', arguments: '{"at', source: 'native' }],
        },
        { role: 'tool', content: 'noon', toolCallId: '1' },
      ],
    });
    expect(replaced).toEqual(['messages[1]', 'messages[1].content[0].input']);
    expect(request.messages).toHaveLength(3);
  });

  it.each<[string, EditorChat['toolChoice'], string[], object]>([
    ['auto', undefined, ['a', 'b'], { tools: ['a', 'b'], toolMode: 'auto', changed: 0 }],
    ['required with one tool', 'required', ['a'], { tools: ['a'], toolMode: 'required', changed: 0 }],
    ['a named tool', { tool: 'b' }, ['a', 'b'], { tools: ['b'], toolMode: 'required', changed: 1 }],
    ['none', 'none', ['a'], { tools: undefined, toolMode: undefined, changed: 1 }],
  ])('offers the tools for %s', (_title, toolChoice, names, expected) => {
    const { request, changed } = translate({ toolChoice, tools: names.map(tool) });
    const { tools, toolMode } = request;
    expect({ tools: tools?.map(({ name }) => name), toolMode, changed: changed.length }).toEqual(expected);
  });

  it('refuses what the editor would refuse, in words, before anything is sent', () => {
    expect(refuse({ toolChoice: 'required', tools: [tool('a'), tool('b')] })).toContain(
      'VS Code can require a call only where one tool is offered, and 2 are.',
    );
    const many = Array.from({ length: 129 }, (_, index) => tool(`t${index}`));
    expect(refuse({ tools: many })).toContain('Copilot takes at most 128 tools, and 129 are offered.');
    expect(refuse({ tools: many, vendor: 'other' })).not.toBeTypeOf('string');
    expect(refuse({ tools: [tool('get weather')] })).toContain(
      'Copilot refuses the name of the tool “get weather”',
    );
  });

  it('says that a conversation with calls may be refused without tools', () => {
    const calls = [{ id: '1', name: 'a', arguments: {}, source: 'native' as const }];
    const messages: Message[] = [QUESTION, { role: 'assistant', content: '', toolCalls: calls }];
    const { changed } = translate({ toolChoice: 'none', tools: [tool('a')], messages });
    expect(changed[0]).toContain('a model may refuse it without tools');
  });

  it('sends Copilot only the options that it passes on', () => {
    const sampling = { temperature: 0, maxTokens: 9, topP: 0.5, seed: 1, stop: ['end'] };
    const { request, sent, dropped, changed } = translate({ sampling });
    expect(request.modelOptions).toEqual({ temperature: 0, max_tokens: 9, stop: 'end' });
    expect(sent).toEqual({
      temperature: 'modelOptions.temperature',
      maxTokens: 'modelOptions.max_tokens',
      stop: 'modelOptions.stop',
    });
    expect(dropped).toEqual(['topP', 'seed']);
    expect(changed).toEqual([]);
    expect(translate({ sampling: { stop: ['a', 'b'] } }).dropped).toEqual(['stop']);
  });

  it('passes everything on to other vendors, and says that the effect is not known', () => {
    const { request, dropped, changed } = translate({
      vendor: 'ollama',
      sampling: { topK: 3, stop: ['a', 'b'] },
    });
    expect(request.modelOptions).toEqual({ top_k: 3, stop: ['a', 'b'] });
    expect(dropped).toEqual([]);
    expect(changed).toEqual([
      '`top_k`, `stop`: passed on to the extension of this model. Whether it has an effect is not known.',
    ]);
  });

  it('has no options without sampling', () => {
    expect(translate({})).toEqual({
      request: { messages: [{ role: 'user', content: [{ type: 'text', value: 'Weather?' }] }] },
      sent: {},
      dropped: [],
      replaced: [],
      changed: [],
    });
  });
});

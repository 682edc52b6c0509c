import { describe, expect, it } from 'vitest';
import { EditorModelProvider } from '../../../../src/host/editor-models/editor-model-provider';
import type { ObservedAttempt } from '../../../../src/library';
import { ProviderError } from '../../../../src/library';
import type { EditorScript } from '../../../support/editor-models/fake-editor-models';
import {
  callPart,
  dataPart,
  editorError,
  FakeEditorModels,
  textPart,
} from '../../../support/editor-models/fake-editor-models';

const NAME = { vendor: 'acme', id: 'small/one' };
const TOOL = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const ASKED = { messages: [{ role: 'user' as const, content: 'Weather?' }], tools: [TOOL] };

function open(script: EditorScript, model = 'acme/small/one') {
  const models = new FakeEditorModels().add(NAME, script);
  return { models, provider: new EditorModelProvider({ model, models: () => Promise.resolve(models) }) };
}

describe('EditorModelProvider', () => {
  it('gives text, calls and usage, with the parts as evidence and without a status', async () => {
    const attempts: ObservedAttempt[] = [];
    const { provider } = open(() => [
      textPart('I look.'),
      callPart('7', 'get_weather', { city: 'Oslo' }),
      dataPart('usage', { prompt_tokens: 5, completion_tokens: 3 }),
    ]);
    const turn = await provider.chat({
      ...ASKED,
      sampling: { temperature: 0 },
      onAttempt: (attempt) => void attempts.push(attempt),
    });
    expect(turn.toolCalls).toEqual([
      { id: '7', name: 'get_weather', arguments: { city: 'Oslo' }, source: 'native' },
    ]);
    expect(turn.usage).toEqual({ promptTokens: 5, completionTokens: 3 });
    expect(turn.raw.finishReason).toBeUndefined();
    expect(turn.ledger).toMatchObject([{ attempt: 1, endedBy: 'server', decision: 'done' }]);
    expect(turn.ledger[0]).not.toHaveProperty('status');
    const { exchange } = turn;
    expect(exchange.request).toMatchObject({ method: 'sendRequest', url: 'vscode-lm:acme/small/one' });
    expect(exchange.response).toBeUndefined();
    expect(exchange.sent).toEqual({ temperature: 'modelOptions.temperature' });
    expect(exchange.changed).toHaveLength(1);
    const evidence = attempts[0]?.evidence();
    expect(JSON.parse(evidence?.request.body ?? '')).toMatchObject({
      model: { ...NAME, version: '2' },
      modelOptions: { temperature: 0 },
      toolMode: 'auto',
    });
    expect(evidence?.response?.isComplete).toBe(true);
    expect(evidence?.response?.body.split('\n')).toHaveLength(4);
  });

  it('rescues a call from the text of all parts together', async () => {
    const { provider } = open(() => [
      textPart('<tool_'),
      textPart('call>{"name": "get_weather", "argu'),
      textPart('ments": {"city": "Oslo"}}</tool_call>'),
    ]);
    const { toolCalls, assistant } = await provider.chat(ASKED);
    expect(toolCalls).toMatchObject([{ arguments: { city: 'Oslo' }, source: 'rescued' }]);
    expect(assistant.content).toBe('');
  });

  it('leaves the usage unknown when none arrives', async () => {
    expect((await open(() => [textPart('Hello')]).provider.chat(ASKED)).usage).toEqual({});
  });

  it('tells the pieces as they arrive', async () => {
    const texts: unknown[] = [];
    const { provider } = open(() => [textPart('a'), textPart('b')]);
    await provider.chat({ ...ASKED, onDelta: ({ content }) => void texts.push(content) });
    expect(texts.filter(Boolean)).toEqual(['a', 'b']);
  });

  it('cancels the request when the run is stopped', async () => {
    const controller = new AbortController();
    const { provider, models } = open(async function* (_request, signal) {
      yield textPart('half');
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    });
    const asking = provider.chat({
      ...ASKED,
      signal: controller.signal,
      onDelta: () => controller.abort(),
    });
    await expect(asking).rejects.toMatchObject({ code: 'aborted' });
    expect(models.asked).toHaveLength(1);
  });

  it('fails once, with what arrived before, and is not retried', async () => {
    const { provider, models } = open(function* () {
      yield textPart('half');
      throw editorError('You used it up.', { name: 'ChatQuotaExceeded' });
    });
    const error = await provider.chat(ASKED).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ProviderError);
    const { code, partial, ledger, exchange } = error as ProviderError;
    expect([code, partial?.content, ledger.length]).toEqual(['refused', 'half', 1]);
    expect(exchange?.request.url).toBe('vscode-lm:acme/small/one');
    expect(models.asked).toHaveLength(1);
  });

  it.each([
    ['of a model that is gone', 'acme/other', 'Sign in, or pick another.'],
    ['without a vendor', 'gpt', 'Pick a model from the list.'],
    ['without a model', '', 'Pick a model from the list.'],
    ['of our own connections', 'provider-playground/mine/tiny', 'Pick a model from the list.'],
  ])('sends nothing for the name %s', async (_title, model, next) => {
    const { provider, models } = open(() => [], model);
    await expect(provider.chat(ASKED)).rejects.toMatchObject({ explanation: { next } });
    expect(models.asked).toEqual([]);
  });

  it('sends nothing that the editor would refuse', async () => {
    const { provider, models } = open(() => []);
    const tools = [TOOL, { ...TOOL, name: 'other' }];
    const refused = provider.chat({ ...ASKED, tools, toolChoice: 'required' });
    await expect(refused).rejects.toMatchObject({ code: 'unsupported' });
    expect(models.asked).toEqual([]);
  });

  it('does not rescue where calls are forbidden', async () => {
    const { provider } = open(() => [
      textPart('<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'),
    ]);
    expect((await provider.chat({ ...ASKED, toolChoice: 'none' })).toolCalls).toEqual([]);
  });

  it('lists the models with their vendors, without those of this extension', async () => {
    const { provider, models } = open(() => []);
    models.add({ vendor: 'provider-playground', id: 'mine/tiny' }, () => []);
    models.add({ vendor: 'copilot', id: 'gpt' }, () => []);
    expect(await provider.listModels()).toEqual(['acme/small/one', 'copilot/gpt']);
    expect(await provider.describeServer()).toEqual({
      models: [
        { id: 'acme/small/one', maxContextLength: 8000 },
        { id: 'copilot/gpt', maxContextLength: 8000 },
      ],
    });
  });

  it('says why the list is empty', async () => {
    const { provider, models } = open(() => []);
    models.models = [];
    models.around = { ...models.around, isRemote: true, hasChat: false };
    const refused = provider.listModels();
    await expect(refused).rejects.toMatchObject({ code: 'unsupported' });
    await expect(refused).rejects.toThrow('two extension hosts');
  });
});

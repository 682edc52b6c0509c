import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EditorRequest } from '../../../../src/host/editor-models/editor-model';
import { openWindowModels } from '../../../../src/host/editor-models/window-models';

interface FakeWindow {
  selector: unknown;
  sent: unknown[][];
  cancelled: number;
  disposed: number;
  refusal: Error | undefined;
}

const NEW_WINDOW: Omit<FakeWindow, 'sent'> = {
  selector: undefined,
  cancelled: 0,
  disposed: 0,
  refusal: undefined,
};
const fake = vi.hoisted(() => ({ sent: [] as unknown[][] }) as FakeWindow);

vi.mock('vscode', () => {
  class Part {
    readonly given: unknown[];
    constructor(...given: unknown[]) {
      this.given = given;
    }
  }
  return {
    LanguageModelTextPart: class extends Part {},
    LanguageModelToolCallPart: class extends Part {},
    LanguageModelToolResultPart: class extends Part {},
    LanguageModelChatMessage: {
      User: (content: unknown) => ({ role: 1, content }),
      Assistant: (content: unknown) => ({ role: 2, content }),
    },
    LanguageModelChatToolMode: { Auto: 1, Required: 2 },
    CancellationTokenSource: class {
      token = {};
      cancel = () => void fake.cancelled++;
      dispose = () => void fake.disposed++;
    },
    lm: {
      selectChatModels: (selector: unknown) => {
        fake.selector = selector;
        const model = {
          vendor: 'copilot',
          id: 'gpt',
          name: 'GPT',
          family: 'gpt',
          version: '1',
          maxInputTokens: 9,
        };
        const sendRequest = (...asked: unknown[]) => {
          fake.sent.push(asked);
          const stream = (async function* () {
            yield await Promise.resolve({ value: 'Hello' });
          })();
          return fake.refusal ? Promise.reject(fake.refusal) : Promise.resolve({ stream });
        };
        return Promise.resolve([{ ...model, sendRequest }]);
      },
    },
  };
});

const windowModels = openWindowModels('acme.play');
const REQUEST: EditorRequest = {
  messages: [
    { role: 'user', content: [{ type: 'text', value: 'Hi' }] },
    { role: 'assistant', content: [{ type: 'call', callId: '1', name: 'now', input: { at: 1 } }] },
    { role: 'user', content: [{ type: 'result', callId: '1', content: 'noon' }] },
  ],
  tools: [{ name: 'now', description: 'Tells the time.', inputSchema: {} }],
  toolMode: 'required',
  modelOptions: { temperature: 0 },
};

beforeEach(() => void Object.assign(fake, structuredClone(NEW_WINDOW), { sent: [] }));

async function ask(signal?: AbortSignal): Promise<unknown[]> {
  const [model] = await windowModels.select();
  const parts: unknown[] = [];
  for await (const part of (await model?.send(REQUEST, signal)) ?? []) parts.push(part);
  return parts;
}

describe('openWindowModels', () => {
  it('selects by vendor and id, or all', async () => {
    await windowModels.select({ vendor: 'copilot', id: 'gpt' });
    expect(fake.selector).toEqual({ vendor: 'copilot', id: 'gpt' });
    const [model] = await windowModels.select();
    expect(fake.selector).toEqual({});
    expect(model).toMatchObject({ vendor: 'copilot', id: 'gpt', version: '1', maxInputTokens: 9 });
  });

  it('hands over messages, tools and options in the classes of VS Code', async () => {
    expect(await ask()).toEqual([{ value: 'Hello' }]);
    const [messages, options] = fake.sent[0] ?? [];
    expect(messages).toMatchObject([
      { role: 1, content: [{ given: ['Hi'] }] },
      { role: 2, content: [{ given: ['1', 'now', { at: 1 }] }] },
      { role: 1, content: [{ given: ['1', [{ given: ['noon'] }]] }] },
    ]);
    expect(options).toMatchObject({
      tools: REQUEST.tools,
      toolMode: 2,
      modelOptions: { temperature: 0 },
      justification: expect.any(String) as string,
    });
    expect(fake).toMatchObject({ cancelled: 0, disposed: 1 });
  });

  it('cancels with the signal, also one that was aborted before', async () => {
    await ask(AbortSignal.abort());
    expect(fake.cancelled).toBe(1);
    const controller = new AbortController();
    const [model] = await windowModels.select();
    await model?.send(REQUEST, controller.signal);
    controller.abort();
    expect(fake.cancelled).toBe(2);
  });

  it('lets go of the request when it is refused', async () => {
    fake.refusal = new Error('no');
    await expect(ask()).rejects.toThrow('no');
    expect(fake.disposed).toBe(1);
  });
});

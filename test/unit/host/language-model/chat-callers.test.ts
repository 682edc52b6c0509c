// Which extensions may use the connections through the editor, and how often the person is asked.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatCallers } from '../../../../src/host/language-model/chat-callers';

const dialogs = vi.hoisted(() => ({ questions: [] as string[], answer: undefined as string | undefined }));

vi.mock('vscode', () => ({ extensions: { getExtension: () => undefined } }));
vi.mock('../../../../src/host/dialogs', () => ({
  showMessage: (_kind: string, question: string) => {
    dialogs.questions.push(question);
    return Promise.resolve(dialogs.answer);
  },
  pickMany: () => Promise.resolve([]),
}));

function open(): ChatCallers {
  const stored = new Map<string, unknown>();
  const memento = {
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
  return new ChatCallers(memento as unknown as ConstructorParameters<typeof ChatCallers>[0], 'acme.play');
}

beforeEach(() => Object.assign(dialogs, { questions: [], answer: 'Allow' }));

describe('ChatCallers', () => {
  it('asks nobody about the chat, where the person chose the model, nor about this extension', async () => {
    const callers = open();
    const known = ['core', 'github.copilot-chat', 'GitHub.copilot', 'acme.play'];
    expect(await Promise.all(known.map((id) => callers.isAllowed(id)))).toEqual(known.map(() => true));
    expect(dialogs.questions).toEqual([]);
  });

  it('asks once for all requests of an extension, and keeps the answer', async () => {
    const callers = open();
    const many = Array.from({ length: 100 }, () => callers.isAllowed('test.harbour'));
    expect(new Set(await Promise.all(many))).toEqual(new Set([true]));
    expect(await callers.isAllowed('test.harbour')).toBe(true);
    expect(dialogs.questions).toEqual(['test.harbour wants to use a model of your connections.']);
    expect(callers.allowed).toEqual(['test.harbour']);
  });

  it('asks about a caller that the editor does not name', async () => {
    await open().isAllowed(undefined);
    expect(dialogs.questions[0]).toContain('An extension that VS Code does not name');
  });

  it('does not ask again in this window after a refusal', async () => {
    dialogs.answer = undefined;
    const callers = open();
    expect([await callers.isAllowed('test.harbour'), await callers.isAllowed('test.harbour')]).toEqual([
      false,
      false,
    ]);
    expect(dialogs.questions).toHaveLength(1);
    expect(callers.allowed).toEqual([]);
  });

  it('asks again about an extension whose permission was taken back', async () => {
    const callers = open();
    await callers.isAllowed('test.harbour');
    await callers.choose();
    expect(callers.allowed).toEqual([]);
    await callers.isAllowed('test.harbour');
    expect(dialogs.questions).toHaveLength(2);
  });
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { EditorTools } from '../../../../src/host/tools/editor-tools';
import { editor, lm, openDialog, resetEditor, workspace } from '../../../support/vscode/vscode-files';

const ONCE = 'Invoke';
const ALWAYS = 'Invoke, and do not ask again for this tool in this session';
const never = new AbortController().signal;
const invoked = vi.fn<(...args: unknown[]) => Promise<{ content: unknown[] }>>(() =>
  Promise.resolve({ content: [{ value: 'done' }] }),
);
const tool = (name: string, description = 'd') => ({ name, description, inputSchema: {}, tags: [] });

beforeEach(() => {
  resetEditor();
  invoked.mockClear();
  lm.invokeTool = invoked;
  lm.tools = [tool('search'), tool('fetch')];
});

interface How {
  args?: unknown;
  signal?: AbortSignal;
  allowed?: Set<string>;
}
async function invoke(tools: EditorTools, name = 'search', how: How = {}): Promise<string> {
  const { args = { q: 1 }, signal = never, allowed = new Set() } = how;
  return tools.invoke(name, args, signal, allowed);
}

describe('EditorTools.invoke', () => {
  test('runs the tool after the user agreed to its name and arguments', async () => {
    editor.answers.push(ONCE);
    const args = { q: 'a\u202eb' };
    expect(await invoke(new EditorTools(), 'search', { args })).toBe('done');
    const detail: unknown = expect.stringContaining('{\n  "q": "a\\u{202e}b"\n}');
    expect(editor.asked).toEqual([
      ['Invoke the tool search of the editor?', { modal: true, detail }, ONCE, ALWAYS],
    ]);
    const options = { input: args, toolInvocationToken: undefined };
    expect(invoked).toHaveBeenCalledWith('search', options, expect.anything());
  });

  test('runs no tool that the user refused or could not be asked about', async () => {
    const tools = new EditorTools();
    const refused = async (ran: Promise<unknown>, reason: string): Promise<void> =>
      expect(await ran.catch((error: unknown) => error)).toMatchObject({
        name: 'CallRefusedError',
        message: expect.stringContaining(reason) as string,
      });
    await refused(invoke(tools), 'It was not confirmed.');
    await refused(invoke(tools, 'gone\n'), 'The editor has no tool gone\\u{a}.');
    await refused(invoke(tools, 'search', { args: [1] }), 'its arguments are not an object');
    await refused(invoke(tools, 'search', { args: null }), 'its arguments are not an object');
    workspace.isTrusted = false;
    await refused(invoke(tools), 'the workspace is not trusted');
    expect(editor.asked).toHaveLength(1);
    expect(invoked).not.toHaveBeenCalled();
  });

  test('does not ask again for an allowed tool in the session, but for any other', async () => {
    const tools = new EditorTools();
    const allowed = new Set<string>();
    editor.answers.push(ALWAYS);
    await invoke(tools, 'search', { allowed });
    expect(await invoke(tools, 'search', { allowed })).toBe('done');
    expect(editor.asked).toHaveLength(1);
    await expect(invoke(tools, 'fetch', { allowed })).rejects.toThrow('It was not confirmed.');
    await expect(invoke(tools)).rejects.toThrow('It was not confirmed.');
    // Another tool that has taken the name.
    lm.tools = [tool('search', 'deletes everything')];
    await expect(invoke(tools, 'search', { allowed })).rejects.toThrow('It was not confirmed.');
  });

  test('does not run a tool that changed while the user was asked', async () => {
    editor.answers.push(() => {
      lm.tools = [tool('search', 'deletes everything')];
      return ALWAYS;
    });
    const allowed = new Set<string>();
    const call = invoke(new EditorTools(), 'search', { allowed });
    await expect(call).rejects.toThrow('The tool has changed since it was shown.');
    expect(allowed.size).toBe(0);
    expect(invoked).not.toHaveBeenCalled();
  });

  test('asks one question at a time, and applies an answer to waiting calls of the same tool', async () => {
    const tools = new EditorTools();
    const allowed = new Set<string>();
    const [first, second] = [openDialog(), openDialog()];
    editor.answers.push(first.dialog, second.dialog);
    const calls = ['search', 'fetch', 'search'].map(async (name) => invoke(tools, name, { allowed }));
    const settled = Promise.allSettled(calls);
    await expect.poll(() => editor.asked).toHaveLength(1);
    first.answer(ALWAYS);
    await expect.poll(() => editor.asked).toHaveLength(2);
    second.answer(undefined);
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(editor.asked).toHaveLength(2);
  });

  test('ends at once when it is aborted while its question is open or waiting', async () => {
    const tools = new EditorTools();
    const { dialog, answer } = openDialog();
    editor.answers.push(dialog);
    const [asked, waiting] = [new AbortController(), new AbortController()];
    const first = invoke(tools, 'search', { signal: asked.signal });
    const second = invoke(tools, 'search', { signal: waiting.signal });
    await expect.poll(() => editor.asked).toHaveLength(1);
    asked.abort(new Error('stopped 1'));
    waiting.abort(new Error('stopped 2'));
    await expect(first).rejects.toThrow('stopped 1');
    await expect(second).rejects.toThrow('stopped 2');
    answer(ONCE);
    // The next question is asked, and neither of the aborted calls runs.
    await expect(invoke(tools)).rejects.toThrow('It was not confirmed.');
    expect(editor.asked).toHaveLength(2);
    expect(invoked).not.toHaveBeenCalled();
    const before = invoke(tools, 'search', { signal: AbortSignal.abort(new Error('before')) });
    await expect(before).rejects.toThrow('before');
  });

  test('ends at once when it is aborted while the tool runs, and cancels the tool', async () => {
    const stop = new AbortController();
    editor.answers.push(ONCE);
    invoked.mockReturnValueOnce(new Promise(() => undefined));
    const call = invoke(new EditorTools(), 'search', { signal: stop.signal });
    await expect.poll(() => invoked.mock.calls).toHaveLength(1);
    stop.abort(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
    expect(invoked.mock.calls[0]?.[2]).toEqual({ isCancellationRequested: true });
  });

  test('passes on an error of the tool', async () => {
    editor.answers.push(ONCE);
    invoked.mockRejectedValueOnce(new Error('no network'));
    await expect(invoke(new EditorTools())).rejects.toThrow('no network');
  });
});

// The editor's own tools, including those of MCP servers: lists them, and runs them after a confirmation.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { showMessage } from '../dialogs';
import { toLabel } from '../../inspect';
import { describeResult, showArguments } from './show-call';

/** @returns undefined if this editor does not support such tools. */
export function listEditorTools(): readonly vscode.LanguageModelToolInformation[] | undefined {
  return (vscode as Partial<Pick<typeof vscode, 'lm'>>).lm?.tools;
}

/** Tools of one playground that run without another confirmation. */
export type AllowedTools = Set<string>;

/** The tool was not run. Sessions recognize this error by its name. */
class CallRefusedError extends Error {
  override name = 'CallRefusedError';
}

interface Call {
  name: string;
  args: object;
  signal: AbortSignal;
  allowed: AllowedTools;
}

export class EditorTools {
  /** The queue of confirmations: only one is shown at a time. */
  #asking: Promise<unknown> = Promise.resolve();

  /** @throws the error of the tool if it failed, CallRefusedError if it was not run. */
  async invoke(name: string, args: unknown, signal: AbortSignal, allowed: AllowedTools): Promise<string> {
    signal.throwIfAborted();
    const shown = toLabel(name);
    if (!vscode.workspace.isTrusted) {
      throw new CallRefusedError(`The tool ${shown} is not run, because the workspace is not trusted.`);
    }
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      throw new CallRefusedError(`The tool ${shown} is not run, because its arguments are not an object.`);
    }
    const call = { name, args, signal, allowed };
    // A model may request many calls at once, so each confirmation waits for its turn.
    const asked = this.#asking.then(() => confirm(call));
    this.#asking = asked.catch(() => undefined);
    await untilAborted(asked, signal);
    signal.throwIfAborted();
    return untilAborted(run(call), signal);
  }
}

async function confirm({ name, args, signal, allowed }: Call): Promise<void> {
  if (signal.aborted) return;
  const identity = identify(name);
  if (allowed.has(identity)) return;
  const once = t('Invoke');
  const always = t('Invoke, and do not ask again for this tool in this session');
  const answer = await showMessage(
    'warning',
    t('Invoke the tool {0} of the editor?', toLabel(name)),
    {
      modal: true,
      detail: `${t('A model calls this tool. It really runs, with these arguments:')}\n\n${showArguments(args)}`,
    },
    once,
    always,
  );
  if (answer !== once && answer !== always) throw new CallRefusedError('It was not confirmed.');
  if (identify(name) !== identity) throw new CallRefusedError('The tool has changed since it was shown.');
  if (answer === always) allowed.add(identity);
}

/**
 * Identifies a tool by more than its name, so that a different tool of the same name needs its own confirmation.
 * @throws when it does not exist.
 */
function identify(name: string): string {
  const tool = listEditorTools()?.find((each) => each.name === name);
  if (tool) return JSON.stringify([name, tool.description, tool.inputSchema]);
  throw new CallRefusedError(
    `The editor has no tool ${toLabel(name)}. Tools of an MCP server are there once it has been started.`,
  );
}

async function run({ name, args, signal }: Call): Promise<string> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = (): void => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const options = { input: args, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(name, options, cancellation.token);
    return describeResult(content);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

/** Rejects when the signal is aborted, even if the work does not end. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

// Evaluates playgrounds by the command line. What does so is loaded when it is first used.
import * as vscode from 'vscode';
import type { Connections } from '../../connections';
import { TASK_TYPE } from '../contributions';
import type { Lazy } from '../lazy';
import type { CommandSource } from './command-of';
import type { TerminalTarget } from './terminal-services';

export class EvaluationTerminal implements vscode.Disposable {
  readonly #context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;
  readonly #connections: Lazy<Connections>;
  readonly #tasks: vscode.Disposable;

  constructor(
    context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>,
    connections: Lazy<Connections>,
  ) {
    this.#context = context;
    this.#connections = connections;
    this.#tasks = vscode.tasks.registerTaskProvider(TASK_TYPE, {
      provideTasks: async () => (await import('./terminal-services')).findTasks(await this.#source()),
      resolveTask: async (task) =>
        (await import('./terminal-services')).completeTask(await this.#source(), task),
    });
  }

  /** Copies the command that evaluates it. */
  async copy(target: TerminalTarget): Promise<void> {
    const { copyCommand } = await import('./terminal-services');
    await copyCommand(await this.#source(), target);
  }

  /** Opens a terminal that evaluates it. @throws when the file cannot be read */
  async evaluate(target: TerminalTarget): Promise<void> {
    const { evaluateInTerminal } = await import('./terminal-services');
    await evaluateInTerminal(await this.#source(), target);
  }

  dispose(): void {
    this.#tasks.dispose();
  }

  async #source(): Promise<CommandSource> {
    const { extensionUri, globalStorageUri } = this.#context;
    return { connections: await this.#connections.get(), extensionUri, globalStorageUri };
  }
}

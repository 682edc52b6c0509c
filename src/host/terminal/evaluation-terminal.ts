// Evaluates playgrounds by the command line. What does so is loaded when it is first used.
import type * as vscode from 'vscode';
import type { Connections } from '../../connections';
import type { Lazy } from '../lazy';
import type { CommandSource } from './command-of';
import type { TerminalTarget } from './terminal-services';

export class EvaluationTerminal {
  readonly #context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;
  readonly #connections: Lazy<Connections>;

  constructor(
    context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>,
    connections: Lazy<Connections>,
  ) {
    this.#context = context;
    this.#connections = connections;
  }

  /** Copies the command that evaluates it. @throws when the file cannot be read */
  async copy(target: TerminalTarget): Promise<void> {
    const { copyCommand } = await import('./terminal-services');
    await copyCommand(await this.#source(), target);
  }

  /** Opens a terminal that evaluates it. @throws when the file cannot be read */
  async evaluate(target: TerminalTarget): Promise<void> {
    const { evaluateInTerminal } = await import('./terminal-services');
    await evaluateInTerminal(await this.#source(), target);
  }

  async #source(): Promise<CommandSource> {
    const { extensionUri, globalStorageUri } = this.#context;
    return { connections: await this.#connections.get(), extensionUri, globalStorageUri };
  }
}

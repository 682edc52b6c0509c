// Offers the models of the connections to the chat of the editor. What lists and answers is loaded when the editor first asks.
import * as vscode from 'vscode';
import { Lazy } from '../lazy';
import type { ChatModelDependencies, ChatModelServices } from './chat-model-services';

/** The vendor of the manifest. */
const VENDOR = 'provider-playground';
/** In UTF-16 code units: the editor asks for counts of texts that no server has seen. */
const UNITS_PER_TOKEN = 4;

export class ChatModels implements vscode.Disposable {
  readonly #services: Lazy<ChatModelServices>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #registration: vscode.Disposable;

  constructor(dependencies: ChatModelDependencies) {
    this.#services = new Lazy(async () => {
      const { ChatModelServices: Services } = await import('./chat-model-services');
      return new Services(dependencies);
    });
    this.#registration = vscode.lm.registerLanguageModelChatProvider(VENDOR, {
      onDidChangeLanguageModelChatInformation: this.#changed.event,
      provideLanguageModelChatInformation: async (_options, token) =>
        (await this.#services.get()).list(token),
      provideLanguageModelChatResponse: async (...asked) => (await this.#services.get()).answer(...asked),
      provideTokenCount: (_model, text) => Promise.resolve(countTokens(text)),
    });
  }

  /** The editor reads the list again. */
  connectionsChanged(): void {
    this.#changed.fire();
  }

  /** Lets the person take back which extensions were allowed. */
  async chooseCallers(): Promise<void> {
    await (await this.#services.get()).callers.choose();
  }

  /** Resolves when what was stored is on the disk. */
  async close(): Promise<void> {
    await (await this.#services.loaded())?.close();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

function countTokens(text: string | vscode.LanguageModelChatRequestMessage): number {
  const length = typeof text === 'string' ? text.length : sumLengths(text.content);
  return Math.ceil(length / UNITS_PER_TOKEN);
}

/** Data, such as an image, is not sent and counts as nothing: as JSON it would be many times as long. */
const sumLengths = (parts: readonly unknown[]): number =>
  parts.reduce<number>((sum, part) => {
    if (part instanceof vscode.LanguageModelTextPart) return sum + part.value.length;
    if (part instanceof vscode.LanguageModelToolResultPart) return sum + sumLengths(part.content);
    if (part instanceof vscode.LanguageModelToolCallPart) return sum + JSON.stringify(part.input).length;
    return sum;
  }, 0);

// The models of the editor as one connection. It is listed once a person has asked for it; until then nothing asks the editor. Part of
// the engine; independent of vscode.
import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import type { Connection, Source } from '../../connections';
import { EDITOR_MODELS_ID } from '../../connections';
import type { ServerInfo } from '../../types';
import type { EditorModels } from './editor-model';
import { EditorModelProvider } from './editor-model-provider';
import { OPTION_NAMES } from './to-editor-request';

interface SourceParts {
  /** Loads what talks to the editor. */
  models: () => Promise<EditorModels>;
  /** Keeps from window to window that a person has asked. */
  memory: { get: (key: string) => unknown; update: (key: string, value: unknown) => PromiseLike<void> };
}

const WANTED = 'editorModels.isWanted';

export class EditorModelsSource implements Source {
  readonly #parts: SourceParts;
  readonly #listeners = new Set<() => void>();
  readonly #connection: Connection;
  /** What the editor listed last, because a person asked. */
  #lastListed: ServerInfo | undefined;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    this.#connection = toConnection(parts.models, {
      get: () => this.#lastListed,
      note: (listed) => this.#note(listed),
    });
  }

  list(): readonly Connection[] {
    return this.#parts.memory.get(WANTED) === true ? [this.#connection] : [];
  }

  /** A lane that names it, or the command, is a person who asks. */
  find(id: string): Connection | undefined {
    if (id !== EDITOR_MODELS_ID) return undefined;
    void this.#show();
    return this.#connection;
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #note(listed: ServerInfo | undefined): void {
    if (isDeepStrictEqual(listed, this.#lastListed)) return;
    this.#lastListed = listed;
    for (const listener of this.#listeners) listener();
  }

  async #show(): Promise<void> {
    if (this.list().length > 0) return;
    await this.#parts.memory.update(WANTED, true);
    for (const listener of this.#listeners) listener();
  }
}

interface LastListed {
  get: () => ServerInfo | undefined;
  note: (listed: ServerInfo | undefined) => void;
}

function toConnection(models: SourceParts['models'], lastListed: LastListed): Connection {
  return {
    id: EDITOR_MODELS_ID,
    label: t("VS Code's models"),
    scope: 'extension',
    setting: { provider: 'custom' },
    provided: {
      key: undefined,
      problem: undefined,
      waitsForPerson: true,
      lastListed: lastListed.get,
      privacy: t(
        'Each belongs to the extension that offers it, such as GitHub Copilot: what you send leaves by the rules of that extension, which may add instructions of its own.',
      ),
      view: {
        provider: EDITOR_MODELS_ID,
        address: t('inside VS Code'),
        needsKey: false,
        samplingKeys: OPTION_NAMES,
        // VS Code retries nothing that is seen here, and has no time limit.
        limits: { maxAttempts: 1 },
        toolChoiceKey: 'toolMode',
        hasRates: false,
        usesQuota: true,
        isInEditor: true,
      },
      make: ({ model = '', rescueToolCalls }) =>
        new EditorModelProvider({ model, models, rescueToolCalls, onListed: lastListed.note }),
    },
  };
}

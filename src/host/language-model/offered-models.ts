// Which models are offered to the editor's chat: those of the connections whose switch is on in the user's own settings. Asks no
// person anything, and waits for a slow server only briefly. Independent of vscode.
import type { Connection, ConnectionService } from '../../connections';
import type { ModelInfo } from '../../types';
import { isOffered, takesRawOptions } from './chat-offer';

export interface OfferedModel {
  /** Unique among all of them. */
  id: string;
  connectionId: string;
  model: string;
  /** Label of the connection. */
  connection: string;
  /** In tokens. */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** False when nobody says how much fits, and the numbers above are assumed. */
  isContextKnown: boolean;
  /** Whether options of other extensions go into requests under their own names. */
  takesRawOptions: boolean;
}

type Connections = Pick<ConnectionService, 'refresh' | 'list' | 'keyTarget' | 'hasKey' | 'describeServer'>;

/** In milliseconds: the editor waits for the list whenever its own list of models opens. */
const LIST_MS = 2_000;
/** How long a list counts as current, in milliseconds. */
const FRESH_MS = 60_000;
const MAX_MODELS = 100;
/** In tokens, where neither the server nor the settings say how much fits: what servers of local models are mostly started with. */
const ASSUMED_CONTEXT = 32_768;
/** The part of the context that is kept for the reply, unless the settings say otherwise. */
const REPLY_SHARE = 4;
const MAX_REPLY = 4_096;

/** What a server listed. */
interface Known {
  at: number;
  models: readonly ModelInfo[];
  /** The setting of the connection at that time, as JSON. */
  setting: string;
}

export class OfferedModels {
  readonly #connections: Connections;
  readonly #now: () => number;
  /** By the id of the connection. */
  readonly #known = new Map<string, Known>();
  /** By the id of the model, as they were listed last. */
  #listed: ReadonlyMap<string, OfferedModel> = new Map();

  constructor(connections: Connections, now: () => number) {
    this.#connections = connections;
    this.#now = now;
  }

  async list(signal: AbortSignal): Promise<OfferedModel[]> {
    await this.#connections.refresh();
    const offered = this.#connections.list().filter(isOffered);
    const lists = await Promise.all(offered.map((connection) => this.#modelsOf(connection, signal)));
    const models = lists.flat().slice(0, MAX_MODELS);
    this.#listed = new Map(models.map((model) => [model.id, model]));
    return models;
  }

  /** The settings may have changed since the list was made. @returns undefined when the model is not offered any more */
  find(id: string): OfferedModel | undefined {
    const found = this.#listed.get(id);
    const connection = this.#connections
      .list()
      .find((one) => one.id === found?.connectionId && isOffered(one));
    return found && connection && { ...found, takesRawOptions: takesRawOptions(connection) };
  }

  async #modelsOf(connection: Connection, signal: AbortSignal): Promise<OfferedModel[]> {
    const needsKey = (await this.#connections.keyTarget(connection)) !== undefined;
    if (needsKey && !(await this.#connections.hasKey(connection))) return [];
    const reported = await this.#ask(connection, signal);
    const { model: own } = connection.setting;
    const chats = reported.filter(({ capabilities }) => !capabilities?.includes('embedding'));
    const isListed = own === undefined || chats.some(({ id }) => id === own);
    return (isListed ? chats : [{ id: own }, ...chats]).map((model) => toOffered(connection, model));
  }

  /** What the server lists; what it listed before when it does not answer. */
  async #ask(connection: Connection, signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const { id, setting } = connection;
    const written = JSON.stringify(setting);
    const before = this.#known.get(id);
    const known = before?.setting === written ? before : undefined;
    const now = this.#now();
    if (known && now - known.at < FRESH_MS) return known.models;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
    try {
      const { models } = await this.#connections.describeServer(connection, {
        signal: limit,
        timeoutMs: LIST_MS,
      });
      this.#known.set(id, { at: now, models, setting: written });
      return models;
    } catch {
      // The editor shows nothing of it; the Connections view says why the server does not answer.
      return known?.models ?? [];
    }
  }
}

function toOffered(connection: Connection, model: ModelInfo): OfferedModel {
  const { id: connectionId, label, setting } = connection;
  const { numCtx, maxTokens } = setting.sampling ?? {};
  const reported = model.contextLength ?? model.maxContextLength;
  const context =
    numCtx !== undefined && reported !== undefined ? Math.min(numCtx, reported) : (numCtx ?? reported);
  const room = context ?? ASSUMED_CONTEXT;
  const maxOutputTokens = Math.min(maxTokens ?? MAX_REPLY, Math.max(1, Math.floor(room / REPLY_SHARE)));
  return {
    id: `${connectionId}/${model.id}`,
    connectionId,
    model: model.id,
    connection: label,
    takesRawOptions: takesRawOptions(connection),
    maxInputTokens: Math.max(1, room - maxOutputTokens),
    maxOutputTokens,
    isContextKnown: context !== undefined,
  };
}

// A session on scripted providers, with a text in memory and a clock that skips every wait: what a user could do
// with a playground, without an editor.
import type {
  ChatDelta,
  ChatOptions,
  ChatTurn,
  Message,
  RawAssistant,
  RenderedPrompt,
  RenderOptions,
  SamplingParams,
  ToolChoice,
  ToolType,
} from '../../../src/library';
import { Providers } from '../../../src/library';
import type {
  ConnectionView,
  HostEventName,
  LaneEntry,
  RequestHandlers,
  RunEntry,
} from '../../../src/protocol';
import type {
  ConnectionSource,
  DocumentBacking,
  LogSink,
  RowsFile,
  RunStore,
  SessionMethod,
  TextEdit,
  ToolSource,
} from '../../../src/session';
import {
  createSessionHandlers,
  MemoryRunStore,
  RefusalError,
  RequestGate,
  Session,
  SessionView,
} from '../../../src/session';
import { FakeClock } from '../fake-clock';

export interface Asked {
  model: string;
  messages: Message[];
  tools: ToolType[];
  sampling: SamplingParams | undefined;
  toolChoice: ToolChoice | undefined;
  emit: (delta: ChatDelta) => void;
  /** Aborted when the run is stopped. */
  signal: AbortSignal | undefined;
}
export type Script = (asked: Asked) => Partial<RawAssistant> | Promise<Partial<RawAssistant>>;

class ScriptedProvider extends Providers {
  readonly #model: string;
  readonly #script: Script;
  readonly #render: SessionSetup['render'];
  readonly #count: SessionSetup['count'];
  #signal: AbortSignal | undefined;
  #sampling: SamplingParams | undefined;
  #choice: ToolChoice | undefined;

  constructor(
    model: string,
    script: Script,
    rescueToolCalls: boolean,
    { render, count, costPer1kTokens }: SessionSetup,
  ) {
    super();
    this.#render = render;
    this.#count = count;
    this.configure({ rescueToolCalls, costPer1kTokens });
    this.#model = model;
    this.#script = script;
  }

  override renderPrompt(options: RenderOptions): Promise<RenderedPrompt> {
    return this.#render?.(options) ?? super.renderPrompt(options);
  }

  override countTokens(options: RenderOptions): Promise<number> {
    return this.#count?.(options) ?? super.countTokens(options);
  }

  override chat(options: ChatOptions): Promise<ChatTurn> {
    this.#signal = options.signal;
    this.#sampling = options.sampling;
    this.#choice = options.toolChoice;
    return super.chat(options);
  }

  protected override async chatInternal(tools: ToolType[], messages: Message[]): Promise<RawAssistant> {
    const emit = this.deltaSink();
    const request = {
      model: this.#model,
      sampling: this.#sampling,
      toolChoice: this.#choice,
      signal: this.#signal,
    };
    const reply = await this.#script({ ...request, messages, tools, emit });
    return { content: '', toolCalls: [], usage: {}, attempts: 1, ...reply };
  }

  protected override embedInternal(texts: string[]): Promise<number[][]> {
    return Promise.resolve(texts.map((text) => [text.length, 1]));
  }
}

export class MemoryBacking implements DocumentBacking {
  readonly id: string;
  readonly title = 'test';
  kind: 'file' | 'scratch' = 'file';
  readOnly: string | undefined;
  notWritten: string | undefined;
  unlock: (() => Promise<void>) | undefined;
  text: string;
  /** Number of edits made by the session. */
  edits = 0;
  readonly #listeners = new Set<() => void>();

  constructor(text = '', id = 'test') {
    this.text = text;
    this.id = id;
  }

  read(): string {
    return this.text;
  }

  apply(edits: readonly TextEdit[]): Promise<boolean> {
    this.edits++;
    for (const { offset, length, text } of edits.toSorted((one, other) => other.offset - one.offset)) {
      this.text = this.text.slice(0, offset) + text + this.text.slice(offset + length);
    }
    for (const listener of this.#listeners) listener();
    return Promise.resolve(true);
  }

  /** Replaces the text from outside, as another editor or git does. */
  replace(text: string): void {
    this.text = text;
    for (const listener of this.#listeners) listener();
  }

  dispose(): void {
    this.#listeners.clear();
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const CONNECTION: ConnectionView = {
  id: 'demo',
  label: 'Demo',
  provider: 'scripted',
  address: 'built in',
  scope: 'built-in',
  model: 'first-look',
  needsKey: false,
  hasKey: false,
  samplingKeys: {
    temperature: 'temperature',
    topP: 'top_p',
    topK: null,
    seed: 'seed',
    maxTokens: 'max_tokens',
    numCtx: null,
    stop: 'stop',
    repeatPenalty: null,
  },
  limits: { connectTimeoutMs: 10_000, maxAttempts: 3 },
  toolChoiceKey: null,
  hasRates: false,
};

export interface SessionSetup {
  text?: string;
  backing?: MemoryBacking;
  store?: RunStore;
  script?: Script;
  /** Without it, the provider does not render prompts. */
  render?: ((options: RenderOptions) => Promise<RenderedPrompt>) | undefined;
  /** Without it, the provider does not count tokens. */
  count?: ((options: RenderOptions) => Promise<number>) | undefined;
  tools?: Partial<ToolSource>;
  rowsFile?: RowsFile;
  /** Labels of the servers behind connections, by the id of the connection. */
  servers?: Readonly<Record<string, string>>;
  /** Ids of connections to services that may cost something. */
  hosted?: readonly string[];
  /** Ids of connections whose requests count against a quota of the person. */
  ofQuota?: readonly string[];
  /** Maximum number of simultaneous requests to one connection. */
  limit?: number;
  secrets?: string[];
  /** Of every connection. @default there are no rates */
  costPer1kTokens?: { input: number; output: number };
}

export interface Opened {
  session: Session;
  backing: MemoryBacking;
  store: RunStore;
  clock: FakeClock;
  /** Everything that the providers were asked, in order. */
  asked: Asked[];
  /** Tool choices of the connections that were opened for it. */
  log: string[];
  events: { name: HostEventName; data: unknown }[];
  view: SessionView;
  /** Calls one request handler, as a page would. */
  ask: <M extends SessionMethod>(
    method: M,
    params: Parameters<RequestHandlers[M]>[0],
  ) => ReturnType<RequestHandlers[M]>;
  /** Resolves when no lane is busy. */
  settled: () => Promise<void>;
  /** Resolves when the condition holds. */
  until: (condition: () => boolean) => Promise<void>;
  entries: (laneId?: string) => LaneEntry[];
  /** The runs among the entries. */
  runs: (laneId?: string) => RunEntry[];
}

/** There is no data file. */
export const NO_ROWS: RowsFile = {
  read: (segments) => Promise.resolve(`There is no file ${segments.join('/')}.`),
  onDidChange: () => () => undefined,
};

const answer: Script = ({ messages }) => ({ content: `answer ${messages.length}` });

/** Ids of the connections that the lanes name, and of a lane's default one. */
function connectionIdsIn(text: string): string[] {
  const named = Array.from(text.matchAll(/"connection":\s*"([^"]*)"/g), ([, id = '']) => id);
  return [...new Set([CONNECTION.id, ...named])].filter((id) => !id.startsWith('gone'));
}

/** Everything that a run needs from outside, on scripted providers; and what the providers were asked. */
export function scriptedServices(setup: SessionSetup, connectionIds: () => string[] = () => [CONNECTION.id]) {
  const { script = answer, limit = 100, secrets = [] } = setup;
  const clock = new FakeClock({ isSkipping: true });
  const asked: Asked[] = [];
  const log: string[] = [];
  const note = (line: string): void => void log.push(line);
  const sink: LogSink = { info: note, warn: note, error: note };
  const follow: Script = (one) => {
    asked.push({ ...one, messages: structuredClone(one.messages) });
    return script(one);
  };
  const open = (connectionId: string, model: string | undefined, rescues: boolean) => {
    if (connectionId.startsWith('gone'))
      throw new Error(`The connection “${connectionId}” no longer exists.`);
    if (connectionId === 'never') return new Promise<never>(() => undefined);
    return Promise.resolve({
      provider: new ScriptedProvider(model || 'first-look', follow, rescues, setup),
      view: { ...CONNECTION, id: connectionId },
      model: model || 'first-look',
      gate: connectionId,
      secrets,
    });
  };
  const connections: ConnectionSource = {
    views: () =>
      Promise.resolve(
        connectionIds().map((id) => ({
          ...CONNECTION,
          id,
          ...(setup.ofQuota?.includes(id) && {
            scope: 'extension' as const,
            address: 'inside VS Code',
            usesQuota: true,
          }),
          ...(setup.hosted?.includes(id) && { scope: 'user' as const, address: 'https://api.example.com' }),
        })),
      ),
    open: async ({ connectionId, model, rescueToolCalls }) => open(connectionId, model, rescueToolCalls),
    openEmbedder: async ({ connectionId, model }) => open(connectionId, model, true),
    explain: (error) => {
      // The provider puts what a script throws into an error of its own.
      const refusal = [error, error instanceof Error ? error.cause : undefined].find(
        (one) => one instanceof RefusalError,
      );
      return Promise.resolve(
        refusal?.info ?? { code: 'test', title: 'Failed', what: String(error), why: '', next: '' },
      );
    },
    serverOf: (connectionId) => Promise.resolve(setup.servers?.[connectionId]),
    redactor: () => Promise.resolve(undefined),
    onDidChange: () => () => undefined,
  };
  const tools: ToolSource = {
    resolve: (reference) => Promise.resolve(`There is no tool ${reference}.`),
    invoke: () => Promise.reject(new Error('It was not confirmed.')),
    onDidChange: () => () => undefined,
    ...setup.tools,
  };
  const services = { connections, tools, gate: new RequestGate(() => limit), clock, log: sink };
  return { services, clock, asked, log };
}

export async function openSession(setup: SessionSetup = {}): Promise<Opened> {
  const { store = new MemoryRunStore() } = setup;
  const backing = setup.backing ?? new MemoryBacking(setup.text ?? '{}');
  const { services, clock, asked, log } = scriptedServices(setup, () => connectionIdsIn(backing.read()));
  const session = await Session.open({
    ...services,
    backing,
    store,
    rowsFile: setup.rowsFile ?? NO_ROWS,
    requestsLeaveFrom: 'this computer',
  });
  const events: Opened['events'] = [];
  const view = new SessionView(session, clock, (name, data) => void events.push({ name, data }));
  const handlers: Pick<RequestHandlers, SessionMethod> = createSessionHandlers(() =>
    Promise.resolve({ session, view }),
  );
  const until = async (condition: () => boolean): Promise<void> => {
    // Some runs end only with a timer of the library, and an event-loop turn takes hardly any time, so the limit
    // is in seconds.
    const endMs = performance.now() + 100_000;
    while (!condition()) {
      if (performance.now() > endMs) throw new Error('What was waited for did not come.');
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const entries = (laneId = 'a'): LaneEntry[] => {
    const { order = [], entries: all = [] } = session.laneSnapshot(laneId, undefined) ?? {};
    return order.flatMap((id) => all.find((entry) => entry.id === id) ?? []);
  };
  return {
    session,
    backing,
    store,
    clock,
    asked,
    log,
    events,
    view,
    ask: (method, params) =>
      (handlers[method] as (params: unknown, signal: AbortSignal) => never)(
        params,
        new AbortController().signal,
      ),
    settled: () =>
      until(() => session.laneIds.every((id) => session.laneSnapshot(id, undefined)?.run === null)),
    until,
    entries,
    runs: (laneId) => entries(laneId).filter((entry): entry is RunEntry => entry.kind === 'run'),
  };
}

/** A script with one reply for each chat; the last one is repeated. */
export function inTurn(...replies: Partial<RawAssistant>[]): Script {
  let index = 0;
  return () => replies[Math.min(index++, replies.length - 1)] ?? {};
}

/** Emits a piece, then waits until it is aborted. */
export const hang: Script = ({ emit, signal }) => {
  emit({ content: 'It was a dark' });
  return new Promise((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
  );
};

/** A reply with these native calls. */
export function calling(...names: string[]): Partial<RawAssistant> {
  return {
    content: '',
    toolCalls: names.map((name, index) => ({
      id: `call_${index + 1}`,
      name,
      arguments: { city: 'Oslo' },
      source: 'native' as const,
    })),
  };
}

// A real session from the shipped bundle, with providers that answer from a script. Independent of the page.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** A key that every run has to redact, as with most hosted connections. */
export const SECRET = 'sk-bench-0123456789abcdefghijklmnopqrstuvwxyz';

const CLOCK = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(() => callback(), delayMs);
    return () => clearTimeout(timer);
  },
};

const IDLE_CHECK_MS = 5;

const CONNECTION = {
  id: 'bench',
  label: 'Bench',
  provider: 'scripted',
  address: 'built in',
  scope: 'built-in',
  model: 'scripted',
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

const TOOL = {
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
  mocks: [{ result: { temperature: 4, sky: 'clear' } }],
};

/** The text of a playground with this number of lanes. */
export const toDocument = (laneCount, extra = {}) =>
  JSON.stringify({
    version: 1,
    tools: [TOOL],
    lanes: Array.from({ length: laneCount }, (_, index) => ({
      id: `lane-${index}`,
      connection: CONNECTION.id,
      model: `scripted-${index}`,
    })),
    ...extra,
  });

/** A store that leaves nothing on disk. */
export const openMemoryStore = (engine) =>
  new engine.MemoryRunStore({ redact: engine.createRedactor([SECRET]).value });

export const loadEngine = (dist) => require(join(dist, 'engine.js'));

/** A text that exists only in memory. */
class MemoryBacking {
  id;
  title = 'bench';
  kind = 'scratch';
  readOnly = undefined;
  text;
  #listeners = new Set();

  constructor(id, text) {
    this.id = id;
    this.text = text;
  }

  read() {
    return this.text;
  }

  apply(edits) {
    for (const { offset, length, text } of edits.toSorted((one, other) => other.offset - one.offset))
      this.text = this.text.slice(0, offset) + text + this.text.slice(offset + length);
    for (const listener of this.#listeners) listener();
    return Promise.resolve(true);
  }

  onDidChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const toProviderClass = ({ library }) =>
  class ScriptedProvider extends library.Providers {
    #script;

    constructor(script, rescueToolCalls) {
      super();
      this.configure({ rescueToolCalls });
      this.#script = script;
    }

    async chatInternal(_tools, messages) {
      const emit = this.deltaSink();
      const reply = await this.#script({ messages, emit });
      return { content: '', toolCalls: [], usage: {}, attempts: 1, ...reply };
    }

    embedInternal() {
      return Promise.reject(new Error('nothing is embedded here'));
    }
  };

function toConnections(engine, script) {
  const ScriptedProvider = toProviderClass(engine);
  return {
    views: () => Promise.resolve([CONNECTION]),
    open: ({ model, rescueToolCalls }) =>
      Promise.resolve({
        provider: new ScriptedProvider((asked) => script({ ...asked, model }), rescueToolCalls),
        view: CONNECTION,
        model,
        gate: CONNECTION.id,
        secrets: [SECRET],
      }),
    openEmbedder: () => Promise.reject(new Error('nothing is embedded here')),
    explain: (error) =>
      Promise.resolve({ code: 'bench', title: 'Failed', what: String(error), why: '', next: '' }),
    redactor: () => Promise.resolve(undefined),
    onDidChange: () => () => undefined,
  };
}

/**
 * @param setup.text Text of the document.
 * @param setup.script `({ model, messages, emit }) => RawAssistant`, called once per chat.
 * @param setup.onEvent Receives what the session sends to its page.
 * @returns the session and a page's view of it; `run` asks every lane and waits until all are idle.
 */
export async function openSession(engine, { text, script, store, id = 'bench', onEvent = () => {} }) {
  const backing = new MemoryBacking(id, text);
  const session = await engine.Session.open({
    backing,
    store,
    rowsFile: { read: async () => 'There is no file.', onDidChange: () => () => undefined },
    connections: toConnections(engine, script),
    tools: {
      resolve: (reference) => Promise.resolve(`There is no tool ${reference}.`),
      invoke: () => Promise.reject(new Error('There is no editor.')),
      onDidChange: () => () => undefined,
    },
    gate: new engine.RequestGate(() => 100),
    clock: CLOCK,
    log: { info() {}, warn() {}, error: (line) => process.stderr.write(`${line}\n`) },
    requestsLeaveFrom: 'this computer',
  });
  const view = new engine.SessionView(session, CLOCK, onEvent);
  const handlers = engine.createSessionHandlers(() => Promise.resolve({ session, view }));
  const idle = async () => {
    while (session.laneIds.some((laneId) => session.laneSnapshot(laneId, Infinity)?.run !== null))
      await new Promise((resolve) => setTimeout(resolve, IDLE_CHECK_MS));
  };
  return {
    session,
    backing,
    view,
    handlers,
    run: async (message, { kind = 'chat' } = {}) => {
      await handlers['run/start']({ laneIds: session.laneIds, kind, text: message });
      await idle();
    },
    close: async () => {
      view.dispose();
      await session.dispose();
    },
  };
}

// Runs a scenario for one request to one server: counts the attempt, applies the limits, counts tokens. Independent of the
// wire format.
import { Attempts } from './attempts';
import { limitTurn } from './limit-turn';
import { withReasoning } from './reasoning';
import { LoadedModels } from '../local/loaded-models';
import { StoredResponses } from '../responses/stored-responses';
import { findScenario } from '../scenarios';
import type { DemoProtocol, DemoReply, DemoRequest, DemoTurn } from './scenario';
import { cutToContext, renderRead } from './cut-to-context';
import { PromptCache, renderCompletion } from './tokens';
import type { DemoUsage } from './tokens';
import type { ReplyMint } from '../wire/reply-id';

export interface Performance {
  reply: DemoReply;
  /** All zero for a failure and for silence. */
  usage: DemoUsage;
  /** Called once, when the response is sent or the caller has disconnected. */
  end: (isDelivered: boolean) => void;
}

const NO_USAGE: DemoUsage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };

/** In these, a request cannot name a seed. */
const SEEDLESS: ReadonlySet<DemoProtocol> = new Set<DemoProtocol>(['messages', 'responses']);

/** The state of one server; servers share nothing. */
export class Stage {
  readonly mint: ReplyMint;
  /** The models that the server of the local protocol has loaded. */
  readonly loaded = new LoadedModels();
  /** What the server of the responses protocol keeps. */
  readonly responses = new StoredResponses();
  readonly #attempts = new Attempts();
  readonly #promptCaches = new Map<string, PromptCache>();
  /** How many turns each model gave in a protocol without a seed. Bounded by the number of models. */
  readonly #turns = new Map<string, number>();

  constructor(mint: ReplyMint) {
    this.mint = mint;
  }

  /** @param body Text of the request, by which a repeated request is recognised. */
  play(request: Omit<DemoRequest, 'attempt'>, body: string): Performance {
    const scenario = findScenario(request.model);
    if (!scenario) throw new Error(`There is no scripted model named ${request.model}.`);
    const ticket = this.#attempts.begin(request.protocol, body);
    const read = this.#withSeed(cutToContext(request));
    const reply = scenario.reply({ ...read, attempt: ticket.attempt });
    const end = (isDelivered: boolean): void => ticket.end(isDelivered && reply.kind === 'turn');
    if (reply.kind !== 'turn') return { reply, usage: NO_USAGE, end };
    const turn = limitTurn(asRequested(reply, read), request.sampling);
    const usage = this.#promptCache(request).count(renderRead(request), renderCompletion(turn));
    return { reply: turn, usage, end };
  }

  /**
   * Where a request has no seed, a model varies from turn to turn, and only a temperature of 0 makes it repeat itself: the
   * seed is the number of the turn.
   */
  #withSeed<Request extends Omit<DemoRequest, 'attempt'>>(request: Request): Request {
    const { protocol, model, sampling } = request;
    if (!SEEDLESS.has(protocol) || sampling.temperature === 0) return request;
    const key = `${protocol}/${model}`;
    const seed = this.#turns.get(key) ?? 0;
    this.#turns.set(key, seed + 1);
    return { ...request, sampling: { ...sampling, seed } };
  }

  /**
   * One cache for each protocol and model, because each protocol's server has its own models in memory. Bounded by their
   * number.
   */
  #promptCache(request: Omit<DemoRequest, 'attempt'>): PromptCache {
    const key = `${request.protocol}/${request.model}`;
    const cache = this.#promptCaches.get(key) ?? new PromptCache();
    this.#promptCaches.set(key, cache);
    return cache;
  }
}

/** The turn with what the request asks of every model: reasoning, and one call at most. */
function asRequested(turn: DemoTurn, request: Omit<DemoRequest, 'attempt'>): DemoTurn {
  const single = request.isCallSingle ? { ...turn, toolCalls: turn.toolCalls.slice(0, 1) } : turn;
  return request.isReasoningAsked ? withReasoning(single, request.messages) : single;
}

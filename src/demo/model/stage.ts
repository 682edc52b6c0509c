// Runs a scenario for one request to one server: counts the attempt, applies the limits, counts tokens. Independent of the
// wire format.
import { Attempts } from './attempts';
import { limitTurn } from './limit-turn';
import { LoadedModels } from '../local/loaded-models';
import { findScenario } from '../scenarios';
import type { DemoReply, DemoRequest } from './scenario';
import { cutToContext, renderRead } from './cut-to-context';
import { PromptCache, renderCompletion } from './tokens';
import type { DemoUsage } from './tokens';
import type { ReplyMint } from '../http/http-reply';

export interface Performance {
  reply: DemoReply;
  /** All zero for a failure and for silence. */
  usage: DemoUsage;
  /** Called once, when the response is sent or the caller has disconnected. */
  end: (isDelivered: boolean) => void;
}

const NO_USAGE: DemoUsage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };

/** The state of one server; servers share nothing. */
export class Stage {
  readonly mint: ReplyMint;
  /** The models that the server of the local protocol has loaded. */
  readonly loaded = new LoadedModels();
  readonly #attempts = new Attempts();
  readonly #promptCaches = new Map<string, PromptCache>();

  constructor(mint: ReplyMint) {
    this.mint = mint;
  }

  /** @param body Text of the request, by which a repeated request is recognised. */
  play(request: Omit<DemoRequest, 'attempt'>, body: string): Performance {
    const scenario = findScenario(request.model);
    if (!scenario) throw new Error(`There is no scripted model named ${request.model}.`);
    const ticket = this.#attempts.begin(request.protocol, body);
    const read = cutToContext(request);
    const reply = scenario.reply({ ...read, attempt: ticket.attempt });
    const end = (isDelivered: boolean): void => ticket.end(isDelivered && reply.kind === 'turn');
    if (reply.kind !== 'turn') return { reply, usage: NO_USAGE, end };
    const turn = limitTurn(reply, request.sampling);
    const usage = this.#promptCache(request).count(renderRead(request), renderCompletion(turn));
    return { reply: turn, usage, end };
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

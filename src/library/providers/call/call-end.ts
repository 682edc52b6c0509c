// How calls end: what is made of the answer, or of an error. Independent of protocols.
import type { ChatTurn, TokenCost, ToolType } from '../../../types';
import type { ProviderError } from '../../errors';
import type { TextDeltas } from '../../rescue/stream/text-deltas';
import type { CallContext } from '../../transport/call-context';
import type { Redactor } from '../../transport/redact/redact';
import type { TurnOptions } from './chat-turn';
import { rescuePartial, toChatTurn } from './chat-turn';
import type { ProviderMethod } from './own-code';

/** In memory until the response has arrived, so it should be small. */
export interface CallEnd<Answer, Result> {
  /** The method whose answer it is. */
  readonly method?: ProviderMethod | undefined;
  finish: (answer: Answer, context: CallContext, redactor: Redactor) => Result;
  /** Adds to an error what only this kind of call can tell. */
  explain?: (error: ProviderError) => void;
}

export class ChatEnd implements CallEnd<unknown, ChatTurn>, TurnOptions {
  readonly provider: string;
  readonly tools: readonly ToolType[];
  readonly rescueToolCalls: boolean;
  readonly costPer1kTokens: TokenCost | undefined;
  readonly #texts: TextDeltas | undefined;

  /** @param texts Present when the caller receives the reply as it arrives. */
  constructor(
    { provider, tools, rescueToolCalls, costPer1kTokens }: TurnOptions,
    texts: TextDeltas | undefined,
  ) {
    this.provider = provider;
    this.tools = tools;
    this.rescueToolCalls = rescueToolCalls;
    this.costPer1kTokens = costPer1kTokens;
    this.#texts = texts;
  }

  get method(): ProviderMethod {
    return 'chatInternal';
  }

  finish(reply: unknown, context: CallContext, redactor: Redactor): ChatTurn {
    const turn = toChatTurn(reply, context, this, redactor);
    const text = this.#texts?.finish(turn) ?? '';
    if (text !== '') context.onDelta?.({ text });
    return turn;
  }

  explain(error: ProviderError): void {
    error.rescue = rescuePartial(error.partial, this.tools);
  }
}

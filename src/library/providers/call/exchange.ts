// Builds the redacted exchange of a call, as it may be stored and shown.
import type { Exchange } from '../../../types';
import type { CallContext } from '../../transport/call-context';
import type { SentRequest } from '../../transport/wire-recorder';
import { NO_TRANSLATION } from '../../transport/call-context';
import type { Redactor } from '../../transport/redact/redact';
import { redactRequest } from '../../transport/wire-recorder';
import { parseJson, toRecord } from '../../util/json';
import { readToolChoice } from '../../wire/request/tool-choice';

/** The exchange of another provider's call that was made inside this one. */
interface InnerExchange {
  /** Redacted by the other provider, which knows its own secrets. */
  exchange: Exchange;
  /** The last request that the outer call itself had sent at that time. */
  after: SentRequest | undefined;
}
const innerExchanges = new WeakMap<CallContext, InnerExchange>();

/**
 * Passes the attempts and the exchange of an inner call to the outer call. The exchange counts until the outer call sends a
 * request.
 */
export function addToOuterCall(
  context: CallContext,
  redactor: Redactor,
  outer: CallContext | undefined,
): void {
  if (!outer) return;
  outer.ledger.push(...context.ledger);
  if (context.attempts > 0) outer.attempts = context.attempts;
  const exchange = toExchange(context, redactor);
  if (exchange) innerExchanges.set(outer, { exchange, after: outer.request });
}

/** The exchange of the call so far; undefined when nothing was sent. */
export function toExchange(context: CallContext, redactor: Redactor): Exchange | undefined {
  return exchangeMaker(context, redactor)();
}

/**
 * Returns a function that builds the exchange of the call in its present state. It is built only on demand, because
 * searching whole bodies for secrets takes longer than everything else in a call, and few callers look at the exchange.
 */
export function exchangeMaker(context: CallContext, redactor: Redactor): () => Exchange | undefined {
  const { request, response, translation } = context;
  const { sent, dropped, overridden, toolCalls, replaced, changed = [] } = translation ?? NO_TRANSLATION;
  const inner = innerExchanges.get(context);
  if (inner && inner.after === request) return () => redactAgain(inner.exchange, redactor);
  if (!request) return () => undefined;
  return () => {
    const sentRequest = redactRequest(request, redactor);
    // A provider that does not report its translation mostly speaks the OpenAI protocol.
    const toolChoice = translation
      ? translation.toolChoice
      : readToolChoice(toRecord(parseJson(sentRequest.body)));
    return {
      request: sentRequest,
      ...(response && {
        response: {
          status: response.status,
          headers: redactor.headers(response.headers),
          body: redactor.text(response.text()),
        },
      }),
      sent: { ...sent },
      dropped: [...dropped],
      overridden: [...overridden],
      ...(toolChoice && { toolChoice: redactor.value(toolChoice) }),
      toolCalls: redactor.value(toolCalls()),
      ...(replaced.length > 0 && { replaced: [...replaced] }),
      ...(changed.length > 0 && { changed: redactor.value(changed) }),
    };
  };
}

/** Redacts the secrets of the outer provider as well. */
const redactAgain = (exchange: Exchange, redactor: Redactor): Exchange => ({
  ...exchange,
  request: redactor.value(exchange.request),
  ...(exchange.response && { response: redactor.value(exchange.response) }),
  toolCalls: redactor.value(exchange.toolCalls),
});

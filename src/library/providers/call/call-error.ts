// Turns whatever ends a call into a ProviderError with the call's ledger and its redacted exchange.
import type { PartialReply } from '../../../types';
import type { ProviderErrorDetails } from '../../errors';
import { ProviderError } from '../../errors';
import type { CallContext } from '../../transport/call-context';
import { DeadlineError, endedBody } from '../../transport/attempt';
import type { FailedRequest } from '../../transport/failure/failure';
import { toTransportError } from '../../transport/failure/failure';
import { recordBrokenBody } from '../../transport/retry/ledger';
import type { Redactor } from '../../transport/redact/redact';
import { redactError, redactOwn } from '../../transport/redact/redact-error';
import { causesOf, describeThrown } from '../../util/thrown';
import { toExchange } from './exchange';
import { ForeignError } from './own-code';

/** @param request The last request of the call. */
export function toCallError(
  error: unknown,
  context: CallContext,
  request: FailedRequest,
  redactor: Redactor,
): ProviderError {
  // The reason of an abort is the caller's value; even if it is a ProviderError, it is not an error of this call.
  const isKnown = error instanceof ProviderError && error !== context.signal?.reason;
  const known = isKnown ? error : wrap(error, context, request);
  if (isKnown) redactOwn(known, request.redact);
  if (known.code === 'invalid-options' && context.ledger.length === 0) return known;
  // A call without attempts of its own keeps the ledger of another provider's call that was made inside it.
  if (context.ledger.length > 0) known.ledger = context.ledger;
  known.exchange = toExchange(context, redactor) ?? known.exchange;
  known.partial = known.partial && maskEnds(known.partial, redactor);
  return known;
}

/** A truncated text may end inside a secret, which is then not found by its value, so such an end is masked. */
function maskEnds({ content, reasoning, toolCalls }: PartialReply, redactor: Redactor): PartialReply {
  const mask = (text: string): string => {
    const held = redactor.held(text);
    return text.slice(0, text.length - held) + '*'.repeat(held);
  };
  return {
    content: mask(content),
    ...(reasoning !== undefined && { reasoning: mask(reasoning) }),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call) => ({ ...call, arguments: mask(call.arguments) })),
    }),
  };
}

/**
 * Wraps what is no ProviderError: an exception of a custom provider, such as a TypeError on an unexpected reply, or one of
 * the library.
 */
function wrap(error: unknown, context: CallContext, request: FailedRequest): ProviderError {
  const isForeign = error instanceof ForeignError;
  const thrown = isForeign ? error.cause : error;
  const { attempts, ledger, signal } = context;
  const { provider, redact } = request;
  const cause = redactError(thrown, redact);
  const details = { attempts, ledger, cause };
  const broken = findBrokenBody(thrown, signal);
  if (broken) recordBrokenBody(ledger.at(-1), broken, request.timeoutMs);
  if (signal?.aborted) {
    const what = `${provider}: the call was stopped.`;
    return new ProviderError('aborted', { what, why: 'The caller aborted it.', next: '' }, details);
  }
  if (broken) return toTransportError({ ...broken, error: redactError(broken.error, redact) }, request);
  const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : redact(describeThrown(cause));
  return isForeign ? badReply(provider, why, details) : toInternalError(provider, why, details);
}

/** Finds what ended a body that the provider itself was reading, as after a request with `stream: true`. */
function findBrokenBody(
  thrown: unknown,
  signal: AbortSignal | undefined,
): { kind: 'caller' | 'timeout' | 'truncated'; error: Error } | undefined {
  const error = causesOf(thrown).find(endedBody);
  if (!error) return undefined;
  if (signal?.aborted) return { kind: 'caller', error };
  return { kind: error instanceof DeadlineError ? 'timeout' : 'truncated', error };
}

/** An error inside the library; its cause has the stack trace. */
function toInternalError(provider: string, why: string, details: ProviderErrorDetails): ProviderError {
  const explanation = {
    what: `${provider}: something in the library itself failed.`,
    why,
    next: 'Messages and raw keys must be plain JSON; if they are, report this with the stack of its cause.',
  };
  return new ProviderError('internal', explanation, details);
}

/** A reply that cannot be processed. */
export function badReply(provider: string, why: string, details?: ProviderErrorDetails): ProviderError {
  const explanation = {
    what: `${provider} failed while it handled the call.`,
    why,
    next: 'Look at the exchange: the reply may not have the shape that the provider expects.',
  };
  return new ProviderError('response-format', explanation, details);
}

export function unsupported(
  provider: string,
  what: string,
  { why, next } = {
    why: 'This provider has no such operation.',
    next: 'Use another provider for it.',
  },
): ProviderError {
  return new ProviderError('unsupported', { what: `${provider} cannot ${what}.`, why, next });
}

// Whatever ends a call becomes a ProviderError that carries the call's ledger and its redacted exchange.
import { ProviderError } from '../errors';
import type { CallContext } from '../transport/call-context';
import type { Redactor } from '../transport/redact';
import { toExchange } from './exchange';

interface CallOwner {
  provider: string;
  redactor: Redactor;
}

export function toCallError(error: unknown, context: CallContext, owner: CallOwner): ProviderError {
  const known = error instanceof ProviderError ? error : wrap(error, context, owner);
  if (known.code === 'invalid-options' && context.ledger.length === 0) return known;
  // what another provider's call, made inside this one, has recorded is kept
  if (context.ledger.length > 0) known.ledger = context.ledger;
  known.exchange = toExchange(context, owner.redactor) ?? known.exchange;
  return known;
}

/** A custom provider's own exception, such as a TypeError on an unexpected reply. */
function wrap(error: unknown, { attempts, ledger, signal }: CallContext, owner: CallOwner): ProviderError {
  const message = owner.redactor.text(
    error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  );
  const details = { attempts, ledger, cause: error };
  if (signal?.aborted) {
    const what = `${owner.provider}: the call was stopped.`;
    return new ProviderError('aborted', { what, why: 'The caller aborted it.', next: '' }, details);
  }
  const story = {
    what: `${owner.provider} failed while it handled the call.`,
    why: message,
    next: 'Look at the exchange: the reply may not have the shape that the provider expects.',
  };
  return new ProviderError('response-format', story, details);
}

export function unsupported(provider: string, what: string): ProviderError {
  return new ProviderError('unsupported', {
    what: `${provider} cannot ${what}.`,
    why: 'This provider has no such operation.',
    next: 'Use another provider for it.',
  });
}

// Masks secrets in an error and its causes, because servers and custom code repeat what they were sent.
import { inspect } from 'node:util';
import type { PartialReply } from '../../../types';
import type { ErrorExplanation, ProviderError } from '../../errors';
import { describeThrown, MAX_CAUSES } from '../../util/thrown';
import { findErrorCode } from '../failure/error-code';

type RedactText = (text: string) => string;

/** @returns the error itself when it contains no secret, otherwise a copy with only its name, code, causes and errors */
export function redactError<E>(error: E, redact: RedactText, depth = 0): E {
  if (!(error instanceof Error)) return redactThrown(error, redact) as E;
  const again = (inner: unknown, levels: number): unknown =>
    depth < MAX_CAUSES ? redactError(inner, redact, depth + levels) : undefined;
  const cause = again(error.cause, 1);
  // Code of others may have set any of these to something that is no text.
  const texts: unknown[] = [error.name, error.message, error.stack ?? ''];
  const [name = '', message, stack] = texts.map((text) => redact(String(text)));
  // Such as those of an AggregateError. Not as deep as causes, because there may be many on each level.
  const { errors } = error as Error & { errors?: unknown };
  const inner = Array.isArray(errors) ? errors.map((one) => again(one, MAX_CAUSES / 2)) : [];
  const isSame =
    cause === error.cause &&
    name === error.name &&
    message === error.message &&
    stack === (error.stack ?? '') &&
    inner.every((one, index) => one === Object(errors)[index]) &&
    !hasSecret(membersOf(error), redact);
  if (isSame) return error;
  const code = findErrorCode(error);
  const copy = new Error(message, cause === undefined ? {} : { cause });
  return Object.assign(copy, {
    name,
    stack,
    ...(code !== undefined && { code }),
    ...(inner.length > 0 && { errors: inner }),
  }) as E & Error;
}

/** Code of others may throw any value. */
function redactThrown(thrown: unknown, redact: RedactText): unknown {
  if (typeof thrown === 'string') return redact(thrown);
  return hasSecret(thrown, redact) ? redact(describeThrown(thrown)) : thrown;
}

const OWN = new Set<string | symbol>(['name', 'message', 'stack', 'cause', 'errors']);

/** What others have added to an error: HTTP clients add the request, with its headers. Calls no getters. */
function membersOf(error: Error): Record<string | symbol, unknown> {
  const members: Record<string | symbol, unknown> = {};
  for (const key of Reflect.ownKeys(error))
    if (!OWN.has(key)) members[key] = Reflect.getOwnPropertyDescriptor(error, key)?.value;
  return members;
}

/** How deep secrets are searched for in a value; deeper, a request contains its sockets. */
const MAX_SEARCHED = 5;

/** A member with a text, as `inspect` writes it. */
const SECRET_MEMBER = /(?:authorization|api[-_]?key|cookie)'?: ['"`]/i;

function hasSecret(value: unknown, redact: RedactText): boolean {
  if (typeof value !== 'object' || value === null || Reflect.ownKeys(value).length === 0) return false;
  const shown = inspect(value, { depth: MAX_SEARCHED, maxStringLength: null, customInspect: false });
  return redact(shown) !== shown || SECRET_MEMBER.test(shown);
}

/** Masks secrets in an error of the library that code of others has made. Changes the error, as the callers expect its class. */
export function redactOwn(error: ProviderError, redact: RedactText): void {
  const { what, why, next, answered } = error.explanation;
  const cause = redactError(error.cause, redact);
  const [message, stack] = [redact(error.message), redact(error.stack ?? '')];
  if (cause === error.cause && message === error.message && stack === error.stack) return;
  const explanation: ErrorExplanation = { what: redact(what), why: redact(why), next: redact(next) };
  if (answered !== undefined) explanation.answered = redact(answered);
  const { serverMessage } = error as ProviderError & { serverMessage?: unknown };
  Object.assign(error, {
    message,
    stack,
    cause,
    explanation,
    ...(typeof serverMessage === 'string' && { serverMessage: redact(serverMessage) }),
  });
}

export const redactPartial = (
  { content, reasoning, toolCalls }: PartialReply,
  redact: RedactText,
): PartialReply => ({
  content: redact(content),
  ...(reasoning !== undefined && { reasoning: redact(reasoning) }),
  ...(toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call, arguments: redact(call.arguments) })) }),
});

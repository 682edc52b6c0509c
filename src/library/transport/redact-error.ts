// Masks secrets in an error and its causes, because servers and custom code repeat what they were sent.
import type { PartialReply } from '../../types';
import { MAX_CAUSES } from '../util/thrown';
import { findErrorCode } from './error-code';

/** @returns the error itself when it contains no secret, otherwise a copy with its name and code */
export function redactError<E>(error: E, redact: (text: string) => string, depth = 0): E {
  if (!(error instanceof Error)) return (typeof error === 'string' ? redact(error) : error) as E;
  const cause = depth < MAX_CAUSES ? redactError(error.cause, redact, depth + 1) : undefined;
  const message = redact(error.message);
  const stack = redact(error.stack ?? '');
  if (cause === error.cause && message === error.message && stack === (error.stack ?? '')) return error;
  const code = findErrorCode(error);
  const copy = new Error(message, cause === undefined ? {} : { cause });
  return Object.assign(copy, { name: error.name, stack, ...(code !== undefined && { code }) }) as E & Error;
}

export const redactPartial = (
  { content, reasoning, toolCalls }: PartialReply,
  redact: (text: string) => string,
): PartialReply => ({
  content: redact(content),
  ...(reasoning !== undefined && { reasoning: redact(reasoning) }),
  ...(toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call, arguments: redact(call.arguments) })) }),
});

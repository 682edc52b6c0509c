// Turns what ended a call into a typed error that says what happened, why, and what to do next.
import type { AttemptRecord, FoundWords, PartialReply } from '../../../types';
import type { ErrorExplanation, ProviderErrorDetails } from '../../errors';
import { HttpError, NetworkError, ProviderError, RequestTimeoutError } from '../../errors';
import { causesOf } from '../../util/thrown';
import type { ReceivedResponse } from '../call-context';
import { findErrorCode } from './error-code';
import type { OddAnswer } from '../answer/odd-answer';
import { nameOddAnswer } from '../answer/odd-answer';
import { adviseOnNetwork } from './network-advice';
import { explainProxyFailure } from './proxy-failure';
import type { AttemptFailure } from '../retry/retry';
import { formatMs } from '../retry/retry';
import { NO_FINISH_REASON } from '../client/stream-reader';
import { adviseOn } from '../server-words/words-advice';

/** A failed request and its provider; not yet redacted. */
export interface FailedRequest {
  provider: string;
  method: string;
  url: string;
  ledger: AttemptRecord[];
  timeoutMs: number | undefined;
  /** The part of a stream that had arrived. */
  partial?: PartialReply;
  /** The last response, if there was one. */
  answer?: ReceivedResponse | undefined;
  /** What to do next where neither the status nor the server's words say it. */
  advice?: string | undefined;
  /** Masks the connection's secrets, because servers repeat what they were sent. */
  redact: (text: string) => string;
}

/** Maximum length of a quotation from a body in a sentence, in UTF-16 code units. */
export const MAX_QUOTED = 120;

/** The error for a request that ended in any other way than with an error status. */
export function toTransportError(
  failure: Exclude<AttemptFailure, { kind: 'answer' }>,
  request: FailedRequest,
): ProviderError {
  // A broken connection does not tell what the response would have been. Redacting replaces an error by one of class Error,
  // so this checks the name.
  const isUnread = failure.error.name === 'StreamFailure' && failure.kind !== 'too-large';
  const odd = isUnread ? nameAnswer(request) : undefined;
  const partial = toPartial(odd) ?? request.partial;
  const details: ProviderErrorDetails = {
    attempts: request.ledger.at(-1)?.attempt ?? 0,
    ledger: request.ledger,
    cause: failure.error,
    ...(partial !== undefined && { partial }),
  };
  switch (failure.kind) {
    case 'caller':
      return new ProviderError('aborted', abortExplanation(request), details);
    case 'timeout':
      return new RequestTimeoutError(request.timeoutMs ?? 0, timeoutExplanation(request), details);
    case 'too-large':
      return new ProviderError('response-too-large', tooLargeExplanation(request, failure.error), details);
    case 'truncated':
      return new ProviderError('truncated-stream', truncatedExplanation(request, failure, odd), details);
    case 'format':
      return new ProviderError(
        'response-format',
        formatExplanation(request, failure.error.message, odd),
        details,
      );
    case 'document': {
      const received = request.ledger.at(-1)?.status ?? 200;
      const explanation = documentExplanation(request, failure, received);
      return new HttpError(received, failure.error.message, explanation, {
        ...details,
        toldStatus: failure.told?.status,
        serverWords: withoutText(failure.told?.words),
      });
    }
    case 'network': {
      const code = findErrorCode(failure.error);
      return new NetworkError(code, networkExplanation(request, failure.error), details);
    }
  }
}

const TOO_LONG = /^The server asks for a wait of /;

/** The error for a response that is an error: a status other than 2xx, or an error document. */
export function toHttpError(
  request: FailedRequest,
  answer: {
    status: number;
    message: string | undefined;
    location?: string | null;
    /** What the table of server words knows about the message. */
    words?: FoundWords | undefined;
    /** Why the body could not be decoded. */
    bodyProblem?: string | undefined;
  },
): HttpError {
  const { status } = answer;
  const message = answer.message === undefined ? undefined : request.redact(answer.message);
  const location = request.redact(answer.location ?? '');
  const isRedirect = status >= 300 && status < 400 && location !== '';
  const why = isRedirect
    ? `It points to ${location}; redirects are never followed.`
    : quoteAnswer(message, request.redact(answer.bodyProblem ?? ''));
  const last = request.ledger.at(-1);
  // When the server asked for a wait that is too long, that is why the last decision was to stop: its reason says so.
  const tooLong = last?.decision === 'stop' && TOO_LONG.test(last.reason) ? ` ${last.reason}` : '';
  const explanation = {
    what: `${describe(request)} was answered with ${status}${inAttempts(request)}.`,
    why: why + tooLong,
    next: isRedirect
      ? 'Set the address of the connection to the target, if it is to be trusted.'
      : nextStep(status, message, answer.words, request.advice),
  };
  return new HttpError(status, message, explanation, {
    attempts: last?.attempt ?? 0,
    ledger: request.ledger,
    serverWords: withoutText(answer.words),
  });
}

/** What the model wrote may be as long as a reply, and is kept elsewhere. */
const withoutText = (words: FoundWords | undefined): FoundWords | undefined => {
  const { text: _text, ...parts } = words?.parts ?? {};
  return words && { ...words, parts };
};

/**
 * The error for a response that violates the protocol.
 * @param problem What is wrong, with what to do about it where that is known.
 */
export function toFormatError(
  request: FailedRequest,
  problem: string | Pick<ErrorExplanation, 'why' | 'next'>,
  cause?: unknown,
): ProviderError {
  const odd = nameAnswer(request);
  return new ProviderError('response-format', formatExplanation(request, problem, odd), {
    attempts: request.ledger.at(-1)?.attempt ?? 0,
    ledger: request.ledger,
    partial: toPartial(odd),
    cause,
  });
}

const describe = ({ provider, method, url, redact }: FailedRequest): string =>
  `${provider}: ${method} ${redact(url)}`;

function inAttempts({ ledger }: FailedRequest): string {
  const first = ledger[0];
  const last = ledger.at(-1);
  if (!first || !last) return '';
  const took = formatMs(last.startedAt + last.endMs - first.startedAt);
  return `, ${last.attempt} ${last.attempt === 1 ? 'attempt' : 'attempts'} in ${took}`;
}

const quote = (message: string | undefined): string =>
  message === undefined
    ? 'The server gave no reason.'
    : `The server says: ${message.replace(/[.\s]+$/, '')}.`;

function quoteAnswer(message: string | undefined, bodyProblem: string): string {
  if (bodyProblem === '') return quote(message);
  return message === undefined
    ? `What the server says cannot be read: ${bodyProblem}`
    : `${quote(message)} The rest cannot be read: ${bodyProblem}`;
}

function abortExplanation(request: FailedRequest): ErrorExplanation {
  return {
    what: `${describe(request)} was stopped${inAttempts(request)}.`,
    why: 'The caller aborted it.',
    next: '',
  };
}

function timeoutExplanation(request: FailedRequest): ErrorExplanation {
  return {
    what: `${describe(request)} took too long${inAttempts(request)}.`,
    why: `Each attempt may take ${formatMs(request.timeoutMs ?? 0)} (timeoutMs).`,
    next: 'Set timeoutMs above the longest time that this model needs, its loading included, or leave it out.',
  };
}

const nameAnswer = ({ answer, redact }: FailedRequest): OddAnswer | undefined =>
  answer && nameOddAnswer(answer, redact);

/** What happened and what to do next, if the response as a whole is no reply. */
function describeOddAnswer(
  request: FailedRequest,
  odd: OddAnswer | undefined,
): Pick<ErrorExplanation, 'what' | 'next' | 'answered'> | undefined {
  return (
    odd && {
      what: `${describe(request)} was answered ${odd.words}${inAttempts(request)}.`,
      next: odd.next,
      answered: odd.words,
    }
  );
}

function formatExplanation(
  request: FailedRequest,
  problem: string | Pick<ErrorExplanation, 'why' | 'next'>,
  odd: OddAnswer | undefined,
): ErrorExplanation {
  const { why, next } =
    typeof problem === 'string'
      ? {
          why: problem,
          next: 'Check that the address is the one of a server that speaks this protocol.',
        }
      : problem;
  const status = request.ledger.at(-1)?.status;
  const answer = status === undefined ? '' : ` with ${status}`;
  return {
    what: `${describe(request)} was answered${answer}${inAttempts(request)}, but the answer cannot be read.`,
    next,
    ...describeOddAnswer(request, odd),
    why: request.redact(why),
  };
}

const toPartial = (odd: OddAnswer | undefined): PartialReply | undefined =>
  odd?.beginning === undefined ? undefined : { content: odd.beginning };

/** Describes a partial reply: `2 characters`, or `0 characters, 40 of reasoning and the beginning of 1 tool call`. */
function countPartial({ content, reasoning, toolCalls = [] }: PartialReply = { content: '' }): string {
  const calls = `the beginning of ${toolCalls.length} tool ${toolCalls.length === 1 ? 'call' : 'calls'}`;
  const parts = [
    `${content.length} characters`,
    ...(reasoning === undefined ? [] : [`${reasoning.length} of reasoning`]),
    ...(toolCalls.length === 0 ? [] : [calls]),
  ];
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

function truncatedExplanation(
  request: FailedRequest,
  { error, told }: Exclude<AttemptFailure, { kind: 'answer' }>,
  odd: OddAnswer | undefined,
): ErrorExplanation {
  const code = findErrorCode(error);
  const missing = error.message === NO_FINISH_REASON ? 'a finish reason' : 'its end mark';
  const came =
    odd?.beginning === undefined
      ? request.partial && `${countPartial(request.partial)} had arrived.`
      : `what came is not JSON and begins: ${odd.beginning.slice(0, MAX_QUOTED)}`;
  const { lastLine } = told ?? {};
  // Redacted before it is truncated, because half a secret is not found by its value.
  const words =
    lastLine === undefined || odd ? '' : ` ${quote(request.redact(lastLine).slice(0, MAX_QUOTED))}`;
  return {
    what: `${describe(request)} broke off in the middle of its answer${inAttempts(request)}.`,
    next: 'Check the log of the server: it may have run out of memory or been stopped.',
    ...describeOddAnswer(request, odd),
    why: `The stream ended without ${missing}${code ? ` (${code})` : ''}${came ? `; ${came}` : '.'}${words}`,
  };
}

function documentExplanation(
  request: FailedRequest,
  { error, told = {} }: Exclude<AttemptFailure, { kind: 'answer' }>,
  status: number,
): ErrorExplanation {
  const code = told.code === undefined ? '' : ` (${request.redact(told.code)})`;
  const place = request.partial === undefined ? `under status ${status}` : 'inside the stream';
  return {
    what: `${describe(request)} was answered with an error ${place}${code}${inAttempts(request)}.`,
    why: quote(request.redact(error.message)),
    next: told.words ? adviseOn(told.words) : 'Check the log of the server, or try again later.',
  };
}

function tooLargeExplanation(request: FailedRequest, { message }: Error): ErrorExplanation {
  return {
    what: `${describe(request)} was answered with a reply that is too large to be read${inAttempts(request)}.`,
    why: message,
    next: 'Look at what came of it: the model or the server may repeat itself. Limit the reply, for instance with maxTokens.',
  };
}

function networkExplanation(request: FailedRequest, error: Error): ErrorExplanation {
  const status = request.ledger.at(-1)?.status;
  const end = status === undefined ? 'failed' : `was answered with ${status}, and the answer broke off`;
  const { why, next } = explainNetworkError(error, request.redact);
  return { what: `${describe(request)} ${end}${inAttempts(request)}.`, why, next };
}

/**
 * Why a request got no answer, or one that broke off, and what to do next: each a sentence.
 * @param redact Masks secrets in words that are not the library's own. @default masks nothing
 * @returns the code of the innermost cause beside them, such as `ECONNREFUSED`; undefined when none has one
 */
export function explainNetworkError(
  error: Error,
  redact: (text: string) => string = (text) => text,
): Pick<ErrorExplanation, 'why' | 'next'> & { code: string | undefined } {
  const code = findErrorCode(error);
  const message = innermostMessage(error);
  const advice = adviseOnNetwork(message, code);
  return {
    why: `${advice?.why ?? redact(message)}${code ? ` (${code})` : ''}`,
    next: advice?.next ?? 'Check the address and the network.',
    ...explainProxyFailure(error, code),
    code,
  };
}

const innermostMessage = (error: Error): string => causesOf(error).at(-1)?.message ?? '';

function nextStep(
  status: number,
  message: string | undefined,
  words: FoundWords | undefined,
  advice: string | undefined,
): string {
  if (words) return adviseOn(words);
  if (status === 401) return 'Set the API key of the connection, and check how it is sent (auth).';
  if (status === 403)
    return 'Check what the server allows: the rights of the key, or the hosts that it accepts requests for.';
  if (status === 404 && /model/i.test(message ?? ''))
    return 'Choose a model that the server has, or install this one.';
  if (status === 404 && advice === undefined)
    return 'Check the address: the path of the protocol is added to it.';
  // Often from a proxy with a page of its own, which says nothing about the request.
  if (status === 413)
    return 'Send less: a shorter conversation, fewer tools. Or raise the limit for request bodies on the server, or on the proxy in front of it.';
  if (status === 402) return 'Check the balance and the limits of the account that the key belongs to.';
  if (status === 429) return 'Wait, or send fewer requests at once.';
  if (status === 408 || status === 425) return 'Try again later.';
  // 503 and its like are of the server, whatever it was asked for.
  if (advice !== undefined && /^(?:404|405|500|501)$/.test(String(status))) return advice;
  if (status >= 500) return 'Check the log of the server, or try again later.';
  return message === undefined
    ? 'Check the log of the server, or of a proxy in front of it.'
    : 'Correct the request as the server says.';
}

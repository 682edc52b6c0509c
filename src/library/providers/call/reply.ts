// Reads a response for a built-in provider: an error, a reply, or the text of a tool call that the server could not parse.
import type { ExchangeToolCall } from '../../../types';
import type { ProviderError } from '../../errors';
import { readErrorBody } from '../../transport/answer/error-body';
import type { FailedRequest } from '../../transport/failure/failure';
import { MAX_QUOTED, toFormatError, toHttpError } from '../../transport/failure/failure';
import { TransportResponse } from '../../transport/answer/response';
import { parseJson } from '../../util/json';
import { isServerError, SERVER_PARSE_FAILURE } from '../../wire/reply/server-words';
import type { WireReply } from '../../wire/wire-shapes';

export interface Reply {
  raw: WireReply;
  /** Returns the entries of the exchange for its native calls. */
  toolCalls: () => ExchangeToolCall[];
}

/** How a protocol reads the document of a reply. */
export interface ReplyReader {
  /**
   * @returns one sentence instead when the document is no reply
   * @throws StreamFailure (`document`) when it says that the reply failed
   */
  fromReply: (document: unknown) => WireReply | string;
  readCallTexts: (document: unknown) => ExchangeToolCall[];
}

/** @throws HttpError, ProviderError (`response-format`), StreamFailure (`too-large`, `document`) */
export function readReply(
  response: TransportResponse,
  request: FailedRequest,
  { fromReply, readCallTexts }: ReplyReader,
): Reply {
  const text = TransportResponse.textOf(response);
  if (!response.ok) return readErrorReply(response, text, request);
  const document = parseJson(text);
  if (isServerError(document)) return readErrorReply(response, text, request);
  if (document === undefined) throw notJson(request, text);
  const raw = fromReply(document);
  if (typeof raw === 'string') throw toFormatError(request, raw);
  // Parsed again on demand: few callers look at it, and by then the arguments in the first document may have been changed.
  return { raw, toolCalls: () => readCallTexts(parseJson(text)) };
}

/** @throws HttpError, ProviderError (`response-format`) */
export async function readDocument(response: TransportResponse, request: FailedRequest): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw httpError(response, text, request);
  const document = parseJson(text);
  if (isServerError(document)) throw httpError(response, text, request);
  if (document === undefined) throw notJson(request, text);
  return document;
}

/**
 * A server that could not parse what the model wrote includes that text in its error (Ollama's parsers, Groq's
 * `failed_generation`). It is the evidence of what went wrong, so it becomes the content of the turn.
 */
function readErrorReply(response: TransportResponse, text: string, request: FailedRequest): Reply {
  const { modelText } = readErrorBody(request.redact(text), response.status);
  if (modelText === undefined) throw httpError(response, text, request);
  return {
    raw: { content: modelText, toolCalls: [], usage: {}, finishReason: SERVER_PARSE_FAILURE },
    toolCalls: () => [],
  };
}

function httpError(response: TransportResponse, text: string, request: FailedRequest): ProviderError {
  const { status } = response;
  const { message, words } = readErrorBody(request.redact(text), status);
  return toHttpError(request, {
    status,
    message,
    words,
    location: response.headers.get('location'),
    bodyProblem: response.bodyProblem,
  });
}

function notJson(request: FailedRequest, text: string): ProviderError {
  // The whole text is redacted before it is truncated, because half a secret is not found by its value.
  const start = request.redact(text).trim().slice(0, MAX_QUOTED);
  const problem = start === '' ? 'The body is empty.' : `The body is not JSON; it begins: ${start}`;
  return toFormatError(request, problem);
}

// Recognises what comes in place of a reply, and makes failures of it. Pure.
import { isErrorDocument, readErrorBody, tellsError } from '../../transport/answer/error-body';
import { StreamFailure } from '../../transport/client/stream-reader';
import { MAX_QUOTED } from '../../transport/failure/failure';
import { parseJson } from '../../util/json';

/** Whether a whole document is an error in place of a reply. */
export const isServerError = (document: unknown): boolean =>
  isErrorDocument(document) || tellsError(document);

/** Finish reason of a turn whose content is a text that the server could not parse. */
export const SERVER_PARSE_FAILURE = 'tool_call_parse_error';

/**
 * The text that the server could not parse, from an error inside a stream: the part of it that the stream has not had. Some
 * servers quote everything that the model wrote, others only the call.
 * @param text Body of the error; must be redacted already.
 * @param content What the stream has had.
 * @returns undefined for any other error
 */
export function readUnparsedRest(text: string, content: string): string | undefined {
  const { modelText } = readErrorBody(text, 200);
  return modelText?.startsWith(content) ? modelText.slice(content.length) : modelText;
}

/**
 * Refuses an error document in place of a reply. An error that quotes what the model wrote is no such error: its text becomes
 * the content of the turn.
 * @throws StreamFailure
 */
export function refuseServerError(text: string, redact: (text: string) => string): void {
  // Most replies are not parsed for this.
  if (REPLY.test(text) && !ERROR.test(text)) return;
  if (!isServerError(parseJson(text))) return;
  const redacted = redact(text);
  if (readErrorBody(redacted, 200).modelText === undefined) throw toServerFailure(redacted);
}

/** The key of an error, or the kind of a document. A pattern, because it is found seven times as fast as a text would be. */
const ERROR = /"error"\s*[:,}]/;
/** The beginning of what a reply has. */
const REPLY =
  /"choices"\s*:\s*\[\s*\{|"(?:message|data|embeddings?|models)"\s*:\s*[[{]|"type"\s*:\s*"message"/;

/**
 * The status that Anthropic answers with for each type of error, and OpenAI for the codes of a failed response. Inside a stream only
 * these come.
 * https://docs.claude.com/en/api/errors, https://platform.openai.com/docs/guides/error-codes
 */
const STATUS_OF_WORD: ReadonlyMap<string | undefined, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['server_error', 500],
  ['server_is_overloaded', 503],
]);

const toStatus = (code = ''): number | undefined =>
  /^[45]\d\d$/.test(code) ? Number(code) : STATUS_OF_WORD.get(code);

/**
 * The failure for an error document inside a stream. llama-server's document names the status that it would have had, and the
 * type of Anthropic's tells it.
 */
export function toServerFailure(text: string): StreamFailure {
  const { message, code, type, words } = readErrorBody(text, 200);
  const status = toStatus(code) ?? toStatus(type);
  return new StreamFailure('document', message ?? 'an error', {
    code: code ?? status?.toString(),
    status,
    words,
  });
}

/**
 * The failure for a part of a stream that is not JSON, such as the bare words of a proxy.
 * @param text Must be redacted already: the beginning of it is quoted.
 */
export const toFormatFailure = (part: string, text: string): StreamFailure =>
  new StreamFailure(
    'format',
    `${part} of the stream is not JSON; it begins: ${text.trim().slice(0, MAX_QUOTED)}.`,
  );

// Recognises error documents in place of replies, and reads their messages, even from errors inside errors. Pure.
import { isErrorDocument, readErrorBody } from '../../transport/answer/error-body';
import { StreamFailure } from '../../transport/client/stream-reader';
import { parseJson, toRecord, toText } from '../../util/json';

/**
 * True for `{error}`, a list that begins with one, or `{object: "error"}` (Mistral; vLLM before 0.10.1, also in streams).
 */
export const isServerError = (document: unknown): boolean =>
  isErrorDocument(document) || toRecord(document)['object'] === 'error';

/**
 * Reads the message of an error. Ollama's OpenAI side puts the error document of its runner into the message. OpenRouter's
 * message says only that a provider failed; the response of that provider is in `metadata.raw`.
 * @param text Body of the error; must be redacted already if the result is shown.
 */
export function readServerWords(text: string): string | undefined {
  const { message } = readErrorBody(text);
  const inner = message?.startsWith('{') ? readErrorBody(message).message : undefined;
  const { metadata } = toRecord(toRecord(parseJson(text))['error']);
  const raw = toText(toRecord(metadata)['raw']);
  const reason = raw === undefined ? undefined : (readErrorBody(raw).message ?? raw);
  return [inner ?? message, reason].filter((words) => words !== undefined).join(': ') || undefined;
}

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
  const { modelText } = readErrorBody(text);
  return modelText?.startsWith(content) ? modelText.slice(content.length) : modelText;
}

/**
 * Refuses an error document in place of a reply. An error that quotes what the model wrote is no such error: its text becomes
 * the content of the turn.
 * @throws StreamFailure
 */
export function refuseServerError(text: string, redact: (text: string) => string): void {
  // Most replies are not parsed for this.
  if (!text.includes('"error"') || !isServerError(parseJson(text))) return;
  const redacted = redact(text);
  if (readErrorBody(redacted).modelText === undefined) throw toServerFailure(redacted);
}

/** The failure for an error document inside a stream. llama-server's document names the status that it would have had. */
export const toServerFailure = (text: string): StreamFailure =>
  new StreamFailure('document', readServerWords(text) ?? 'an error', {
    serverCode: readErrorBody(text).code,
  });

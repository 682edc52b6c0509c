// Recognises error documents in place of replies, and reads their messages, even from errors inside errors. Pure.
import { isErrorDocument, readErrorBody } from '../transport/error-body';
import { StreamFailure } from '../transport/stream-reader';
import { parseJson, toRecord, toText } from '../util/json';

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

/** The failure for an error document inside a stream. llama-server's document names the status that it would have had. */
export const toServerFailure = (text: string): StreamFailure =>
  new StreamFailure('document', readServerWords(text) ?? 'an error', readErrorBody(text).code);

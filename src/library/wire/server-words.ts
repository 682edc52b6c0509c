// Errors where a reply was expected, and the server's words in them, where they are folded into one another. Pure.
import { isErrorDocument, readErrorBody } from '../transport/error-body';
import { StreamFailure } from '../transport/stream-reader';
import { parseJson, toRecord, toText } from '../util/json';

/** `{error}`, a list that begins with one, or `{object: "error"}` (Mistral; vLLM before 0.10.1, in streams too). */
export const isServerError = (document: unknown): boolean =>
  isErrorDocument(document) || toRecord(document)['object'] === 'error';

/**
 * Ollama's OpenAI side puts the error document of its runner into its message; OpenRouter says only that a provider failed,
 * and puts that one's answer into `metadata.raw`.
 * @param text The error's body; redacted already where the result is shown.
 */
export function readServerWords(text: string): string | undefined {
  const { message } = readErrorBody(text);
  const inner = message?.startsWith('{') ? readErrorBody(message).message : undefined;
  const { metadata } = toRecord(toRecord(parseJson(text))['error']);
  const raw = toText(toRecord(metadata)['raw']);
  const reason = raw === undefined ? undefined : (readErrorBody(raw).message ?? raw);
  return [inner ?? message, reason].filter((words) => words !== undefined).join(': ') || undefined;
}

/** An error document inside a stream. llama-server's names the status that it would have had. */
export const toServerFailure = (text: string): StreamFailure =>
  new StreamFailure('document', readServerWords(text) ?? 'an error', readErrorBody(text).code);

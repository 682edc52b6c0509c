// Reads the body of an error in the shapes of all known servers. Independent of providers.
import { isRecord, parseJson, toRecord, toText } from '../../util/json';

export interface ErrorBody {
  /** The server's message; undefined when the body has none. */
  message: string | undefined;
  /** The error's `code`, as text. */
  code: string | undefined;
  /** The error's `type`, as text. */
  type: string | undefined;
  /** Whether the server could not parse the tool call that the model wrote. A retry would hide that. */
  isParseFailure: boolean;
  /** What the model wrote in that case, if the server reports it. */
  modelText: string | undefined;
}

const NOTHING = {
  message: undefined,
  code: undefined,
  type: undefined,
  isParseFailure: false,
  modelText: undefined,
};

/** Maximum length of a message, in UTF-16 code units. */
const MAX_MESSAGE = 4000;

/** How deep the texts of an unknown document may be nested. */
const MAX_LEVELS = 8;

/** Errors of Ollama's own parsers, and its message when the runner's parser failed. */
const PARSE_FAILURE = /^error parsing tool call|returned invalid tool call arguments for/;

/**
 * Reads `{error:{message}}` (OpenAI, llama-server), `{error:"text"}` (Ollama), `{message}` and `{object:"error"}` (older
 * vLLM, Mistral), `{detail}` (FastAPI), `[{error}]` (Gemini), a JSON document inside an error text (Ollama), plain text, and
 * HTML, of which only the title is used. The message of any other document is its own text, unless its message is '' or there is no text in it.
 * @param text Must be redacted already if the result is shown: messages are truncated, and half a secret is not found by its
 * value.
 */
export function readErrorBody(text: string): ErrorBody {
  const document = parseJson(text);
  const first: unknown = Array.isArray(document) ? document[0] : document;
  if (!isRecord(first)) return { ...NOTHING, message: plainText(text) };
  const error = unwrap(first['error']);
  const source = isRecord(error) ? error : first;
  const message =
    toText(error) ??
    toText(source['message']) ??
    toText(toRecord(first)['message']) ??
    readDetail(first['detail']) ??
    (source['message'] !== '' && hasText(first) ? plainText(text) : undefined);
  const code = toWord(source['code']);
  const modelText = toText(source['failed_generation']) ?? rawInParseError(message);
  const isParseFailure =
    modelText !== undefined || code === 'tool_use_failed' || PARSE_FAILURE.test(message ?? '');
  return {
    message: message?.slice(0, MAX_MESSAGE),
    code,
    type: toWord(source['type']),
    isParseFailure,
    modelText,
  };
}

/**
 * Whether a 2xx body is an error document, or a list that begins with one (Gemini). An `error` that is null, '' or false, as
 * some relays add to every reply, is none.
 */
export function isErrorDocument(body: unknown): boolean {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return isRecord(first) && Boolean(first['error']);
}

/** Ollama passes its runner's error on as a JSON document inside the text. */
function unwrap(error: unknown): unknown {
  const inner = typeof error === 'string' && error.trimStart().startsWith('{') ? parseJson(error) : undefined;
  return isRecord(inner) ? (inner['error'] ?? inner) : error;
}

/** Ollama: `error parsing tool call: raw='…', err=…`; only some of its parsers include what the model wrote. */
function rawInParseError(message: string | undefined): string | undefined {
  const start = message?.indexOf("error parsing tool call: raw='") ?? -1;
  if (message === undefined || start < 0) return undefined;
  const from = message.indexOf("'", start) + 1;
  const end = message.lastIndexOf("', err=");
  return toText(message.slice(from, end > from ? end : undefined));
}

function readDetail(detail: unknown): string | undefined {
  if (!Array.isArray(detail)) return toText(detail);
  const lines = detail.map((entry) => {
    const { loc, msg } = toRecord(entry);
    // Only texts and numbers: joining anything else may fail.
    const place = Array.isArray(loc) ? loc.map(toWord).filter(Boolean).join('.') : undefined;
    return [place, toText(msg)].filter(Boolean).join(': ');
  });
  return toText(lines.filter(Boolean).join('; '));
}

/** Whether the value is a non-empty text, or has one in it. */
function hasText(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return toText(value) !== undefined;
  return Object.values(value).some((member) => hasText(member, levels - 1));
}

function toWord(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : toText(value);
}

function plainText(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('<')) return toText(trimmed.slice(0, MAX_MESSAGE));
  const start = trimmed.toLowerCase().indexOf('<title>');
  const end = trimmed.indexOf('</', start);
  const title = start < 0 || end < 0 ? '' : trimmed.slice(start + 7, end).trim();
  return title ? `an HTML page titled “${title.slice(0, 200)}”` : 'an HTML page';
}

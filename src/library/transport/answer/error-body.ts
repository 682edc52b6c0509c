// Reads the body of an error in the shapes of all known servers. Independent of providers.
import { hasMoreValues } from '../../util/count-values';
import { isRecord, parseJson, toRecord, toText } from '../../util/json';
import { findServerWords } from '../server-words/find-server-words';
import type { FoundWords } from '../../../types';

export interface ErrorBody {
  /** The server's message; undefined when the body has none. */
  message: string | undefined;
  /** The error's `code`, as text. */
  code: string | undefined;
  /** The error's `type`, as text. */
  type: string | undefined;
  /** What the table of server words knows about the message. */
  words: FoundWords | undefined;
  /** What the model wrote, if the server could not read it and reports it. */
  modelText: string | undefined;
}

/** Maximum length of a message, in UTF-16 code units. */
const MAX_MESSAGE = 4000;

/** A document with more is read as plain text: no error needs so many, and all of them are looked at. */
const MAX_VALUES = 100_000;

/** How deep the texts of an unknown document may be nested. */
const MAX_LEVELS = 8;

/**
 * Reads the message wherever servers put it: `{error:{message}}` (OpenAI, llama-server), `{error:"text"}` (Ollama), `{message}`
 * (older vLLM, Mistral), `{detail}` (FastAPI), `[{error}]` (Gemini), `{errors:[…]}` (Cloudflare), `{code, msg}` (Zhipu),
 * `{base_resp:{status_msg}}` (MiniMax), `{error_msg}` (Baidu) and the like; a JSON document inside a text, and the response of an
 * upstream provider inside an error (OpenRouter); plain text; and HTML, of which only the title is used. The message of any
 * other document is its own text, unless there is no text in it.
 * @param text Must be redacted already if the result is shown: messages are truncated, and half a secret is not found by its
 * value.
 * @param status Of the response; 200 for an error inside a stream.
 */
export function readErrorBody(text: string, status?: number): ErrorBody {
  const document = hasMoreValues(text, MAX_VALUES) ? undefined : parseJson(text);
  const first: unknown = Array.isArray(document) ? document[0] : document;
  const { message, code, type, generated } = isRecord(first)
    ? readDocument(first, text)
    : { message: toText(first) ?? plainText(text) };
  const words = findServerWords(
    [message ?? '', ...(code ? [`[code] ${code}`] : []), ...(type ? [`[type] ${type}`] : [])].join('\n'),
    status,
  );
  const modelText = generated ?? (words?.cause === 'unread-call' ? toText(words.parts['text']) : undefined);
  return { message: message?.slice(0, MAX_MESSAGE), code, type, words, modelText };
}

interface Told {
  message?: string | undefined;
  code?: string | undefined;
  type?: string | undefined;
  /** What the model wrote. */
  generated?: string | undefined;
}

function readDocument(first: Record<string, unknown>, text: string): Told {
  const told = readRecord(first, MAX_LEVELS);
  if (told.message !== undefined || told.generated !== undefined) return told;
  const { error } = first;
  const isMute = toRecord(error)['message'] === '' || first['message'] === '';
  return { ...told, message: !isMute && hasText(first) ? plainText(text) : undefined };
}

/** Keys of a message, the most telling first. */
const MESSAGE_KEYS = [
  'message',
  'msg',
  'detail',
  'error_msg',
  'error_message',
  'errorMessage',
  'errorMsg',
  'error_description',
  'err',
  'err_msg',
  'errmsg',
  'ErrMsg',
  'Message',
  'status_msg',
  'statusMessage',
  'faultstring',
  'reason',
  'description',
  'title',
] as const;

/** Keys of a document, or a list of documents, that has the message. */
const NESTED_KEYS = [
  'errors',
  'Error',
  'fault',
  'base_resp',
  'response',
  'Response',
  'ResponseMetadata',
  'header',
  'status',
  'result',
  'data',
] as const;

const CODE_KEYS = ['code', 'Code', 'error_code', 'errorCode', 'status_code', 'errcode', 'ret_code'] as const;
const TYPE_KEYS = ['type', 'error_type', '__type'] as const;

function readRecord(record: Record<string, unknown>, levels: number): Told {
  const own = {
    code: CODE_KEYS.map((key) => toWord(record[key])).find(Boolean),
    type: TYPE_KEYS.map((key) => toWord(record[key])).find(Boolean),
  };
  if (levels === 0) return own;
  const error = readValue(record['error'], levels - 1);
  const direct = MESSAGE_KEYS.map((key) => readValue(record[key], levels - 1)).find(hasWords);
  const nested =
    hasWords(error) || direct
      ? undefined
      : NESTED_KEYS.map((key) => record[key])
          .filter((value) => typeof value === 'object')
          .map((value) => readValue(value, levels - 1))
          .find(hasWords);
  const told = (hasWords(error) ? error : undefined) ?? direct ?? nested ?? readErrorKey(record);
  const upstream = readValue(toRecord(record['metadata'])['raw'], levels - 1);
  const rest = [
    // Spring and OAuth: a word in `error`, the sentence beside it.
    ...(typeof record['error'] === 'string' && direct?.message !== error.message ? [direct?.message] : []),
    upstream.message,
    // Xiaomi: only a word in `message`, the sentence in `param`.
    ...(/\s\S+\s/.test(String(record['param'])) ? [toText(record['param'])] : []),
  ];
  const parts = [told?.message, ...rest].filter((part) => part !== undefined);
  return {
    message: parts.length > 0 ? parts.join(': ') : undefined,
    code: told?.code ?? error.code ?? own.code,
    type: told?.type ?? error.type ?? own.type,
    generated: toText(record['failed_generation']) ?? told?.generated,
  };
}

const hasWords = ({ message, generated }: Told): boolean => message !== undefined || generated !== undefined;

function readValue(value: unknown, levels: number): Told {
  if (typeof value === 'string') return readText(value, levels);
  if (Array.isArray(value)) return readList(value, levels);
  return isRecord(value) && levels > 0 ? readRecord(value, levels) : {};
}

/** Ollama passes its runner's error on as a JSON document inside the text, and OpenRouter that of the upstream provider. */
function readText(text: string, levels: number): Told {
  const inner =
    text.trimStart().startsWith('{') && !hasMoreValues(text, MAX_VALUES) ? parseJson(text) : undefined;
  const told = isRecord(inner) && levels > 0 ? readRecord(inner, levels) : {};
  return hasWords(told) ? told : { message: toText(text) };
}

/** A list of texts, of errors, or of the places that a validation refuses (FastAPI). */
function readList(list: readonly unknown[], levels: number): Told {
  const told = list.map((entry) => readValue(entry, levels - 1));
  const lines = list.map((entry, index) => {
    const { loc } = toRecord(entry);
    // Only texts and numbers: joining anything else may fail.
    const place = Array.isArray(loc) ? loc.map(toWord).filter(Boolean).join('.') : undefined;
    return [place, told[index]?.message].filter(Boolean).join(': ');
  });
  return { message: toText(lines.filter(Boolean).join('; ')), code: told[0]?.code };
}

/** Ollama once put the sentence under a key that was meant as its beginning: `{"error parsing tool call": "…"}`. */
function readErrorKey(record: Record<string, unknown>): Told | undefined {
  const found = Object.entries(record).find(
    ([key, value]) => /^error\b/i.test(key) && key.includes(' ') && toText(value) !== undefined,
  );
  return found && { message: found.join(': ') };
}

/**
 * Whether a 2xx body is an error document, or a list that begins with one (Gemini): `{error}` or `{object: "error"}`. An
 * `error` that is null, '' or false, as some relays add to every reply, is none.
 */
export function isErrorDocument(body: unknown): boolean {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return isRecord(first) && (Boolean(first['error']) || first['object'] === 'error');
}

/** Whether a document that is no reply says that something went wrong. The same words beside a reply or a success mean nothing. */
export function tellsError(document: unknown): boolean {
  if (!isRecord(document) || isReply(document)) return false;
  const { message, code } = readRecord(document, MAX_LEVELS);
  if (message === undefined || document['success'] === true) return false;
  return document['success'] === false || !(SUCCESS.test(code ?? '') || SUCCESS.test(message));
}

function isReply(document: Record<string, unknown>): boolean {
  const isFilled = (key: string): boolean => Array.isArray(document[key]) && document[key].length > 0;
  const isNamed = document['type'] === 'message' || document['object'] === 'response';
  return isNamed || document['done'] !== undefined || isRecord(document['message']) || LISTS.some(isFilled);
}

/** Lists of the replies of chats, of embeddings, and of models. */
const LISTS = ['choices', 'data', 'embedding', 'embeddings', 'models'] as const;
const SUCCESS = /^(?:0|2\d\d|ok|success(?:ful|fully)?|succeed(?:ed)?)$/i;

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

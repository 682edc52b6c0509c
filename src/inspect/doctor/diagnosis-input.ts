// Input of a diagnosis: the finished turn, the tools, and the settings of the lane; with helpers that all parts of the
// diagnosis share. Pure.
import { t } from '@vscode/l10n';
import type {
  ChatTurn,
  Exchange,
  Finding,
  FindingEvidence,
  FoundWords,
  RescueReport,
  SamplingParams,
  ServerName,
  ToolType,
} from '../../types';
import type { ProtocolEntry } from '../find-protocol';
import { findProtocol } from '../find-protocol';
import { parseRecord } from '../json-record';
import { isRecord } from '../../library';

/** A finished turn, and what is known about how it was asked. What rescue knows is passed in as functions. */
export interface DiagnosisInput {
  /** The protocols that there are, by which the request is understood. */
  catalog: readonly ProtocolEntry[];
  turn: ChatTurn;
  /** The tools that were offered. */
  tools: readonly ToolType[];
  /** Names of the playground's tools that were not offered. */
  idleTools: readonly string[];
  setting: RunSetting;
  /** Schema violations of each call's arguments by the index of the call; `path` is a JSON Pointer. */
  schemaIssues: Readonly<Record<number, readonly { path: string; message: string }[]>>;
  /** Returns the offered tools with similar names, the nearest first. */
  nearestTools: (name: string) => readonly string[];
  /** Whether the model generated tokens of which nothing arrived. */
  cameToNothing: (turn: ChatTurn) => boolean;
  /** Says how servers return the calls of this format natively; how that server does it, if it is known which one answered. */
  nativeHint: (format: string, server: ServerName | undefined) => string | undefined;
  /** Reads calls from a text in the same way as rescue. */
  readText: (text: string) => Pick<RescueReport, 'calls'>;
  /** Finds the markup tokens in a text. */
  findMarkup: (text: string) => { token: string; start: number; end: number; isReasoning: boolean }[];
}

/** The settings of the lane and its connection when the run began. */
export interface RunSetting {
  /** The sampling of the lane, merged over that of the connection. */
  sampling: SamplingParams;
  /** The lane's `raw`. */
  raw: Readonly<Record<string, unknown>>;
  /** The lane's tool choice; `tool` when it names one. */
  toolChoice?: 'auto' | 'none' | 'required' | 'tool' | undefined;
  /** Whether the connection turns rescue off, regardless of the lane. */
  isRescueOff: boolean;
  /** Neutral key → key of this back end, or null when the back end has none. */
  keys: Readonly<Record<string, string | null>>;
  /** Key of the tool choice in requests to this back end, or null when it has none. */
  toolChoiceKey: string | null;
  /** A connection to the same server through its other protocol. */
  otherSide?: { connectionId: string; label: string } | undefined;
}

/** Settings of a lane that sets nothing, with an unknown back end. */
export const NO_SETTING: RunSetting = {
  sampling: {},
  raw: {},
  isRescueOff: false,
  keys: {},
  toolChoiceKey: null,
};

/** Request and response of a chat in a protocol of the catalog. */
export interface ChatWire {
  protocol: ProtocolEntry;
  body: Record<string, unknown>;
  /** Who answered; undefined when the response does not show it. */
  server: ServerName | undefined;
}

/** @returns undefined for requests of other providers, whose format is unknown */
export function readChatWire(
  catalog: readonly ProtocolEntry[],
  exchange: Pick<Exchange, 'request' | 'response'>,
): ChatWire | undefined {
  const protocol = findProtocol(catalog, exchange.request);
  // The bodies of other protocols have keys that are not known here.
  const body = protocol?.client && parseRecord(exchange.request.body);
  if (!protocol || !body) return undefined;
  return { protocol, body, server: protocol.client === 'ollama' ? 'ollama' : findServer(exchange) };
}

/** What the findings about a run without a reply are made from. */
export interface Failure {
  words: FoundWords;
  setting: RunSetting;
  /** Undefined for a request of an unknown format. */
  wire: ChatWire | undefined;
}

/** Whether this is the side of Ollama that speaks the protocol of others. */
export const isOllamaHosted = (wire: ChatWire | undefined): boolean =>
  wire?.server === 'ollama' && wire.protocol.client !== 'ollama';

/** In UTF-16 code units; servers name themselves at the beginning. */
const MAX_HEAD = 10_000;

const SIGNS: readonly (readonly [ServerName, RegExp])[] = [
  // On /v1, also where it passes on the error of the llama-server that it runs.
  ['ollama', /"system_fingerprint"\s*:\s*"fp_ollama"|"(?:error|message)"\s*:\s*"\{\\"error\\"/],
  ['llama-server', /"system_fingerprint"\s*:\s*"b\d+-|"timings"\s*:\s*\{[^}]*"predicted_per_second"/],
];

/** Who answered, by its own words. */
function findServer({ response }: Pick<Exchange, 'response'>): ServerName | undefined {
  if (!response) return undefined;
  const head = response.body.slice(0, MAX_HEAD);
  const [named] = SIGNS.find(([, sign]) => sign.test(head)) ?? [];
  if (named) return named;
  const isLlama = response.headers['server'] === 'llama.cpp';
  return isLlama ? 'llama-server' : undefined;
}

const MAX_QUOTED = 200;

/** Names a place in the request or the answer. @param path A JSON Pointer, or a name. */
export const inRequest = (path: string): string => t('request, {0}', `\`${path}\``);
export const inAnswer = (path: string): string => t('answer, {0}', `\`${path}\``);

/** @param value A text is quoted unchanged, any other value as JSON. */
export function quote(place: string, value: unknown): FindingEvidence {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return { place, quote: cutEnd(text, MAX_QUOTED) };
}

/** Quotes a part of a text with its surroundings. @param where Such as `reply`; the place is given in characters, from 1. */
export function quotePart(where: string, text: string, start: number, end: number): FindingEvidence {
  const around = Math.max(0, Math.floor((80 - (end - start)) / 2));
  const from = toStart(text, Math.max(0, start - around));
  const to = toStart(text, Math.min(text.length, end + around));
  const before = from > 0 ? '…' : '';
  const shown = cutEnd(text.slice(from, to), MAX_QUOTED - 2);
  const after = to < text.length && !shown.endsWith('…') ? '…' : '';
  return {
    place:
      end > start + 1
        ? t('{0}, characters {1} to {2}', where, start + 1, end)
        : t('{0}, character {1}', where, start + 1),
    quote: `${before}${shown}${after}`,
  };
}

function cutEnd(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, toStart(text, length - 1))}…`;
}

/** Moves the index back if it would split a surrogate pair. */
const toStart = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at - 1 : at;

/** Formats names as code: text between backticks is shown as code. */
export const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Whether the request ends with a tool result: a reply to one need not call a tool again. False for a body that is no JSON. */
export function answersResults({ exchange }: ChatTurn): boolean {
  const { messages, input } = parseRecord(exchange.request.body) ?? {};
  const history = messages ?? input;
  const last: unknown = Array.isArray(history) ? history.at(-1) : undefined;
  if (!isRecord(last)) return false;
  const { role, type, content } = last;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const hasResult = parts.some((part) => isRecord(part) && part['type'] === 'tool_result');
  return role === 'tool' || type === 'function_call_output' || hasResult;
}

/** The word in which a server of this protocol says why a reply ended. */
export const quoteFinish = ({ protocol }: ChatWire, reason: string): FindingEvidence =>
  quote(inAnswer(protocol.replyPlaces.finishReason), protocol.finishWords?.[reason] ?? reason);

export const RANK: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, info: 2 };

// What a diagnosis is made of: the finished turn, what was offered, how its lane was set; and what all parts of it share.
// Pure.
import { t } from '@vscode/l10n';
import type {
  ChatTurn,
  Exchange,
  Finding,
  FindingEvidence,
  RescueReport,
  SamplingParams,
  ToolType,
} from '../../types';
import { CHAT_PATHS } from '../copy/copy-forms';
import { isRecord } from '../copy/neutral-request';

export interface DiagnosisInput {
  turn: ChatTurn;
  /** Those that were offered. */
  tools: readonly ToolType[];
  /** The names of those that the playground has and did not offer. */
  idleTools: readonly string[];
  setting: RunSetting;
  /** How the arguments of a call break the schema of its tool, by its index: JSON pointers and what is wrong there. */
  schemaIssues: Readonly<Record<number, readonly { path: string; message: string }[]>>;
  /** Offered tools with names like this one, the nearest first. */
  nearestTools: (name: string) => readonly string[];
  /** Whether the model wrote and nothing of it arrived. */
  cameToNothing: (turn: ChatTurn) => boolean;
  /** How a server would parse this format natively, in one sentence. */
  nativeHint: (format: string) => string | undefined;
  /** Reads calls from a text, as rescue does. */
  readText: (text: string) => Pick<RescueReport, 'calls'>;
  /** The tokens of markup that stand in a text. */
  findMarkup: (text: string) => { token: string; start: number; end: number; isReasoning: boolean }[];
}

/** How the lane and its connection were set when the run began. */
export interface RunSetting {
  /** Of the lane over that of the connection. */
  sampling: SamplingParams;
  /** Of the lane. */
  raw: Readonly<Record<string, unknown>>;
  /** Of the lane, as far as it is one of the words. */
  toolChoice?: 'auto' | 'none' | 'required' | 'tool' | undefined;
  /** The connection turns rescue off, whatever the lane says. */
  isRescueOff: boolean;
  /** Neutral key → this back end's key, null where it has no word for it. */
  keys: Readonly<Record<string, string | null>>;
  hasToolChoice: boolean;
  /** A connection to the same server by its other protocol. */
  otherSide?: { connectionId: string; label: string } | undefined;
}

/** Of a lane that sets nothing, on a back end of which nothing is known. */
export const NO_SETTING: RunSetting = {
  sampling: {},
  raw: {},
  isRescueOff: false,
  keys: {},
  hasToolChoice: false,
};

/** The request and the answer of a chat in one of the two protocols. */
export interface ChatWire {
  side: keyof typeof CHAT_PATHS;
  body: Record<string, unknown>;
  /** Ollama's own word for itself on its `/v1` side. */
  isOllamaHosted: boolean;
}

/** @returns undefined for what other providers send, which has words of its own */
export function readChatWire({
  request,
  response,
}: Pick<Exchange, 'request' | 'response'>): ChatWire | undefined {
  const [path = ''] = request.url.split(/[?#]/, 1);
  const side = (['hosted', 'local'] as const).find((one) => CHAT_PATHS[one].test(path));
  const body = side && parseRecord(request.body);
  if (!side || !body) return undefined;
  const head = response?.body.slice(0, 10_000) ?? '';
  return { side, body, isOllamaHosted: /"system_fingerprint"\s*:\s*"fp_ollama"/.test(head) };
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const MOST_QUOTED = 200;

/** @param value Text as it is; anything else as JSON. */
export function quote(place: string, value: unknown): FindingEvidence {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return { place, quote: cutEnd(text, MOST_QUOTED) };
}

/** A part of a text with what stands around it. @param where Such as `reply`; the place is told in characters, from 1. */
export function quotePart(where: string, text: string, start: number, end: number): FindingEvidence {
  const around = Math.max(0, Math.floor((80 - (end - start)) / 2));
  const from = toStart(text, Math.max(0, start - around));
  const to = Math.min(text.length, end + around);
  const before = from > 0 ? '…' : '';
  const shown = cutEnd(text.slice(from, to), MOST_QUOTED - 2);
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

/** Never between the two halves of a character. */
const toStart = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at - 1 : at;

/** Text between backticks is code. */
export const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Whether the conversation that was sent ends with results of tools: a reply to them may well make no call. */
export const answersResults = ({ exchange }: ChatTurn): boolean =>
  /"role":\s*"tool"/.test(exchange.request.body);

export const RANK: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, info: 2 };

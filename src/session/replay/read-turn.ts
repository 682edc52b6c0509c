// Reads one recorded exchange as a turn of a conversation: what the model was asked, and what it did. Pure.
import { t } from '@vscode/l10n';
import { isRecord, parseJson, PROVIDER_CATALOG, rescueToolCalls } from '../../library';
import type { CatalogEntry } from '../../library';
import type { FormNote, Message, NeutralRequest, RecordedExchange } from '../../types';
import { hostOf } from '../open-request/open-request';
import { callsTool } from './calls-tool';

export interface ReplayedCall {
  /** '' for a call that was written as text. */
  id: string;
  name: string;
  arguments: unknown;
  /** The text of its arguments is not JSON, so that nobody knows what they were. */
  isLost?: boolean;
}

export interface ReplayedReply {
  content: string;
  calls: readonly ReplayedCall[];
}

export interface ReplayedTurn {
  /** The protocol in which it was asked. */
  entry: CatalogEntry;
  /** Base address of the server. */
  host: string | undefined;
  /** May have secrets in its texts, as the program sent them. Offers the functions alone where it offered other tools, too. */
  neutral: NeutralRequest;
  /** Names of those other tools, such as one of the server itself. */
  otherTools: string[];
  /** What of the request has no place in a playground. */
  notes: FormNote[];
  /** Absent when there is none that can be read; then `problem` says why, in a phrase. */
  reply?: ReplayedReply | undefined;
  problem?: string | undefined;
}

/** @returns undefined when the request is no chat, or was not recorded as a whole */
export function readTurn(exchange: RecordedExchange): ReplayedTurn | undefined {
  const { url, body: text, omittedBytes, isBase64 } = exchange.request;
  const entry = PROVIDER_CATALOG.find(({ id }) => id === exchange.protocol);
  const body = omittedBytes === undefined && !isBase64 ? parseJson(text) : undefined;
  if (!entry || !isRecord(body)) return undefined;
  const whole = readNotes(entry, body);
  // One tool without a neutral form keeps all of them from having one.
  const { functions, others } =
    whole.neutral.tools.length > 0 ? ONLY_FUNCTIONS : sortTools(entry, body['tools']);
  const { neutral, notes } = others.length > 0 ? readNotes(entry, { ...body, tools: functions }) : whole;
  const reply = readReply(exchange, entry, { neutral, others });
  return {
    entry,
    host: hostOf(url, entry, false),
    neutral,
    otherTools: others,
    notes,
    ...(typeof reply === 'string' ? { problem: reply } : { reply }),
  };
}

function readNotes(
  entry: CatalogEntry,
  body: Record<string, unknown>,
): { neutral: NeutralRequest; notes: FormNote[] } {
  const notes: FormNote[] = [];
  return { neutral: entry.readRequest({ body, isStreaming: true, notes }), notes };
}

interface SortedTools {
  functions: unknown[];
  /** Names. */
  others: string[];
}

const ONLY_FUNCTIONS: SortedTools = { functions: [], others: [] };

/** Only functions can be offered in every protocol. Where there is none, nothing is sorted out. */
function sortTools(entry: CatalogEntry, tools: unknown): SortedTools {
  if (!Array.isArray(tools)) return ONLY_FUNCTIONS;
  const isFunction = (tool: unknown): boolean => readNotes(entry, { tools: [tool] }).neutral.tools.length > 0;
  const functions = tools.filter(isFunction);
  const others = tools.filter((tool) => !functions.includes(tool)).map(nameOf);
  return functions.length === 0 ? ONLY_FUNCTIONS : { functions, others };
}

/** Tools of the server itself may have a type alone. */
function nameOf(tool: unknown): string {
  const { name, type, custom } = isRecord(tool) ? tool : {};
  const own = isRecord(custom) ? custom['name'] : name;
  return [own, type].find((text) => typeof text === 'string' && text !== '')?.toString() ?? '?';
}

/** What the program received. @returns a phrase that says why there is nothing to read */
function readReply(
  { response, repaired }: RecordedExchange,
  entry: CatalogEntry,
  { neutral: { tools, toolChoice }, others }: { neutral: NeutralRequest; others: readonly string[] },
): ReplayedReply | string {
  if (!response) return t('the server did not answer');
  const { status, isBase64, omittedBytes } = response;
  if (status !== undefined && (status < 200 || status >= 300))
    return t('the server answered with status {0}', status);
  if (omittedBytes !== undefined) return t('the reply was not recorded as a whole');
  const received = isBase64 ? Buffer.from(response.body, 'base64').toString('utf8') : response.body;
  // Such a call is no call of a function, so the turn would look as if it had none.
  const called = others.find((name) => callsTool(received, name));
  if (called !== undefined) return t('its reply calls {0}, which is no function', called);
  const names = tools.map(({ name }) => name);
  const read = entry.readReply(repaired?.body ?? received, names);
  if (read.problem !== undefined) return t('its reply cannot be read: {0}', read.problem);
  const { raw, toolCalls } = read;
  const { content, finishReason } = raw;
  const native = raw.toolCalls.map(({ id, name, arguments: args }, index): ReplayedCall => ({
    id,
    name,
    arguments: args,
    ...(toolCalls[index]?.parseError !== undefined && { isLost: true }),
  }));
  const isText = native.length === 0 && tools.length > 0 && toolChoice !== 'none';
  const rescued = isText ? rescueToolCalls(content, tools, { finishReason }).calls : [];
  const calls = rescued.map(({ name, arguments: args }): ReplayedCall => ({
    id: '',
    name,
    arguments: args,
  }));
  return { content, calls: [...native, ...calls] };
}

/** The reply as a message of the conversation that goes on with it. */
export const toReplyMessage = ({ content, calls }: ReplayedReply): Message => ({
  role: 'assistant',
  content,
  ...(calls.some(({ id }) => id !== '') && {
    toolCalls: calls.map(({ id, name, arguments: args }) => ({
      id,
      name,
      arguments: args,
      source: 'native',
    })),
  }),
});

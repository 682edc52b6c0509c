// Reads one recorded exchange as a turn of a conversation: what the model was asked, and what it did. Pure.
import { t } from '@vscode/l10n';
import { isRecord, parseJson, PROVIDER_CATALOG, rescueToolCalls } from '../../library';
import type { CatalogEntry } from '../../library';
import type { FormNote, Message, NeutralRequest, RecordedExchange } from '../../types';
import { hostOf } from '../open-request/open-request';

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
  /** May have secrets in its texts, as the program sent them. */
  neutral: NeutralRequest;
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
  const notes: FormNote[] = [];
  const neutral = entry.readRequest({ body, isStreaming: true, notes });
  const reply = readReply(exchange, entry, neutral);
  return {
    entry,
    host: hostOf(url, entry, false),
    neutral,
    notes,
    ...(typeof reply === 'string' ? { problem: reply } : { reply }),
  };
}

/** What the program received. @returns a phrase that says why there is nothing to read */
function readReply(
  { response, repaired }: RecordedExchange,
  entry: CatalogEntry,
  { tools, toolChoice }: NeutralRequest,
): ReplayedReply | string {
  if (!response) return t('the server did not answer');
  const { status, isBase64, omittedBytes } = response;
  if (status !== undefined && (status < 200 || status >= 300))
    return t('the server answered with status {0}', status);
  if (omittedBytes !== undefined) return t('the reply was not recorded as a whole');
  const received = isBase64 ? Buffer.from(response.body, 'base64').toString('utf8') : response.body;
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

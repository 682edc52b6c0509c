// Decides whether a reply may be repaired, and opens its repair. Pure.
import type { CatalogEntry } from '../../library';
import type { RepairHindrance } from '../../types';
import type { Fields } from '../header-fields';
import type { RecordedChat } from '../read-chat';
import { chatCompletionsWire } from './chat-completions-wire';
import { ollamaWire } from './ollama-wire';
import { MessagesWire } from './messages-wire';
import type { RepairWire } from './repair-wire';
import type { ReplyRepair } from './reply-repair';
import { ResponsesWire } from './responses-wire';
import { StreamRepair } from './stream-repair';
import { WholeRepair } from './whole-repair';

/** By the end of the path of a chat request. */
const WIRES: Readonly<Record<string, () => RepairWire>> = {
  '/chat/completions': chatCompletionsWire,
  '/api/chat': ollamaWire,
  '/messages': () => new MessagesWire(),
  '/responses': () => new ResponsesWire(),
};

/** Whether replies to such a request can be repaired; its reply must then not be compressed. */
export const isRepairable = (protocol: CatalogEntry | undefined): boolean =>
  protocol !== undefined && Object.hasOwn(WIRES, protocol.chatPath);

const KINDS: readonly [RegExp, 'events' | 'lines' | 'whole'][] = [
  [/^text\/event-stream\b/i, 'events'],
  [/^application\/x-ndjson\b/i, 'lines'],
  [/^application\/json\b/i, 'whole'],
];

export interface OpenedRepair {
  repair?: ReplyRepair | undefined;
  hindrance?: RepairHindrance | undefined;
}

/** @returns neither for what is to be passed on as it is, such as an error, or a reply to a request without tools */
export function openRepair(
  protocol: CatalogEntry,
  chat: RecordedChat | undefined,
  { status, fields }: { status: number; fields: Fields },
): OpenedRepair {
  const open = WIRES[protocol.chatPath];
  const type = String(fields['content-type'] ?? '');
  const [, kind] = KINDS.find(([pattern]) => pattern.test(type)) ?? [];
  if (!open || !kind || status !== 200) return {};
  if (!chat) return { hindrance: 'request-unread' };
  // Whoever forbids calls wants none, however they are written.
  if (chat.forbidsCalls || chat.tools.length === 0) return {};
  const isPlain = fields['content-encoding'] === undefined || fields['content-encoding'] === 'identity';
  if (!isPlain) return { hindrance: 'compressed' };
  const options = { tools: chat.tools, readReply: protocol.readReply, wire: open() };
  return { repair: kind === 'whole' ? new WholeRepair(options) : new StreamRepair({ ...options, kind }) };
}

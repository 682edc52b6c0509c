// Sorts the exchanges of a recording into the conversations of programs. Pure.
import { isRecord, parseJson, PROVIDER_CATALOG } from '../../library';
import type { RecordedExchange } from '../../types';
import { taskOf } from './task-of';

export interface RecordedConversation {
  program: string;
  model: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** What the person asked first; '' where it cannot be read. */
  opening: string;
  exchanges: RecordedExchange[];
}

/** How much the lengths of two bodies with the same messages may differ: an id or a date may be in them. */
const MAX_DIFFERENCE = 2_000;

/**
 * @param exchanges Those of one recording. A program that is started again with the same task begins a conversation of its own.
 * @returns in the order in which they began
 */
export function recordedConversations(exchanges: readonly RecordedExchange[]): RecordedConversation[] {
  const latest = new Map<number, RecordedConversation>();
  const all: RecordedConversation[] = [];
  for (const exchange of exchanges.toSorted((one, other) => one.number - other.number)) {
    const { session, protocol, program, model = '', startedAt } = exchange;
    if (session === undefined || protocol === undefined) continue;
    const known = latest.get(session);
    if (known && !beginsAgain(known.exchanges, exchange)) known.exchanges.push(exchange);
    else {
      const opening = openingOf(exchange);
      const made = { program, model, startedAt, opening, exchanges: [exchange] };
      latest.set(session, made);
      all.push(made);
    }
  }
  return all;
}

/** The same messages as in the first request, after others: a retry comes before the conversation goes on. */
function beginsAgain(before: readonly RecordedExchange[], { request }: RecordedExchange): boolean {
  const [first] = before;
  if (!first || Math.abs(first.request.body.length - request.body.length) > MAX_DIFFERENCE) return false;
  const messages = messagesOf(first.request.body);
  return (
    messages === messagesOf(request.body) &&
    before.some(({ request: { body } }) => messagesOf(body) !== messages)
  );
}

function messagesOf(body: string): string {
  const value = parseJson(body);
  if (!isRecord(value)) return '';
  const { messages, input, previous_response_id: previous = null } = value;
  return JSON.stringify([messages ?? input, previous]);
}

function openingOf({ protocol, request }: RecordedExchange): string {
  const entry = PROVIDER_CATALOG.find(({ id }) => id === protocol);
  const body = parseJson(request.body);
  const asked = entry && isRecord(body) ? entry.readRequest({ body, notes: [] }).messages : [];
  return taskOf(asked);
}

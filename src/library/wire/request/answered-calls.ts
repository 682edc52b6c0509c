// Gives every call of a history the result that servers demand, at the place where they demand it. Independent of protocols.
import type { Message } from '../../../types';

/** A message as it is sent. */
export interface PlacedMessage {
  message: Message;
  /** In the history; of a made-up result that of the message with its call. */
  index: number;
  /** The history has no result of this call. */
  isMadeUp?: true;
  /** Other messages stand between this result and its calls in the history. */
  isMoved?: true;
}

/** The words for the model where the history has none. */
const NO_RESULT = 'The call has no result: it was cancelled.';

/** Every message at its place in the history. */
export const placeAsGiven = (messages: readonly Message[]): PlacedMessage[] =>
  messages.map((message, index) => ({ message, index }));

/**
 * Services refuse a request in which a call has no result, as after a run that was stopped. Calls at the end of the history stay
 * as they are: nothing says yet that they were given up.
 * @param messages With the ids of their calls; see `linkToolResults`.
 * @param isTogether Whether all results of a turn stand directly after its calls.
 */
export function answerAllCalls(messages: readonly Message[], isTogether: boolean): PlacedMessage[] {
  const turns = findTurns(messages);
  const moved = new Set(isTogether ? turns.flatMap((turn) => turn.late) : []);
  const inserted = new Map(
    turns.map((turn): [number, PlacedMessage[]] => {
      const late = isTogether ? turn.late.flatMap((index) => toMoved(messages, index)) : [];
      const isLast = turn.index === messages.length - 1;
      return [turn.end, [...late, ...(isLast ? [] : toMadeUp(turn))]];
    }),
  );
  const own = messages.map((message, index): PlacedMessage[] => [
    ...(inserted.get(index) ?? []),
    ...(moved.has(index) ? [] : [{ message, index }]),
  ]);
  return [...own.flat(), ...(inserted.get(messages.length) ?? [])];
}

/** A message with calls. */
interface Turn {
  index: number;
  /** Index after the calls and the results that stand directly after them. */
  end: number;
  /** Indices of the results that follow later. */
  late: number[];
  /** How many calls with an id have no result. */
  open: Map<string, number>;
}

function findTurns(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  const byId = new Map<string, Turn>();
  for (const [index, { role, toolCalls = [], toolCallId = '' }] of messages.entries()) {
    if (role === 'assistant' && toolCalls.length > 0) {
      const turn: Turn = { index, end: index + 1, late: [], open: new Map() };
      turns.push(turn);
      for (const { id } of toolCalls) {
        turn.open.set(id, (turn.open.get(id) ?? 0) + 1);
        byId.set(id, turn);
      }
    }
    const turn = role === 'tool' ? byId.get(toolCallId) : undefined;
    const left = turn?.open.get(toolCallId) ?? 0;
    if (!turn || left === 0) continue;
    turn.open.set(toolCallId, left - 1);
    if (index === turn.end) turn.end += 1;
    else turn.late.push(index);
  }
  return turns;
}

const toMoved = (messages: readonly Message[], index: number): PlacedMessage[] => {
  const message = messages[index];
  return message ? [{ message, index, isMoved: true }] : [];
};

const toMadeUp = ({ index, open }: Turn): PlacedMessage[] =>
  [...open].flatMap(([toolCallId, count]) =>
    Array.from({ length: count }, (): PlacedMessage => ({
      message: { role: 'tool', content: NO_RESULT, toolCallId, isError: true },
      index,
      isMadeUp: true,
    })),
  );

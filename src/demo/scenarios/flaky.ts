// A model that is right in 7 of 10 cases: which ones depends on the seed and the message, so that a repeat with the same seed
// repeats the reply, and ten seeds in a row show all that it does. Where a protocol has no seed, ten requests in a row do.
import { lastUserText } from '../model/conversation';
import { nativeTurn, toDemoCall } from '../model/model-steps';
import { toTextTurn } from '../model/scenario';
import type { DemoCall, DemoRequest, DemoTurn, Scenario } from '../model/scenario';
import { toHermesText } from '../model/tool-call-text';
import { proseOnly } from './prose-only';

const CASES = 10;

/** What goes wrong in three of ten cases. */
const FAULTS: ReadonlyMap<number, (turn: DemoTurn, request: DemoRequest) => DemoTurn> = new Map([
  [2, (turn) => ({ ...turn, toolCalls: turn.toolCalls.map(embellish) })],
  [5, (_turn, request) => proseOnly.reply(request) as DemoTurn],
  [8, (turn) => toTextTurn(breakOff(turn.toolCalls))],
]);

export const flaky: Scenario = {
  name: 'flaky',
  summary: 'Calls tools natively and is wrong in 3 of 10 cases, depending on the seed.',
  reply: (request) => {
    const turn = nativeTurn(request);
    if (turn.toolCalls.length === 0) return turn;
    const fault = FAULTS.get(caseOf(request));
    return fault ? fault(turn, request) : turn;
  },
};

function caseOf({ messages, sampling: { seed = 0 } }: DemoRequest): number {
  let sum = Math.abs(Math.trunc(seed)) % CASES;
  for (const character of lastUserText(messages)) sum += character.codePointAt(0) ?? 0;
  return sum % CASES;
}

/** Adds to the first text that the message has said already: `Oslo, as you asked`. */
function embellish({ name, argumentsText }: DemoCall): DemoCall {
  const args = JSON.parse(argumentsText) as Record<string, unknown>;
  const [key] = Object.entries(args).find(([, value]) => typeof value === 'string') ?? [];
  if (key === undefined) return { name, argumentsText };
  return toDemoCall({ name, arguments: { ...args, [key]: `${String(args[key])}, as you asked` } });
}

/** The call as text that ends in the middle of the last argument. */
function breakOff(calls: readonly DemoCall[]): string {
  const text = toHermesText(calls);
  return text.slice(0, text.lastIndexOf('": "') + 5);
}

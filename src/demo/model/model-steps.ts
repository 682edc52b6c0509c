// The steps of which the scripted models are composed. Pure, independent of protocols.
import type { ToolType } from '../../types';
import { answerFromResults } from './answer-from-result';
import { bestCall, fittingCalls } from './call-from-message';
import type { MadeCall } from './call-from-message';
import { lastUserText, pendingResults } from './conversation';
import { toTextTurn } from './scenario';
import type { DemoCall, DemoFailure, DemoRequest, DemoTurn } from './scenario';

/**
 * Long enough that requests which start together overlap, because overlap is how the server distinguishes callers with the
 * same body.
 */
const RATE_LIMIT_DELAY_MS = 120;

/** Chooses the calls for a message; none when no tools are offered. */
type ChooseCalls = (message: string, tools: readonly ToolType[]) => readonly MadeCall[];

/**
 * Native calls for the last user message, as `choose` makes them; an answer when the conversation ends in tool results.
 * @param choose By default, calls every tool that fits.
 */
export function nativeTurn(request: DemoRequest, choose: ChooseCalls = fittingCalls): DemoTurn {
  const answer = answerTurn(request);
  if (answer) return answer;
  const calls = choose(lastUserText(request.messages), request.tools);
  if (calls.length === 0) return noToolTurn();
  return { kind: 'turn', content: '', toolCalls: calls.map((call) => toDemoCall(call)) };
}

/** The best-fitting call, written as text by `write`; an answer when the conversation ends in tool results. */
export function writtenTurn(request: DemoRequest, write: (call: MadeCall) => string): DemoTurn {
  const call = bestCall(lastUserText(request.messages), request.tools);
  return answerTurn(request) ?? (call ? toTextTurn(write(call)) : noToolTurn());
}

function answerTurn(request: DemoRequest): DemoTurn | undefined {
  const results = pendingResults(request.messages);
  return results.length > 0 ? toTextTurn(answerFromResults(results)) : undefined;
}

function noToolTurn(): DemoTurn {
  return toTextTurn('No tool is offered, so I can only answer in words.');
}

export function toDemoCall(call: MadeCall): DemoCall {
  return { name: call.name, argumentsText: writeSpaced(call.arguments) };
}

/** An error with status 429. @param retryAfterS Seconds that the server asks to wait; absent: it names no wait. */
export function rateLimit(request: DemoRequest, retryAfterS?: number): DemoFailure {
  const wait = retryAfterS === undefined ? 'Please try again later.' : `Please try again in ${retryAfterS}s.`;
  return {
    kind: 'failure',
    status: 429,
    message: `Rate limit reached for ${request.model}. ${wait}`,
    type: 'requests',
    code: 'rate_limit_exceeded',
    headers: retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) },
    delayMs: RATE_LIMIT_DELAY_MS,
  };
}

/** JSON with a space after colons and commas, as models and chat templates write it. */
function writeSpaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeSpaced(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writeSpaced(item)}`);
  return `{${members.join(', ')}}`;
}

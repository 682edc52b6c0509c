// The steps the scripted models are put together from. Pure; it knows no protocol.
import type { ToolType } from '../types';
import { answerFromResults } from './answer-from-result';
import { bestCall, fittingCalls } from './call-from-message';
import type { MadeCall } from './call-from-message';
import { lastUserText, pendingResults } from './conversation';
import { toTextTurn } from './scenario';
import type { DemoCall, DemoFailure, DemoRequest, DemoTurn } from './scenario';

/**
 * Long enough that requests which start together overlap: that is how the server tells two callers of the same body
 * apart.
 */
const RATE_LIMIT_DELAY_MS = 120;

/** Chooses the calls that a message asks for; none when no tool is offered. */
type ChooseCalls = (message: string, tools: readonly ToolType[]) => readonly MadeCall[];

/**
 * Native calls for the last user message, as `choose` makes them; an answer when tools have just answered.
 * By default: every tool that fits.
 */
export function nativeTurn(request: DemoRequest, choose: ChooseCalls = fittingCalls): DemoTurn {
  const answer = answerTurn(request);
  if (answer) return answer;
  const calls = choose(lastUserText(request.messages), request.tools);
  if (calls.length === 0) return noToolTurn();
  return { kind: 'turn', content: '', toolCalls: calls.map((call) => toDemoCall(call)) };
}

/** The best-fitting call as `write` puts it into text; an answer when tools have just answered. */
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

/** A 429. With `retryAfterS`, seconds, the server names the wait. */
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

/** JSON with a space after colons and commas, the way models and chat templates write it. */
function writeSpaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeSpaced(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writeSpaced(item)}`);
  return `{${members.join(', ')}}`;
}

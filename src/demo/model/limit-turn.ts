// Truncates a turn at the limits of the request: stop sequences and the token limit. Pure, independent of protocols.
import type { SamplingParams } from '../../types';
import type { DemoCall, DemoTurn } from './scenario';
import { CHARACTERS_PER_TOKEN } from './tokens';

/**
 * The turn up to its limits. As in both servers, a limit of 0 tokens allows one token, and a negative one is unlimited. A
 * call that is cut inside its arguments stays, with incomplete JSON; one that is cut inside its name is dropped.
 */
export function limitTurn(turn: DemoTurn, sampling: SamplingParams): DemoTurn {
  return cutAtTokens(cutAtStop(turn, sampling.stop ?? []), sampling.maxTokens);
}

/** The stop sequence itself is not part of the reply. */
function cutAtStop(turn: DemoTurn, stop: readonly string[]): DemoTurn {
  const [first] = stop
    .filter((sequence) => sequence !== '')
    .map((sequence) => ({ sequence, place: turn.content.indexOf(sequence) }))
    .filter(({ place }) => place >= 0)
    .toSorted((left, right) => left.place - right.place);
  if (first === undefined) return turn;
  const content = turn.content.slice(0, first.place);
  return { ...turn, content, toolCalls: [], stopSequence: first.sequence };
}

function cutAtTokens(turn: DemoTurn, maxTokens: number | undefined): DemoTurn {
  if (maxTokens === undefined || maxTokens < 0) return turn;
  let left = Math.max(1, Math.trunc(maxTokens)) * CHARACTERS_PER_TOKEN;
  let isCut = false;
  const take = (text: string): string => {
    const taken = text.length > left ? sliceWhole(text, left) : text;
    isCut ||= taken !== text;
    left -= taken.length;
    return taken;
  };
  const reasoning = turn.reasoning === undefined ? undefined : take(turn.reasoning);
  const content = take(turn.content);
  const toolCalls: DemoCall[] = [];
  for (const call of turn.toolCalls) {
    take(call.name);
    if (isCut) break;
    toolCalls.push({ ...call, argumentsText: take(call.argumentsText) });
  }
  return isCut ? { ...turn, reasoning, content, toolCalls, finishReason: 'length' } : turn;
}

/** A surrogate pair is never split; neither server splits a character. */
function sliceWhole(text: string, length: number): string {
  const slice = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(slice) ? slice.slice(0, -1) : slice;
}

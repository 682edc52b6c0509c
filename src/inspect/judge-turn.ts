// What came back, in one word: native, rescued, malformed or none. Pure.
import type { ChatTurn } from '../types';
import { countOf } from './count-words';

export interface TurnVerdict {
  kind: 'native' | 'rescued' | 'malformed' | 'none';
  detail: string;
}

/** Rejections that mean: the model tried to write a call and failed. */
const BROKEN = new Set(['truncated', 'malformed', 'invalid-arguments', 'no-arguments']);

export function judgeTurn(turn: ChatTurn, asked: { toolNames: readonly string[] }): TurnVerdict {
  const { raw, rescue, exchange, toolCalls } = turn;
  if (raw.toolCalls.length > 0) {
    const broken = exchange.toolCalls.filter(({ parseError }) => parseError !== undefined).length;
    if (broken > 0)
      return { kind: 'malformed', detail: `the arguments of ${countOf(broken, 'native call')} are not JSON` };
    return { kind: 'native', detail: countOf(raw.toolCalls.length, 'call') };
  }
  if (toolCalls.length > 0) return { kind: 'rescued', detail: rescueDetail(turn) };
  const would = rescue?.calls.length ?? 0;
  if (would > 0) return { kind: 'none', detail: `rescue is off; it would take ${rescueDetail(turn)}` };
  const broken = rescue?.rejected.find(({ reason }) => BROKEN.has(reason));
  if (broken) return { kind: 'malformed', detail: `left as text, ${broken.reason}` };
  if (rescue?.rejected[0]) return { kind: 'none', detail: `left as text, ${rescue.rejected[0].reason}` };
  const answer = raw.content === '' ? 'the reply is empty' : 'answered in prose';
  return { kind: 'none', detail: asked.toolNames.length > 0 ? answer : `${answer}, no tools were offered` };
}

function rescueDetail({ rescue }: ChatTurn): string {
  const formats = [...new Set(rescue?.calls.map(({ format }) => format))];
  return `${countOf(rescue?.calls.length ?? 0, 'call')}, ${formats.join(', ')}`;
}

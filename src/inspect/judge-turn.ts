// Judges a reply: native, rescued, malformed, none or answer. Pure.
import { t } from '@vscode/l10n';
import type { ChatTurn, Exchange, OutcomeKind } from '../types';
import { countOf } from './count-words';

/** How a reply came out, and a phrase that says why. */
export interface TurnVerdict {
  /** `none`: tools were offered and none was called. `answer`: the model answered, and no call was expected. */
  kind: OutcomeKind;
  detail: string;
}

/** Reasons of rejections that mean that the model tried to write a call and failed. */
const BROKEN = new Set(['truncated', 'malformed', 'invalid-arguments', 'no-arguments']);

/** What a turn is judged against. */
export interface TurnContext {
  toolNames: readonly string[];
  /** Number of calls in earlier replies to the same question, and how many of them were rescued. */
  callsBefore: { count: number; rescued: number };
}

/** The parts of a turn by which it is judged. */
export interface JudgedTurn extends Pick<ChatTurn, 'raw' | 'rescue' | 'toolCalls'> {
  exchange: Pick<Exchange, 'toolCalls' | 'toolChoice'>;
}

/** Judges by what the server sent and what rescue found in it. */
export function judgeTurn(turn: JudgedTurn, { toolNames, callsBefore }: TurnContext): TurnVerdict {
  const { raw, rescue, exchange, toolCalls } = turn;
  const nameless = exchange.toolCalls.filter(({ isNameless }) => isNameless).length;
  if (nameless > 0)
    return {
      kind: 'malformed',
      detail: countOf(nameless, t('{0} native call has no name'), t('{0} native calls have no name')),
    };
  if (raw.toolCalls.length > 0) {
    const broken = exchange.toolCalls.filter(({ parseError }) => parseError !== undefined).length;
    if (broken > 0)
      return {
        kind: 'malformed',
        detail: countOf(
          broken,
          t('the arguments of {0} native call cannot be read'),
          t('the arguments of {0} native calls cannot be read'),
        ),
      };
    const unknown = raw.toolCalls.filter(({ name }) => !toolNames.includes(name)).length;
    if (unknown > 0) return { kind: 'malformed', detail: describeUnknown(unknown) };
    return { kind: 'native', detail: countOf(raw.toolCalls.length, t('{0} call'), t('{0} calls')) };
  }
  if (toolCalls.length > 0) return { kind: 'rescued', detail: rescueDetail(turn) };
  const would = rescue?.calls.length ?? 0;
  if (would > 0) {
    const why = exchange.toolChoice?.choice === 'none' ? t('tool choice is none') : t('rescue is off');
    return { kind: 'none', detail: t('{0}; would be rescued: {1}', why, rescueDetail(turn)) };
  }
  const broken = rescue?.rejected.find(({ reason }) => BROKEN.has(reason));
  if (broken) return { kind: 'malformed', detail: t('left as text, {0}', broken.reason) };
  if (rescue?.rejected[0]) return { kind: 'none', detail: t('left as text, {0}', rescue.rejected[0].reason) };
  if (raw.content === '') return { kind: 'none', detail: t('the reply is empty') };
  if (callsBefore.count > 0) return { kind: 'answer', detail: describeCalls(callsBefore) };
  if (toolNames.length === 0) return { kind: 'answer', detail: t('no tools were offered') };
  return { kind: 'none', detail: t('answered in prose') };
}

const describeUnknown = (count: number): string =>
  countOf(
    count,
    t('{0} native call of a tool that was not offered'),
    t('{0} native calls of tools that were not offered'),
  );

/** Such as `after 1 call, rescued` or `after 3 calls, 2 rescued`. */
function describeCalls({ count, rescued }: TurnContext['callsBefore']): string {
  const after = countOf(count, t('after {0} call'), t('after {0} calls'));
  if (rescued === 0) return after;
  return rescued === count ? t('{0}, rescued', after) : t('{0}, {1} rescued', after, rescued);
}

function rescueDetail({ rescue }: JudgedTurn): string {
  const formats = [...new Set(rescue?.calls.map(({ format }) => format))];
  return `${countOf(rescue?.calls.length ?? 0, t('{0} call'), t('{0} calls'))}, ${formats.join(', ')}`;
}

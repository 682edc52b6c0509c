// The reason why a run cannot start, in one sentence. Pure.
import { t } from '@vscode/l10n';
import { DOCUMENT_LIMIT } from '../../src/protocol';
import type { RunKind } from '../../src/protocol';
import { cut } from '../components/controls/prose';
import type { PanelState } from '../state/panel-state';
import type { SessionState } from '../state/session-state';
import { laneOf } from '../state/session-state';
import { laneFieldProblem } from './lane-fields';
import { toolProblem } from '../tools/tool-problem';
import { callsOf, documentBlocker, isBusy, laneNumber, lastRun, lastSent, openCalls } from './lane-queries';

/** In characters, of a name that the model chose. */
const MAX_NAME = 80;

/**
 * Why *Run* is disabled for these lanes. A lane that is busy or cannot run does not prevent the others, so it only
 * counts when all lanes are affected.
 *
 * @param text Text of the message box.
 * @param kind An agent run answers open calls by itself.
 */
export function runBlocker(
  state: PanelState,
  laneIds: readonly string[],
  text: string,
  kind: RunKind = 'chat',
): string | undefined {
  const { session } = state;
  const problem = documentBlocker(session) ?? textBlocker(text);
  if (problem !== undefined) return problem;
  const idle = laneIds.filter((id) => !isBusy(session, id));
  if (idle.length === 0)
    return laneIds.length === 1 ? t('A run is under way.') : t('A run is under way in every lane.');
  const startable = runnable(state, laneIds);
  if (startable.length === 0) return laneBlocker(state, idle[0] ?? '');
  if (text.trim() !== '') return undefined;
  return concerned(state, laneIds, kind).length > 0 ? undefined : messageBlocker(session, startable);
}

/** The lanes among these in which a run without a message starts something. */
export function concerned(state: PanelState, laneIds: readonly string[], kind: RunKind): string[] {
  const { session, view } = state;
  const startable = runnable(state, laneIds);
  const found = startable.filter((id) => {
    const { next } = laneOf(session, id);
    return next !== undefined && (next !== 'results' || kind === 'agent');
  });
  // What is typed and not yet in the document may change what is sent; the session knows when it arrives.
  const isTyping = found.length === 0 && view.fields.size > 0;
  return isTyping ? startable.filter((id) => lastRun(laneOf(session, id))) : found;
}

/** Why nothing can run in this lane, whatever the message: what the session says, or something typed that does not parse. */
export function laneBlocker({ session, view }: PanelState, laneId: string): string | undefined {
  const unknown = session.environment ? undefined : t('The connections are not known yet.');
  const known = documentBlocker(session) ?? unknown ?? laneOf(session, laneId).blocker;
  const problem = known ?? toolProblem(view.fields, session.document?.tools ?? []);
  if (problem !== undefined) return problem;
  const field = laneFieldProblem(view.fields, laneId);
  return field && session.laneIds.length > 1 ? t('Lane {0}: {1}', laneNumber(session, laneId), field) : field;
}

/** Why this text cannot be sent to any lane. */
export const textBlocker = (text: string): string | undefined =>
  text.length > DOCUMENT_LIMIT.text
    ? t('The message is longer than 2,000,000 characters: shorten it.')
    : undefined;

/** One sentence for each lane that cannot run and is left out while others run. */
export function leftOut(state: PanelState, laneIds: readonly string[]): string[] {
  if (laneIds.length < 2) return [];
  return laneIds.flatMap((id) => (isBusy(state.session, id) ? [] : (laneBlocker(state, id) ?? [])));
}

/** The lanes among these in which a run would start. */
export function runnable(state: PanelState, laneIds: readonly string[]): string[] {
  return laneIds.filter((id) => !isBusy(state.session, id) && laneBlocker(state, id) === undefined);
}

function messageBlocker(session: SessionState, laneIds: readonly string[]): string {
  for (const id of laneIds) {
    const last = lastSent(laneOf(session, id));
    const open = last?.kind === 'run' ? openCalls(last)[0] : undefined;
    const call = last?.kind === 'run' && open !== undefined ? callsOf(last)[open] : undefined;
    if (call) return t('Give a result for `{0}`, or write a message.', cut(call.name, MAX_NAME));
  }
  if (session.document?.readOnly) return t('There is nothing to run.');
  return laneIds.some((id) => lastRun(laneOf(session, id)))
    ? t('Nothing has changed since the replies: write a message to run.')
    : t('Write a message to run.');
}

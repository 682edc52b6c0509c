// The reason why a run cannot start, in one sentence. Pure.
import { t } from '@vscode/l10n';
import { DOCUMENT_LIMIT } from '../../src/protocol';
import type { LaneEntry, RunKind } from '../../src/protocol';
import { cut } from '../components/controls/prose';
import type { PanelState } from '../state/panel-state';
import type { LaneState, SessionState } from '../state/session-state';
import { laneOf } from '../state/session-state';
import { laneFieldProblem } from './lane-fields';
import { toolProblem } from '../tools/tool-problem';
import {
  callsOf,
  connectionOf,
  isBusy,
  laneNumber,
  laneSettings,
  lastSent,
  modelOf,
  openCalls,
} from './lane-queries';

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
  const documentProblem = documentBlocker(session);
  if (documentProblem) return documentProblem;
  const textProblem = textBlocker(text);
  if (textProblem) return textProblem;
  const idle = laneIds.filter((id) => !isBusy(session, id));
  if (idle.length === 0)
    return laneIds.length === 1 ? t('A run is under way.') : t('A run is under way in every lane.');
  const startable = runnable(state, laneIds);
  if (startable.length === 0) return laneBlocker(state, idle[0] ?? '');
  if (text.trim() !== '') return undefined;
  const canGoOn = startable.some(
    (id) => awaitsReply(laneOf(session, id)) || (kind === 'agent' && hasOpenCall(laneOf(session, id))),
  );
  return canGoOn ? undefined : messageBlocker(session, startable);
}

/** Why nothing can run in this lane, whatever the message. */
export function laneBlocker(state: PanelState, laneId: string): string | undefined {
  const { session, view } = state;
  const lane = laneSettings(session, laneId);
  const number = session.laneIds.length > 1 ? laneNumber(session, laneId) : undefined;
  if (!session.environment) return t('The connections are not known yet.');
  const connection = connectionOf(session, laneId);
  if (!lane || !connection) {
    const name = lane?.connection ?? '';
    return number === undefined
      ? t('The connection `{0}` of the lane is not set up: choose another one in its settings.', name)
      : t(
          'The connection `{0}` of lane {1} is not set up: choose another one in its settings.',
          name,
          number,
        );
  }
  if (connection.problem) return connection.problem;
  const tools = toolProblem(view.fields, session.document?.tools ?? []);
  if (tools) return tools;
  if (modelOf(session, laneId).trim() === '') {
    return number === undefined
      ? t('Choose a model in the settings of the lane.')
      : t('Choose a model in the settings of lane {0}.', number);
  }
  const problem = laneFieldProblem(view.fields, laneId);
  return problem && (number === undefined ? problem : t('Lane {0}: {1}', number, problem));
}

/** Why this text cannot be sent to any lane. */
export const textBlocker = (text: string): string | undefined =>
  text.length > DOCUMENT_LIMIT.text
    ? t('The message is longer than 2,000,000 characters: shorten it.')
    : undefined;

/** Why no lane can run. */
export function documentBlocker({ document }: SessionState): string | undefined {
  if (!document) return t('The playground is not known yet.');
  if (document.error) return t('The text of the document cannot be read: correct it first.');
  if (document.secrets.length > 0)
    return t('The document contains text that looks like a secret: remove it first.');
  return undefined;
}

/** One sentence for each lane that cannot run and is left out while others run. */
export function leftOut(state: PanelState, laneIds: readonly string[]): string[] {
  if (laneIds.length < 2) return [];
  return laneIds.flatMap((id) => (isBusy(state.session, id) ? [] : (laneBlocker(state, id) ?? [])));
}

/** The lanes among these in which a run would start. */
export function runnable(state: PanelState, laneIds: readonly string[]): string[] {
  return laneIds.filter((id) => !isBusy(state.session, id) && laneBlocker(state, id) === undefined);
}

/** Whether the conversation ends with an entry that no reply has answered yet. */
export function awaitsReply(lane: LaneState): boolean {
  const last = lane.entries.get(lane.order.at(-1) ?? '');
  return last !== undefined && isUnanswered(last);
}

function hasOpenCall(lane: LaneState): boolean {
  const last = lastSent(lane);
  return last?.kind === 'run' && openCalls(last).length > 0;
}

function isUnanswered(entry: LaneEntry): boolean {
  if (entry.kind === 'message') return entry.isPending === true || entry.role === 'user';
  if (entry.isStored) return false;
  return !entry.outcome?.reply || (callsOf(entry).length > 0 && openCalls(entry).length === 0);
}

function messageBlocker(session: SessionState, laneIds: readonly string[]): string {
  for (const id of laneIds) {
    const last = lastSent(laneOf(session, id));
    const open = last?.kind === 'run' ? openCalls(last)[0] : undefined;
    const call = last?.kind === 'run' && open !== undefined ? callsOf(last)[open] : undefined;
    if (call) return t('Give a result for `{0}`, or write a message.', cut(call.name, MAX_NAME));
  }
  return session.document?.readOnly ? t('There is nothing to run.') : t('Write a message to run.');
}

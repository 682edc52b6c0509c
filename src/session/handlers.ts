// Handles a front end's requests to a session. Requests that need the editor are handled by the front end itself.
import { t } from '@vscode/l10n';
import { PROVIDER_CATALOG } from '../library';
import type { RequestHandlers } from '../protocol';
import { EditRefusedError } from './editable-document';
import { addTool, moveLane } from './lane-edits';
import { refuse } from './refusal';
import { toWireView } from './run/wire-view';
import type { Session } from './session';
import type { SessionView } from './session-view';

export type SessionMethod =
  | 'session/open'
  | 'entries/read'
  | 'text/read'
  | 'wire/read'
  | 'reading/make'
  | 'document/edit'
  | 'document/unlock'
  | 'message/draft'
  | 'message/resend'
  | 'lane/add'
  | 'lane/remove'
  | 'lane/move'
  | 'tool/create'
  | 'remedy/apply'
  | 'run/start'
  | 'run/replay'
  | 'run/stop'
  | 'run/continue'
  | 'result/give'
  | 'conversation/clear'
  | 'conversation/restore'
  | 'embedding/run'
  | 'embedding/stop';

export function createSessionHandlers(
  session: Session,
  view: SessionView,
): Pick<RequestHandlers, SessionMethod> {
  const { conversations, embedding, editable } = session;
  const command = <T>(work: () => Promise<T>): Promise<T> => session.command(() => explainRefusal(work));
  return {
    'session/open': () => Promise.resolve(view.open()),
    'entries/read': ({ laneId, entryIds }) => session.readEntries(laneId, entryIds),
    'text/read': async ({ laneId, entryId, path }) => ({
      text: await session.readText(laneId, entryId, path),
    }),
    'wire/read': async ({ runId }) => toWireView(await session.past.wire(runId), PROVIDER_CATALOG),
    'reading/make': ({ laneId, runId, ...options }) => session.past.reading({ laneId, runId }, options),
    'document/edit': ({ edits, gather, isLast }) =>
      command(async () => {
        await editable.edit(edits, gather);
        if (isLast) await editable.flush();
        return null;
      }),
    'document/unlock': () => command(() => done(editable.unlock())),
    'message/draft': ({ text }) => command(() => done(conversations.setDraft(text))),
    'message/resend': ({ laneId, entryId, text, kind }) =>
      command(() => done(conversations.resend(laneId, entryId, text, { kind }))),
    'lane/add': ({ copyOf, change = {} }) =>
      command(async () => ({ laneId: await session.addLane(copyOf, change) })),
    'lane/remove': ({ laneId }) => command(() => done(session.removeLane(laneId))),
    'lane/move': ({ laneId, to }) => command(() => done(moveLane(editable, laneId, to))),
    'tool/create': () => command(async () => ({ id: await addTool(editable) })),
    'remedy/apply': ({ remedy, isSentAgain, ...place }) =>
      command(() => done(session.remedies.apply(place, remedy, isSentAgain))),
    'run/start': ({ laneIds, text, ...options }) =>
      command(() => done(conversations.start(laneIds, text, options))),
    'run/replay': ({ laneIds, kind }) => command(() => done(conversations.replay(laneIds, { kind }))),
    'run/stop': ({ laneIds }) => {
      conversations.stop(laneIds);
      // Stops now, and once more after the commands that are still queued: they may start runs.
      return command(() => done(conversations.stop(laneIds)));
    },
    'run/continue': ({ laneId, isStepMode, text }) =>
      command(() => done(conversations.continue(laneId, isStepMode, text))),
    'result/give': ({ laneId, runId, callIndex, result }) =>
      command(() => done(conversations.giveResult(laneId, runId, callIndex, result))),
    'conversation/clear': ({ laneIds }) => command(() => done(conversations.clear(laneIds))),
    'conversation/restore': () => command(() => done(conversations.restore())),
    'embedding/run': () => command(() => done(embedding.start())),
    'embedding/stop': () => done(embedding.stop()),
  };
}

async function done(work: unknown): Promise<null> {
  await work;
  return null;
}

async function explainRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EditRefusedError)) throw error;
    throw refuse(t('The playground was not changed.'), t('Correct it, or open it as text.'), error.message);
  }
}

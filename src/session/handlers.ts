// Handles a front end's requests to a session. Requests that need the editor are handled by the front end itself.
import { t } from '@vscode/l10n';
import { PROVIDER_CATALOG } from '../library';
import type { RequestHandlers } from '../protocol';
import { EditRefusedError } from './editing/editable-document';
import { mockCall } from './tools/mock-of-call';
import { createEvaluationHandlers } from './evaluation/evaluation-handlers';
import { addTool, moveLane } from './editing/lane-edits';
import { refuse } from './refusal';
import { toWireView } from './run/record/wire-view';
import type { Session } from './session';
import type { SessionView } from './session-view';

/** A session and the view of it that asks. */
export interface OpenSession {
  readonly session: Session;
  readonly view: SessionView;
}

export type SessionMethod = keyof ReturnType<typeof createSessionHandlers>;

/** @param open Called by each request, so that a session can be opened by the first one. */
export function createSessionHandlers(open: () => Promise<OpenSession>) {
  const command = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const { session } = await open();
    return session.command(() => explainRefusal(() => work(session)));
  };
  return {
    'session/open': async () => (await open()).view.open(),
    'entries/read': async ({ laneId, entryIds }) => (await open()).session.readEntries(laneId, entryIds),
    'text/read': async ({ laneId, entryId, path }) => ({
      text: await (await open()).session.readText(laneId, entryId, path),
    }),
    'wire/read': async ({ runId }) =>
      toWireView(await (await open()).session.past.wire(runId), PROVIDER_CATALOG),
    'prompt/render': async (place, signal) => (await open()).session.prompts.render(place, signal),
    'reading/make': async ({ laneId, runId, ...options }) =>
      (await open()).session.past.reading({ laneId, runId }, options),
    'document/edit': ({ edits, gather, isLast }) =>
      command(async ({ editable }) => {
        await editable.edit(edits, gather);
        if (isLast) await editable.flush();
        return null;
      }),
    'document/unlock': () => command(({ editable }) => done(editable.unlock())),
    'message/draft': ({ text }) => command(({ conversations }) => done(conversations.setDraft(text))),
    'message/resend': ({ laneId, entryId, text, kind }) =>
      command(({ conversations }) => done(conversations.resend(laneId, entryId, text, { kind }))),
    'lane/add': ({ copyOf, change = {} }) =>
      command(async (session) => ({ laneId: await session.addLane(copyOf, change) })),
    'lane/remove': ({ laneId }) => command((session) => done(session.removeLane(laneId))),
    'lane/move': ({ laneId, to }) => command(({ editable }) => done(moveLane(editable, laneId, to))),
    'tool/create': () => command(async ({ editable }) => ({ id: await addTool(editable) })),
    'tool/mock-call': (place) => command((session) => done(mockCall(session, place))),
    'tool/check': async () => ({ checks: await (await open()).session.serverChecks.check() }),
    'tool/use-reduced': (place) => command(({ serverChecks }) => done(serverChecks.useReduced(place))),
    'remedy/apply': ({ remedy, isSentAgain, ...place }) =>
      command((session) => done(session.remedies.apply(place, remedy, isSentAgain))),
    'run/start': ({ laneIds, text, ...options }) =>
      command(({ conversations }) => done(conversations.start(laneIds, text, options))),
    'run/replay': ({ laneIds, kind }) =>
      command(({ conversations }) => done(conversations.replay(laneIds, { kind }))),
    'run/stop': async ({ laneIds }) => {
      (await open()).session.conversations.stop(laneIds);
      // Stops now, and once more after the commands that are still queued: they may start runs.
      return command(({ conversations }) => done(conversations.stop(laneIds)));
    },
    'run/continue': ({ laneId, isStepMode, text }) =>
      command(({ conversations }) => done(conversations.continue(laneId, isStepMode, text))),
    'result/give': ({ laneId, runId, results, isKept }) =>
      command(({ conversations }) => done(conversations.giveResults(laneId, runId, results, isKept))),
    'conversation/clear': ({ laneIds }) => command(({ conversations }) => done(conversations.clear(laneIds))),
    'conversation/restore': () => command(({ conversations }) => done(conversations.restore())),
    'embedding/run': () => command(({ embedding }) => done(embedding.start())),
    'embedding/stop': async () => done((await open()).session.embedding.stop()),
    ...createEvaluationHandlers(
      async () => (await open()).session.evaluation,
      (work) => command(({ evaluation }) => work(evaluation)),
    ),
  } satisfies Partial<RequestHandlers>;
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

// Handles the page's requests about finished runs, as far as they need the editor.
import type { Session } from '../../session';
import type { WireHandlers } from './playground-wire';
import type { WireServices } from './wire-services';

export function createWireHandlers(services: WireServices, session: Session): WireHandlers {
  const { past } = session;
  return {
    'wire/open': ({ runId, attempt, file }) => done(services.open(session, runId, { attempt, file })),
    'wire/copy': async ({ runId, form }) => ({ variables: await services.copy(session, runId, form) }),
    'server/defaults': async ({ runId }) => ({ defaults: await services.samplingDefaults(session, runId) }),
    'server/model': async (place) => ({ findings: await services.modelFindings(session, place) }),
    'run/compare': async ({ left, right, part, form }) =>
      done(services.compare(await past.comparison([left, right], part, form))),
    'run/export': async ({ runs, form }) =>
      done(services.export(await Promise.all(runs.map((run) => past.exported(run))), form)),
    'reading/compare': async ({ laneId, runId, ...options }) =>
      done(services.compare(await past.readingTexts({ laneId, runId }, options))),
  };
}

async function done(work: Promise<void>): Promise<null> {
  await work;
  return null;
}

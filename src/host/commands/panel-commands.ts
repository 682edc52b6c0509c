// Commands that do what a button of the active panel does.
import type { PanelAction } from '../../protocol';
import { activeSession } from '../playground/active-session';
import { pickExportForm } from '../wire/pick-export-form';
import type { CommandServices } from './command-services';
import { reportNoActivePlayground } from './playground-files';

export const runPlayground = (services: CommandServices): void => act(services, { kind: 'run' });

export const runAgent = (services: CommandServices): void => act(services, { kind: 'run-agent' });

export const addLane = (services: CommandServices): void => act(services, { kind: 'add-lane' });

export const toggleInspector = (services: CommandServices): void =>
  act(services, { kind: 'toggle-inspector' });

/** Exports the last run of each lane. */
export async function exportLanes(services: CommandServices): Promise<void> {
  const session = await activeSession(services);
  if (!session) return reportNoActivePlayground();
  const form = await pickExportForm(session.laneIds.length);
  if (form !== undefined) act(services, { kind: 'export', form });
}

export async function stopRuns(services: CommandServices): Promise<void> {
  const session = await activeSession(services);
  if (session) session.stopAll();
  else reportNoActivePlayground();
}

function act({ panels, editor }: CommandServices, action: PanelAction): void {
  const view = panels.activeView ?? editor.activeView;
  if (view) view.act(action);
  else reportNoActivePlayground();
}

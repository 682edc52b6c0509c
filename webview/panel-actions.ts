// Does what a command of the editor asks of the panel, in the same way as the panel's own buttons.
import { t } from '@vscode/l10n';
import type { PanelAction, RpcClient } from '../src/protocol';
import { toggleInspector } from './actions/inspect';
import { addLane } from './components/lane/lane-title';
import { lastRuns } from './lanes/lane-queries';
import type { Playground } from './playground';
import { currentView } from './views';

export function followActions(client: Pick<RpcClient, 'on'>, playground: Playground): void {
  client.on('panel/act', (action) => void act(playground, action));
}

async function act(playground: Playground, action: PanelAction): Promise<unknown> {
  switch (action.kind) {
    case 'run':
      return currentView(playground.state).run(playground);
    case 'run-agent':
      return playground.run(undefined, { kind: 'agent' });
    case 'add-lane':
      return addLane(playground);
    case 'toggle-inspector':
      return toggleInspector(playground);
    case 'export': {
      const runs = lastRuns(playground.state.session);
      if (runs.length === 0) return playground.notify(t('No lane has a run to export yet.'));
      return playground.send('run/export', { runs, form: action.form });
    }
  }
}

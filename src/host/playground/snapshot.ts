// Everything a panel needs to draw itself.
import * as vscode from 'vscode';
import type { PlaygroundSnapshot } from '../../protocol';
import type { ConnectionService } from '../connections/connection-service';
import { DEMO_CONNECTIONS } from '../connections/connection';
import { TOOL_SAMPLES } from '../tools/tool-samples';

const FIRST_MESSAGE = 'What is the weather in Oslo?';

export async function makeSnapshot(services: {
  connections: ConnectionService;
  isRemote: boolean;
}): Promise<PlaygroundSnapshot> {
  const [demo] = DEMO_CONNECTIONS;
  return {
    connections: await services.connections.views(),
    tools: TOOL_SAMPLES.map(({ name, description, parameters, mock }) => ({
      name,
      description,
      parameters,
      mock,
    })),
    defaults: {
      connectionId: demo?.id ?? '',
      model: demo?.setting.model ?? '',
      message: FIRST_MESSAGE,
      toolNames: ['get_weather'],
    },
    requestsLeaveFrom: requestsLeaveFrom(services.isRemote),
  };
}

/** Which machine `localhost` means: the most common question when nothing answers. */
function requestsLeaveFrom(isRemote: boolean): string {
  if (vscode.env.uiKind === vscode.UIKind.Web) return 'the machine that serves this window';
  if (!isRemote) return 'this computer';
  return `the remote machine (${vscode.env.remoteName})`;
}

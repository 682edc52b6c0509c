// Connections with the settings of the stand-in for the editor, as the host opens them.
import { ConnectionService } from '../../../src/connections/connection-service';
import type { ApiKeys } from '../../../src/connections/keys/api-keys';
import { readNetwork } from '../../../src/connections/network/resolve-network';
import type { Connections } from '../../../src/connections/open-connections';
import { DemoSource } from '../../../src/connections/sources/demo-source';
import { SettingsSource } from '../../../src/connections/sources/settings-source';
import type { Memory } from '../../../src/connections/ports';
import type { Source } from '../../../src/connections/sources/source';
import { editorFace } from '../../../src/host/connections/editor-face';
import { readHttpSettings } from '../../../src/host/connections/http-settings';
import { readSetting } from '../../../src/host/connections/window-connections';
import { Lazy } from '../../../src/host/lazy';

/** @param custom A source beside the demo and the settings. */
export function connect(
  keys: ApiKeys,
  demo = new DemoSource(),
  custom?: Source,
  log: { error: (line: string) => void } = { error: () => undefined },
  memory?: Memory,
): ConnectionService {
  const network = { http: readHttpSettings, environment: process.env };
  return new ConnectionService({
    face: editorFace(),
    keys,
    sources: [
      demo,
      new SettingsSource({ read: readSetting }, demo, editorFace()),
      ...(custom ? [custom] : []),
    ],
    chooseNetwork: (origin) => readNetwork(origin, network),
    log,
    memory,
  });
}

/** For code that opens the connections itself. */
export const asOpened = (connections: ConnectionService, keys: ApiKeys): Lazy<Connections> =>
  new Lazy(() => Promise.resolve({ connections, keys, close: () => Promise.resolve() }));

// Puts the connections of a front end together. The list of their sources is here, one line each.
import * as exports from '../library';
import type { Library } from './custom-providers/api';
import { freezeExports } from './custom-providers/freeze-exports';
import { ConnectionService } from './connection-service';
import { ApiKeys } from './keys/api-keys';
import { readNetwork } from './network/resolve-network';
import type { ConnectionPorts } from './ports';
import { CustomSource } from './sources/custom-source';
import { DemoSource } from './sources/demo-source';
import { SettingsSource } from './sources/settings-source';
import type { Source } from './sources/source';

/** The complete public API of the library, for provider classes of others. */
export const library: Library = freezeExports(exports);

export interface Connections {
  connections: ConnectionService;
  keys: ApiKeys;
  /** Ends all subscriptions and stops the demo server. */
  close: () => Promise<void>;
}

export function openConnections(ports: ConnectionPorts): Connections {
  const { face, secrets, marks, settings, network, log, memory } = ports;
  const keys = new ApiKeys(secrets, Date.now, marks);
  const chooseNetwork = (origin: string) => readNetwork(origin, network);
  const demo = new DemoSource();
  const sources: readonly Source[] = [
    demo,
    new SettingsSource(settings, demo, face),
    new CustomSource({ ...ports, library, readNetwork: (origin) => chooseNetwork(origin).options }),
    ...(ports.sources ?? []),
  ];
  const connections = new ConnectionService({ face, keys, sources, chooseNetwork, log, memory });
  return {
    connections,
    keys,
    close: async () => {
      keys.dispose();
      await Promise.allSettled(sources.map(async (source) => source.close?.()));
    },
  };
}

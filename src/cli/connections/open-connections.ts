// The connections of the command line: those of a file, the demo, and modules that are allowed; with keys and the network of the
// environment.
import { t } from '@vscode/l10n';
import type { Connection, ConnectionService } from '../../connections';
import {
  createConnectionSource,
  listModels,
  openConnections as open,
  originOf,
  secretsByOrigin,
} from '../../connections';
import { toLabel } from '../../inspect';
import { closeConnections, createRedactor } from '../../library';
import type { Redactor } from '../../library';
import type { ConnectionView, ModelList } from '../../protocol';
import type { ConnectionSource, LogSink } from '../../session';
import { CommandError } from '../command';
import type { Terminal } from '../terminal';
import { customCode } from './custom-code';
import type { ConnectionValues } from './options';
import { CONNECTIONS_FILE, readConnectionsFiles } from './read-connections-file';
import { missingKey, readKeys } from './read-keys';
import { terminalFace } from './terminal-face';

export interface CommandConnections {
  source: ConnectionSource;
  views: readonly ConnectionView[];
  service: ConnectionService;
  /** @throws CommandError when no connection has this id */
  view: (connectionId: string) => ConnectionView;
  /** Masks every key of the environment. */
  redactor: Redactor;
  /** What to tell when a connection has no key. */
  missingKey: (view: ConnectionView) => CommandError;
  /** Rejects with an error that `source.explain` describes. */
  listModels: (connectionId: string, signal: AbortSignal) => Promise<ModelList>;
  close: () => Promise<void>;
}

const LIST_TIMEOUT_MS = 10_000;

const SILENT: LogSink = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** @throws CommandError */
export async function openConnections(
  values: ConnectionValues,
  { environment, folder }: Terminal,
): Promise<CommandConnections> {
  const { provider: modules = [], 'allow-code': isCodeAllowed = false } = values;
  if (modules.length > 0 && !isCodeAllowed)
    throw new CommandError(
      t('{0} is not run: it is code, and runs with all rights of this program.', modules.join(', ')),
      t('Add --allow-code if you know what it does.'),
    );
  const keys = readKeys(environment);
  const entries = await readConnectionsFiles(folder, values.connections);
  const settings = { connections: entries, customProviders: modules };
  const file = (values.connections ?? [CONNECTIONS_FILE]).join(', ');
  const opened = open({
    face: terminalFace(file),
    settings: { read: (name) => ({ merged: settings[name], user: settings[name] }) },
    secrets: secretsByOrigin(keys),
    network: { http: readEnvironmentHttp, environment },
    custom: customCode(modules, folder),
    log: SILENT,
  });
  const { connections } = opened;
  const views = await connections.views();
  const [misplaced] = connections.misplaced();
  if (misplaced) throw new CommandError(misplaced.problem, t('Correct {0}.', file));
  const broken = connections.list().find(({ scope, problem }) => scope === 'module' && problem);
  if (broken?.problem !== undefined)
    throw new CommandError(broken.problem, t('Correct it, and try again.'), t('Nothing was sent.'));
  return {
    source: createConnectionSource(connections, (listener) => connections.onDidChange(listener)),
    views,
    service: connections,
    view: (id) => views.find((view) => view.id === id) ?? refuseUnknown(id, views),
    redactor: createRedactor([...keys.values()]),
    missingKey: (view) => missingKey(view, originFor(connections.find(view.id)), [...keys.keys()]),
    listModels: (id, signal) => listModels(connections, id, { signal, timeoutMs: LIST_TIMEOUT_MS }),
    close: async () => {
      await opened.close();
      await closeConnections();
    },
  };
}

/** Where a connection may send its key. */
const originFor = ({ provided, setting }: Connection): string | undefined =>
  provided ? provided.key?.origin : originOf(setting.host);

function refuseUnknown(id: string, views: readonly ConnectionView[]): never {
  const ids = views.map((view) => view.id).join(', ');
  throw new CommandError(
    t('There is no connection {0}.', toLabel(id)),
    t('There are {0}. Others stand in the file that --connections names.', ids),
  );
}

/** Proxies are those of the environment, and Node itself adds certificates by NODE_EXTRA_CA_CERTS. */
export const readEnvironmentHttp = () => ({
  proxy: '',
  proxySupport: 'on',
  noProxy: [],
  proxyStrictSSL: true,
  proxyAuthorization: undefined,
  systemCertificates: false,
});

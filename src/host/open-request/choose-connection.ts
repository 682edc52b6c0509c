// Finds the connection for a request from elsewhere: the one with its address, or one that the person chooses or adds.
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection, ConnectionSetting, Connections } from '../../connections';
import { isLoopback, originOf } from '../../connections';
import { toLabel } from '../../inspect';
import type { OpenedRequest } from '../../session';
import { checkHost } from '../connections-view/wizard/check-host';
import { freeId, writeConnection } from '../connections-view/own-settings';
import { describeScope } from '../connections-view/state-words';
import { pickOne } from '../dialogs';
import { loadEngine } from '../load-engine';

/**
 * @param used Ids of connections that were used, the latest first. @returns undefined when the person cancelled
 */
export async function chooseConnection(
  { connections, keys }: Pick<Connections, 'connections' | 'keys'>,
  opened: OpenedRequest,
  used: readonly string[],
): Promise<Connection | undefined> {
  const usable = connections.list().filter(({ problem }) => problem === undefined);
  const fitting = usable.filter(({ setting }) => setting.provider === opened.entry.id);
  const { host } = opened;
  if (host === undefined) return preferUsed(fitting, used) ?? usable[0];
  const [match] = atOrigin(fitting, opened);
  if (match) return match;
  const draft = await draftConnection(opened, [
    ...connections.list().map(({ id }) => id),
    ...(await keys.storedFor()),
  ]);
  return pickConnection(opened, {
    draft,
    others: [...fitting, ...usable.filter((one) => !fitting.includes(one))],
  });
}

/** One of the person's own, as the demo answers everything with its own models. */
function preferUsed(fitting: readonly Connection[], used: readonly string[]): Connection | undefined {
  const byUse = used.flatMap((id) => fitting.find((connection) => connection.id === id) ?? []);
  return byUse[0] ?? fitting.find(({ builtIn }) => !builtIn) ?? fitting[0];
}

/** Those with the same path first. */
function atOrigin(fitting: readonly Connection[], { host = '', entry }: OpenedRequest): Connection[] {
  const addressOf = ({ setting }: Connection): string | undefined => setting.host ?? entry.defaults.host;
  const wanted = sameOrigin(host);
  return fitting
    .filter((connection) => sameOrigin(addressOf(connection)) === wanted)
    .toSorted(
      (one, other) => Number(isSamePath(addressOf(other), host)) - Number(isSamePath(addressOf(one), host)),
    );
}

/** `localhost` is the same machine. */
export const sameOrigin = (host: string | undefined): string | undefined =>
  originOf(host)?.replace('//localhost', '//127.0.0.1').replace('//0.0.0.0', '//127.0.0.1');

const isSamePath = (one: string | undefined, other: string): boolean =>
  one !== undefined && URL.canParse(one) && pathOf(one) === pathOf(other);

const pathOf = (host: string): string => new URL(host).pathname.replace(/\/+$/, '');

type Item = vscode.QuickPickItem & { connection: Connection; isNew?: boolean };

async function pickConnection(
  { host = '', entry }: OpenedRequest,
  { draft, others }: { draft: Connection | undefined; others: readonly Connection[] },
): Promise<Connection | undefined> {
  const origin = originOf(host) ?? host;
  const items: Item[] = [
    ...(draft
      ? [
          {
            label: t('$(add) Add a connection to {0}', toLabel(origin)),
            description: entry.title,
            detail: t('It is written into your user settings, without a key.'),
            connection: draft,
            isNew: true,
          },
        ]
      : []),
    ...others.map((connection) => ({
      label: toLabel(connection.label),
      description: describeScope(connection),
      connection,
    })),
  ];
  const picked = await pickOne(items, {
    title: t('Open Request'),
    placeHolder: t('No connection reaches {0}. Which one is to answer?', toLabel(origin)),
  });
  if (picked?.isNew) await writeConnection(picked.connection.id, picked.connection.setting);
  return picked?.connection;
}

/** @returns undefined when nothing can be sent to the address */
async function draftConnection(
  { host = '', entry, headers, key, sendsKey }: OpenedRequest,
  taken: readonly string[],
): Promise<Connection | undefined> {
  const engine = await loadEngine();
  if (typeof checkHost(engine, entry.id, host) === 'string') return undefined;
  const [usual] = entry.auth;
  const isOpen = usual !== undefined && !sendsKey && isLoopback(originOf(host) ?? host);
  const auth = isOpen ? 'none' : key && key.auth !== usual?.id ? key.auth : undefined;
  const label = new URL(host).host;
  const setting: ConnectionSetting = {
    label,
    provider: entry.id,
    host,
    ...(auth !== undefined && { auth }),
    ...(Object.keys(headers).length > 0 && { headers: { ...headers } }),
  };
  return { id: freeId(label, taken), label, scope: 'user', setting };
}

// Determines whether a connection can send a key, and how it is configured then. Knows no keys.
import { catalogEntry, serviceAt } from '../catalog-connection';
import type { Connection } from '../connection';

/**
 * The connection as it sends a key: unchanged if it does already; with the usual way of its protocol, or that of the service at
 * its address, where `auth` is `none`.
 * @returns undefined when it cannot send one, whatever its settings
 */
export function withKey(connection: Connection): Connection | undefined {
  const { setting, builtIn, provided, problem } = connection;
  if (builtIn || problem !== undefined) return undefined;
  if (provided) return provided.key && connection;
  const { needsKey, servers, defaults, auth: ways } = catalogEntry(connection);
  if (needsKey(setting)) return connection;
  if (ways.length === 0) return undefined;
  const { auth: _none, ...rest } = setting;
  const auth = serviceAt(setting.host ?? defaults.host, servers)?.auth;
  return { ...connection, setting: { ...rest, ...(auth && { auth }) } };
}

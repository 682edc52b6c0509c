// The servers and services that a connection can be added for, with what is known of its settings in advance. Pure.
import type { ConnectionSetting } from '../../../connections';
import type { CatalogEntry, KnownServer } from '../../../library';

export interface Preset {
  label: string;
  kind: KnownServer['kind'];
  setting: Omit<ConnectionSetting, 'label' | 'model'>;
}

/** Those that the catalog knows, in its order. */
export const presetsOf = (catalog: readonly CatalogEntry[]): Preset[] =>
  catalog.flatMap(({ id: provider, servers }) =>
    servers.map(({ label, kind, host, auth, tokenLimitKey }) => ({
      label,
      kind,
      setting: { provider, host, ...(auth && { auth }), ...(tokenLimitKey && { tokenLimitKey }) },
    })),
  );

/** The settings of a server about which only its place is known. A local one mostly needs no key. */
export function settingOfOther(catalog: readonly CatalogEntry[], kind: Preset['kind']): Preset['setting'] {
  const usual = catalog.find(({ isUsual }) => isUsual);
  if (!usual) throw new Error('The catalog says of no protocol that it is the usual one.');
  return { provider: usual.id, ...(kind === 'local' && { auth: 'none' as const }) };
}

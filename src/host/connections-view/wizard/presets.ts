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
  return settingIn(usual, kind);
}

/** The same for each protocol of which a server may be anywhere, the usual one first. */
export const othersOf = (
  catalog: readonly CatalogEntry[],
  kind: Preset['kind'],
): { title: string; isUsual: boolean; setting: Preset['setting'] }[] =>
  catalog
    .filter(({ auth }) => auth.length > 0)
    .toSorted((one, other) => Number(other.isUsual) - Number(one.isUsual))
    .map((entry) => ({ title: entry.title, isUsual: entry.isUsual, setting: settingIn(entry, kind) }));

const settingIn = ({ id }: CatalogEntry, kind: Preset['kind']): Preset['setting'] => ({
  provider: id,
  ...(kind === 'local' && { auth: 'none' as const }),
});

// Writes a connection as code that creates its provider with the library. The key is read from an environment
// variable. Pure.
import { keyVariable, printJs } from '../../inspect';
import type { ConnectionSetting } from '../../connections';
import type { CatalogEntry } from '../../library';

/** @param entry The entry of the catalog for its provider, also with values for what the setting leaves out. */
export function toLibraryCode(
  id: string,
  setting: ConnectionSetting,
  { auth, defaults, providerClass }: Pick<CatalogEntry, 'auth' | 'defaults' | 'providerClass'>,
): string {
  const {
    label: _label,
    provider: _provider,
    host = defaults.host,
    model = defaults.model,
    ...rest
  } = setting;
  const { name } = providerClass;
  const lines = Object.entries({ host, model: model ?? 'model', ...rest }).flatMap(([key, value]) =>
    value === undefined ? [] : `  ${key}: ${printJs(value, '  ')},`,
  );
  const key = setting.auth === 'none' ? `''` : `process.env['${keyVariable(id)}'] ?? ''`;
  if (auth.length > 0) lines.push(`  apiKey: ${key},`);
  return [
    `import { ${name} } from './src/library';`,
    '',
    `const provider = new ${name}({`,
    ...lines,
    '});',
    '',
  ].join('\n');
}

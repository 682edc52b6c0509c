// Writes a connection as code that creates its provider with the library. The key is read from an environment
// variable. Pure.
import { keyVariable, printJs } from '../../inspect';
import type { ConnectionSetting } from '../../connections';

const CLASSES = { 'local-host': 'LocalHostProvider', 'hosted-api': 'HostedApiProvider' } as const;

/** @param defaults Values of the catalog for what the setting leaves out. */
export function toLibraryCode(
  id: string,
  setting: ConnectionSetting,
  defaults: { host?: string | undefined; model?: string | undefined },
): string {
  const { label: _label, provider, host = defaults.host, model = defaults.model, ...rest } = setting;
  const name = CLASSES[provider];
  const lines = Object.entries({ host, model: model ?? 'model', ...rest }).flatMap(([key, value]) =>
    value === undefined ? [] : `  ${key}: ${printJs(value, '  ')},`,
  );
  const key = setting.auth === 'none' ? `''` : `process.env['${keyVariable(id)}'] ?? ''`;
  if (provider === 'hosted-api') lines.push(`  apiKey: ${key},`);
  return [
    `import { ${name} } from './src/library';`,
    '',
    `const provider = new ${name}({`,
    ...lines,
    '});',
    '',
  ].join('\n');
}

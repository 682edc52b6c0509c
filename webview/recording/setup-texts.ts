// What a person gives to a program so that its requests are recorded: variables for a shell, and a configuration. Pure.
import type { RecordableClient, RecordingSnapshot } from '../../src/protocol';

export const SHELLS = ['bash', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];

export const SHELL_NAMES: Readonly<Record<Shell, string>> = {
  bash: 'bash',
  powershell: 'PowerShell',
  cmd: 'cmd',
};

/** The command of bash. */
const EXPORT = 'export';

/** Something for the clients that want a key, although they need none. */
const NO_KEY = 'unused';

const VARIABLES: Readonly<Record<RecordableClient['kind'], { address: string; key?: string }>> = {
  openai: { address: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY' },
  anthropic: { address: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_API_KEY' },
  ollama: { address: 'OLLAMA_HOST' },
};

/** Lines that set the variables of a client. Its key is set only where the program needs none of its own. */
export function variableLines(
  { kind, baseUrl }: RecordableClient,
  shell: Shell,
  key: RecordingSnapshot['key'],
): { name: string; before: string; value: string; after: string }[] {
  const { address, key: keyName } = VARIABLES[kind];
  const pairs = [
    { name: address, value: baseUrl },
    ...(keyName !== undefined && key !== 'missing' ? [{ name: keyName, value: NO_KEY }] : []),
  ];
  return pairs.map(({ name, value }) => ({ name, ...toLine(name, value, shell) }));
}

function toLine(name: string, value: string, shell: Shell): { before: string; value: string; after: string } {
  switch (shell) {
    case 'bash':
      return /^[\w./:@+=,-]+$/.test(value)
        ? { before: `${EXPORT} ${name}=`, value, after: '' }
        : { before: `${EXPORT} ${name}=`, value: `'${value.replaceAll("'", String.raw`'\''`)}'`, after: '' };
    case 'powershell':
      return { before: `$env:${name} = `, value: `'${value.replaceAll("'", "''")}'`, after: '' };
    case 'cmd':
      return { before: `set "${name}=`, value, after: '"' };
  }
}

/** Members of a configuration file, as most programs name them. */
export function configurationMembers({
  clients,
  key,
  model,
}: Pick<RecordingSnapshot, 'clients' | 'key' | 'model'>): { name: string; value: string }[] {
  const [client] = clients;
  if (!client) return [];
  return [
    { name: 'baseURL', value: client.baseUrl },
    ...(key === 'missing' ? [] : [{ name: 'apiKey', value: NO_KEY }]),
    ...(model === undefined ? [] : [{ name: 'model', value: model }]),
  ];
}

// The options of every command that sends requests.
import { t } from '@vscode/l10n';
import type { Options, Values } from '../command';

export const CONNECTION_OPTIONS = {
  connections: {
    type: 'string',
    multiple: true,
    value: 'file',
    says: () =>
      t(
        'connections, or VS Code settings; of several the later win; default: provider-playground.connections.json',
      ),
  },
  provider: {
    type: 'string',
    multiple: true,
    value: 'module.mjs',
    says: () => t('a module with provider classes; several allowed'),
  },
  'allow-code': {
    type: 'boolean',
    says: () => t('run the modules of --provider with all rights of this program'),
  },
} as const satisfies Options;

export const MODELS_OPTIONS = {
  ...CONNECTION_OPTIONS,
  json: { type: 'boolean', says: () => t('everything as JSON') },
} as const satisfies Options;

export const DIAGNOSE_OPTIONS = {
  ...MODELS_OPTIONS,
  model: { type: 'string', value: 'name', says: () => t('default: the model of the connection') },
} as const satisfies Options;

export type ConnectionValues = Values<typeof CONNECTION_OPTIONS>;

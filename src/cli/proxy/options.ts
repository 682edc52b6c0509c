// The options of the command that records another program.
import { t } from '@vscode/l10n';
import type { Options } from '../command';

export const PROXY_OPTIONS = {
  target: { type: 'string', value: 'URL', says: () => t('base URL of the server that answers') },
  repair: {
    type: 'boolean',
    says: () => t('return calls that came as text, or damaged, as native calls'),
  },
  record: {
    type: 'string',
    value: 'name.recording.jsonl',
    says: () => t('append every exchange to this file'),
  },
  port: { type: 'string', value: 'N', says: () => t('port of the address; default: one that is free') },
} as const satisfies Options;

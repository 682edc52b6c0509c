// The options of the command that reads replies.
import { t } from '@vscode/l10n';
import type { Options } from '../command';

export const RESCUE_OPTIONS = {
  tools: {
    type: 'string',
    value: 'file',
    says: () => t('the offered tools, as JSON; default: those that the reply seems to call'),
  },
  format: { type: 'string', value: 'id', says: () => t('look for this format alone') },
  'write-as': { type: 'string', value: 'id', says: () => t('also write the calls in this format') },
  json: { type: 'boolean', says: () => t('the whole report as JSON') },
} as const satisfies Options;

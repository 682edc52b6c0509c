// Recognises the text of a playground, which is opened as it is.
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import type { RequestSource } from '../found-request';

export const PLAYGROUND_SOURCE: RequestSource = {
  id: 'playground',
  title: () => t('Playground file'),
  reads: ({ json }) => (isRecord(json) && isPlayground(json) ? 3 : 0),
  read: ({ text }) => [{ headers: [], body: '', playground: text, leftOut: [] }],
};

/** Lanes have connections, which no request has. */
const isPlayground = ({ version, lanes, model }: Record<string, unknown>): boolean =>
  model === undefined &&
  Array.isArray(lanes) &&
  (version === 1 || lanes.every((lane) => isRecord(lane) && typeof lane['id'] === 'string'));

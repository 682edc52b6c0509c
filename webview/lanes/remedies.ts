// The one-click remedies of findings: their labels, and whether they would still change anything. Pure.
import { t } from '@vscode/l10n';
import type { Remedy } from '../../src/types';
import type { SessionState } from '../state/session-state';
import { laneSettings } from './lane-queries';

/** @param isSentAgain Whether the same step is sent again afterwards. */
export function describeRemedy(remedy: Remedy, isSentAgain: boolean): string {
  switch (remedy.kind) {
    case 'rescue-on':
      return isSentAgain ? t('Send again with rescue on') : t('Switch rescue on');
    case 'tool-choice':
      return isSentAgain
        ? t('Send again with tool choice {0}', remedy.choice)
        : t('Set tool choice to {0}', remedy.choice);
    case 'sampling':
      return describeSampling(remedy, isSentAgain);
    case 'leave-out':
      return isSentAgain ? t('Send again without {0}', remedy.key) : t('Leave {0} out', remedy.key);
    case 'raw':
      return describeRaw(remedy, isSentAgain);
    case 'connection':
      return describeConnection(remedy, isSentAgain);
    case 'offer-tool':
      return isSentAgain ? t('Send again with {0} offered', remedy.tool) : t('Offer {0}', remedy.tool);
    case 'add-tool':
      return isSentAgain ? t('Add a tool {0} and send again', remedy.tool) : t('Add a tool {0}', remedy.tool);
    case 'rename-tool':
      return isSentAgain
        ? t('Rename {0} to {1} and send again', remedy.tool, remedy.to)
        : t('Rename {0} to {1}', remedy.tool, remedy.to);
  }
}

function describeSampling(
  { key, value }: Extract<Remedy, { kind: 'sampling' }>,
  isSentAgain: boolean,
): string {
  switch (key) {
    case 'numCtx':
      return isSentAgain ? t('Send again with context size {0}', value) : t('Set context size to {0}', value);
    case 'maxTokens':
      return isSentAgain ? t('Send again with max tokens {0}', value) : t('Set max tokens to {0}', value);
    case 'temperature':
      return isSentAgain ? t('Send again with temperature {0}', value) : t('Set temperature to {0}', value);
  }
}

function describeRaw({ path, value }: Extract<Remedy, { kind: 'raw' }>, isSentAgain: boolean): string {
  const key = path.join('.');
  if (value === undefined) {
    return isSentAgain ? t('Send again without {0} in raw', key) : t('Remove {0} from raw', key);
  }
  return isSentAgain
    ? t('Send again with {0} {1} in raw', key, String(value))
    : t('Set {0} to {1} in raw', key, String(value));
}

function describeConnection(
  { label, numCtx }: Extract<Remedy, { kind: 'connection' }>,
  isSentAgain: boolean,
): string {
  if (numCtx === undefined) {
    return isSentAgain ? t('Send again by {0}', label) : t('Use the connection {0}', label);
  }
  return isSentAgain
    ? t('Send again by {0} with context size {1}', label, numCtx)
    : t('Use the connection {0} with context size {1}', label, numCtx);
}

/** Whether the remedy would still change the lane or the tools. */
export function changesSomething(remedy: Remedy, session: SessionState, laneId: string): boolean {
  const lane = laneSettings(session, laneId);
  const tools = session.document?.tools ?? [];
  const find = (name: string) => tools.find((tool) => tool.name === name);
  if (!lane) return false;
  switch (remedy.kind) {
    case 'rescue-on':
      return !lane.rescueToolCalls;
    case 'tool-choice':
      return lane.toolChoice !== remedy.choice;
    case 'sampling':
      return lane.sampling[remedy.key] !== remedy.value;
    case 'leave-out':
      return lane.sampling[remedy.key] !== undefined;
    case 'raw':
      return valueAt(lane.raw, remedy.path) !== remedy.value;
    case 'connection': {
      const isThere = session.environment?.connections.some(({ id }) => id === remedy.connectionId);
      return isThere === true && lane.connection !== remedy.connectionId;
    }
    case 'offer-tool':
      return find(remedy.tool)?.isOffered === false;
    case 'add-tool':
      return !find(remedy.tool);
    case 'rename-tool': {
      const found = find(remedy.tool);
      return found !== undefined && found.reference === undefined && !find(remedy.to);
    }
  }
}

const valueAt = (raw: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    raw,
  );

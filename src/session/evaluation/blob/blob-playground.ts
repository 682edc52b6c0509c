// Makes a playground of a blob: what it holds, with what the file of the playground says beside it, if that is at hand. Sends
// nothing; everything in a blob may have been changed by anybody.
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import type { ConnectionView } from '../../../protocol';
import { DOCUMENT_LIMIT } from '../../../protocol';
import { readJson } from '../../document/text/json-text';
import type { RunLimits } from '../../../protocol';
import type { DataRow } from '../../rows/data-row';
import { printPicks } from '../../rows/message-picks';
import type { BatchSource } from '../batch';
import { readBatch } from '../batch';
import type { SampleEntry } from '../sample-entry';
import type { BlobHead } from './blob-lines';
import type { JoinedBlobs } from './join-blobs';
import { toBatchChoice } from './written-choice';

export interface BlobPlayground {
  /** Text of a document that is evaluated as the blob was. */
  text: string;
  /** Why the file is not used, in sentences; absent: it is. */
  problem?: string | undefined;
  /** Whether the file would send something else by now. */
  isChanged: boolean;
}

/** @param file The playground as it is now; undefined when it is not at hand. */
export async function toBlobPlayground(
  { head, samples }: JoinedBlobs,
  path: string,
  file: Omit<BatchSource, 'path' | 'choice' | 'connections'> | undefined,
): Promise<BlobPlayground> {
  const lanes = head.lanes.filter((lane) => lane.file === path);
  const entries = samples.get(path) ?? [];
  const bare = (problem: string): BlobPlayground => ({
    text: toBareText(lanes, entries),
    problem,
    isChanged: false,
  });
  if (!file) return bare(t('{0} is not in this workspace.', path));
  const ids = lanes.map(({ id }) => id);
  const read = await readBatch({
    ...file,
    path,
    connections: viewsOf(head, path),
    choice: { ...toBatchChoice(head.choice), lanes: ids, ...toRepeat(head) },
  });
  const parsed = readJson(file.text);
  if (!read.batch || 'message' in parsed || !isRecord(parsed.root.value))
    return bare(t('{0} cannot be used: {1}', path, read.problems?.[0]?.message ?? ''));
  const document = parsed.root.value;
  const evaluate = isRecord(document.evaluate) ? document.evaluate : {};
  const text = JSON.stringify({
    ...document,
    lanes: read.batch.lanes.map(({ config: { id } }) =>
      (document.lanes as unknown[]).find((lane) => isRecord(lane) && lane.id === id),
    ),
    evaluate: {
      ...evaluate,
      ...toRepeat(head),
      ...(evaluate.rows !== undefined && { rows: read.batch.rows.map(toWrittenRow) }),
    },
  });
  const { fingerprint } = read.batch;
  return { text, isChanged: head.files.find((each) => each.path === path)?.plan !== fingerprint };
}

function toRepeat({ choice }: BlobHead): { repeat?: number } {
  const repeat = Number(choice.repeat);
  return Number.isInteger(repeat) && repeat >= 1 && repeat <= DOCUMENT_LIMIT.repeats ? { repeat } : {};
}

const toWrittenRow = (row: DataRow): Record<string, unknown> => {
  const { id, name, tags, repeat, expect, messages, variables } = row;
  return {
    ...variables,
    $id: id,
    ...(name !== undefined && { $name: name }),
    ...(tags.length > 0 && { $tags: tags }),
    ...(repeat !== undefined && { $repeat: repeat }),
    ...(expect && { $expect: expect }),
    ...(messages && { $messages: printPicks(messages) }),
  };
};

/** Without what was asked and expected, which a blob does not hold. */
function toBareText(lanes: BlobHead['lanes'], entries: readonly SampleEntry[]): string {
  const repeats = Math.max(1, ...entries.map(({ repeat }) => Math.min(repeat, DOCUMENT_LIMIT.repeats)));
  return JSON.stringify({
    messages: [{ role: 'user', content: t('A blob does not hold what was asked.') }],
    lanes: lanes.map(({ id, model, connection }) => ({ id, model, connection: connection.id })),
    evaluate: {
      repeat: repeats,
      rows: [...new Set(entries.map(({ rowId }) => rowId))].map(($id) => ({ $id })),
    },
  });
}

/** The connections of a playground, as far as what a blob says of them has the right shape. None needs a key: nothing is sent. */
export function viewsOf({ lanes }: BlobHead, path: string): ConnectionView[] {
  const views = new Map<string, ConnectionView>();
  for (const { file, model, connection } of lanes)
    if (file === path) views.set(connection.id, toView(connection, model));
  return [...views.values()];
}

const SCOPES: readonly ConnectionView['scope'][] = [
  'built-in',
  'user',
  'workspace',
  'folder',
  'module',
  'extension',
];
const NO_LIMITS: RunLimits = { connectTimeoutMs: 0, maxAttempts: 1 };

function toView(given: ConnectionView, model: string): ConnectionView {
  const view = given as unknown as Record<string, unknown>;
  const textOf = (key: string, fallback: string): string =>
    typeof view[key] === 'string' ? view[key] : fallback;
  const keys = Object.entries(isRecord(view.samplingKeys) ? view.samplingKeys : {});
  const { sampling, rates } = view;
  return {
    id: given.id,
    label: textOf('label', given.id),
    provider: textOf('provider', ''),
    address: textOf('address', ''),
    scope: SCOPES.find((scope) => scope === view.scope) ?? 'user',
    model: textOf('model', model),
    needsKey: false,
    hasKey: false,
    samplingKeys: Object.fromEntries(
      keys.map(([key, name]) => [key, typeof name === 'string' ? name : null]),
    ) as ConnectionView['samplingKeys'],
    limits: NO_LIMITS,
    toolChoiceKey: typeof view.toolChoiceKey === 'string' ? view.toolChoiceKey : null,
    hasRates: view.hasRates === true,
    ...(view.usesQuota === true && { usesQuota: true }),
    ...(isRecord(rates) && typeof rates.input === 'number' && typeof rates.output === 'number'
      ? { rates: { input: rates.input, output: rates.output } }
      : {}),
    ...(isRecord(sampling) && { sampling }),
    ...(view.isRescueOff === true && { isRescueOff: true }),
  };
}

// Adds, removes and moves lanes and tools in the document.
import { t } from '@vscode/l10n';
import { DOCUMENT_LIMIT } from '../../protocol';
import type { EditableDocument } from './editable-document';
import { refuse } from '../refusal';

/**
 * @param taken Ids of former lanes, which are not used again: their conversation would come back.
 * @returns the id of the new lane, which follows the one that it copies
 */
export async function addLane(
  editable: EditableDocument,
  copyOf: string | undefined,
  change: object,
  taken: Iterable<string>,
): Promise<string> {
  await editable.flush();
  const { lanes } = editable.document;
  if (lanes.length >= DOCUMENT_LIMIT.lanes) {
    throw refuse(t('There are already {0} lanes.', lanes.length), t('Remove one first.'));
  }
  const place = copyOf === undefined ? lanes.length - 1 : placeOf(editable, copyOf);
  const id = freeId(new Set([...lanes.map((lane) => lane.id), ...taken]));
  const value = withoutDefaults({ ...lanes[place], ...change, id });
  await editable.edit([{ path: ['lanes', place + 1], value, isInsertion: true }]);
  return id;
}

export async function removeLane(editable: EditableDocument, laneId: string): Promise<void> {
  await editable.flush();
  const place = placeOf(editable, laneId);
  if (editable.document.lanes.length === 1) {
    throw refuse(t('A playground has at least one lane.'), t('Add another lane first.'));
  }
  await editable.edit([{ path: ['lanes', place] }]);
}

export async function moveLane(editable: EditableDocument, laneId: string, to: number): Promise<void> {
  await editable.flush();
  const { lanes } = editable.document;
  const from = placeOf(editable, laneId);
  const target = Math.min(to, lanes.length - 1);
  if (from === target) return;
  await editable.edit([{ path: ['lanes', target], movedFrom: from }]);
}

/** Adds a tool with a placeholder name. @returns its id */
export async function addTool(editable: EditableDocument): Promise<string> {
  await editable.flush();
  const { tools } = editable.document;
  if (tools.length >= DOCUMENT_LIMIT.tools) {
    throw refuse(t('There are already {0} tools.', tools.length), t('Remove one first.'));
  }
  const taken = new Set(editable.tools.map(({ tool }) => tool.name));
  const value = {
    name: freeToolName(taken),
    description: '',
    parameters: { type: 'object', properties: {} },
  };
  await editable.edit([{ path: ['tools', tools.length], value }]);
  return editable.toolIds[tools.length] ?? '';
}

function placeOf({ document }: EditableDocument, laneId: string): number {
  const place = document.lanes.findIndex(({ id }) => id === laneId);
  if (place < 0) throw refuse(t('The lane no longer exists.'), t('Choose another lane.'));
  return place;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

function freeId(taken: ReadonlySet<string>): string {
  const free = LETTERS.find((letter) => !taken.has(letter));
  return free ?? crypto.randomUUID().slice(0, 8);
}

function freeToolName(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'new_tool' : `new_tool_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Leaves out values that are defaults. */
function withoutDefaults(lane: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(lane).filter(([key, value]) => !isDefault(key, value)));
}

const isDefault = (key: string, value: unknown): boolean =>
  value === undefined ||
  (key === 'rescueToolCalls' && value === true) ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

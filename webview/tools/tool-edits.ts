// The document edits of each action on a tool. Pure. Actions start from the tool with the typed texts applied,
// because the edits of those may not have arrived yet.
import type {
  DocumentEdit,
  DocumentSnapshot,
  DocumentTool,
  ParameterRow,
  PlaygroundDocument,
  ToolMock,
  ToolView,
} from '../../src/protocol';
import type { ViewState } from '../state/view-state';
import { moved, freeName } from './parameter-rows';
import type { ToolDraft, ToolPlace } from './tool-fields';
import { parametersOf, withTexts } from './tool-fields';

/** A tool with its surroundings, and a draft of it that includes the typed texts. */
export interface ToolScene {
  tool: ToolView;
  draft: ToolDraft;
  document: PlaygroundDocument;
  names: readonly string[];
}

export function toolScene(
  snapshot: DocumentSnapshot | undefined,
  id: string,
  typed: ViewState['fields'],
): ToolScene | undefined {
  const tool = snapshot?.tools.find((each) => each.id === id);
  if (!snapshot || !tool) return undefined;
  const names = snapshot.tools.map(({ name }) => name);
  return { tool, draft: withTexts(tool, typed), document: snapshot.document, names };
}

/** Whether its mocks come from its library. */
export function hasLibraryMocks({ tool, document }: Pick<ToolScene, 'tool' | 'document'>): boolean {
  const entry = document.tools[tool.index];
  return entry !== undefined && '$ref' in entry && entry.mocks === undefined;
}

/** Whether the tool's reference could not be resolved. Such a tool is not offered, whatever the document says. */
export function isUnresolved({ tool, document }: Pick<ToolScene, 'tool' | 'document'>): boolean {
  const entry = document.tools[tool.index];
  return tool.reference !== undefined && !tool.isOffered && entry?.offered !== false;
}

/** Offered is the default, which the document leaves out. */
export const offerEdits = (index: number, isOffered: boolean): DocumentEdit[] => {
  const path = ['tools', index, 'offered'];
  return [isOffered ? { path } : { path, value: false }];
};

export const removeEdits = (index: number): DocumentEdit[] => [{ path: ['tools', index] }];

/** Duplicates the tool; a copy of a library tool belongs to the playground. */
export function duplicateEdits({ tool, draft, names, document }: ToolScene): DocumentEdit[] {
  const { description, mocks } = draft;
  const entry = document.tools[tool.index];
  const value = {
    // Includes keys that the form does not know.
    ...(entry && !('$ref' in entry) && unknownOf(entry)),
    name: freeName(draft.name, [...names, draft.name]),
    ...(description !== '' && { description }),
    parameters: parametersOf(tool, draft),
    ...(!tool.isOffered && { offered: false }),
    ...(mocks.length > 0 && { mocks }),
  };
  return [{ path: ['tools', tool.index + 1], value, isInsertion: true }];
}

function unknownOf(entry: DocumentTool): object {
  const {
    name: _name,
    description: _text,
    parameters: _schema,
    offered: _isOffered,
    mocks: _mocks,
    ...rest
  } = entry;
  return rest;
}

/** Edits for a typed field. Always the same paths, because later edits of a field replace earlier ones. */
export function fieldEdits(scene: ToolScene, place: ToolPlace): DocumentEdit[] {
  const { tool, draft } = scene;
  const path = ['tools', tool.index];
  if (place.list === 'parameters') return rowEdits(scene, draft.rows ?? []);
  if (place.list === 'mocks') {
    if (hasLibraryMocks(scene)) return [{ path: [...path, 'mocks'], value: draft.mocks }];
    return [editOf([...path, 'mocks', place.at, place.part], draft.mocks[place.at]?.[place.part])];
  }
  if (place.part === 'description') return [editOf([...path, 'description'], draft.description || undefined)];
  return [{ path: [...path, 'name'], value: draft.name }, ...choiceEdits(scene)];
}

/** Renames the tool in the tool choice of the lanes that name it. */
function choiceEdits({ tool, draft, document, names }: ToolScene): DocumentEdit[] {
  if (names.filter((name) => name === tool.name).length > 1) return [];
  return document.lanes.flatMap(({ toolChoice }, lane) =>
    typeof toolChoice === 'object' && toolChoice.tool === tool.name
      ? [{ path: ['lanes', lane, 'toolChoice', 'tool'], value: draft.name }]
      : [],
  );
}

/** Edits that give the parameters these rows. */
export function rowEdits({ tool, draft }: ToolScene, rows: readonly ParameterRow[]): DocumentEdit[] {
  const { properties, required } = parametersOf(tool, { ...draft, rows });
  const path = ['tools', tool.index, 'parameters'];
  return [editOf([...path, 'properties'], properties), editOf([...path, 'required'], required)];
}

export type MockChange =
  | { kind: 'add'; at: number; mock: ToolMock }
  | { kind: 'replace'; at: number; mock: ToolMock }
  | { kind: 'remove'; at: number }
  | { kind: 'move'; at: number; to: number };

/** Changes the mocks; those of a library are first copied into the playground. */
export function mockEdits(scene: ToolScene, change: MockChange): DocumentEdit[] {
  const path = ['tools', scene.tool.index, 'mocks'];
  if (hasLibraryMocks(scene)) return [{ path, value: changed(scene.draft.mocks, change) }];
  const at = [...path, change.at];
  switch (change.kind) {
    case 'add':
      return [{ path: at, value: change.mock, isInsertion: true }];
    case 'replace':
      return [{ path: at, value: change.mock }];
    case 'remove':
      return [{ path: at }];
    case 'move':
      return [{ path: [...path, change.to], movedFrom: change.at }];
  }
}

/** Switches back to the mocks of the library. */
export const libraryMockEdits = (index: number): DocumentEdit[] => [{ path: ['tools', index, 'mocks'] }];

function changed(mocks: readonly ToolMock[], change: MockChange): ToolMock[] {
  switch (change.kind) {
    case 'add':
      return mocks.toSpliced(change.at, 0, change.mock);
    case 'replace':
      return mocks.toSpliced(change.at, 1, change.mock);
    case 'remove':
      return mocks.toSpliced(change.at, 1);
    case 'move':
      return moved(mocks, change.at, change.to);
  }
}

const editOf = (path: (string | number)[], value: unknown): DocumentEdit =>
  value === undefined ? { path } : { path, value };

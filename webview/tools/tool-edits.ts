// What each action on a tool changes in the document. Pure. Actions start from the tool with what was typed: its edits may
// still be on their way.
import type {
  DocumentEdit,
  DocumentSnapshot,
  DocumentTool,
  ParameterRow,
  PlaygroundDocument,
  ToolMock,
  ToolView,
} from '../../src/protocol';
import { moved, freeName } from './parameter-rows';
import type { ToolDraft, ToolPlace, TypedTexts } from './tool-fields';
import { parametersOf, withTexts } from './tool-fields';

/** A tool, where it stands, and what was typed of it. */
export interface ToolScene {
  tool: ToolView;
  draft: ToolDraft;
  document: PlaygroundDocument;
  names: readonly string[];
}

export function toolScene(
  snapshot: DocumentSnapshot | undefined,
  index: number,
  typed: TypedTexts,
): ToolScene | undefined {
  const tool = snapshot?.tools.find((each) => each.index === index);
  if (!snapshot || !tool) return undefined;
  const names = snapshot.tools.map(({ name }) => name);
  return { tool, draft: withTexts(tool, typed), document: snapshot.document, names };
}

/** Whether its mocks are those of the library it comes from. */
export function hasLibraryMocks({ tool, document }: Pick<ToolScene, 'tool' | 'document'>): boolean {
  const entry = document.tools[tool.index];
  return entry !== undefined && '$ref' in entry && entry.mocks === undefined;
}

/** A reference that leads nowhere is not offered, whatever the document says. */
export function isUnresolved({ tool, document }: Pick<ToolScene, 'tool' | 'document'>): boolean {
  const entry = document.tools[tool.index];
  return tool.reference !== undefined && !tool.isOffered && entry?.offered !== false;
}

/** Offered is the default, which is not written. */
export const offerEdits = (index: number, isOffered: boolean): DocumentEdit[] => {
  const path = ['tools', index, 'offered'];
  return [isOffered ? { path } : { path, value: false }];
};

export const removeEdits = (index: number): DocumentEdit[] => [{ path: ['tools', index] }];

/** One from a library becomes a tool of the playground's own. */
export function duplicateEdits({ tool, draft, names, document }: ToolScene): DocumentEdit[] {
  const { description, mocks } = draft;
  const entry = document.tools[tool.index];
  const value = {
    // with keys that only the file knows
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

/** What typing in a field changes; always the same places, since edits of one field replace each other. */
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

/** The lanes that are set to call the tool are set to its new name. */
function choiceEdits({ tool, draft, document, names }: ToolScene): DocumentEdit[] {
  if (names.filter((name) => name === tool.name).length > 1) return [];
  return document.lanes.flatMap(({ toolChoice }, lane) =>
    typeof toolChoice === 'object' && toolChoice.tool === tool.name
      ? [{ path: ['lanes', lane, 'toolChoice', 'tool'], value: draft.name }]
      : [],
  );
}

/** The parameters with these rows. */
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

/** Mocks of the library become the playground's own with the first change. */
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

/** Those of the library again. */
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

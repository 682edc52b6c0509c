// The text fields of a tool: their keys, how their texts are parsed, and the tool with all typed texts applied. A key
// names the tool, the parameter and the mock by their ids, such as `tools.2.mocks.0.when`, and so stays with them. Pure.
import { t } from '@vscode/l10n';
import type { ParameterRow, ToolMock, ToolView } from '../../src/protocol';
import { DOCUMENT_LIMIT, fromParametersTable, parametersTable } from '../../src/protocol';
import type { JsonSchema } from '../../src/types';
import type { ViewState } from '../state/view-state';
import type { TypedJson } from './json-field';
import { lengthProblem } from './json-field';
import type { MockPart } from './mock-form';
import { MOCK_PARTS, parseMockPart, showMockPart } from './mock-form';
import type { RowPart } from './parameter-rows';
import { parseRowPart, ROW_PARTS, showRowPart } from './parameter-rows';

const OWN_PARTS = ['name', 'description'] as const;

/** Place of a field in its tool: in the tool itself, in a row of its parameters, or in one of its mocks. */
export type ToolPlace =
  | { list?: undefined; at?: undefined; part: (typeof OWN_PARTS)[number] }
  | { list: 'parameters'; at: number; part: RowPart }
  | { list: 'mocks'; at: number; part: MockPart };

export interface ToolField {
  tool: ToolView;
  place: ToolPlace;
}

/** The editable parts of a tool. */
export interface ToolDraft {
  name: string;
  description: string;
  /** Absent when the parameters cannot be shown as a table. */
  rows?: readonly ParameterRow[] | undefined;
  mocks: readonly ToolMock[];
}

const KEY = /^tools\.(\w{1,20})(?:\.(parameters|mocks)\.(\w{1,20}))?\.(\w{1,20})$/;

export const isToolKey = (key: string): boolean => KEY.test(key);

const idsIn = (tool: ToolView, list: 'parameters' | 'mocks'): readonly string[] =>
  list === 'mocks' ? tool.mockIds : tool.parameterIds;

export const toolKey = (tool: ToolView, { list, at, part }: ToolPlace): string =>
  list === undefined
    ? `tools.${tool.id}.${part}`
    : `tools.${tool.id}.${list}.${idsIn(tool, list)[at] ?? ''}.${part}`;

/** @returns undefined for a key of another kind of field, and for a tool, parameter or mock that is gone */
export function findToolField(tools: readonly ToolView[], key: string): ToolField | undefined {
  const [, toolId, list, id, part] = KEY.exec(key) ?? [];
  const tool = toolId === undefined ? undefined : tools.find((each) => each.id === toolId);
  if (!tool) return undefined;
  const own = findIn(OWN_PARTS, part);
  if (list !== 'parameters' && list !== 'mocks') return own && { tool, place: { part: own } };
  const at = idsIn(tool, list).indexOf(id ?? '');
  const [row, mock] = [findIn(ROW_PARTS, part), findIn(MOCK_PARTS, part)];
  if (at < 0) return undefined;
  if (list === 'mocks') return mock && { tool, place: { list, at, part: mock } };
  return row && { tool, place: { list, at, part: row } };
}

/** The view for tools with other ids: what is saved names indexes, because the ids end with the session. */
export function translateView(
  view: ViewState,
  from: readonly ToolView[],
  to: readonly ToolView[],
): ViewState {
  const sameAs = (tool: ToolView | undefined) => to.find(({ index }) => index === tool?.index);
  const translate = ([key, text]: [string, string]): [string, string] => {
    const { tool, place } = findToolField(from, key) ?? {};
    const same = sameAs(tool);
    return [place && same ? toolKey(same, place) : key, text];
  };
  return {
    ...view,
    fields: new Map([...view.fields].map(translate)),
    typedOver: new Map([...view.typedOver].map(translate)),
    toolId: sameAs(from.find(({ id }) => id === view.toolId))?.id,
  };
}

/** The tools with indexes for ids. */
export const withIndexIds = (tools: readonly ToolView[]): ToolView[] =>
  tools.map((tool) => ({
    ...tool,
    id: `${tool.index}`,
    parameterIds: tool.parameterIds.map((_id, at) => `${at}`),
    mockIds: tool.mockIds.map((_id, at) => `${at}`),
  }));

const findIn = <Part extends string>(parts: readonly Part[], part: string | undefined): Part | undefined =>
  parts.find((known) => known === part);

export function toDraft(tool: ToolView): ToolDraft {
  const { name, description, parameters, mocks } = tool;
  const table = parametersTable(parameters);
  return { name, description, rows: 'rows' in table ? table.rows : undefined, mocks };
}

/** @returns the text of the field; undefined when it no longer exists. */
export function showField(draft: ToolDraft, place: ToolPlace): string | undefined {
  if (place.list === 'mocks') {
    const mock = draft.mocks[place.at];
    return mock && showMockPart(mock, place.part);
  }
  if (place.list === 'parameters') {
    const row = draft.rows?.[place.at];
    return row && showRowPart(row, place.part);
  }
  return draft[place.part];
}

export function parseField(draft: ToolDraft, place: ToolPlace, text: string): TypedJson {
  if (place.list === 'mocks') return parseMockPart(place.part, text);
  if (place.list === 'parameters') {
    const others = (draft.rows ?? []).filter((_row, at) => at !== place.at);
    return parseRowPart(
      place.part,
      text,
      others.map(({ name }) => name),
    );
  }
  return place.part === 'name' ? parseName(text) : parseDescription(text);
}

/**
 * The tool with the typed texts applied as far as they parse, so that an edit under way is not undone by the next
 * one.
 */
export function withTexts(tool: ToolView, typed: ViewState['fields']): ToolDraft {
  let draft = toDraft(tool);
  for (const [key, text] of typed) {
    const { place } = findToolField([tool], key) ?? {};
    if (!place || showField(draft, place) === undefined) continue;
    const { value, problem } = parseField(draft, place, text);
    if (problem === undefined) draft = setField(draft, place, value);
  }
  return draft;
}

export const parametersOf = ({ parameters }: ToolView, { rows }: ToolDraft): JsonSchema =>
  rows ? fromParametersTable(rows, parameters) : parameters;

function setField(draft: ToolDraft, place: ToolPlace, value: unknown): ToolDraft {
  const { list, at, part } = place;
  if (list === undefined) return { ...draft, [part]: value };
  if (list === 'mocks') return { ...draft, mocks: replaced(draft.mocks, at, part, value) };
  return { ...draft, rows: replaced(draft.rows ?? [], at, part, value) };
}

/** @param value The new value of the part; undefined removes it. */
function replaced<Item extends object>(
  list: readonly Item[],
  at: number,
  part: string,
  value: unknown,
): Item[] {
  return list.map((item, index) => {
    if (index !== at) return item;
    const entries = Object.entries(item).filter(([key]) => key !== part || value !== undefined);
    const changed = Object.fromEntries(entries) as Item;
    return value === undefined ? changed : { ...changed, [part]: value };
  });
}

function parseName(text: string): TypedJson {
  if (text.trim() === '') return { problem: t('A tool needs a name.') };
  return text.length > DOCUMENT_LIMIT.name
    ? { problem: t('This name is longer than 200 characters.') }
    : { value: text };
}

function parseDescription(text: string): TypedJson {
  const problem = lengthProblem(text);
  return problem === undefined ? { value: text } : { problem };
}

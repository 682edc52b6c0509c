// Finds oddities of a valid document, such as unknown keys and mocks that are never used.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { DocumentSchema } from '../../protocol';
import type { PlaygroundDocument, ToolMock } from '../../protocol';
import { findOffset } from './text/json-text';
import type { JsonNode, JsonProblem } from './text/json-text';
import { formatPlace } from './place';
import type { Path } from './place';

const MAX_WARNINGS = 50;

interface Warning {
  path: Path;
  reason: string;
}

/** @returns at most 50 warnings, in the order of the text */
export function findWarnings(document: PlaygroundDocument, root: JsonNode): JsonProblem[] {
  return [
    ...findUnknownKeys(document),
    ...findDoubles(document),
    ...findUnreachableMocks(document),
    ...findIdleExpectations(document),
  ]
    .slice(0, MAX_WARNINGS)
    .map((warning) => toProblem(warning, root))
    .toSorted((one, other) => one.offset - other.offset);
}

const toProblem = ({ path, reason }: Warning, root: JsonNode): JsonProblem => ({
  offset: findOffset(root, path),
  message: t('{0} {1}.', formatPlace(path), reason),
});

/** Finds the first key of a value that its schema does not know. @param at Path of the value in the document. */
export function findUnknownKey(schema: v.GenericSchema, value: unknown, at: Path, root: JsonNode) {
  const path = findUnknownPath(schema, value, at);
  return path && toProblem({ path, reason: unknownKeyMessage() }, root);
}

/** The same for a value that has no text of its own. */
export function findUnknownPath(schema: v.GenericSchema, value: unknown, at: Path): Path | undefined {
  const [path] = unknownKeys(schema, value, at);
  return path;
}

const unknownKeyMessage = (): string => t('is not known to this version; it is kept');

function findUnknownKeys(document: PlaygroundDocument): Warning[] {
  const warnings: Warning[] = [];
  for (const path of unknownKeys(DocumentSchema, document, [])) {
    warnings.push({ path, reason: unknownKeyMessage() });
    if (warnings.length === MAX_WARNINGS) break;
  }
  return warnings;
}

/** The fields of a valibot schema that `unknownKeys` needs to walk it. */
type SchemaPart = v.GenericSchema & {
  type: string;
  entries?: Readonly<Record<string, SchemaPart>>;
  wrapped?: SchemaPart;
  item?: SchemaPart;
  options?: readonly SchemaPart[];
};

/** Yields the paths of keys that no schema names. All keys of a record count as known. */
function* unknownKeys(schema: v.GenericSchema, value: unknown, path: Path): Generator<Path> {
  const { type, entries, wrapped, item, options } = schema as SchemaPart;
  if (wrapped) yield* unknownKeys(wrapped, value, path);
  const option = type === 'union' ? options?.find((each) => v.is(each, value)) : undefined;
  if (option) yield* unknownKeys(option, value, path);
  if (typeof value !== 'object' || value === null) return;
  if (item && Array.isArray(value)) {
    for (const [index, each] of value.entries()) yield* unknownKeys(item, each, [...path, index]);
  }
  if (!entries) return;
  for (const [key, each] of Object.entries(value)) {
    const known = Object.hasOwn(entries, key) ? entries[key] : undefined;
    if (known) yield* unknownKeys(known, each, [...path, key]);
    else yield [...path, key];
  }
}

/** Finds tools with the same name: a model's call of that name could mean either. */
function findDoubles({ tools }: PlaygroundDocument): Warning[] {
  const first = new Map<string, number>();
  return tools.flatMap((tool, index): Warning[] => {
    const [key, name] = '$ref' in tool ? ['$ref', tool.$ref] : ['name', tool.name];
    const earlier = first.get(`${key} ${name}`);
    if (earlier === undefined) {
      first.set(`${key} ${name}`, index);
      return [];
    }
    return [{ path: ['tools', index, key], reason: t('is the same as that of tools[{0}]', earlier) }];
  });
}

const matchesEverything = ({ when, call }: ToolMock): boolean =>
  call === undefined && Object.keys(when ?? {}).length === 0;

function findUnreachableMocks({ tools }: PlaygroundDocument): Warning[] {
  return tools.flatMap(({ mocks = [] }, index): Warning[] => {
    const catchAll = mocks.findIndex(matchesEverything);
    if (catchAll === -1 || catchAll === mocks.length - 1) return [];
    const reason = t('is never used: mocks[{0}] before it matches every call', catchAll);
    return [{ path: ['tools', index, 'mocks', catchAll + 1], reason }];
  });
}

/** Finds what expectations name and the document does not have: they would judge nothing there, and say nothing. */
function findIdleExpectations({ expect, lanes, tools, evaluate }: PlaygroundDocument): Warning[] {
  const laneIds = new Set(lanes.map(({ id }) => id));
  // The name of a tool in a library is the last part of its reference.
  const toolNames = new Set(tools.map((tool) => ('$ref' in tool ? tool.$ref.split('/').at(-1) : tool.name)));
  return expect.flatMap(({ lanes: holdsFor = [], calls = [], never = [], extra = [], ...rest }, index) => {
    const at = ['expect', index] as const;
    const names = [
      ...calls.map(({ tool }, call) => [[...at, 'calls', call, 'tool'], tool] as const),
      ...never.map((tool, which) => [[...at, 'never', which], tool] as const),
      ...(typeof extra === 'string'
        ? []
        : extra.map((tool, which) => [[...at, 'extra', which], tool] as const)),
    ];
    return [
      ...holdsFor.flatMap((id, which): Warning[] =>
        laneIds.has(id)
          ? []
          : [{ path: [...at, 'lanes', which], reason: t('names no lane of this playground') }],
      ),
      ...names.flatMap(([path, tool]): Warning[] =>
        toolNames.has(tool) ? [] : [{ path, reason: t('names no tool of this playground') }],
      ),
      ...(['steps', 'stop'] as const).flatMap((key): Warning[] =>
        rest[key] === undefined || evaluate.mode === 'agent'
          ? []
          : [{ path: [...at, key], reason: t('has a verdict only when evaluate.mode is agent') }],
      ),
    ];
  });
}

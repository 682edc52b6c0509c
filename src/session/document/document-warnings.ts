// What is odd about a document that is otherwise right. Knows no text but through the tree.
import { DocumentSchema } from '../../protocol';
import type { PlaygroundDocument, ToolMock } from '../../protocol';
import { findOffset } from './json-text';
import type { JsonNode, JsonProblem } from './json-text';
import { formatPlace } from './place';
import type { Path } from './place';

/** Keys of the schema, and those that later versions have. */
const KNOWN_KEYS = new Set([...Object.keys(DocumentSchema.entries), 'expect', 'repeat']);
const MAX_WARNINGS = 50;

interface Warning {
  path: Path;
  reason: string;
}

/** @returns at most 50, keys first, then tools */
export function findWarnings(document: PlaygroundDocument, root: JsonNode): JsonProblem[] {
  return [...findUnknownKeys(document), ...findDoubles(document), ...findUnreachableMocks(document)]
    .slice(0, MAX_WARNINGS)
    .map(({ path, reason }) => ({
      offset: findOffset(root, path),
      message: `${formatPlace(path)} ${reason}.`,
    }));
}

const findUnknownKeys = (document: PlaygroundDocument): Warning[] =>
  Object.keys(document)
    .filter((key) => !KNOWN_KEYS.has(key))
    .map((key) => ({ path: [key], reason: 'is not known to this version and is kept' }));

/** Of two tools of one name, a model's call means either. */
function findDoubles({ tools }: PlaygroundDocument): Warning[] {
  const first = new Map<string, number>();
  return tools.flatMap((tool, index): Warning[] => {
    const [key, name] = '$ref' in tool ? ['$ref', tool.$ref] : ['name', tool.name];
    const earlier = first.get(`${key} ${name}`);
    if (earlier === undefined) {
      first.set(`${key} ${name}`, index);
      return [];
    }
    return [{ path: ['tools', index, key], reason: `is the same as that of tools[${earlier}]` }];
  });
}

const matchesEverything = ({ when, call }: ToolMock): boolean =>
  call === undefined && Object.keys(when ?? {}).length === 0;

function findUnreachableMocks({ tools }: PlaygroundDocument): Warning[] {
  return tools.flatMap(({ mocks = [] }, index): Warning[] => {
    const catchAll = mocks.findIndex(matchesEverything);
    if (catchAll === -1 || catchAll === mocks.length - 1) return [];
    const reason = `is never used: mocks[${catchAll}] before it matches every call`;
    return [{ path: ['tools', index, 'mocks', catchAll + 1], reason }];
  });
}

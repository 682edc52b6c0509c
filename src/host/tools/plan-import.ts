// Plans the import of tools into a document: the edits, and the summary for the user. Independent of dialogs.
import { t } from '@vscode/l10n';
import type { DocumentEdit, DocumentTool } from '../../protocol';
import type { SkippedTool } from '../../session';
import { toLabel } from '../../inspect';
import { replaceTool } from './replace-tool';
import type { ToolEntry } from './tool-text';
import { withoutDefaults } from './tool-text';

/** A tool to import. */
export interface Incoming {
  tool: DocumentTool;
  /** If present, the tool stays in its library and the document only refers to it. */
  reference?: string | undefined;
}

/** A tool of the document with the name that calls use. */
export interface Present {
  name: string;
  entry: ToolEntry;
}

export type OnClash = 'replace' | 'keep both';

export interface ImportPlan {
  edits: DocumentEdit[];
  /** The names of the imported tools in the document, in order. */
  imported: string[];
  skipped: SkippedTool[];
}

export interface ImportLimits {
  tools: number;
  name: number;
}

/** Above this number, tools are replaced as a whole, because a document accepts a limited number of edits at once. */
const MAX_EDITED = 5;

/** Names that occur on both sides. A reference that the document already has is not a clash. */
export function findClashes(present: readonly Present[], incoming: readonly Incoming[]): string[] {
  const names = new Set(present.map(({ name }) => name));
  const known = referencesOf(present);
  const clashing = incoming.filter(
    ({ tool, reference }) => names.has(tool.name) && !(reference !== undefined && known.has(reference)),
  );
  return [...new Set(clashing.map(({ tool }) => tool.name))];
}

export function planImport(
  present: readonly Present[],
  incoming: readonly Incoming[],
  onClash: OnClash,
  limits: ImportLimits,
): ImportPlan {
  const plan: ImportPlan = { edits: [], imported: [], skipped: [] };
  const places = new Map(present.map(({ name }, index) => [name, index] as const).toReversed());
  const known = referencesOf(present);
  const taken = new Set(places.keys());
  let count = present.length;
  for (const { tool, reference } of incoming) {
    const what = toLabel(tool.name, 60);
    const place = places.get(tool.name);
    places.delete(tool.name); // A second imported tool of this name must not replace the first.
    const old = place === undefined ? undefined : present[place];
    if (reference !== undefined && known.has(reference)) {
      plan.skipped.push({ what, why: t('already exists') });
    } else if (old && place !== undefined && onClash === 'replace') {
      const value = withMocksOf(old.entry, toEntry(tool, reference), tool);
      const isFew = incoming.length <= MAX_EDITED;
      plan.edits.push(
        ...(isFew ? replaceTool(old.entry, value, place) : [{ path: ['tools', place], value }]),
      );
      plan.imported.push(tool.name);
    } else if (count >= limits.tools) {
      plan.skipped.push({
        what,
        why: t('would be more than the {0} that a playground can have', limits.tools),
      });
    } else {
      const name = freeName(tool.name, taken, limits.name);
      // The name of a library tool cannot be changed here, so a renamed one is copied.
      const value = name === tool.name ? toEntry(tool, reference) : toEntry({ ...tool, name }, undefined);
      taken.add(name);
      plan.edits.push({ path: ['tools', count++], value });
      plan.imported.push(name);
    }
  }
  return plan;
}

/** Returns a free name: `get_weather`, `get_weather_2` … */
export function freeName(name: string, taken: ReadonlySet<string>, maxLength = 200): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) {
    const end = `_${number}`;
    free = name.slice(0, maxLength - end.length).replace(/[\uD800-\uDBFF]$/, '') + end;
  }
  return free;
}

/** Summary of what was imported, and what was not and why. */
export function describeImport({ imported, skipped }: Pick<ImportPlan, 'imported' | 'skipped'>): string {
  const names = listNames(imported);
  const done = imported.length === 0 ? t('No tool was imported.') : t('Imported {0}.', names);
  if (skipped.length === 0) return done;
  const reasons = skipped.slice(0, 5).map(({ what, why }) => `${toLabel(what, 60)} ${toLabel(why, 300)}`);
  const more = skipped.length - reasons.length;
  const listed = reasons.join('; ');
  return `${done} ${more > 0 ? t('Left out: {0}; and {1} more.', listed, more) : t('Left out: {0}.', listed)}`;
}

/** Such as `a, b and 3 more`. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => toLabel(name, 60));
  const rest = names.length - shown.length;
  return rest > 0 ? t('{0} and {1} more', shown.join(', '), rest) : shown.join(', ');
}

/** Edits that answer calls of these tools by running them, unless one of their mocks answers first. */
export function addInvokeMocks(present: readonly Present[], names: ReadonlySet<string>): DocumentEdit[] {
  return present.flatMap(({ name, entry }, index): DocumentEdit[] => {
    const mocks = entry.mocks ?? [];
    if (!names.has(name) || mocks.some(({ invoke }) => invoke)) return [];
    return [{ path: ['tools', index, 'mocks'], value: [...mocks, { invoke: true }] }];
  });
}

const referencesOf = (present: readonly Present[]): Set<string> =>
  new Set(present.flatMap(({ entry }) => ('$ref' in entry ? entry.$ref : [])));

const toEntry = (tool: DocumentTool, reference: string | undefined): Record<string, unknown> =>
  reference === undefined ? withoutDefaults(tool) : { $ref: reference };

/** Keeps the old mocks if the new tool has none: mocks are written by hand, and most tool lists contain none. */
function withMocksOf(
  old: ToolEntry,
  value: Record<string, unknown>,
  { mocks }: DocumentTool,
): Record<string, unknown> {
  return old.mocks && old.mocks.length > 0 && mocks.length === 0 ? { ...value, mocks: old.mocks } : value;
}

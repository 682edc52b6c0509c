// Finds the offered tool that a written name means. Similar names are only suggested, never resolved.
import type { ToolType } from '../../../types';
import { toRecord } from '../../util/json';
import { countEdits } from '../text/edit-distance';

const MAX_NEAREST = 3;
const LONGEST_COMPARED = 64;
// Suggestions are for people; beyond these limits, comparing names only costs time.
const MAX_COMPARED_TOOLS = 100;
const MAX_COMPARED_NAMES = 16;
const MAX_UNKNOWN = 64;

export interface NamedTool {
  tool: ToolType;
  /** How the written name differs: `name-prefix`, `name-case`. */
  repairs: string[];
}

export class ToolIndex {
  readonly #names: ToolNames;
  // Created only when needed, because most replies name no tool.
  #nearest: Map<string, string[]> | undefined;
  #unknown: Set<string> | undefined;

  constructor(tools: readonly ToolType[]) {
    this.#names = findNames(tools);
  }

  /** In the order in which they are offered. */
  get names(): readonly string[] {
    return this.#names.names;
  }

  /** Whether any tool requires a parameter of this name, any tool has it, or none does. */
  declares(parameter: string): 'required' | 'optional' | 'unknown' {
    const schemas = this.#names.tools.map(({ parameters }) => toRecord(parameters));
    const isRequired = schemas.some(
      ({ required }) => Array.isArray(required) && required.includes(parameter),
    );
    if (isRequired) return 'required';
    const isKnown = schemas.some(({ properties }) => Object.hasOwn(toRecord(properties), parameter));
    return isKnown ? 'optional' : 'unknown';
  }

  resolve(written: string): NamedTool | undefined {
    // Remembered, because prose repeats the same few words over and over.
    if (this.#unknown?.has(written)) return undefined;
    const found = this.#resolve(written);
    if (found) return found;
    this.#unknown ??= new Set();
    if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.add(written);
    return undefined;
  }

  #resolve(written: string): NamedTool | undefined {
    const name = written.trim();
    const exact = this.#names.exact.get(name);
    if (exact) return { tool: exact, repairs: [] };
    const prefix = NAME_PREFIXES.find((item) => name.startsWith(item)) ?? '';
    const bare = name.slice(prefix.length);
    const prefixRepair = prefix === '' ? [] : ['name-prefix'];
    return (
      this.#found(this.#names.exact.get(bare), prefixRepair) ??
      this.#found(this.#foldedOnly(name), ['name-case']) ??
      this.#found(this.#foldedOnly(bare), [...prefixRepair, 'name-case']) ??
      this.#found(this.#inOwnNamespace(name), ['name-prefix'])
    );
  }

  /**
   * Resolves `read.read` and `repo.repo.read`, from templates that give each tool the first part of its name as a namespace.
   */
  #inOwnNamespace(name: string): ToolType | undefined {
    const dot = name.indexOf('.');
    const space = name.slice(0, Math.max(0, dot));
    const rest = name.slice(dot + 1);
    return space !== '' && (rest === space || rest.startsWith(`${space}.`))
      ? this.#names.exact.get(rest)
      : undefined;
  }

  /** Offered names, the most similar first; empty when none is similar. */
  nearest(written: string): string[] {
    const name = written.trim().slice(0, LONGEST_COMPARED).toLowerCase();
    this.#nearest ??= new Map();
    const known = this.#nearest.get(name);
    if (known) return known;
    if (this.#nearest.size >= MAX_COMPARED_NAMES) return [];
    const scored = this.#names.tools
      .slice(0, MAX_COMPARED_TOOLS)
      .map((tool) => ({
        name: tool.name,
        score: similarity(name, tool.name.slice(0, LONGEST_COMPARED).toLowerCase()),
      }))
      .filter(({ score }) => score >= 0.4)
      .toSorted((one, other) => other.score - one.score);
    const names = scored.slice(0, MAX_NEAREST).map((item) => item.name);
    this.#nearest.set(name, names);
    return names;
  }

  #found(tool: ToolType | undefined, repairs: string[]): NamedTool | undefined {
    return tool && { tool, repairs };
  }

  #foldedOnly(name: string): ToolType | undefined {
    const tools = this.#names.folded.get(name.toLowerCase());
    return tools?.size === 1 ? [...tools][0] : undefined;
  }
}

/** 1 for equal names, 0 for names without a common letter: 1 minus the edit distance divided by the longer length. */
function similarity(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  return longest === 0 ? 1 : 1 - countEdits(one, other) / longest;
}

/** Prefixes that models write before a tool's name. */
export const NAME_PREFIXES: readonly string[] = [
  'namespace.functions.',
  'functions.',
  'function.',
  'tools.',
  'tool.',
  'default_api.',
  'default_api:',
];

export class ToolNames {
  readonly tools: readonly ToolType[];
  readonly exact: ReadonlyMap<string, ToolType>;
  /** In the order in which they are offered. */
  readonly names: readonly string[];
  readonly folded: ReadonlyMap<string, ReadonlySet<ToolType>>;
  constructor(tools: readonly ToolType[]) {
    this.tools = tools.filter((tool) => typeof tool?.name === 'string');
    const exact = new Map<string, ToolType>();
    const folded = new Map<string, Set<ToolType>>();
    for (const tool of this.tools) {
      if (exact.has(tool.name)) continue;
      exact.set(tool.name, tool);
      const name = tool.name.toLowerCase();
      folded.set(name, (folded.get(name) ?? new Set()).add(tool));
    }
    this.exact = exact;
    this.names = [...exact.keys()];
    this.folded = folded;
  }
}

interface KnownTools {
  /** A copy, by which a later change of the caller's list is noticed. */
  tools: readonly ToolType[];
  written: readonly unknown[];
  names: ToolNames;
}

const KNOWN = new WeakMap<readonly ToolType[], KnownTools>();

export function findNames(tools: readonly ToolType[]): ToolNames {
  const known = KNOWN.get(tools);
  if (known && isSame(known, tools)) return known.names;
  const names = new ToolNames(tools);
  KNOWN.set(tools, { tools: [...tools], written: tools.map((tool) => tool?.name), names });
  return names;
}

const isSame = (known: KnownTools, tools: readonly ToolType[]): boolean =>
  tools.length === known.tools.length &&
  tools.every((tool, index) => tool === known.tools[index] && tool?.name === known.written[index]);

// The offered tools by name, and which of them a written name means. No fuzzy matching: similarity only advises.
import type { ToolType } from '../../types';
import type { NameEdges } from './mark-search';
import { findNames, NAME_PREFIXES } from './tool-names';
import type { ToolNames } from './tool-names';

const MOST_NEAREST = 3;
const LONGEST_COMPARED = 64;
// past these a reply is not being diagnosed any more, and comparing would cost
const MOST_COMPARED_TOOLS = 100;
const MOST_COMPARED_NAMES = 16;
const MOST_UNKNOWN = 64;

export interface ResolvedTool {
  tool: ToolType;
  /** How the written name differs: `name-prefix`, `name-case`. */
  repairs: string[];
}

export class ToolIndex {
  readonly #names: ToolNames;
  readonly #nearest = new Map<string, string[]>();
  readonly #unknown = new Set<string>();

  constructor(tools: readonly ToolType[]) {
    this.#names = findNames(tools);
  }

  /** What the names begin and end with. */
  get edges(): NameEdges {
    return this.#names;
  }

  /** As they are offered. */
  get names(): string[] {
    return [...this.#names.exact.keys()];
  }

  resolve(written: string): ResolvedTool | undefined {
    // prose asks for the same few words over and over
    if (this.#unknown.has(written)) return undefined;
    const found = this.#resolve(written);
    if (!found && this.#unknown.size < MOST_UNKNOWN) this.#unknown.add(written);
    return found;
  }

  #resolve(written: string): ResolvedTool | undefined {
    const name = written.trim();
    const exact = this.#names.exact.get(name);
    if (exact) return { tool: exact, repairs: [] };
    const prefix = NAME_PREFIXES.find((item) => name.startsWith(item)) ?? '';
    const bare = name.slice(prefix.length);
    const prefixRepair = prefix === '' ? [] : ['name-prefix'];
    return (
      this.#found(this.#names.exact.get(bare), prefixRepair) ??
      this.#found(this.#foldedOnly(name), ['name-case']) ??
      this.#found(this.#foldedOnly(bare), [...prefixRepair, 'name-case'])
    );
  }

  /** Offered names, the most similar first; empty when nothing is alike. */
  nearest(written: string): string[] {
    const name = written.trim().slice(0, LONGEST_COMPARED).toLowerCase();
    const known = this.#nearest.get(name);
    if (known) return known;
    if (this.#nearest.size >= MOST_COMPARED_NAMES) return [];
    const scored = this.#names.tools
      .slice(0, MOST_COMPARED_TOOLS)
      .map((tool) => ({
        name: tool.name,
        score: similarity(name, tool.name.slice(0, LONGEST_COMPARED).toLowerCase()),
      }))
      .filter(({ score }) => score >= 0.4)
      .toSorted((one, other) => other.score - one.score);
    const names = scored.slice(0, MOST_NEAREST).map((item) => item.name);
    this.#nearest.set(name, names);
    return names;
  }

  #found(tool: ToolType | undefined, repairs: string[]): ResolvedTool | undefined {
    return tool && { tool, repairs };
  }

  #foldedOnly(name: string): ToolType | undefined {
    const tools = this.#names.folded.get(name.toLowerCase());
    return tools?.size === 1 ? [...tools][0] : undefined;
  }
}

/** 1 for equal names, 0 for names without a common letter: edit distance over the longer length. */
function similarity(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const change = one.charAt(line - 1) === other.charAt(column - 1) ? 0 : 1;
      next.push(
        Math.min((row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, (row[column - 1] ?? 0) + change),
      );
    }
    row = next;
  }
  return 1 - (row[other.length] ?? longest) / longest;
}

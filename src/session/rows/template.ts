// A value with placeholders such as {{city}} in its texts, which are found once and filled for many rows. Does not know which
// parts of a document have placeholders.
import { isRecord } from '../../library';
import { DOCUMENT_LIMIT, PLACEHOLDER } from '../../protocol';
import type { Path } from '../document/place';

export type Variables = Readonly<Record<string, unknown>>;

/** A place that needs a variable. */
export interface Placeholder {
  /** Of the text that has it. */
  path: Path;
  /** Exactly what is between the braces: `city`, `user.name`, `items.0`. */
  name: string;
}

export interface Unfilled extends Placeholder {
  /**
   * `null`: text is needed there. `too-long`: the text would be longer than that of a document may be. `stray`: `{{` without a
   * name, such as `{{city}`.
   */
  reason: 'absent' | 'null' | 'too-long' | 'stray';
}

/**
 * Which parts of a value have placeholders. `text`: its text, into which variables are inserted as text. `json`: every text in
 * it, at any depth; one that is nothing but a placeholder becomes the variable itself, whatever its type. A list or an object:
 * those elements or members. `null`: none.
 */
export type Shape = 'text' | 'json' | null | readonly [Shape] | { readonly [key: string]: Shape };

/** @param unfilled Gets the placeholders that have no value. */
type Fill = (variables: Variables, unfilled: Unfilled[]) => unknown;

export class Template<Value> {
  readonly #value: Value;
  readonly #fill: Fill | undefined;
  /** In the order of the value. */
  readonly placeholders: Placeholder[] = [];
  /** Texts in which `{{` begins no placeholder, whatever the row. */
  readonly strays: Unfilled[] = [];

  /** @param path Of the value in its document. */
  constructor(value: Value, shape: Shape, path: Path = []) {
    this.#value = value;
    this.#fill = this.#compile(value, shape, path);
  }

  /**
   * Replaces each placeholder once: one in the value of a variable stays. `\{{` becomes `{{`.
   * @returns a value that may have other types than the written one, where a variable took the place of a text. Parts without
   * placeholders are not copied.
   */
  fillWith(variables: Variables): { value: Value; unfilled: Unfilled[] } {
    const unfilled: Unfilled[] = [];
    const value = this.#fill ? (this.#fill(variables, unfilled) as Value) : this.#value;
    return { value, unfilled };
  }

  #compile(value: unknown, shape: Shape | undefined, path: Path): Fill | undefined {
    if (shape === null || shape === undefined) return undefined;
    if (typeof value === 'string')
      return typeof shape === 'string' ? this.#compileText(value, shape, path) : undefined;
    if (shape === 'text' || typeof value !== 'object' || value === null) return undefined;
    const fills = Object.entries(value).flatMap(([key, inner]) => {
      const segment = Array.isArray(value) ? Number(key) : key;
      const fill = this.#compile(inner, shapeOf(shape, value, key), [...path, segment]);
      return fill ? [[key, fill] as const] : [];
    });
    if (fills.length === 0) return undefined;
    return (variables, unfilled) => {
      const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
      for (const [key, fill] of fills) copy[key] = fill(variables, unfilled);
      return copy;
    };
  }

  #compileText(text: string, shape: 'text' | 'json', path: Path): Fill | undefined {
    if (!text.includes('{{')) return undefined;
    const { parts, hasStray } = splitText(text, path);
    if (hasStray) this.strays.push({ path, name: '', reason: 'stray' });
    const placeholders = parts.filter((part) => typeof part === 'object');
    this.placeholders.push(...placeholders);
    const [only] = placeholders;
    if (shape === 'json' && only && parts.length === 1)
      return (variables, unfilled) => {
        const value = findVariable(variables, only.name);
        if (value === undefined) unfilled.push({ ...only, reason: 'absent' });
        return value;
      };
    return (variables, unfilled) => fillText(parts, variables, unfilled);
  }
}

function shapeOf(shape: Exclude<Shape, 'text' | null>, value: object, key: string): Shape | undefined {
  if (shape === 'json') return shape;
  const isList = Array.isArray(value);
  if (isListShape(shape)) return isList ? shape[0] : undefined;
  return !isList && Object.hasOwn(shape, key) ? shape[key] : undefined;
}

const isListShape = (shape: object): shape is readonly [Shape] => Array.isArray(shape);

/** Literal text, or a placeholder. */
type Part = string | Placeholder;

/** `\{{`, or a placeholder with its name. */
const TOKEN = new RegExp(String.raw`\\\{\{|${PLACEHOLDER.source}`, 'g');

/** The value whose texts, at any depth, are the given ones once they are filled. */
export function keepBraces(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', String.raw`\{{`);
  if (Array.isArray(value)) return value.map(keepBraces);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keepBraces(inner)]));
}

/** Whether the value is a text with a placeholder. */
export const hasPlaceholder = (value: unknown): boolean =>
  typeof value === 'string' && Array.from(value.matchAll(TOKEN)).some(([, name]) => name !== undefined);

function splitText(text: string, path: Path): { parts: Part[]; hasStray: boolean } {
  const parts: Part[] = [];
  let [literal, end, hasStray] = ['', 0, false];
  const addLiteral = (to: number): void => {
    const between = text.slice(end, to);
    hasStray ||= between.includes('{{');
    literal += between;
  };
  for (const { 0: token, 1: name, index } of text.matchAll(TOKEN)) {
    addLiteral(index);
    end = index + token.length;
    if (name === undefined) {
      literal += '{{';
      continue;
    }
    if (literal !== '') parts.push(literal);
    parts.push({ path, name });
    literal = '';
  }
  addLiteral(text.length);
  if (literal !== '') parts.push(literal);
  return { parts, hasStray };
}

function fillText(parts: readonly Part[], variables: Variables, unfilled: Unfilled[]): string {
  let text = '';
  for (const part of parts) {
    const value = typeof part === 'string' ? part : findVariable(variables, part.name);
    if (typeof part === 'object' && (value === undefined || value === null))
      unfilled.push({ ...part, reason: value === null ? 'null' : 'absent' });
    else text += typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length <= DOCUMENT_LIMIT.text) continue;
    const name = typeof part === 'object' ? part.name : '';
    unfilled.push({ path: pathOf(parts), name, reason: 'too-long' });
    return '';
  }
  return text;
}

const pathOf = (parts: readonly Part[]): Path => parts.find((part) => typeof part === 'object')?.path ?? [];

/**
 * Finds a variable by its whole name, else by its path over own members and elements.
 * @returns undefined when there is none
 */
export function findVariable(variables: Variables, name: string): unknown {
  if (Object.hasOwn(variables, name)) return variables[name];
  let value: unknown = variables;
  for (const segment of name.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(segment) ? (value[Number(segment)] as unknown) : undefined;
    else value = isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return value;
}

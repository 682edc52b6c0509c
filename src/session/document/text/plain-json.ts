// Copies any value to plain JSON, or says why it is none.
import { t } from '@vscode/l10n';
import { isTooDeep, MAX_DEPTH } from './json-text';

/** Maximum number of values in it, the value itself included. It also bounds values that share the same part many times. */
const MAX_PARTS = 200_000;
/** Maximum length of all texts and keys together, in UTF-16 code units; a document is not longer either. */
const MAX_CHARACTERS = 8_000_000;

/** Thrown for a value that is no plain JSON; the message says why. */
export class NoPlainJsonError extends Error {}

/** Like JSON.stringify, omits undefined members and writes undefined list elements as null. @throws {NoPlainJsonError} */
export const toPlainJson = (value: unknown): unknown => new PlainCopy().of(value, 1);

class PlainCopy {
  #parts = 0;
  #characters = 0;
  readonly #ancestors = new Set<unknown>();

  of(value: unknown, depth: number): unknown {
    if (++this.#parts > MAX_PARTS) throw new NoPlainJsonError(t('The value has too many parts.'));
    if (typeof value === 'string') return this.#text(value);
    if (value === null || typeof value === 'boolean') return value;
    // JSON.stringify writes -0 as 0.
    if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
    if (typeof value !== 'object')
      throw new NoPlainJsonError(
        t('The value contains something that JSON cannot express: {0}.', nameOf(value)),
      );
    if (isTooDeep(depth))
      throw new NoPlainJsonError(t('The value is nested more than {0} levels deep.', MAX_DEPTH));
    if (this.#ancestors.has(value)) throw new NoPlainJsonError(t('The value contains itself.'));
    this.#ancestors.add(value);
    const copy = Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth);
    this.#ancestors.delete(value);
    return copy;
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) throw new NoPlainJsonError(t('The value is too long.'));
    return text;
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    // The length is checked first, because a sparse list may have any length without having the elements.
    if (list.length > MAX_PARTS) throw new NoPlainJsonError(t('The value has too many parts.'));
    return Array.from(list, (entry) => this.of(entry ?? null, depth + 1));
  }

  #object(value: object, depth: number): Record<string, unknown> {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      throw new NoPlainJsonError(t('The value contains an object of a class.'));
    const copy: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value) as [string, unknown][]) {
      if (key === '__proto__') throw new NoPlainJsonError(t('The value has a key __proto__.'));
      if (entry !== undefined) copy[this.#text(key)] = this.of(entry, depth + 1);
    }
    return copy;
  }
}

const nameOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : t('a {0}', typeof value);

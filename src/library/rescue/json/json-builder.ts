// Assembles the value that is being read, with a stack of the open containers. Independent of the text.
import { setOwn } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { isArgumentKey } from '../core/call-keys';
import type { JsonRole } from '../core/json-reading';
import type { Span } from '../text/cut-text';

export interface Frame {
  container: JsonRecord | unknown[];
  isList: boolean;
  start: number;
  /** The key whose value is being read. */
  key: string;
  /** Whether the container is the arguments of a call, or is inside them. */
  isArguments: boolean;
}

const NONE: readonly string[] = [];

export class JsonBuilder {
  root: unknown;
  /**
   * Offsets of each closed object and array; undefined until one is closed, since a list of texts needs none before its end.
   */
  spans: Map<object, Span> | undefined;
  #repeated: string[] | undefined;
  readonly #frames: Frame[] = [];
  readonly #role: JsonRole;

  constructor(role: JsonRole) {
    this.#role = role;
  }

  /** Names of arguments that were written more than once. */
  get repeated(): readonly string[] {
    return this.#repeated ?? NONE;
  }

  get depth(): number {
    return this.#frames.length;
  }

  get top(): Frame | undefined {
    return this.#frames.at(-1);
  }

  get parent(): Frame | undefined {
    return this.#frames.at(-2);
  }

  get isInArguments(): boolean {
    return this.top?.isArguments === true;
  }

  attach(value: unknown): void {
    const frame = this.top;
    if (!frame) this.root = value;
    else if (Array.isArray(frame.container)) frame.container.push(value);
    else if (Object.hasOwn(frame.container, frame.key)) this.#attachAgain(frame.container, frame.key, value);
    else setOwn(frame.container, frame.key, value);
  }

  #attachAgain(container: JsonRecord, key: string, value: unknown): void {
    if (this.isInArguments && this.parent?.isArguments !== true) (this.#repeated ??= []).push(key);
    setOwn(container, key, value);
  }

  open(isList: boolean, start: number): void {
    const isArguments = this.#opensArguments();
    const container = isList ? [] : ({} as JsonRecord);
    this.attach(container);
    this.#frames.push({ container, isList, start, key: '', isArguments });
  }

  #opensArguments(): boolean {
    const above = this.top;
    if (!above) return this.#role === 'arguments';
    return above.isArguments || isArgumentKey(above.key) || (this.#role === 'keyed' && above.key !== '');
  }

  close(end: number): void {
    const frame = this.#frames.pop();
    if (!frame) return;
    this.spans ??= new Map();
    this.spans.set(frame.container, { start: frame.start, end });
  }

  /** Describes what was read and its key, as part of a sentence. */
  describe(what: string): string {
    const key = this.#frames.findLast((frame) => frame.key !== '')?.key;
    return key === undefined ? what : `${what} \`${key.slice(0, 80)}\``;
  }
}

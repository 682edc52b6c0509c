// The arguments of one call as its pairs are read, typed by the schema of the tool that it names. Knows no tags.
import type { RescueRepair } from '../../../types';
import { toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { requiredParameters, toPath } from '../check-arguments';
import type { SchemaIssue } from '../check-arguments';
import type { RescueContext } from '../rescue-context';
import { findProperties } from '../schema-types';
import { readPairValue } from './pair-value';
import type { WrittenValue } from './pair-value';
import type { PairSpelling } from './spelling';

const PLAIN_PROPERTY = { writable: true, enumerable: true, configurable: true };

export class CallArguments {
  readonly issues: SchemaIssue[] = [];
  readonly #context: RescueContext;
  readonly #keys = new Set<string>();
  readonly #values: JsonRecord = {};
  #name = '';
  #schema: unknown;
  #properties: JsonRecord | undefined;
  #body: unknown;

  constructor(context: RescueContext, name: string) {
    this.#context = context;
    this.name = name;
  }

  get name(): string {
    return this.#name;
  }

  /** As written; the tool that it means gives the types. */
  set name(name: string) {
    this.#name = name;
    this.#schema = this.#context.tools.resolve(name)?.tool.parameters;
    this.#properties = findProperties(this.#schema);
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0 && this.#body === undefined;
  }

  /** JSON stands in place of pairs. */
  get hasBody(): boolean {
    return this.#body !== undefined;
  }

  /** Undefined for a call that says nothing, where that is not what a complete call would say. */
  toValue(isOpen: boolean): unknown {
    const isDue = isOpen || requiredParameters(toRecord(this.#schema)).length > 0;
    return this.isEmpty && isDue ? undefined : (this.#body ?? this.#values);
  }

  /** Whether the tool has such a parameter; undefined when nobody knows its parameters. */
  declares(key: string): boolean | undefined {
    return this.#properties && Object.hasOwn(this.#properties, key);
  }

  /** A parameter that the call may have and does not have yet. */
  isNew(key: string): boolean {
    return !this.#keys.has(key) && this.declares(key) !== false;
  }

  /** Parameters that the tool declares and the call does not have yet. */
  newKeys(): string[] {
    return Object.keys(this.#properties ?? {}).filter((key) => !this.#keys.has(key));
  }

  /** The value of `key` is being read. */
  begin(key: string): void {
    if (this.#keys.has(key)) {
      this.issues.push({ path: toPath(key), message: 'was written more than once; the last one counts' });
    }
    this.#keys.add(key);
  }

  /** Gives the repairs of the value. */
  add(spelling: PairSpelling, key: string, written: WrittenValue): readonly RescueRepair[] {
    const schema = this.declares(key) ? this.#properties?.[key] : undefined;
    const { value, repairs, issue } = readPairValue(spelling, written, schema, this.#schema);
    if (issue !== undefined) this.issues.push({ path: toPath(key), message: issue });
    // defined, not assigned: a key named __proto__ must stay a key until it is refused
    Object.defineProperty(this.#values, key, { ...PLAIN_PROPERTY, value });
    return repairs;
  }

  /** JSON in place of pairs. */
  setBody(value: unknown): void {
    this.#body = value;
  }
}

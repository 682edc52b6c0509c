// Collects the arguments of one call as its pairs are read, typed by the schema of the tool that it names. Independent of
// tags.
import type { RescueRepair } from '../../../types';
import { toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { requiredParameters, toPath, WRITTEN_AGAIN } from '../schema/check-arguments';
import { setOwn } from '../core/call-keys';
import type { RescueContext } from '../core/rescue-context';
import type { SchemaIssue } from '../core/rescue-format';
import { findBranch, findProperties, findTypes } from '../schema/schema-types';
import { readPairValue } from './pair-value';
import type { WrittenValue } from './pair-value';
import type { PairSpelling } from './spelling';

export class CallArguments {
  readonly issues: SchemaIssue[] = [];
  readonly #context: RescueContext;
  readonly #keys = new Set<string>();
  /** The first value of each key, in case it turns out to be the first item of a list. */
  readonly #written = new Map<string, WrittenValue>();
  readonly #lists = new Map<string, unknown[]>();
  readonly #values: JsonRecord = {};
  #name = '';
  #schema: unknown;
  #properties: JsonRecord | undefined;
  #body: unknown;
  #spelling: PairSpelling | undefined;

  constructor(context: RescueContext, name: string) {
    this.#context = context;
    this.name = name;
  }

  get name(): string {
    return this.#name;
  }

  /** The name as written; the tool that it means provides the types. */
  set name(name: string) {
    this.#name = name;
    this.#schema = this.#context.tools.resolve(name)?.tool.parameters;
    this.#properties = findProperties(this.#schema);
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0 && this.#body === undefined;
  }

  /** Whether the call has JSON in place of pairs. */
  get hasBody(): boolean {
    return this.#body !== undefined;
  }

  /** The arguments. Undefined for a call without arguments, unless that is complete. */
  toValue(isOpen: boolean): unknown {
    this.#settleBranch();
    const isDue = isOpen || requiredParameters(toRecord(this.#schema)).length > 0;
    return this.isEmpty && isDue ? undefined : (this.#body ?? this.#values);
  }

  /** Types the values by the branch of a union that they select; only the complete call shows which one that is. */
  #settleBranch(): void {
    const spelling = this.#spelling;
    const branch = spelling && findBranch(this.#schema, (key) => this.#written.get(key)?.text.trim());
    if (!branch) return;
    for (const [key, written] of this.#written) {
      const schema = Object.hasOwn(branch, key) ? branch[key] : undefined;
      if (schema === undefined || schema === this.#schemaOf(key) || this.#lists.has(key)) continue;
      const { value, issue } = readPairValue(spelling, written, schema, this.#schema);
      const path = toPath(key);
      this.issues.splice(0, this.issues.length, ...this.issues.filter((item) => item.path !== path));
      if (issue !== undefined) this.issues.push({ path, message: issue });
      setOwn(this.#values, key, value);
    }
  }

  /** Whether the tool has this parameter; undefined when its parameters are not known. */
  declares(key: string): boolean | undefined {
    return this.#properties && Object.hasOwn(this.#properties, key);
  }

  /** Whether the call may have this parameter, and does not have it yet. */
  isNew(key: string): boolean {
    return !this.#keys.has(key) && this.declares(key) !== false;
  }

  /** Names of the parameters that the tool declares and the call does not have yet. */
  newKeys(): string[] {
    return Object.keys(this.#properties ?? {}).filter((key) => !this.#keys.has(key));
  }

  /** Records that the value of `key` is being read. */
  begin(key: string): void {
    const isAgain = this.#keys.has(key);
    if (isAgain && !this.#takesList(key)) this.issues.push({ path: toPath(key), message: WRITTEN_AGAIN });
    this.#keys.add(key);
  }

  #takesList(key: string): boolean {
    return findTypes(this.#schemaOf(key), this.#schema).includes('array');
  }

  #schemaOf(key: string): unknown {
    return this.declares(key) ? this.#properties?.[key] : undefined;
  }

  /** Adds a value. Returns its repairs. */
  add(spelling: PairSpelling, key: string, written: WrittenValue): readonly RescueRepair[] {
    const schema = this.#schemaOf(key);
    this.#spelling = spelling;
    const isList = this.#written.has(key) && this.#takesList(key);
    if (isList) return this.#addItem(spelling, key, written);
    this.#written.set(key, written);
    const { value, repairs, issue } = readPairValue(spelling, written, schema, this.#schema);
    if (issue !== undefined) this.issues.push({ path: toPath(key), message: issue });
    setOwn(this.#values, key, value);
    return repairs;
  }

  /** Adds to a list that was written with one parameter per item; an item may be a list itself. */
  #addItem(spelling: PairSpelling, key: string, written: WrittenValue): readonly RescueRepair[] {
    const first = this.#written.get(key);
    let list = this.#lists.get(key);
    if (!list) {
      list = first ? this.#toItems(spelling, key, first) : [];
      this.#lists.set(key, list);
      const path = toPath(key);
      this.issues.splice(0, this.issues.length, ...this.issues.filter((issue) => issue.path !== path));
    }
    // Pushed one by one: spreading is limited, and a list may be longer than that.
    for (const item of this.#toItems(spelling, key, written)) list.push(item);
    setOwn(this.#values, key, list);
    return [{ kind: 'repeated-parameter', at: written.at, note: `\`${key.slice(0, 64)}\` is a list` }];
  }

  #toItems(spelling: PairSpelling, key: string, written: WrittenValue): unknown[] {
    const schema = this.#schemaOf(key);
    const asList = readPairValue(spelling, written, schema, this.#schema).value;
    if (Array.isArray(asList)) return [...(asList as unknown[])];
    return [readPairValue(spelling, written, toRecord(schema)['items'], this.#schema).value];
  }

  /** Sets the JSON that was written in place of pairs. */
  setBody(value: unknown): void {
    this.#body = value;
  }
}

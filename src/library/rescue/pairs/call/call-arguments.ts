// Collects the values of one call as they are read, and types them by the schema of its tool once the call is complete: the
// branch of a union, and whether a value is an item of a list, show only then. Independent of tags.
import { getOwn, setOwn, toRecord } from '../../../util/json';
import type { JsonRecord } from '../../../util/json';
import { findTextParameter, requiredParameters, toPath, WRITTEN_AGAIN } from '../../schema/check-arguments';
import { RepairLog } from '../../core/repair-log';
import type { RescueContext } from '../../core/rescue-context';
import type { ReadCall, SchemaIssue } from '../../core/rescue-format';
import type { TypedValue } from '../../schema/type-value';
import { findBranch, findProperties, findTypes } from '../../schema/schema-types';
import type { Span } from '../../text/cut-text';
import { readPairValue } from './pair-value';
import type { WrittenValue } from './pair-value';
import type { PairSpelling } from '../tags/spelling';

export class CallArguments {
  readonly #context: RescueContext;
  readonly #spelling: PairSpelling;
  readonly #written = new Map<string, WrittenValue[]>();
  /** Damage of the call, apart from that of its values. */
  readonly log = new RepairLog();
  #name = '';
  #schema: unknown;
  #properties: JsonRecord | undefined;
  /** JSON that was written in place of pairs. */
  body: unknown;

  constructor(context: RescueContext, spelling: PairSpelling, name: string) {
    this.#context = context;
    this.#spelling = spelling;
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
    return this.#written.size === 0 && this.body === undefined;
  }

  /** Whether the tool has this parameter; undefined when its parameters are not known. */
  declares(key: string): boolean | undefined {
    return this.#properties && Object.hasOwn(this.#properties, key);
  }

  /** Whether the call may have this parameter, and does not have it yet. */
  isNew(key: string): boolean {
    return !this.#written.has(key) && this.declares(key) !== false;
  }

  /** Whether the tool has this parameter, and the call does not have it yet. */
  lacks(key: string): boolean {
    return !this.#written.has(key) && this.declares(key) === true;
  }

  /** Names of the parameters that the tool declares and the call does not have yet. */
  newKeys(): string[] {
    return Object.keys(this.#properties ?? {}).filter((key) => !this.#written.has(key));
  }

  /** Names of the parameters that the tool requires and the call does not have. */
  missingKeys(): string[] {
    return requiredParameters(toRecord(this.#schema)).filter((key) => !this.#written.has(key));
  }

  /** The only parameter that a text without a key can be meant for; undefined when there is none. */
  findTextKey(): string | undefined {
    return findTextParameter(toRecord(this.#schema));
  }

  /** Records that the value of `key` is being read. */
  begin(key: string): void {
    if (!this.#written.has(key)) this.#written.set(key, []);
  }

  add(key: string, value: WrittenValue): void {
    this.begin(key);
    this.#written.get(key)?.push(value);
  }

  /**
   * The call with its values typed. It has no arguments when it has no values, unless it is complete without them.
   * @param isPartial Whether the text ended before the call was closed.
   */
  finish({ start, end }: Span, isPartial = false): ReadCall {
    const value: JsonRecord = {};
    const log = new RepairLog();
    const issues: SchemaIssue[] = [];
    const branch = findBranch(this.#schema, (key) => this.#written.get(key)?.at(-1)?.text.trim());
    for (const [key, written] of this.#written) {
      const schema = getOwn(branch, key) ?? getOwn(this.#properties, key);
      const isList = written.length > 1 && findTypes(schema, this.#schema).includes('array');
      if (written.length > 1 && !isList) issues.push({ path: toPath(key), message: WRITTEN_AGAIN });
      const last = written.at(-1);
      if (!last) continue;
      const typed = isList
        ? this.#readList(key, written, schema)
        : readPairValue(this.#spelling, last, schema, this.#schema);
      setOwn(value, key, typed.value);
      log.addAll(typed.repairs);
      if (typed.issue !== undefined) issues.push({ path: toPath(key), message: typed.issue });
    }
    const isDue = isPartial || requiredParameters(toRecord(this.#schema)).length > 0;
    const written = this.isEmpty && isDue ? undefined : (this.body ?? value);
    const repairs = [...this.log.repairs, ...log.repairs];
    return { name: this.#name, arguments: written, start, end, repairs, isPartial, issues };
  }

  /** Reads a list that was written with one parameter per item; an item may be a list itself. */
  #readList(key: string, written: readonly WrittenValue[], schema: unknown): TypedValue {
    const value: unknown[] = [];
    const log = new RepairLog();
    const note = `\`${key.slice(0, LONGEST_SHOWN)}\` is a list`;
    for (const [index, item] of written.entries()) {
      if (index > 0) log.add('repeated-parameter', item.at, note);
      const asList = readPairValue(this.#spelling, item, schema, this.#schema);
      const isList = Array.isArray(asList.value);
      const typed = isList
        ? asList
        : readPairValue(this.#spelling, item, toRecord(schema)['items'], this.#schema);
      // Pushed one by one: spreading is limited, and a list may be longer than that.
      for (const part of isList ? (typed.value as unknown[]) : [typed.value]) value.push(part);
      log.addAll(typed.repairs);
    }
    return { value, repairs: log.repairs };
  }
}

const LONGEST_SHOWN = 64;

// Turns the findings of the schema checker, which reports a fault at every level above it, into the innermost causes in
// plain words. Pure.
import { t } from '@vscode/l10n';
import type { OutputUnit } from '@cfworker/json-schema';
import { cutShort, toPointer } from '../../../inspect';
import type { PreparedSchema, SchemaIssue } from './prepare-schema';
import { findSchema, findValue, followReference, toPath } from './schema-places';
import { describeFailure, nameAlternative } from './schema-words';
import { isRecord } from '../../../library';

const MAX_ISSUES = 50;
const MAX_ALTERNATIVES = 6;

/** @param author Subject of the messages, such as `the schema`. */
export function readFindings(
  units: readonly OutputUnit[],
  value: unknown,
  prepared: PreparedSchema,
  author: string,
): SchemaIssue[] {
  const reader = new FindingsReader(value, prepared, author);
  reader.read(withoutCounted(units));
  return reader.finish();
}

class FindingsReader {
  readonly #value: unknown;
  readonly #prepared: PreparedSchema;
  readonly #author: string;
  readonly #issues = new Map<string, SchemaIssue>();
  /** Unevaluated properties. They are dropped when another issue of the same property explains them. */
  readonly #unevaluated = new Map<string, SchemaIssue>();

  constructor(value: unknown, prepared: PreparedSchema, author: string) {
    this.#value = value;
    this.#prepared = prepared;
    this.#author = author;
  }

  read(units: readonly OutputUnit[]): void {
    for (let at = 0; at < units.length && this.#issues.size < MAX_ISSUES;) {
      const unit = units[at];
      if (!unit) return;
      at = this.#readOne(unit, units, at);
    }
  }

  finish(): SchemaIssue[] {
    const issues = [...this.#issues.values()];
    const rest = [...this.#unevaluated.values()].filter(
      ({ path }) =>
        !issues.some((issue) => path.startsWith(`${issue.path}/`) || `${issue.path}/`.startsWith(`${path}/`)),
    );
    const all = [...issues, ...rest].slice(0, MAX_ISSUES);
    return all.length === 0 ? [{ path: '', message: t('does not fit {0}', this.#author) }] : all;
  }

  /** @returns the index of the next unit to read */
  #readOne(unit: OutputUnit, units: readonly OutputUnit[], at: number): number {
    switch (unit.keyword) {
      case 'anyOf':
      case 'oneOf': {
        const end = endOfInner(units, at);
        this.#readAlternatives(unit, units.slice(at + 1, end));
        return end;
      }
      case 'propertyNames': {
        const end = endOfInner(units, at);
        const name = units[at + 1];
        if (name) this.#add(toPath(name), t('is not a name that {0} allows', this.#author));
        return end;
      }
      case 'false':
        this.#addRefused(unit, units[at - 1]);
        return at + 1;
      case 'required':
      case 'dependentRequired':
      case 'dependencies':
        this.#addMissing(unit);
        return at + 1;
      default:
        this.#addFailure(unit, units[at - 1]);
        return at + 1;
    }
  }

  #addFailure(unit: OutputUnit, before: OutputUnit | undefined): void {
    const { keyword } = unit;
    // A value of the wrong type is reported once; that it is no listed value either follows from it.
    const isOfType = before?.keyword === 'type' && isSibling(unit, before);
    if (isOfType && (keyword === 'enum' || keyword === 'const')) return;
    const schema = findSchema(this.#prepared, unit);
    if (!schema) return;
    const path = toPath(unit);
    const pattern = this.#prepared.patterns.get(schema);
    const written = pattern === undefined ? schema : { ...schema, pattern };
    const message = describeFailure(keyword, written, findValue(this.#value, path), this.#author);
    if (message !== undefined) this.#add(path, message);
  }

  #addRefused(unit: OutputUnit, above: OutputUnit | undefined): void {
    const path = toPath(unit);
    const issue = { path, message: t('is not a property of {0}', this.#author) };
    if (above?.keyword === 'unevaluatedProperties') this.#unevaluated.set(path, issue);
    else if (above?.keyword === 'additionalProperties') this.#add(path, issue.message);
    else this.#add(path, t('is not allowed by {0}', this.#author));
  }

  #addMissing(unit: OutputUnit): void {
    const schema = findSchema(this.#prepared, unit);
    const path = toPath(unit);
    const value = findValue(this.#value, path);
    if (!schema || !isRecord(value)) return;
    const addAbsent = (keys: readonly string[], message: string): void => {
      const absent = keys.filter((key) => !Object.hasOwn(value, key));
      for (const key of absent) this.#add(path + toPointer(key), message);
    };
    if (unit.keyword === 'required') return addAbsent(schema.required ?? [], t('is required and missing'));
    const dependent = unit.keyword === 'dependencies' ? schema.dependencies : schema.dependentRequired;
    for (const [key, keys] of Object.entries(dependent ?? {})) {
      if (!Object.hasOwn(value, key) || !Array.isArray(keys)) continue;
      addAbsent(keys, t('is required with {0} and missing', cutShort(key)));
    }
  }

  #readAlternatives(unit: OutputUnit, inner: readonly OutputUnit[]): void {
    const schema = findSchema(this.#prepared, unit);
    const alternatives: unknown = schema?.[unit.keyword];
    if (!Array.isArray(alternatives)) return;
    const failed = groupByAlternative(unit, inner);
    const path = toPath(unit);
    const fitting = alternatives.length - failed.size;
    if (fitting > 1) {
      this.#add(path, t('fits {0} of the alternatives; {1} requires exactly one', fitting, this.#author));
      return;
    }
    const meant = findMeant(unit, [...failed.values()]);
    if (meant) this.read(meant);
    else this.#add(path, this.#describeAlternatives(alternatives));
  }

  #describeAlternatives(alternatives: readonly unknown[]): string {
    const shown = alternatives.slice(0, MAX_ALTERNATIVES);
    const names = shown.map((each, at) => this.#nameAlternative(each) ?? t('alternative {0}', at + 1));
    const rest = alternatives.length > MAX_ALTERNATIVES ? ', …' : '';
    return t('fits none of the alternatives: {0}{1}', [...new Set(names)].join(', '), rest);
  }

  #nameAlternative(schema: unknown): string | undefined {
    const name = nameAlternative(schema);
    if (name !== undefined || !isRecord(schema) || typeof schema['$ref'] !== 'string') return name;
    return nameAlternative(followReference(this.#prepared, schema)) ?? schema['$ref'].split('/').at(-1);
  }

  #add(path: string, message: string): void {
    if (this.#issues.size < MAX_ISSUES) this.#issues.set(`${path} ${message}`, { path, message });
  }
}

/** Index after the last of the units that are below the one at `at`. */
function endOfInner(units: readonly OutputUnit[], at: number): number {
  const above = units[at];
  const end = units.findIndex((unit, index) => index > at && above !== undefined && !isInner(unit, above));
  return end === -1 ? units.length : end;
}

/** For a `false` schema the checker reports no keyword location of its own. */
const isInner = (unit: OutputUnit, above: OutputUnit): boolean =>
  isAtOrBelow(unit.instanceLocation, above.instanceLocation) &&
  (unit.keyword === 'false' || unit.keywordLocation.startsWith(`${above.keywordLocation}/`));

const isAtOrBelow = (location: string, above: string): boolean =>
  location === above || location.startsWith(`${above}/`);

const isSibling = (one: OutputUnit, other: OutputUnit): boolean =>
  one.instanceLocation === other.instanceLocation &&
  parentOf(one.keywordLocation) === parentOf(other.keywordLocation);

const parentOf = (location: string): string => location.slice(0, location.lastIndexOf('/'));

function groupByAlternative(above: OutputUnit, inner: readonly OutputUnit[]): Map<string, OutputUnit[]> {
  const groups = new Map<string, OutputUnit[]>();
  const prefix = `${above.keywordLocation}/`;
  let key = '';
  for (const unit of inner) {
    const isPlaced = unit.keywordLocation.startsWith(prefix);
    if (isPlaced) key = unit.keywordLocation.slice(prefix.length).split('/', 1)[0] ?? '';
    const group = groups.get(key);
    if (group) group.push(unit);
    else groups.set(key, [unit]);
  }
  return groups;
}

/** The failures of the one alternative that the value was probably written for; undefined when several are possible. */
function findMeant(above: OutputUnit, alternatives: readonly OutputUnit[][]): OutputUnit[] | undefined {
  const typed = alternatives.filter((units) => !units.some((unit) => isOtherType(unit, above)));
  if (typed.length <= 1) return typed[0];
  const ofKind = typed.filter((units) => !units.some((unit) => isOtherKind(unit, above)));
  return ofKind.length === 1 ? ofKind[0] : undefined;
}

const isOtherType = ({ keyword, instanceLocation }: OutputUnit, above: OutputUnit): boolean =>
  (keyword === 'type' || keyword === 'false') && instanceLocation === above.instanceLocation;

/** Alternatives are often told apart by a constant: the value itself, or a property such as `kind`. */
const isOtherKind = ({ keyword, instanceLocation }: OutputUnit, above: OutputUnit): boolean =>
  (keyword === 'const' || keyword === 'enum') &&
  [instanceLocation, parentOf(instanceLocation)].includes(above.instanceLocation);

/** Drops the findings of single items where there are too few of a kind, which is reported once for the whole list. */
function withoutCounted(units: readonly OutputUnit[]): readonly OutputUnit[] {
  const counts = units.filter(({ keyword }) => keyword === 'minContains');
  const prefixes = [
    ...new Set(counts.map(({ keywordLocation }) => `${parentOf(keywordLocation)}/contains/`)),
  ].slice(0, MAX_ISSUES);
  if (prefixes.length === 0) return units;
  return units.filter(
    ({ keywordLocation }) => !prefixes.some((prefix) => keywordLocation.startsWith(prefix)),
  );
}

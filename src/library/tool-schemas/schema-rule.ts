// What a rule about tool schemas is: a part of a schema that servers refuse, and what to write instead. Types only.
import type { JsonRecord } from './schema-nodes';

/** A kind of refused part; stable. */
export type RefusedKind =
  | 'long-description'
  | 'top-not-object'
  | 'union-at-top'
  | 'value-at-top'
  | 'array-without-items'
  | 'array-without-item-type'
  | 'required-without-properties'
  | 'unknown-required'
  | 'pattern-anchors'
  | 'pattern-escape'
  | 'long-repetition'
  | 'unresolved-ref'
  | 'boolean-schema'
  | 'unknown-keyword'
  | 'list-value'
  | 'enum-not-text'
  | 'empty-properties'
  | 'text-format';

export interface SchemaRule {
  kind: RefusedKind;
  /** `tool`: the tool itself. `top`: the whole of its parameters. `any`: also every schema inside. */
  level: 'tool' | 'top' | 'any';
  /** The servers that refuse it, by their label in the catalog, each with the public page or report that shows it. */
  servers: Readonly<Record<string, Evidence>>;
  /** @returns JSON Pointers of the refused parts, as seen from the schema; empty when there are none */
  find: (schema: JsonRecord, place: SchemaPlace) => string[];
  /** Replaces what `find` finds, with a meaning as near as possible. */
  reduce: (schema: JsonRecord, place: SchemaPlace) => JsonRecord;
}

export interface Evidence {
  source: string;
  /** Only some versions of the server, or some of its models, refuse it. */
  isPartial?: true;
}

/** Where a schema stands. */
export interface SchemaPlace {
  level: 'tool' | 'top' | 'inner';
  /** JSON Pointer in the tool; '' is the tool itself. */
  path: string;
  /** The parameters of the tool, into which references point. */
  root: JsonRecord;
  /** The references that were replaced by what they refer to, on the way to this schema. */
  refs: string[];
}

// Finds what a server refuses in the declaration of a tool before it is sent, and makes a form that can be sent. Both read one
// table, so what is refused and what is reduced never disagree. Never throws.
import type { ToolType } from '../../types';
import { toRecord } from '../util/json';
import { callSafely } from '../util/call-safely';
import { toJsonSchema } from '../wire/request/tools';
import { GEMINI_RULES } from './gemini-rules';
import { GRAMMAR_RULES } from './grammar-rules';
import type { JsonRecord } from './schema-nodes';
import { mapSchemas } from './schema-nodes';
import type { Evidence, RefusedKind, SchemaPlace, SchemaRule } from './schema-rule';
import { SERVICE_RULES } from './service-rules';

/** What servers refuse in the declarations of tools. */
export const SCHEMA_RULES: readonly SchemaRule[] = [...SERVICE_RULES, ...GRAMMAR_RULES, ...GEMINI_RULES];

/** A part of a tool's declaration that a server refuses. */
export interface RefusedPart extends Evidence {
  kind: RefusedKind;
  /** JSON Pointer in the tool, such as `/parameters/properties/time/pattern` or `/description`. */
  path: string;
}

type CheckedTool = Pick<ToolType, 'name' | 'description' | 'parameters'>;

const MAX_PARTS = 200;
/** Schemas further inside are neither checked nor reduced. */
const DEEPEST = 64;
/** Rounds in which the rules may change one schema; each of them does so at most a few times. */
const MAX_ROUNDS = 30;
/** Number of schemas that a reduced form may have: references that are replaced can multiply them. */
const MAX_SCHEMAS = 5_000;

/**
 * Checks the declaration as it would be sent.
 * @param server Label of the server in the catalog; with another one nothing is found.
 * @returns at most 200 parts
 */
export function findRefused(tool: CheckedTool, server: string): RefusedPart[] {
  const rules = rulesOf(server);
  const parts: RefusedPart[] = [];
  if (rules.length === 0) return parts;
  const visit = (schema: JsonRecord, place: SchemaPlace, depth: number): JsonRecord => {
    for (const rule of rules) {
      if (parts.length >= MAX_PARTS || !isFor(rule, place)) continue;
      const { kind, servers } = rule;
      const evidence = servers[server] ?? { source: '' };
      for (const path of rule.find(schema, place)) parts.push({ kind, path: place.path + path, ...evidence });
    }
    return depth >= DEEPEST ? schema : mapInner(schema, place, (inner, at) => visit(inner, at, depth + 1));
  };
  visit(...toStart(tool), 0);
  return parts.slice(0, MAX_PARTS);
}

/**
 * Whether one schema of a tool has a part of this kind, which some server refuses; for explaining the refusal of a server that
 * is not known.
 * @param schema A schema inside of the parameters, alone.
 */
export function hasRefusedPart(schema: Readonly<JsonRecord>, kind: RefusedKind): boolean {
  const place: SchemaPlace = { level: 'inner', path: '', root: schema, refs: [] };
  return SCHEMA_RULES.some((rule) => rule.kind === kind && rule.find(schema, place).length > 0);
}

/**
 * Makes a form of the tool without what the server refuses, with a meaning as near as possible. It stays the same when it is
 * reduced again.
 * @param server Label of the server in the catalog.
 * @returns undefined when there is no such form
 */
export function reduceTool<Tool extends CheckedTool>(tool: Tool, server: string): Tool | undefined {
  const rules = rulesOf(server);
  let left = MAX_SCHEMAS;
  const visit = (schema: JsonRecord, place: SchemaPlace, depth: number): JsonRecord => {
    if (--left <= 0) return schema;
    const reduced = applyRules(rules, schema, place);
    return depth >= DEEPEST ? reduced : mapInner(reduced, place, (inner, at) => visit(inner, at, depth + 1));
  };
  const { description, parameters } = visit(...toStart(tool), 0);
  const made = {
    ...tool,
    ...(typeof description === 'string' && { description }),
    parameters: toRecord(parameters),
  };
  return left <= 0 || findRefused(made, server).length > 0 ? undefined : made;
}

function applyRules(rules: readonly SchemaRule[], schema: JsonRecord, place: SchemaPlace): JsonRecord {
  let reduced = schema;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const current = reduced;
    const rule = rules.find((each) => isFor(each, place) && each.find(current, place).length > 0);
    if (!rule) break;
    reduced = rule.reduce(current, place);
  }
  return reduced;
}

const rulesOf = (server: string): SchemaRule[] =>
  SCHEMA_RULES.filter(({ servers }) => Object.hasOwn(servers, server));

const isFor = (rule: SchemaRule, { level }: SchemaPlace): boolean =>
  rule.level === 'any' ? level !== 'tool' : rule.level === level;

function toStart({ description, parameters }: CheckedTool): [JsonRecord, SchemaPlace] {
  const root = toRecord(callSafely(() => toJsonSchema(parameters)));
  return [
    { ...(description !== undefined && { description }), parameters: root },
    { level: 'tool', path: '', root, refs: [] },
  ];
}

function mapInner(
  schema: JsonRecord,
  place: SchemaPlace,
  map: (inner: JsonRecord, place: SchemaPlace) => JsonRecord,
): JsonRecord {
  const toPlace = (path: string, level: SchemaPlace['level']): SchemaPlace => ({
    ...place,
    level,
    path: place.path + path,
    refs: [...place.refs],
  });
  if (place.level === 'tool') {
    return { ...schema, parameters: map(place.root, toPlace('/parameters', 'top')) };
  }
  return mapSchemas(schema, (inner, path) => map(inner, toPlace(path, 'inner')));
}

// Decides whether a parsed call may be made: its tool is offered, its arguments are usable, and it is neither a
// declaration nor a placeholder. Independent of formats and regions.
import type { RescueEvidence, RescueRepair, ToolType } from '../../../types';
import { getOwn, isRecord, toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { CUT_HINT, toCutRefusal } from '../core/refusals';
import { checkBySchema, findMissing, requiredParameters } from '../schema/check-arguments';
import { findProperties, findTypes, toKnownType } from '../schema/schema-types';
import { isArgumentKey, isCallKey } from '../core/call-keys';
import { decodeArguments, hasForbiddenKey, isSchema, SCHEMA_ECHO } from '../json-calls/envelope';
import type { Dialects } from '../core/dialects';
import type { RescueContext } from '../core/rescue-context';
import type { ReadCall, Refusal, SchemaIssue } from '../core/rescue-format';
import type { NamedTool } from '../core/tool-index';
import { findOnlyText } from '../labels/action-input';
import { countEdits } from '../text/edit-distance';

/** Length of the largest call, in UTF-16 code units of the call's own part of the text. */
export const LARGEST_CALL = 1024 * 1024;

export interface ApprovedCall {
  kind: 'approved';
  call: ReadCall;
  name: string;
  arguments: JsonRecord;
  repairs: RescueRepair[];
  schemaIssues?: SchemaIssue[] | undefined;
}

export interface RefusedCall {
  kind: 'refused';
  call: ReadCall;
  refusal: Refusal;
  /** Offered tools with similar names. */
  nearest?: string[] | undefined;
}

export type Judgement = ApprovedCall | RefusedCall;

export const isApproved = (judgement: Judgement): judgement is ApprovedCall => judgement.kind === 'approved';

export function judgeCall(context: RescueContext, call: ReadCall, evidence: RescueEvidence): Judgement {
  if (call.refusal) return refuse(call, call.refusal);
  const resolved = context.tools.resolve(call.name);
  if (!resolved) return refuseUnknown(context, call);
  const tooLarge = call.end - call.start > LARGEST_CALL;
  if (tooLarge)
    return refuse(call, {
      reason: 'too-large',
      detail: `The call of \`${call.name}\` has more than 1,048,576 characters.`,
    });
  return judgeArguments(context, call, resolved, evidence);
}

function judgeArguments(
  context: RescueContext,
  call: ReadCall,
  { tool, repairs }: NamedTool,
  evidence: RescueEvidence,
): Judgement {
  const log = [...call.repairs];
  for (const kind of repairs) log.push({ kind, at: call.start });
  const input = toTextInput(context, call);
  const decoded = input ?? decodeArguments(call.arguments);
  if (decoded === undefined) return judgeAbsent(call, tool, log);
  if (!isRecord(decoded)) return refuse(call, describeInvalid(tool.name, decoded));
  if (decoded !== call.arguments && !input) log.push({ kind: 'double-encoded', at: call.start });
  if (hasForbiddenKey(decoded)) return refuse(call, describeForbidden(tool.name));
  const unwrapped = unwrapCall(decoded, tool);
  if (unwrapped !== decoded) log.push({ kind: 'schema-envelope', at: call.start });
  const value = unwrapProperties(unwrapped, tool.parameters);
  if (!value || isDeclaration(value, tool.parameters)) return refuse(call, SCHEMA_ECHO);
  if (value !== unwrapped) log.push({ kind: 'schema-envelope', at: call.start });
  if (isPlaceholderArguments(value) && !isMeant(context, call, value))
    return refuse(call, describePlaceholder(tool.name));
  const beside = findBeside(call, value, tool);
  if (beside !== undefined) return refuse(call, describeBeside(tool.name, beside));
  const damaged = findDamagedKey(value, tool.parameters);
  if (damaged !== undefined) return refuse(call, describeDamagedKey(tool.name, damaged));
  const describeLack = call.isPartial ? describePartial : describeMissing;
  const missing = call.isPartial || evidence === 'shape' ? findMissing(value, tool.parameters) : NONE;
  if (missing.length > 0) return refuse(call, describeLack(tool.name, missing));
  const issues = joinIssues(call.issues, checkBySchema(value, tool.parameters));
  const schemaIssues = issues.length > 0 ? issues : undefined;
  return { kind: 'approved', call, name: tool.name, arguments: value, repairs: log, schemaIssues };
}

/** Text that an agent wrote as its input, under the name of the only parameter that can take it. */
function toTextInput(context: RescueContext, call: ReadCall): JsonRecord | undefined {
  const { arguments: written, name } = call;
  if (call.isTextInput !== true || typeof written !== 'string' || isRecord(decodeArguments(written)))
    return undefined;
  const key = findOnlyText(context, name);
  return key === undefined ? undefined : { [key]: written };
}

/**
 * Whether `...` is meant, as it may be an expression: with no word before the call, nothing says that it is an example.
 */
function isMeant({ text }: RescueContext, { start }: ReadCall, value: JsonRecord): boolean {
  if (Object.values(value).some((item) => item !== '...')) return false;
  const before = text
    .slice(Math.max(0, start - LONGEST_LEAD), start)
    .replaceAll(/<[^<>]{0,64}>|[`~]{3}\w{0,16}/g, '');
  return start <= LONGEST_LEAD && !/\w/.test(before);
}

const LONGEST_LEAD = 128;

const NONE: readonly never[] = [];

function judgeAbsent(call: ReadCall, tool: ToolType, repairs: RescueRepair[]): Judgement {
  const { name } = tool;
  const required = requiredParameters(tool.parameters);
  if (call.isPartial) return refuse(call, toCutRefusal(name, 'before its arguments'));
  if (required.length > 0) return refuse(call, describeMissing(name, required));
  const beside = findBeside(call, {}, tool);
  if (beside !== undefined) return refuse(call, describeBeside(name, beside));
  const log = [...repairs, { kind: 'missing-arguments', at: call.start }];
  return { kind: 'approved', call, name, arguments: {}, repairs: log };
}

const declaredBy = (schema: unknown): JsonRecord =>
  isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};

/** A parameter of the tool that the arguments lack, and that stands beside them, perhaps with damaged indentation. */
const findBeside = (
  { otherKeys }: ReadCall,
  value: JsonRecord,
  { parameters }: ToolType,
): string | undefined =>
  otherKeys
    ?.map((key) => key.replace(STRAY_SIGNS, ''))
    .find((key) => Object.hasOwn(declaredBy(parameters), key) && !Object.hasOwn(value, key));

/** Not those with which metadata begins, such as `$id` and `@type`. */
const STRAY_SIGNS = /^[^\p{L}\p{N}_$@/]{1,8}/u;

/**
 * An undeclared key with a sign that names do not have, if it holds or resembles the name of a parameter that the
 * arguments lack. JSON Schema allows undeclared keys unless a schema forbids them, but such a key is a damaged one.
 */
function findDamagedKey(value: JsonRecord, schema: unknown): string | undefined {
  const plain = declaredBy(schema);
  const strange = Object.keys(value).filter((key) => !Object.hasOwn(plain, key) && !PLAIN_KEY.test(key));
  const declared = strange.length === 0 ? undefined : findProperties(schema);
  if (!declared) return undefined;
  const { additionalProperties = false, patternProperties } = toRecord(schema);
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const lacking = Object.keys(declared).filter((key) => !Object.hasOwn(value, key));
  return strange.find(
    (key) => !Object.hasOwn(declared, key) && lacking.some((name) => isLike(key.trim(), name)),
  );
}

const PLAIN_KEY = /^[\p{L}\p{M}\p{N}_$.-]+$/u;

/** Whether the key holds the name, differs from it in one or two characters, or is empty. */
function isLike(key: string, name: string): boolean {
  if (key === '') return true;
  if (key.length > LONGEST_NAME_SHOWN || name.length > LONGEST_NAME_SHOWN) return key.includes(name);
  return key.includes(name) || countEdits(key, name) <= (name.length < SHORT_NAME ? 1 : 2);
}

const SHORT_NAME = 4;

/** Whether at least one of the keys is a parameter. */
const isDeclared = (value: JsonRecord, declared: JsonRecord): boolean =>
  Object.keys(value).some((key) => Object.hasOwn(declared, key));

/** Unwraps arguments that repeat the whole call, name included. */
function unwrapCall(value: JsonRecord, { name, parameters }: ToolType): JsonRecord {
  const keys = Object.keys(value);
  const isCall = keys.length === 2 && keys.some((key) => isCallKey(key) && value[key] === name);
  if (!isCall) return value;
  const inner = value[keys.find(isArgumentKey) ?? ''];
  return isRecord(inner) && !isDeclared(value, declaredBy(parameters)) ? inner : value;
}

/** Unwraps arguments from `properties` or from a key that means arguments. Undefined when they are a JSON Schema. */
function unwrapProperties(value: JsonRecord, schema: unknown): JsonRecord | undefined {
  const declared = declaredBy(schema);
  // For a tool with a parameter `properties`, the key is an argument and not a wrapper.
  if (Object.hasOwn(declared, 'properties')) return value;
  const isTyped =
    value['type'] === 'object' && !Object.keys(value).some((key) => Object.hasOwn(declared, key));
  if (isTyped || isSchema(value)) return undefined;
  return readOnlyMember(value, declared) ?? value;
}

/** Whether each argument only names its type, where the tool takes no object: a declaration without a JSON Schema around it. */
function isDeclaration(value: JsonRecord, schema: unknown): boolean {
  const keys = Object.keys(value);
  return (
    keys.length > 0 &&
    keys.every((key) => {
      const item = toRecord(value[key]);
      const type = item['type'] ?? item['param_type'];
      if (typeof type !== 'string' || toKnownType(type) === undefined) return false;
      if (!Object.keys(item).every((word) => SCHEMA_WORDS.has(word))) return false;
      const types = findTypes(getOwn(findProperties(schema), key), schema);
      return types.length > 0 && !types.includes('object');
    })
  );
}

const SCHEMA_WORDS: ReadonlySet<string> = new Set([
  'type',
  'param_type',
  'description',
  'required',
  'default',
  'enum',
  'items',
  'title',
  'format',
]);

/** The object under the only key, if that key means arguments and is not a parameter of the tool. */
function readOnlyMember(value: JsonRecord, declared: JsonRecord): JsonRecord | undefined {
  const keys = Object.keys(value);
  const [key = ''] = keys;
  if (keys.length > 1 || !(key === 'properties' || isArgumentKey(key)) || Object.hasOwn(declared, key))
    return undefined;
  const inner = decodeArguments(value[key]);
  if (!isRecord(inner)) return undefined;
  const members = Object.keys(inner);
  const isOurs =
    key === 'properties' || (members.length > 0 && members.every((item) => Object.hasOwn(declared, item)));
  return isOurs ? inner : undefined;
}

function refuseUnknown({ tools, dialects }: RescueContext, call: ReadCall): RefusedCall {
  const nearest = tools.nearest(call.name);
  const refusal = describeUnknown(call.name.trim(), dialects, nearest[0]);
  return { kind: 'refused', call, refusal, nearest: nearest.length > 0 ? nearest : undefined };
}

export const refuse = (call: ReadCall, refusal: Refusal): RefusedCall => ({ kind: 'refused', call, refusal });

function describeInvalid(name: string, value: unknown): Refusal {
  const what = Array.isArray(value)
    ? 'a list'
    : typeof value === 'string'
      ? 'text that is not a JSON object'
      : 'no object';
  return { reason: 'invalid-arguments', detail: `The arguments of \`${name}\` are ${what}.` };
}

const describeForbidden = (name: string): Refusal => ({
  reason: 'forbidden-key',
  detail: `The arguments of \`${name}\` have a key that could reach an object's prototype.`,
});

const describeBeside = (name: string, key: string): Refusal => ({
  reason: 'malformed',
  detail: `The call of \`${name}\` has the parameter \`${key}\` beside its arguments, which may have ended too early.`,
});

const describeDamagedKey = (name: string, key: string): Refusal => ({
  reason: 'malformed',
  detail: `The arguments of \`${name}\` have the key \`${key.slice(0, LONGEST_NAME_SHOWN)}\`, which the tool does not declare and which cannot be a name.`,
});

const describePlaceholder = (name: string): Refusal => ({
  reason: 'placeholder',
  detail: `The arguments of \`${name}\` are placeholders, as in a description of the format.`,
});

/** If both report the same value, the parser's issue is more precise than that of the schema check. */
function joinIssues(read: readonly SchemaIssue[] | undefined, checked: SchemaIssue[]): SchemaIssue[] {
  if (!read || read.length === 0) return checked;
  const paths = new Set(read.map(({ path }) => path));
  return [...read, ...checked.filter(({ path }) => !paths.has(path))];
}

const describePartial = (name: string, missing: readonly string[]): Refusal => ({
  reason: 'truncated',
  detail: `The call of \`${name}\` stops before parameters that the tool requires: ${missing.slice(0, 8).join(', ')}.`,
  hint: CUT_HINT,
});

const describeMissing = (name: string, missing: readonly string[]): Refusal => ({
  reason: 'no-arguments',
  detail: `The call of \`${name}\` lacks parameters that the tool requires: ${missing.slice(0, 8).join(', ')}.`,
});

const LONGEST_NAME_SHOWN = 64;

/** Why a name that was not offered is not called. @param closest The most similar offered name. */
function describeUnknown(
  name: string,
  { finalAnswers, noTools }: Dialects,
  closest: string | undefined,
): Refusal {
  const reason = 'unknown-tool';
  if (name === '') return { reason, detail: 'The call names no tool.' };
  const shown = name.length > LONGEST_NAME_SHOWN ? `${name.slice(0, LONGEST_NAME_SHOWN)}…` : name;
  const folded = name.toLowerCase();
  if (finalAnswers.has(folded))
    return { reason: 'final-answer', detail: `\`${shown}\` is how the model marks its answer, not a tool.` };
  if (noTools.has(folded))
    return { reason, detail: `\`${shown}\` is how the model says that it calls no tool.` };
  if (isAngled(name))
    return { reason, detail: `\`${shown}\` is a placeholder from a description of the format.` };
  const hint =
    closest === undefined
      ? `Offer a tool named \`${name.slice(0, LONGEST_NAME_SHOWN)}\`, or name the offered tools in the prompt.`
      : `The closest offered tool is \`${closest}\`; similar names are never called.`;
  return { reason, detail: `\`${shown}\` was not offered.`, hint };
}

/**
 * Whether all arguments are placeholders, such as `...` or their own key in angle brackets, as in a format's
 * description.
 */
function isPlaceholderArguments(value: JsonRecord): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => isAngled(key) || isPlaceholder(key, value[key]));
}

function isPlaceholder(key: string, item: unknown): boolean {
  if (typeof item !== 'string') return false;
  if (item === '...' || item === '…') return true;
  const inner = isAngled(item) ? item.slice(1, -1).toLowerCase() : '';
  return inner !== '' && (inner === 'value' || inner === key.toLowerCase());
}

const isAngled = (text: string): boolean =>
  text.length > 2 && text.length <= LONGEST_NAME_SHOWN && text.startsWith('<') && text.endsWith('>');

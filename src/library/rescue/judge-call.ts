// Whether a call that was read may be called: offered, with usable arguments, and nothing else in disguise.
// It knows neither formats nor where in the text a call may stand.
import type { RescueEvidence, RescueRepair, RescueRejection, ToolType } from '../../types';
import { isRecord } from '../util/json';
import type { JsonRecord } from '../util/json';
import { checkArguments, findMissing, requiredParameters } from './check-arguments';
import type { SchemaIssue } from './check-arguments';
import { isArgumentKey, isCallKey } from './call-keys';
import { decodeArguments, hasForbiddenKey, isSchema, SCHEMA_ECHO } from './envelope';
import type { RescueContext } from './rescue-context';
import type { ReadCall, Refusal } from './rescue-format';
import type { ResolvedTool } from './tool-index';
import { describeUnknown, isPlaceholderArguments } from './pseudo-tools';

/** In UTF-16 code units of the call's own part of the text. */
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
  rejection: Omit<RescueRejection, 'format' | 'start' | 'end'>;
}

export type Judgement = ApprovedCall | RefusedCall;

export function judgeCall(context: RescueContext, call: ReadCall, evidence: RescueEvidence): Judgement {
  if (call.refusal) return refuse(call, call.refusal);
  const resolved = context.tools.resolve(call.name);
  if (!resolved) return refuseUnknown(context, call);
  const tooLarge = call.end - call.start > LARGEST_CALL;
  if (tooLarge)
    return refuse(call, {
      reason: 'too-large',
      detail: `The call of \`${call.name}\` is larger than 1 MiB.`,
    });
  return judgeArguments(call, resolved, evidence);
}

function judgeArguments(
  call: ReadCall,
  { tool, repairs }: ResolvedTool,
  evidence: RescueEvidence,
): Judgement {
  const log: RescueRepair[] = [...call.repairs, ...repairs.map((kind) => ({ kind, at: call.start }))];
  const decoded = decodeArguments(call.arguments);
  if (decoded === undefined) return judgeAbsent(call, tool.name, requiredParameters(tool.parameters), log);
  if (!isRecord(decoded)) return refuse(call, describeInvalid(tool.name, decoded));
  if (decoded !== call.arguments) log.push({ kind: 'double-encoded', at: call.start });
  if (hasForbiddenKey(decoded)) return refuse(call, describeForbidden(tool.name));
  const value = unwrapProperties(unwrapCall(decoded, tool), tool.parameters, () =>
    log.push({ kind: 'schema-envelope', at: call.start }),
  );
  if (!value) return refuse(call, SCHEMA_ECHO);
  if (isPlaceholderArguments(value)) return refuse(call, describePlaceholder(tool.name));
  const missing = findMissing(value, tool.parameters);
  if (missing.length > 0 && call.isPartial) return refuse(call, describePartial(tool.name, missing));
  if (missing.length > 0 && evidence === 'shape') return refuse(call, describeMissing(tool.name, missing));
  const issues = joinIssues(call.issues ?? [], checkArguments(value, tool.parameters));
  return {
    kind: 'approved',
    call,
    name: tool.name,
    arguments: value,
    repairs: log,
    ...(issues.length > 0 && { schemaIssues: issues }),
  };
}

function judgeAbsent(call: ReadCall, name: string, required: string[], repairs: RescueRepair[]): Judgement {
  if (call.isPartial) {
    return refuse(call, {
      reason: 'truncated',
      detail: `The call of \`${name}\` stops before its arguments.`,
      hint: CUT_HINT,
    });
  }
  if (required.length > 0) return refuse(call, describeMissing(name, required));
  const log = [...repairs, { kind: 'missing-arguments', at: call.start }];
  return { kind: 'approved', call, name, arguments: {}, repairs: log };
}

const declaredBy = (schema: unknown): JsonRecord =>
  isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};

/** One of the keys is a parameter. */
const isDeclared = (value: JsonRecord, declared: JsonRecord): boolean =>
  Object.keys(value).some((key) => Object.hasOwn(declared, key));

/** The whole call, named once more, where its arguments should be. */
function unwrapCall(value: JsonRecord, { name, parameters }: ToolType): JsonRecord {
  const keys = Object.keys(value);
  const inner = value[keys.find(isArgumentKey) ?? ''];
  const isCall = keys.length === 2 && keys.some((key) => isCallKey(key) && value[key] === name);
  return isCall && isRecord(inner) && !isDeclared(value, declaredBy(parameters)) ? inner : value;
}

/** Undefined for a declaration: a JSON Schema where the arguments should be. */
function unwrapProperties(value: JsonRecord, schema: unknown, onUnwrap: () => void): JsonRecord | undefined {
  const declared = declaredBy(schema);
  // a tool that takes `properties` means them
  if (Object.hasOwn(declared, 'properties')) return value;
  const isTyped =
    value['type'] === 'object' && !Object.keys(value).some((key) => Object.hasOwn(declared, key));
  if (isTyped || isSchema(value)) return undefined;
  const inner = Object.hasOwn(value, 'properties') ? value['properties'] : undefined;
  if (!isRecord(inner) || Object.keys(value).length !== 1) return value;
  onUnwrap();
  return inner;
}

export const CUT_HINT = 'Raise the token limit, or ask for less at once.';

function refuseUnknown(context: RescueContext, call: ReadCall): RefusedCall {
  const nearest = context.tools.nearest(call.name);
  const { reason, detail, isName } = describeUnknown(call.name);
  const closest = nearest[0];
  const hint =
    closest === undefined
      ? `Offer a tool named \`${call.name.trim().slice(0, 64)}\`, or name the offered tools in the prompt.`
      : `The closest offered tool is \`${closest}\`; similar names are never called.`;
  return {
    kind: 'refused',
    call,
    rejection: {
      reason,
      detail,
      ...(call.name.trim() !== '' && { name: call.name }),
      ...(nearest.length > 0 && { nearest }),
      ...(isName && { hint }),
    },
  };
}

const refuse = (call: ReadCall, { reason, detail, hint }: Refusal): RefusedCall => ({
  kind: 'refused',
  call,
  rejection: {
    reason,
    detail,
    ...(call.name !== '' && { name: call.name }),
    ...(hint !== undefined && { hint }),
  },
});

function describeInvalid(name: string, value: unknown): Refusal {
  const what = Array.isArray(value)
    ? 'a list'
    : typeof value === 'string'
      ? 'text that is no JSON object'
      : 'no object';
  return { reason: 'invalid-arguments', detail: `The arguments of \`${name}\` are ${what}.` };
}

const describeForbidden = (name: string): Refusal => ({
  reason: 'forbidden-key',
  detail: `The arguments of \`${name}\` have a key that could reach an object's prototype.`,
});

const describePlaceholder = (name: string): Refusal => ({
  reason: 'placeholder',
  detail: `The arguments of \`${name}\` are placeholders, as in a description of the format.`,
});

/** What the reader says of a value says more than what the check says of it. */
function joinIssues(read: readonly SchemaIssue[], checked: readonly SchemaIssue[]): SchemaIssue[] {
  const paths = new Set(read.map(({ path }) => path));
  return [...read, ...checked.filter(({ path }) => !paths.has(path))];
}

const describePartial = (name: string, missing: readonly string[]): Refusal => ({
  reason: 'truncated',
  detail: `The call of \`${name}\` stops before what the tool requires: ${missing.slice(0, 8).join(', ')}.`,
  hint: CUT_HINT,
});

const describeMissing = (name: string, missing: readonly string[]): Refusal => ({
  reason: 'no-arguments',
  detail: `The call of \`${name}\` lacks what the tool requires: ${missing.slice(0, 8).join(', ')}.`,
});

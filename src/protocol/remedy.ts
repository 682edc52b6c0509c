// Schema that validates the remedies which a front end asks to apply.
import * as v from 'valibot';
import type { Remedy } from '../types';
import { DOCUMENT_LIMIT } from './document/document-limit';

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(DOCUMENT_LIMIT.id));
/** The names that servers accept; a remedy must not create a tool with any other name. */
const ToolName = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const Tokens = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Key = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

export const RemedySchema: v.GenericSchema<unknown, Remedy> = v.variant('kind', [
  v.strictObject({ kind: v.literal('rescue-on') }),
  v.strictObject({
    kind: v.literal('leave-out'),
    key: v.picklist(['temperature', 'topP', 'topK', 'seed', 'maxTokens', 'numCtx', 'stop', 'repeatPenalty']),
  }),
  v.strictObject({ kind: v.literal('tool-choice'), choice: v.picklist(['auto', 'required']) }),
  v.strictObject({
    kind: v.literal('sampling'),
    key: v.picklist(['temperature', 'maxTokens', 'numCtx']),
    value: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
  v.strictObject({
    kind: v.literal('raw'),
    path: v.pipe(v.array(Key), v.minLength(1), v.maxLength(4)),
    value: v.optional(v.union([v.pipe(v.number(), v.finite()), v.boolean()])),
  }),
  v.strictObject({
    kind: v.literal('connection'),
    connectionId: Id,
    label: v.string(),
    numCtx: v.optional(Tokens),
  }),
  v.strictObject({ kind: v.literal('offer-tool'), tool: v.string() }),
  v.strictObject({ kind: v.literal('add-tool'), tool: ToolName }),
  v.strictObject({ kind: v.literal('rename-tool'), tool: v.string(), to: ToolName }),
]);

// The parts of a document that an evaluation is made of: how often and with which rows, and what a good reply is. Matchers
// inside it are checked by the session, which knows them.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { Expectation } from '../../types';
import { DOCUMENT_LIMIT } from './document-limit';
import { PlaceholderSchema } from './placeholder';
import { Finite, Id, JsonObject, Name, objectOf, Text, Whole } from './parts';

const Share = v.pipe(Finite, v.minValue(0), v.maxValue(1));
const Count = v.pipe(Whole, v.minValue(0));
const Amount = v.pipe(Finite, v.minValue(0));
const Positive = v.pipe(Whole, v.minValue(1));
/** The longest time of a timer. */
const MAX_TIMEOUT_MS = 2_147_483_647;

const Names = v.pipe(v.array(Name), v.maxLength(DOCUMENT_LIMIT.tools));

const oneOrMore = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  v.union([v.picklist(options), v.array(v.picklist(options))]);

/** What a row may fill, or not. The type stays: whatever judges has filled values. */
type Fillable = <Schema extends v.GenericSchema>(schema: Schema) => Schema;
const literal: Fillable = (schema) => schema;
const orPlaceholder: Fillable = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.union([schema, PlaceholderSchema]) as unknown as Schema;

const toRange = (fillable: Fillable) =>
  v.pipe(
    objectOf({ min: v.optional(fillable(Count)), max: v.optional(fillable(Count)) }),
    v.check(
      // Of what a row fills it is not known yet.
      ({ min = 0, max = Infinity }) => !(min > max),
      () => t('has a min above its max'),
    ),
  );

const toCallPattern = (fillable: Fillable) =>
  objectOf({
    tool: v.pipe(Name, v.minLength(1), v.description('Exact name of the tool.')),
    arguments: v.optional(
      v.pipe(
        v.unknown(),
        v.description('Values or matchers of some arguments. Arguments that the tool does not declare fail.'),
      ),
    ),
    exact: v.optional(
      v.pipe(
        fillable(v.boolean()),
        v.description(
          'Refuses arguments that are not named here, unless they have the default of the schema.',
        ),
      ),
    ),
    times: v.optional(
      v.pipe(fillable(v.union([Count, toRange(fillable)])), v.description('How often. Default: once.')),
    ),
    step: v.optional(
      v.pipe(
        fillable(Positive),
        v.description('Number of the reply, from 1. Two calls of one step are parallel.'),
      ),
    ),
    source: v.optional(fillable(v.picklist(['native', 'rescued']))),
    valid: v.optional(
      v.pipe(fillable(v.boolean()), v.description('false lets arguments violate the schema of the tool.')),
    ),
  });

const KINDS = ['native', 'rescued', 'malformed', 'none', 'answer'] as const;
const STOPS = ['answer', 'max-steps', 'budget', 'error'] as const;

const toLimits = (fillable: Fillable) => ({
  promptTokens: v.optional(fillable(Count)),
  completionTokens: v.optional(fillable(Count)),
  totalTokens: v.optional(fillable(Count)),
  costUsd: v.optional(v.pipe(fillable(Amount), v.description('Needs rates in the connection.'))),
  timeMs: v.optional(v.pipe(fillable(Amount), v.description('Milliseconds, without the delays of mocks.'))),
  firstTokenMs: v.optional(
    v.pipe(fillable(Amount), v.description('Milliseconds to the first piece of the reply.')),
  ),
  attempts: v.optional(fillable(Positive)),
});

/** What has none of them, perhaps by another name, expects nothing: every reply would pass. */
const hasOne = (value: object, keys: readonly string[]): boolean =>
  keys.some((key) => Object.hasOwn(value, key));

function toReplyLimits(fillable: Fillable) {
  const limits = toLimits(fillable);
  const keys = Object.keys(limits);
  return v.pipe(
    objectOf(limits),
    v.check(
      (value) => hasOne(value, keys),
      () => t('limits nothing: it needs one of {0}', keys.join(', ')),
    ),
  );
}

/** Keys that say what is expected; the others say where it holds. */
const EXPECTING = ['calls', 'never', 'text', 'finish', 'verdict', 'max', 'steps', 'stop'];

const toExpectation = (fillable: Fillable, callPattern: ReturnType<typeof toCallPattern>) =>
  v.pipe(
    objectOf({
      name: v.optional(Name),
      lanes: v.optional(
        v.pipe(
          v.array(Id),
          v.maxLength(DOCUMENT_LIMIT.lanes),
          v.description('Ids of the lanes that it holds for. Default: all of them.'),
        ),
      ),
      when: v.optional(
        v.pipe(
          JsonObject,
          v.description('Holds for rows that have at least these values. Default: all of them.'),
        ),
      ),
      calls: v.optional(
        v.pipe(
          v.array(callPattern),
          v.maxLength(DOCUMENT_LIMIT.calls),
          v.description(
            'The calls of the reply, of an agent run those of all its replies. [] means no call.',
          ),
        ),
      ),
      extra: v.optional(
        v.pipe(
          v.union([v.picklist(['none', 'allowed']), Names]),
          v.description('Other calls: none (the default), allowed, or a list of tools.'),
        ),
      ),
      order: v.optional(fillable(v.picklist(['any', 'listed']))),
      never: v.optional(v.pipe(Names, v.description('Tools that must not be called, whatever extra says.'))),
      text: v.optional(
        v.pipe(v.unknown(), v.description('A text or a matcher of the text of the last reply.')),
      ),
      finish: v.optional(
        v.pipe(
          v.union([Text, v.array(Text)]),
          v.description('stop, length, tool-calls, content-filter, or a word of the server.'),
        ),
      ),
      verdict: v.optional(fillable(oneOrMore(KINDS))),
      max: v.optional(v.pipe(toReplyLimits(fillable), v.description('At most these amounts.'))),
      steps: v.optional(v.pipe(toRange(fillable), v.description('Number of chats of an agent run.'))),
      stop: v.optional(v.pipe(fillable(oneOrMore(STOPS)), v.description('Why an agent run ended.'))),
    }),
    v.check(
      (expectation) => hasOne(expectation, EXPECTING),
      () => t('expects nothing: it needs one of {0}', EXPECTING.join(', ')),
    ),
  ) satisfies v.GenericSchema<unknown, Expectation>;

const toExpectations = (expectation: typeof ExpectationSchema) =>
  v.pipe(v.array(expectation), v.maxLength(DOCUMENT_LIMIT.expectations));

/** As they are written in a document with rows: a text that is one placeholder becomes a value of any type. */
export const CallPatternSchema = toCallPattern(orPlaceholder);
export const ExpectationSchema = toExpectation(orPlaceholder, CallPatternSchema);
export const ExpectationsSchema = toExpectations(ExpectationSchema);

/** Without rows, or filled with one. */
export const FilledExpectationsSchema = toExpectations(toExpectation(literal, toCallPattern(literal)));

export const EvaluateSchema = objectOf({
  mode: v.optional(
    v.pipe(
      v.picklist(['chat', 'agent']),
      v.description('chat: the first reply. agent: mocks answer until the final answer.'),
    ),
    'chat',
  ),
  repeat: v.optional(
    v.pipe(
      Positive,
      v.maxValue(DOCUMENT_LIMIT.repeats),
      v.description('How often each row is sent to each lane. Default: 1.'),
    ),
    1,
  ),
  varySeed: v.optional(
    v.pipe(
      v.boolean(),
      v.description('Adds 1 to the seed of a lane with each repeat: repeatable, and yet different.'),
    ),
    false,
  ),
  rows: v.optional(
    v.pipe(
      v.union([
        v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)),
        v.pipe(v.array(JsonObject), v.maxLength(DOCUMENT_LIMIT.rows)),
      ]),
      v.description('Sets of variables for {{name}}: a list of objects, or a .json, .jsonl or .csv file.'),
    ),
  ),
  pass: v.optional(
    objectOf({
      case: v.optional(
        v.pipe(Share, v.description('Least share of samples of a row that pass in each lane. Default: 1.')),
        1,
      ),
      lane: v.optional(v.pipe(Share, v.description('Least mean over the rows of a lane.'))),
    }),
    () => ({ case: 1 }),
  ),
  maxCostUsd: v.optional(
    v.pipe(
      Amount,
      v.description('The evaluation stops before it costs more; needs rates in the connection.'),
    ),
  ),
  maxRequests: v.optional(v.pipe(Positive, v.description('The evaluation stops after so many requests.'))),
  timeoutMs: v.optional(
    v.pipe(Positive, v.maxValue(MAX_TIMEOUT_MS), v.description('Time limit of one sample. Default: none.')),
  ),
});

export type EvaluateOptions = v.InferOutput<typeof EvaluateSchema>;

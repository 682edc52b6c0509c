// Validates the arguments of a call against the schema of their tool. Never throws, whatever the schema and the value are.
// Independent of tools and of the formats of calls.
import { t } from '@vscode/l10n';
import type { ValidationResult } from '@cfworker/json-schema';
import { validate } from '@cfworker/json-schema';
import type { JsonSchema } from '../../../types';
import type { JsonRecord } from '../../../inspect';
import { CheckBudget, StepCounter, TooLargeError } from './check-budget';
import { measureJson } from './measure-json';
import type { JsonSize } from './measure-json';
import type { PreparedSchema, SchemaIssue } from './prepare-schema';
import { prepareSchema } from './prepare-schema';
import { estimateSteps, MAX_TRIAL_STEPS } from '../../../inspect';
import { readFindings } from './read-findings';
import { followReference } from './schema-places';
import { isRecord } from '../../../library';

const LIMIT = { nodes: 200_000, depth: 200 } as const;
/** Maximum number of comparisons to find equal items; about a tenth of a second. */
const MAX_COMPARISONS = 100_000_000;

const TRIAL_START = 50;

export interface SchemaCheck {
  /** At most 50 issues. */
  issues: SchemaIssue[];
  /** Why validation was not possible, in one sentence; `issues` is empty then. */
  schemaError?: string | undefined;
}

/**
 * A keyword of the wrong shape is ignored, because the value cannot be blamed for it. A pattern is not tried on texts of
 * more than 1,000 UTF-16 code units, or fewer when matching could take long.
 * @param schema Of any draft from 4 on; without `$schema` it counts as 2020-12.
 * @param budget May be shared by checks that follow one another, so that together they take no longer than one may.
 */
export function checkAgainstSchema(
  value: unknown,
  schema: JsonSchema,
  budget = new CheckBudget(),
): SchemaCheck {
  return checkFor(t('the schema'), value, schema, budget);
}

/** @returns the first issue as a sentence without its end, or why validation was not possible; undefined for a valid value */
export function firstIssue(value: unknown, schema: unknown): string | undefined {
  const { issues, schemaError } = checkAgainstSchema(value, isRecord(schema) ? schema : {});
  const [issue] = issues;
  return issue ? `${issue.path} ${issue.message}`.trimStart() : schemaError;
}

/** @param author Subject of the messages: whose requirement the value does not meet. */
export function checkFor(
  author: string,
  value: unknown,
  schema: JsonSchema,
  budget = new CheckBudget(),
): SchemaCheck {
  try {
    return check(author, value, schema, budget);
  } catch (error) {
    return fail(explain(error));
  }
}

/** Prepared schemas, or undefined for one that is too large. Cached, because a reply may call one tool a thousand times. */
const known = new WeakMap<object, { counter: StepCounter; prepared: PreparedSchema | undefined }>();

/**
 * @param budget Budget of the check that follows. Preparing has its own budget, so that earlier checks do not use it up.
 * @returns the prepared schema, or one sentence that says why it cannot be prepared. @throws TooLargeError
 */
export function prepare(schema: unknown, budget = new CheckBudget()): PreparedSchema | string {
  if (!isRecord(schema)) return t('The schema is not a JSON object.');
  let found = known.get(schema);
  if (!found) {
    const counter = new StepCounter(new CheckBudget());
    found = { counter, prepared: prepareOnce(schema, counter) };
    known.set(schema, found);
  }
  if (!found.prepared) throw new TooLargeError();
  found.counter.begin(budget);
  return found.prepared;
}

function prepareOnce(schema: JsonRecord, counter: StepCounter): PreparedSchema | undefined {
  if (!measureJson(schema, LIMIT)) return undefined;
  try {
    return prepareSchema(schema, counter);
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}

function check(author: string, value: unknown, schema: JsonSchema, budget: CheckBudget): SchemaCheck {
  const prepared = prepare(schema, budget);
  if (typeof prepared === 'string') return fail(prepared);
  const [problem] = prepared.problems;
  if (problem)
    return fail(t('The schema cannot be used: {0} {1}.', problem.path || t('it'), problem.message));
  const size = measureJson(value, LIMIT);
  if (!size || isTooLong(size, prepared)) throw new TooLargeError();
  if (size.stranger !== undefined) {
    const message = value === undefined ? t('is missing') : t('is not a JSON value');
    return { issues: [{ path: size.stranger, message }] };
  }
  const { valid, errors } = run(value, prepared);
  return { issues: valid ? [] : readFindings(errors, value, prepared, author) };
}

/** A text on which a pattern is not tried must not be reported as faulty elsewhere, so the whole check is refused. */
function isTooLong(size: JsonSize, prepared: PreparedSchema): boolean {
  const isUntried = prepared.hasReversal && size.longestText > prepared.shortestLimit;
  const hasLongName = size.longestName > prepared.shortestNameLimit;
  const isSlow = prepared.hasUniqueItems && size.longestList * size.nodes > MAX_COMPARISONS;
  return isUntried || hasLongName || isSlow || hasManyNames(size, prepared);
}

/** Whether trying the patterns on the names would take long: the checker tries all of them in one step. */
function hasManyNames({ names, longestName }: JsonSize, { namePatterns }: PreparedSchema): boolean {
  let left = MAX_TRIAL_STEPS;
  return namePatterns.some((pattern) => {
    // To begin a trial takes as long as some dozens of steps.
    left -= names * (TRIAL_START + estimateSteps(pattern, longestName));
    return left < 0;
  });
}

function run(value: unknown, prepared: PreparedSchema): ValidationResult {
  const { root, draft, lookup } = prepared;
  const runOnce = (isShort: boolean): ValidationResult => validate(value, root, draft, lookup, isShort);
  try {
    return runOnce(false);
  } catch (error) {
    // There were more findings than the checker can pass on at once, so only the first one of each level is collected.
    if (error instanceof RangeError) return runOnce(true);
    const [unresolved] = findUnresolved(prepared);
    const isOther = error instanceof TooLargeError || error instanceof URIError || !unresolved;
    throw isOther ? error : new UnresolvedError(unresolved.path);
  }
}

/** The references without a target, as JSON Pointers into the schema. */
export function findUnresolved(prepared: PreparedSchema): Array<{ path: string }> {
  if (Object.keys(prepared.lookup).length === 0) return [];
  return prepared.references.filter(({ schema }) => followReference(prepared, schema) === undefined);
}

class UnresolvedError extends Error {}

function explain(error: unknown): string {
  if (error instanceof UnresolvedError) {
    return t('The schema cannot be used: {0} refers to nothing in it.', error.message);
  }
  if (error instanceof TooLargeError || error instanceof RangeError) {
    return t('The schema or the value is too large to check.');
  }
  if (error instanceof URIError) return t('A name contains half a surrogate pair, so it cannot be checked.');
  return t('The arguments cannot be checked against this schema.');
}

const fail = (schemaError: string): SchemaCheck => ({ issues: [], schemaError });

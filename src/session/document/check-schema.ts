// Validates a value against a schema and describes the first problem. Never repeats a value, which may be a secret.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { DocumentToolSchema, ToolReferenceSchema } from '../../protocol';
import { formatPlace } from './place';
import type { Path } from './place';

interface SchemaProblem {
  path: Path;
  message: string;
}

/**
 * @param at Path of the value in the document.
 * @returns the value completed with defaults, or the first problem
 */
export function checkSchema<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  at: Path = [],
): { output: Output } | { problem: SchemaProblem } {
  // One problem is enough, and a large file may have millions.
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) return { problem: describeIssue(result.issues[0], at) };
  const listPath = restoreKeys(value, result.output, at);
  if (listPath === undefined) return { output: result.output };
  return {
    problem: { path: listPath, message: t('{0} must be an object, not a list.', formatPlace(listPath)) },
  };
}

/**
 * Copies keys that the schema library drops from objects, such as `constructor`: a tool may have a parameter of that name.
 * @returns the first path where the library accepted a list as an object
 */
function restoreKeys(input: unknown, output: unknown, path: Path): Path | undefined {
  if (input === output || !isContainer(input) || !isContainer(output)) return undefined;
  if (Array.isArray(input) !== Array.isArray(output)) return path;
  for (const key of Object.keys(input)) {
    if (!Object.hasOwn(output, key)) output[key] = input[key];
    const segment = Array.isArray(input) ? Number(key) : key;
    const listPath = restoreKeys(input[key], output[key], [...path, segment]);
    if (listPath) return listPath;
  }
  return undefined;
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function describeIssue(issue: v.BaseIssue<unknown>, at: Path): SchemaProblem {
  const path = [...at, ...toPath(issue)];
  const option = issue.type === 'union' ? optionOf(path, issue.input) : undefined;
  const inner = option
    ? v.safeParse(option, issue.input, { abortEarly: true }).issues?.[0]
    : issueInside(issue);
  return inner
    ? describeIssue(inner, path)
    : { path, message: t('{0} {1}.', formatPlace(path), reasonOf(issue)) };
}

/**
 * Of a value that may be of several kinds: what is wrong inside it, when it is of one of them. That it has none of the kinds would
 * not be true. That a placeholder, the one kind that is `custom`, may stand in its place is not said: whoever writes one knows it.
 */
function issueInside({ type, issues }: v.BaseIssue<unknown>): v.BaseIssue<unknown> | undefined {
  if (type !== 'union' || !issues) return undefined;
  const ofKinds = issues.filter((each) => each.type !== 'custom');
  if (ofKinds.length === 1 && issues.length > 1) return ofKinds[0];
  const inside = ofKinds.filter(({ path }) => path !== undefined);
  return inside.length === 1 ? inside[0] : undefined;
}

const toPath = (issue: v.BaseIssue<unknown>): Path =>
  (issue.path ?? []).map(({ key }) => key as string | number);

/** The schema of the kind of tool that was meant, told by the `$ref` key, which only references have. */
function optionOf(path: Path, input: unknown): v.GenericSchema | undefined {
  if (path[0] !== 'tools' || path.length !== 2 || !isContainer(input)) return undefined;
  return Object.hasOwn(input, '$ref') ? ToolReferenceSchema : DocumentToolSchema;
}

const isLaterVersion = ({ path, input }: v.BaseIssue<unknown>): boolean =>
  path?.at(-1)?.key === 'version' && Number.isInteger(input) && Number(input) > 1;

function reasonOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && issue.path?.at(-1)?.origin === 'key') return t('is missing');
  if (issue.kind === 'schema' && isLaterVersion(issue))
    return t('is of a later version of Provider Playground: update it to open the file');
  if (issue.kind === 'schema') return t('must be {0}', expectedOf(issue));
  const isList = Array.isArray(issue.input);
  const limit = String(issue.requirement);
  switch (issue.type) {
    case 'min_length':
      return limit === '1' ? t('must not be empty') : t('has fewer than {0} entries', limit);
    case 'max_length':
      return isList ? t('has more than {0} entries', limit) : t('has more than {0} characters', limit);
    case 'min_value':
      return t('must be at least {0}', limit);
    case 'max_value':
      return t('must be at most {0}', limit);
    case 'safe_integer':
      return t('must be a whole number');
    default:
      // Messages of our own checks are written to follow the place.
      return issue.message;
  }
}

const EXPECTED: Record<string, () => string> = {
  string: () => t('text'),
  number: () => t('a number'),
  boolean: () => t('true or false'),
  array: () => t('a list'),
  record: () => t('an object'),
  loose_object: () => t('an object'),
};

/** The kinds of a union in the words of valibot, such as `(string | Array)`. */
const KINDS: Record<string, () => string> = {
  string: () => t('text'),
  number: () => t('a number'),
  Array: () => t('a list'),
  Object: () => t('an object'),
};

function expectedOf({ type, path, expected, input }: v.BaseIssue<unknown>): string {
  if (path?.at(-1)?.key === 'toolChoice' && type === 'union')
    return t('auto, none, required or { "tool": "…" } with the name of a tool');
  const kind = EXPECTED[type]?.();
  if (kind !== undefined) return t('{0}, not {1}', kind, kindOf(input));
  // Turns `("system" | "user")` or `1` into words.
  const choices = [...new Set((expected ?? '').replaceAll(/[()"]/g, '').split(' | '))].map(
    (choice) => KINDS[choice]?.() ?? choice,
  );
  if (choices.length > 1) return t('one of {0}', choices.join(', '));
  return type === 'union' ? t('{0}, not {1}', choices.join(''), kindOf(input)) : choices.join('');
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return t('a list');
  const kinds: Record<string, string> = {
    string: t('text'),
    object: t('an object'),
    number: t('a number'),
    boolean: t('a boolean'),
  };
  return kinds[typeof input] ?? typeof input;
}

// Makes expectations from what came: from the calls or the text of a reply, or by accepting one more value. Pure.
import { t } from '@vscode/l10n';
import { isMatcher } from '../../inspect';
import { isRecord } from '../../library';
import type { DocumentEdit, EvaluationSampleView, PlaygroundDocument } from '../../protocol';
import type { Expectation, JudgedExpectation, SampleFacts } from '../../types';
import { refuse } from '../refusal';
import type { DataRow } from '../rows/data-row';
import { keepBraces } from '../rows/template';

/** What is made an expectation of a reply: its calls, or one of them; or the whole of it. */
export interface Wanted {
  what: 'call' | 'reply';
  callIndex?: number | undefined;
}

/** Adds the value that failed to what the expectation accepts at its place. @throws RefusalError */
export function toAcceptEdit(
  document: PlaygroundDocument,
  { index, accept }: Pick<JudgedExpectation, 'index' | 'accept'>,
  ownExpect: EvaluationSampleView['ownExpect'],
): DocumentEdit {
  const own = index - document.expect.length;
  const place = own < 0 ? undefined : ownExpect;
  if (place && 'line' in place)
    throw refuse(t('The expectation is in the rows file, line {0}.', place.line), t('Add the value there.'));
  const at = place ? [...place.path, own] : ['expect', index];
  const path = accept && [...at, ...accept.path];
  const present = path && valueAt(document, path);
  if (!accept || !path || present === undefined)
    throw refuse(
      t('This value cannot be accepted by one click.'),
      t('Change the expectation where it is written.'),
    );
  const value = toLiteral(accept.value, hasRows(document) && {});
  const before = isRecord(present) && isMatcher(present) && Array.isArray(present.$oneOf);
  const isAlone = before && Object.keys(present).length === 1;
  return { path, value: { $oneOf: [...(isAlone ? (present.$oneOf as unknown[]) : [present]), value] } };
}

/**
 * Appends an expectation of the reply.
 * @param row The row that filled what was sent. @default none
 * @throws RefusalError
 */
export function toExpectEdit(
  document: PlaygroundDocument,
  facts: Pick<SampleFacts, 'calls' | 'text'>,
  wanted: Wanted,
  row?: DataRow,
): DocumentEdit {
  const value = toExpectation(facts, wanted, hasRows(document) && (row?.variables ?? {}));
  return { path: ['expect', document.expect.length], value };
}

/**
 * An expectation in which the values of the reply are literals, except for texts that are a variable of the row: in another row
 * the reply is expected to have its value.
 * @param filling Variables of the row; false in a document without rows, of which no text is filled.
 * @throws RefusalError
 */
export function toExpectation(
  facts: Pick<SampleFacts, 'calls' | 'text'>,
  { what, callIndex }: Wanted,
  filling: Filling,
): Expectation {
  const chosen = callIndex === undefined ? facts.calls : facts.calls.slice(callIndex, callIndex + 1);
  if (what === 'call' && chosen.length === 0)
    throw refuse(t('The reply made no such call.'), t('Expect the reply instead.'));
  const calls = chosen.map(({ name, arguments: args, parseError }) => ({
    tool: name,
    ...(parseError === undefined && args !== undefined && { arguments: toLiteral(args, filling) }),
  }));
  const hasText = what === 'reply' && facts.calls.length === 0 && facts.text !== '';
  return {
    calls,
    ...(what === 'call' && chosen.length < facts.calls.length && { extra: 'allowed' as const }),
    ...(hasText && { text: toLiteral(facts.text, filling) }),
  };
}

const hasRows = ({ evaluate }: PlaygroundDocument): boolean => evaluate.rows !== undefined;

type Filling = DataRow['variables'] | false;

/** A value that matches itself alone: its objects are no matchers, and its braces no placeholders. */
export function toLiteral(value: unknown, filling: Filling): unknown {
  if (typeof value === 'string')
    return filling ? (toPlaceholder(value, filling) ?? keepBraces(value)) : value;
  if (Array.isArray(value)) return value.map((each) => toLiteral(each, filling));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, toLiteral(each, filling)] as const);
  const literal = Object.fromEntries(entries);
  return isMatcher(literal) ? { $equals: literal } : literal;
}

/** A shorter text is often that of a variable by chance. */
const MIN_TELLING = 2;

/** @returns undefined when the text is not the value of exactly one variable */
function toPlaceholder(text: string, variables: DataRow['variables']): string | undefined {
  const isUsable = (name: string): boolean => variables[name] === text && /^[^{}.\s]+$/.test(name);
  const names = Object.keys(variables).filter(isUsable);
  const [name, ...more] = text.length < MIN_TELLING ? [] : names;
  return name === undefined || more.length > 0 ? undefined : `{{${name}}}`;
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string | number, unknown>)[segment];
  }
  return value;
}

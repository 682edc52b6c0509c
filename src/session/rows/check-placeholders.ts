// Checks before an evaluation starts that every row has what the placeholders of the document need. Sends nothing.
import { t } from '@vscode/l10n';
import { isRecord, nearestTools } from '../../library';
import { DOCUMENT_LIMIT, FilledExpectationsSchema } from '../../protocol';
import { checkSchema } from '../document/check-schema';
import { findUnknownPath } from '../document/document-warnings';
import { findWrongMatcher } from '../document/find-wrong-matcher';
import type { Path } from '../document/place';
import { formatPlace } from '../document/place';
import type { DataRow } from './data-row';
import { showName } from './data-row';
import type { DocumentParts, DocumentTemplate } from './document-template';
import type { LineProblem } from './problem-list';
import { ProblemList } from './problem-list';
import type { Unfilled } from './template';
import { findVariable } from './template';

export interface PlaceholderProblem extends LineProblem {
  /** Which text the line is of; for rows that the document contains itself, both are the document. */
  place: 'document' | 'rows';
}

/** Number of names among which the nearest is looked for. */
const MAX_NAMES = 100;
/** Number of names that a sentence lists. */
const MAX_SHOWN = 10;

/**
 * Finds placeholders that no row can fill, each once with its place in the document, and what single rows lack. Rows that are
 * skipped need nothing.
 * @param lineOf Line of a path in the text of the document.
 */
export function checkPlaceholders(
  template: DocumentTemplate<DocumentParts>,
  rows: readonly DataRow[],
  lineOf: (path: Path) => number,
): ProblemList<PlaceholderProblem> {
  const problems = new ProblemList<PlaceholderProblem>();
  for (const stray of template.strays)
    problems.add({ place: 'document', line: lineOf(stray.path), message: describeUnfilled(stray) });
  const names = new Set(template.placeholders.map(({ name }) => name));
  const unknown = new Set([...names].filter((name) => !rows.some((row) => hasVariable(row, name))));
  const known = namesOf(rows);
  for (const { path, name } of template.placeholders)
    if (unknown.has(name))
      problems.add({ place: 'document', line: lineOf(path), message: describeUnknown(path, name, known) });
  for (const row of rows) if (row.skip === undefined) checkRow(template, row, unknown, problems);
  return problems;
}

const hasVariable = ({ variables }: DataRow, name: string): boolean =>
  findVariable(variables, name) !== undefined;

function checkRow(
  template: DocumentTemplate<DocumentParts>,
  row: DataRow,
  unknown: ReadonlySet<string>,
  problems: ProblemList<PlaceholderProblem>,
): void {
  const { parts, unfilled } = template.fillRow(row);
  const told = new Set(unknown);
  for (const each of unfilled) {
    // One problem a name and row, however many places need it.
    if (told.has(each.name)) continue;
    told.add(each.name);
    problems.add({ place: 'rows', line: row.line, message: describeUnfilled(each) });
  }
  const wrong = unfilled.length === 0 ? findWrong(template.parts, parts, row) : undefined;
  if (wrong !== undefined)
    problems.add({ place: 'rows', line: row.line, message: t('With this row: {0}', wrong) });
}

/** Finds what the variables of the row, or its own expectations, make invalid: a value may be of any type. */
function findWrong(written: DocumentParts, filled: DocumentParts, { expect }: DataRow): string | undefined {
  const ofDocument = filled.expect.slice(0, written.expect.length);
  const isChanged = ofDocument.some((each, index) => each !== written.expect[index]);
  return (
    (isChanged ? findWrongExpectation(ofDocument, ['expect']) : undefined) ??
    (expect && findWrongExpectation(filled.expect.slice(written.expect.length), ['$expect'])) ??
    (filled.tools === written.tools
      ? undefined
      : findWrongMatcher({ tools: filled.tools, expect: [] })?.message)
  );
}

function findWrongExpectation(list: readonly unknown[], at: Path): string | undefined {
  const checked = checkSchema(FilledExpectationsSchema, list, at);
  if ('problem' in checked) return checked.problem.message;
  const unknown = at[0] === '$expect' ? findUnknownPath(FilledExpectationsSchema, list, at) : undefined;
  if (unknown) return t('{0} is not known.', formatPlace(unknown));
  return findWrongMatcher({ tools: [], expect: checked.output }, undefined, at)?.message;
}

/** Says in one sentence why a placeholder of a row is not filled. */
export function describeUnfilled({ path, name, reason }: Unfilled): string {
  const place = formatPlace(path);
  switch (reason) {
    case 'absent':
      return t('The row has no {0}, which {1} needs.', showName(name), place);
    case 'null':
      return t('In the row, {0} is null, and {1} needs text.', showName(name), place);
    case 'too-long':
      return t('With this row, {0} has more than {1} characters.', place, DOCUMENT_LIMIT.text);
    case 'stray':
      return `${t('{0} has {1} that begins no placeholder.', place, '{{')} ${howToEscape()}`;
  }
}

function describeUnknown(path: Path, name: string, known: readonly string[]): string {
  const what = t('{0} has {1}, and no row has such a variable.', formatPlace(path), `{{${showName(name)}}}`);
  const tools = known.map((each) => ({ name: each, description: '', parameters: {} }));
  const [nearest] = nearestTools(name, tools);
  const next =
    nearest === undefined
      ? t('The rows have {0}.', known.slice(0, MAX_SHOWN).map(showName).join(', '))
      : t('Did you mean {0}?', `{{${showName(nearest)}}}`);
  return [what, ...(known.length > 0 ? [next] : []), howToEscape()].join(' ');
}

const howToEscape = (): string => t('A backslash before {0} keeps the braces as text.', '{{');

/** Names of variables and of their members, such as `user.name`. */
function namesOf(rows: readonly DataRow[]): string[] {
  const names = new Set<string>();
  for (const { variables } of rows) {
    for (const name of Object.entries(variables).flatMap(namesIn)) names.add(name);
    if (names.size >= MAX_NAMES) break;
  }
  return [...names].slice(0, MAX_NAMES);
}

const namesIn = ([name, value]: [string, unknown]): string[] => [
  name,
  ...(isRecord(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : []),
];

// Reads what an evaluation would send: the document with its rows and lanes, or what keeps it from starting, with its line.
import { t } from '@vscode/l10n';
import type { ConnectionView, DocumentLane, EvaluationProblem, PlaygroundDocument } from '../../protocol';
import { DOCUMENT_LIMIT } from '../../protocol';
import { findRefusal } from '../check-sendable';
import { hasQuestion } from '../conversation/pending-messages';
import { laneBlocker } from '../conversation/standings';
import { findRowSecrets } from '../document/find-secrets';
import { formatPlace, lineFinder } from '../document/place';
import type { Path } from '../document/place';
import { findOffset } from '../document/text/json-text';
import type { EditableDocument } from '../editing/editable-document';
import type { RowsFile } from '../ports';
import { checkPlaceholders } from '../rows/check-placeholders';
import type { DataRow } from '../rows/data-row';
import { showName } from '../rows/data-row';
import { lastPick } from '../rows/message-picks';
import { nameRows } from '../rows/name-rows';
import type { ParsedRows } from '../rows/parse-rows';
import { parseInlineRows, parseRows } from '../rows/parse-rows';
import { ProblemList } from '../rows/problem-list';
import { resolveRowsPath } from '../rows/rows-path';
import type { LaneSetting } from './setting';
import { EvaluationSetting } from './setting';

export interface ReadSetting {
  /** Absent when there are problems with the document. */
  setting?: EvaluationSetting | undefined;
  problems: readonly EvaluationProblem[];
  /** All rows as they were read, also those that are skipped; empty when they cannot be read. */
  rows: readonly DataRow[];
}

/** The rows of a document, and what is wrong with them. */
interface ReadRows {
  rows: readonly DataRow[];
  problems: EvaluationProblem[];
}

/** What an evaluation needs of a document. */
type ReadDocument = Pick<EditableDocument, 'document' | 'tree' | 'tools' | 'error' | 'secrets'>;

/** Reads anew only what has changed: equal inputs give the same object. Never rejects. */
export class SettingReader {
  readonly #file: RowsFile;
  readonly #sendsNothing: string | undefined;
  /** What was read last, and from what. */
  #known: { from: readonly unknown[]; read: ReadSetting } | undefined;
  /** The file that was parsed last: mostly only the document changes. */
  #parsed: { path: string; text: string; rows: ParsedRows } | undefined;

  /** @param sendsNothing Why nothing of the document can be evaluated here, in spite of its setting. */
  constructor(file: RowsFile, sendsNothing?: string) {
    this.#file = file;
    this.#sendsNothing = sendsNothing;
  }

  async read(
    editable: ReadDocument,
    connections: readonly ConnectionView[] | undefined,
  ): Promise<ReadSetting> {
    const { document, tree, tools } = editable;
    const refusal = findRefusal(editable);
    if (refusal || !tree) return { problems: refusal ? [{ message: refusal.info.what }] : [], rows: [] };
    const lineOf = toLineOf(tree);
    const read = await this.#readRows(document, tree, lineOf);
    // The rows of a document are new each time, but they are those of the document.
    const rowsOf = typeof document.evaluate.rows === 'string' ? read.rows : undefined;
    const from = [document, tools, rowsOf, JSON.stringify(connections)];
    if (this.#known?.from.every((one, index) => one === from[index])) return this.#known.read;
    const found = this.#toSetting(editable, connections, read, lineOf);
    this.#known = { from, read: found };
    return found;
  }

  #toSetting(
    { document, tools }: ReadDocument,
    connections: readonly ConnectionView[] | undefined,
    read: ReadRows,
    lineOf: (path: Path) => number,
  ): ReadSetting {
    const rows = read.rows.filter(({ skip }) => skip === undefined);
    const lanes = document.lanes.map((config) => toLaneSetting(config, connections));
    const found = lanes.flatMap((lane) => ('config' in lane ? [lane] : []));
    const setting = new EvaluationSetting({ document, tools, lanes: found, rows });
    const problems = [
      ...read.problems,
      ...findDocumentProblems(document, rows, lineOf),
      ...lanes.flatMap((lane) => ('config' in lane ? [] : [lane])),
      ...(read.problems.length > 0
        ? []
        : findRowProblems(setting, read.rows, document.messages.length, lineOf)),
      ...findSizeProblems(setting, lineOf),
    ];
    const never = this.#sendsNothing === undefined ? [] : [{ message: this.#sendsNothing, isNote: true }];
    return {
      ...(problems.length === 0 && { setting }),
      problems: [...never, ...problems],
      rows: read.rows,
    };
  }

  async #readRows(
    { evaluate: { rows } }: PlaygroundDocument,
    tree: Tree,
    lineOf: (path: Path) => number,
  ): Promise<ReadRows> {
    if (rows === undefined)
      return { rows: [{ ...ONLY_ROW, name: t('the playground itself') }], problems: [] };
    const line = lineOf(['evaluate', 'rows']);
    if (typeof rows !== 'string') {
      return toReadRows(parseInlineRows(tree), false);
    }
    const path = resolveRowsPath(rows);
    if (typeof path === 'string') return { rows: [], problems: [{ line, message: path }] };
    const read = await this.#file.read(path.segments);
    if (typeof read === 'string') return { rows: [], problems: [{ line, message: read }] };
    const isKnown = this.#parsed?.path === rows && this.#parsed.text === read.text;
    if (!isKnown || !this.#parsed)
      this.#parsed = { path: rows, text: read.text, rows: parseRows(read.text, path.format) };
    return toReadRows(this.#parsed.rows, true);
  }
}

type Tree = NonNullable<EditableDocument['tree']>;

/** Of a document without rows, whose placeholders are text. Its id says nothing to a person, so that it is shown by a name. */
const [ONLY_ROW] = nameRows([{ tags: [], variables: {}, line: 1 }], new ProblemList()) as [DataRow];

const toReadRows = ({ rows, problems, more }: ParsedRows, isInRows: boolean): ReadRows => ({
  rows,
  problems: toProblems({ listed: problems, more }, isInRows),
});

function toProblems(
  { listed, more }: Pick<ProblemList, 'listed' | 'more'> | { listed: ParsedRows['problems']; more: number },
  isInRows: boolean,
): EvaluationProblem[] {
  const problems = listed.map(({ line, message }) => ({ line, message, ...(isInRows && { isInRows }) }));
  return more > 0 ? [...problems, { message: t('{0} more problems.', more) }] : problems;
}

function toLineOf({ root, text }: Tree): (path: Path) => number {
  let lineAt: ((offset: number) => number) | undefined;
  return (path) => (lineAt ??= lineFinder(text))(findOffset(root, path));
}

function toLaneSetting(
  config: DocumentLane,
  connections: readonly ConnectionView[] | undefined,
): LaneSetting | EvaluationProblem {
  const connection = connections?.find(({ id }) => id === config.connection);
  const blocker = laneBlocker(config, connections, undefined);
  if (!connection || blocker !== undefined)
    return { message: t('Lane {0}: {1}', config.id, blocker ?? t('its connection is not known yet.')) };
  return { config, connection, model: (config.model || connection.model) ?? '' };
}

function findDocumentProblems(
  { messages, tools, evaluate }: PlaygroundDocument,
  rows: readonly DataRow[],
  lineOf: (path: Path) => number,
): EvaluationProblem[] {
  const problems: EvaluationProblem[] = [];
  const arePicked = rows.length > 0 && rows.every((row) => row.messages);
  if (!arePicked && !hasQuestion(messages))
    problems.push({ message: t('There is no message to send: write one.') });
  if (evaluate.mode !== 'agent') return problems;
  for (const [index, { offered, mocks = [] }] of tools.entries()) {
    const at = offered ? mocks.findIndex(({ ask, invoke }) => ask ?? invoke) : -1;
    const path = ['tools', index, 'mocks', at];
    if (at >= 0)
      problems.push({
        line: lineOf(path),
        message: t(
          '{0} asks a person or runs a tool of the editor; the mocks of an evaluation answer by themselves.',
          formatPlace(path),
        ),
      });
  }
  return problems;
}

function findRowProblems(
  setting: EvaluationSetting,
  rows: readonly DataRow[],
  messages: number,
  lineOf: (path: Path) => number,
): EvaluationProblem[] {
  const { rows: source } = setting.evaluate;
  if (source === undefined) return [];
  const isInRows = typeof source === 'string';
  const secrets = toProblems(findRowSecrets(rows), isInRows);
  if (secrets.length > 0) return secrets;
  if (setting.rows.length === 0) return [{ message: t('All rows are skipped.') }];
  const beyond = setting.rows.find((row) => row.messages && lastPick(row.messages) > messages);
  if (beyond?.messages) {
    const message = t(
      '$messages of the row {0} names message {1}; the playground has {2}.',
      showName(beyond.id),
      lastPick(beyond.messages),
      messages,
    );
    return [{ line: beyond.line, message, ...(isInRows && { isInRows }) }];
  }
  const { listed, more } = checkPlaceholders(setting.template, setting.rows, lineOf);
  return listed
    .map(({ line, message, place }): EvaluationProblem => {
      return { line, message, ...(isInRows && place === 'rows' && { isInRows }) };
    })
    .concat(more > 0 ? [{ message: t('{0} more problems.', more) }] : []);
}

function findSizeProblems(
  { sampleCount, evaluate }: EvaluationSetting,
  lineOf: (path: Path) => number,
): EvaluationProblem[] {
  if (sampleCount <= DOCUMENT_LIMIT.samples) return [];
  const message = t(
    'The evaluation has {0} samples; at most {1} are possible. Use fewer rows, lanes or repeats.',
    sampleCount,
    DOCUMENT_LIMIT.samples,
  );
  return [{ line: lineOf(['evaluate', evaluate.rows === undefined ? 'repeat' : 'rows']), message }];
}

// Tells a run of the Test Explorer how cases of one file came out, and writes its output. Evaluates nothing.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CaseSummary } from '../../types';
import type { CaseState, ToldCase } from './describe-case';
import { describeCase, stateOf, STATES } from './describe-case';
import type { EvaluationItems } from './evaluation-items';
import { caseKey } from './evaluation-items';
import type { OpenPlayground } from './open-playground';

export interface TellerParts {
  run: vscode.TestRun;
  uri: vscode.Uri;
  /** By `caseKey`. */
  cases: ReadonlyMap<string, vscode.TestItem>;
  items: Pick<EvaluationItems, 'add' | 'placeOf'>;
  opened: Pick<OpenPlayground, 'session' | 'places'>;
  /** Called for each case whose item has a state from now on. */
  onTold: (told: ToldState) => void;
}

/** The state of an item, so that a change of it is noticed. */
export interface ToldState {
  rowId: string;
  laneId: string;
  item: vscode.TestItem;
  state: CaseState;
  words: string;
}

/** Cases that share an item, which gets the worst of their states at the end. */
interface Shared {
  count: number;
  passed: number;
  worst: ToldCase;
}

export class CaseTeller {
  readonly #parts: TellerParts;
  readonly #begun = new Set<vscode.TestItem>();
  readonly #shared = new Map<vscode.TestItem, Shared>();
  /** By item. */
  #lines = new Map<vscode.TestItem | undefined, string[]>();

  constructor(parts: TellerParts) {
    this.#parts = parts;
  }

  /** The item of a case, which it may share with others. */
  itemOf({ rowId, laneId }: Pick<CaseSummary, 'rowId' | 'laneId'>): vscode.TestItem | undefined {
    const { cases } = this.#parts;
    return cases.get(caseKey(rowId, laneId)) ?? cases.get(caseKey('', laneId));
  }

  begin(item: vscode.TestItem): void {
    if (this.#begun.has(item)) return;
    this.#begun.add(item);
    this.#parts.run.started(item);
  }

  async end(summary: CaseSummary): Promise<void> {
    const item = this.#ownItem(summary);
    if (!item) return;
    const told = await describeItem(this.#parts, summary, item);
    this.print(describePassed(nameOf(item), summary), item);
    for (const message of told.messages) this.print(`  ${textOf(message)}`, item);
    if (this.#isShared(item, summary)) this.#share(item, told);
    else this.#tell(item, told, summary);
  }

  /** One that fails gets an item of its own, if there is room. */
  #ownItem(summary: CaseSummary): vscode.TestItem | undefined {
    const { uri, items } = this.#parts;
    const item = this.itemOf(summary);
    if (!item || !this.#isShared(item, summary) || stateOf(summary) !== 'failed') return item;
    return items.add(uri, summary.rowId, summary.laneId) ?? item;
  }

  /** Whether it stands for several rows. The item of a lane without rows does not. */
  #isShared(item: vscode.TestItem, { rowId }: CaseSummary): boolean {
    const place = this.#parts.items.placeOf(item);
    return place?.rowId !== rowId && item.id === '';
  }

  #share(item: vscode.TestItem, told: ToldCase): void {
    const shared = this.#shared.get(item) ?? { count: 0, passed: 0, worst: told };
    shared.count++;
    if (told.state === 'passed') shared.passed++;
    if (STATES.indexOf(told.state) > STATES.indexOf(shared.worst.state)) shared.worst = told;
    this.#shared.set(item, shared);
  }

  #tell(item: vscode.TestItem, told: ToldCase, { rowId, laneId }: CaseSummary): void {
    report(this.#parts.run, item, told);
    this.#parts.onTold({ rowId, laneId, item, state: told.state, words: wordsOf(told) });
  }

  /** Tells the items that several cases share. */
  endShared(): void {
    for (const [item, { count, passed, worst }] of this.#shared) {
      this.print(t('{0}: {1} of {2} rows passed', nameOf(item), passed, count), item);
      report(this.#parts.run, item, { ...worst, durationMs: undefined, part: '' });
    }
    this.flush();
  }

  skipAll(): void {
    for (const item of this.#parts.cases.values()) skip(this.#parts.run, item);
  }

  /** Keeps a line of the output until the next flush. */
  print(line: string, item?: vscode.TestItem): void {
    const lines = this.#lines.get(item) ?? [];
    this.#lines.set(item, lines);
    // The output of a run ends its lines with CRLF.
    lines.push(`${line.replaceAll('\n', '\r\n')}\r\n`);
  }

  flush(): void {
    for (const [item, lines] of this.#lines) this.#parts.run.appendOutput(lines.join(''), undefined, item);
    this.#lines = new Map();
  }
}

function describePassed(name: string, { passed, failed, planned, notRun }: CaseSummary): string {
  const judged = passed + failed;
  if (notRun === planned) return t('{0}: not run', name);
  const words =
    judged === 0 ? t('{0}: none judged', name) : t('{0}: {1} of {2} passed', name, passed, judged);
  return notRun === 0 ? words : t('{0}, {1} of {2} samples not run', words, notRun, planned);
}

export function describeItem(
  { uri, opened }: Pick<TellerParts, 'uri' | 'opened'>,
  summary: CaseSummary,
  item: vscode.TestItem,
): Promise<ToldCase> {
  return describeCase({
    views: opened.session.evaluation.views,
    summary,
    uri,
    places: opened.places,
    row: item.uri && item.range && new vscode.Location(item.uri, item.range),
  });
}

export function report(
  run: vscode.TestRun,
  item: vscode.TestItem,
  { state, messages, durationMs, part }: ToldCase,
): void {
  if (state === 'skipped') return skip(run, item);
  item.description = part;
  if (state === 'passed') run.passed(item, durationMs);
  else run[state](item, messages, durationMs);
}

function skip(run: vscode.TestRun, item: vscode.TestItem): void {
  item.description = '';
  run.skipped(item);
}

/** Equal for what a person sees alike. */
export const wordsOf = ({ state, messages, part }: ToldCase): string =>
  [`${state} ${part}`, ...messages.map(textOf)].join('\n');

const textOf = ({ message }: vscode.TestMessage): string =>
  typeof message === 'string' ? message : message.value;

/** Such as `model-a, oslo`; of a lane without rows, its label. */
export const nameOf = ({ label, parent }: vscode.TestItem): string =>
  parent?.parent ? `${parent.label}, ${label}` : label;

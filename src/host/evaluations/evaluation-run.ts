// Evaluates the chosen cases of one file in a run of the Test Explorer, and tells it how each came out.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toLabel } from '../../inspect';
import type { CaseSummary, JudgedSample } from '../../types';
import { loadEngine } from '../load-engine';
import { caseKey, toRange } from './evaluation-items';
import type { OpenPlayground } from './open-playground';
import { startEvaluation } from './start-evaluation';

const MAX_MESSAGES = 10;
const MAX_MESSAGE = 300;

interface RunParts {
  run: vscode.TestRun;
  uri: vscode.Uri;
  cases: ReadonlyMap<string, vscode.TestItem>;
  opened: Pick<OpenPlayground, 'session' | 'text'>;
}

export class EvaluationRun {
  readonly #parts: RunParts;
  /** Keys of cases that have begun, and of those whose end was told. */
  readonly #started = new Set<string>();
  readonly #told = new Set<string>();
  /** Items of several cases have the worst state of these. */
  readonly #states = new Map<vscode.TestItem, State>();
  #telling: Promise<void> = Promise.resolve();

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Never rejects: what keeps the evaluation from starting is told of every case. */
  async go(token: vscode.CancellationToken, options: { repeats?: number }): Promise<void> {
    const { session } = this.#parts.opened;
    const isWanted = (rowId: string, laneId: string): boolean =>
      this.#itemOf({ rowId, laneId }) !== undefined;
    if (token.isCancellationRequested) return this.#skipAll();
    try {
      const start = await startEvaluation(session, { isWanted, ...options });
      if (start === 'cancelled') return this.#skipAll();
      if (start === 'complete') this.#print(t('Every sample is there already, so nothing was sent.'));
      const subscriptions = [
        token.onCancellationRequested(() => session.evaluation.stop()),
        { dispose: session.onDidChange(() => void this.#tell(false)) },
      ];
      await session.evaluation.ended();
      for (const subscription of subscriptions) subscription.dispose();
      await this.#tell(true);
    } catch (error) {
      await this.#failAll(error);
    }
  }

  /** The item of a case; one of a row without an item, that of its lane or of its further rows. */
  #itemOf({ rowId, laneId }: Pick<CaseSummary, 'rowId' | 'laneId'>): vscode.TestItem | undefined {
    const { cases } = this.#parts;
    return cases.get(caseKey(rowId, laneId)) ?? cases.get(caseKey('', laneId));
  }

  #tell(isEnd: boolean): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tellNow(isEnd));
    return this.#telling;
  }

  async #tellNow(isEnd: boolean): Promise<void> {
    const { session } = this.#parts.opened;
    const { summary } = session.evaluation.views.exported(session.title);
    for (const one of summary.cases) {
      const item = this.#itemOf(one);
      const key = caseKey(one.rowId, one.laneId);
      if (!item || this.#told.has(key)) continue;
      const isDone = isEnd || (one.notRun === 0 && one.gate !== 'open');
      if (!isDone) this.#begin(key, item, one);
      else await this.#end(key, item, one);
    }
  }

  #begin(key: string, item: vscode.TestItem, { planned, notRun }: CaseSummary): void {
    if (this.#started.has(key) || planned === notRun) return;
    this.#started.add(key);
    this.#parts.run.started(item);
  }

  async #end(key: string, item: vscode.TestItem, one: CaseSummary): Promise<void> {
    this.#told.add(key);
    const { run, opened } = this.#parts;
    const { samples } = opened.session.evaluation.views.case(one);
    const judged = one.passed + one.failed;
    const durationMs = medianOf(samples);
    this.#print(t('{0}: {1} of {2} passed', labelOf(item), one.passed, judged), item);
    const state = stateOf(one);
    if (STATES.indexOf(state) < STATES.indexOf(this.#states.get(item) ?? 'skipped')) return;
    this.#states.set(item, state);
    if (state === 'failed') run.failed(item, await this.#messages(one, samples), durationMs);
    else if (state === 'errored') run.errored(item, noVerdictMessages(one, samples), durationMs);
    else run[state](item, durationMs);
  }

  /** One message for all samples that failed alike: the editor shows its first line beside the text. */
  async #messages(one: CaseSummary, samples: readonly JudgedSample[]): Promise<vscode.TestMessage[]> {
    const { uri, opened } = this.#parts;
    const { views } = opened.session.evaluation;
    const places = (await loadEngine()).findEvaluationPlaces(opened.text);
    const groups = groupByMessage(samples, 'failed').slice(0, MAX_MESSAGES);
    return Promise.all(
      groups.map(async ({ text, count, repeat }) => {
        const words = t(
          '{0} of {1} samples: {2}',
          count,
          one.passed + one.failed,
          toLabel(text, MAX_MESSAGE),
        );
        const { expectations } = await views.sample({ ...one, repeat });
        const judged = expectations.find(({ verdict }) => verdict === 'failed');
        const message = judged
          ? vscode.TestMessage.diff(words, judged.expected, judged.actual)
          : new vscode.TestMessage(words);
        const range = toRange(judged && places?.expectations[judged.index]);
        if (range) message.location = new vscode.Location(uri, range);
        message.contextValue = 'sample';
        return message;
      }),
    );
  }

  #skipAll(): void {
    for (const item of this.#parts.cases.values()) this.#parts.run.skipped(item);
  }

  async #failAll(error: unknown): Promise<void> {
    const { RefusalError } = await loadEngine();
    const words = error instanceof RefusalError ? `${error.info.what} ${error.info.next}` : String(error);
    const message = new vscode.TestMessage(toLabel(words, MAX_MESSAGE));
    for (const [key, item] of this.#parts.cases)
      if (!this.#told.has(key)) this.#parts.run.errored(item, message);
  }

  /** The output of a run ends its lines with CRLF. */
  #print(line: string, item?: vscode.TestItem): void {
    this.#parts.run.appendOutput(`${line}\r\n`, undefined, item);
  }
}

const labelOf = ({ label, parent }: vscode.TestItem): string =>
  parent ? `${parent.label}, ${label}` : label;

/** From the best to the worst. */
const STATES = ['skipped', 'passed', 'errored', 'failed'] as const;
type State = (typeof STATES)[number];

function stateOf({ gate, noVerdict }: CaseSummary): State {
  if (gate === 'open') return noVerdict > 0 ? 'errored' : 'skipped';
  return gate === 'met' ? 'passed' : 'failed';
}

interface Group {
  text: string;
  count: number;
  /** Of the first of these samples. */
  repeat: number;
}

/** The most frequent first. */
function groupByMessage(samples: readonly JudgedSample[], wanted: JudgedSample['verdict']): Group[] {
  const groups = new Map<string, Group>();
  for (const { verdict, message: text = '', repeat } of samples) {
    if (verdict !== wanted) continue;
    const group = groups.get(text) ?? { text, count: 0, repeat };
    group.count++;
    groups.set(text, group);
  }
  return [...groups.values()].toSorted((one, other) => other.count - one.count);
}

const noVerdictMessages = (one: CaseSummary, samples: readonly JudgedSample[]): vscode.TestMessage[] =>
  groupByMessage(samples, 'no-verdict')
    .slice(0, MAX_MESSAGES)
    .map(
      ({ text, count }) =>
        new vscode.TestMessage(
          t('{0} of {1} samples have no verdict: {2}', count, one.noVerdict, toLabel(text, MAX_MESSAGE)),
        ),
    );

function medianOf(samples: readonly JudgedSample[]): number | undefined {
  const times = samples.flatMap(({ timeMs }) => timeMs ?? []).toSorted((one, other) => one - other);
  return times[Math.floor((times.length - 1) / 2)];
}

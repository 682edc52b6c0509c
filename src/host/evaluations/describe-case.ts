// What the Test Explorer is told of a case: its state, and why samples failed or have no verdict. Tells nothing itself.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { cutShort, toLabel } from '../../inspect';
import type { EvaluationPlaces, Session } from '../../session';
import type { CaseSummary, JudgedExpectation, JudgedSample } from '../../types';
import { toRange } from './evaluation-items';

/** As the menus of the manifest name it. */
const CONTEXT = 'providerPlayground.sample';
const MAX_MESSAGES = 10;
const MAX_MESSAGE = 300;
/** Of each side of a diff, in characters. */
const MAX_DIFF = 20_000;
/** Failed samples of a case that are looked into. */
const MAX_SAMPLES = 100;

/** From the best to the worst. */
export const STATES = ['skipped', 'passed', 'errored', 'failed'] as const;
export type CaseState = (typeof STATES)[number];

export function stateOf({ gate, noVerdict }: CaseSummary): CaseState {
  if (gate === 'open') return noVerdict > 0 ? 'errored' : 'skipped';
  return gate === 'met' ? 'passed' : 'failed';
}

export interface CaseSource {
  views: Session['evaluation']['views'];
  summary: CaseSummary;
  /** Where the expectations of the document are written. */
  uri: vscode.Uri;
  places: EvaluationPlaces | undefined;
  /** Where the row is written, with its own expectations. */
  row: vscode.Location | undefined;
}

/** What is told of a case. */
export interface ToldCase {
  state: CaseState;
  messages: vscode.TestMessage[];
  /** Of the samples, the median. */
  durationMs: number | undefined;
  /** How many samples there are; '' for all or none of the planned ones. */
  part: string;
}

export async function describeCase(source: CaseSource): Promise<ToldCase> {
  const { views, summary } = source;
  const { samples } = views.case(summary);
  const state = stateOf(summary);
  const failures = state === 'failed' ? await failureMessages(source, samples) : [];
  const messages = state === 'errored' ? noVerdictMessages(summary, samples) : failures;
  return { state, messages, durationMs: medianOf(samples), part: describePart(summary) };
}

function describePart({ planned, notRun }: CaseSummary): string {
  const isPart = notRun > 0 && notRun < planned;
  return isPart ? t('{0} of {1} samples', planned - notRun, planned) : '';
}

interface Group {
  judged: JudgedExpectation;
  count: number;
  /** Of the first of these samples. */
  repeat: number;
}

/** One message for all samples that failed an expectation alike: the editor shows its first line beside the text. */
async function failureMessages(
  { views, summary, uri, places, row }: CaseSource,
  samples: readonly JudgedSample[],
): Promise<vscode.TestMessage[]> {
  const groups = new Map<string, Group>();
  const failed = samples.filter(({ verdict }) => verdict === 'failed');
  for (const { repeat } of failed.slice(0, MAX_SAMPLES)) {
    for (const judged of await views.expectations({ ...summary, repeat })) {
      if (judged.verdict !== 'failed') continue;
      const key = `${judged.index} ${judged.message}`;
      const group = groups.get(key) ?? { judged, count: 0, repeat };
      group.count++;
      groups.set(key, group);
    }
  }
  return mostTelling([...groups.values()]).map(({ judged, count, repeat }) => {
    const { index, message, expected, actual } = judged;
    const words = t(
      '{0} of {1} samples: {2}',
      count,
      summary.passed + summary.failed,
      toLabel(message, MAX_MESSAGE),
    );
    const told = vscode.TestMessage.diff(words, cutShort(expected, MAX_DIFF), cutShort(actual, MAX_DIFF));
    const range = toRange(places?.expectations[index]);
    const location = range ? new vscode.Location(uri, range) : row;
    if (location) told.location = location;
    told.contextValue = toContext({ repeat, index });
    return told;
  });
}

/** The most frequent message of each expectation, then the others. */
function mostTelling(groups: readonly Group[]): Group[] {
  const sorted = groups.toSorted((one, other) => other.count - one.count);
  const firsts = new Map(sorted.toReversed().map((group) => [group.judged.index, group]));
  const isFirst = (group: Group): boolean => firsts.get(group.judged.index) === group;
  return [...sorted.filter(isFirst), ...sorted.filter((group) => !isFirst(group))].slice(0, MAX_MESSAGES);
}

/** Which sample a message is about: all that a command on it is given, as the editor copies messages. */
const toContext = ({ repeat, index }: MessagePlace): string => [CONTEXT, repeat, index].join(' ');

export interface MessagePlace {
  repeat: number;
  /** Of the expectation. */
  index: number;
}

/** The inverse. @returns undefined for another text */
export function readContext(text: unknown): MessagePlace | undefined {
  const [context, repeat, index] = String(text).split(' ');
  return context === CONTEXT ? { repeat: Number(repeat), index: Number(index) } : undefined;
}

function noVerdictMessages(
  { noVerdict }: CaseSummary,
  samples: readonly JudgedSample[],
): vscode.TestMessage[] {
  const counts = new Map<string, number>();
  for (const { verdict, message = '' } of samples)
    if (verdict === 'no-verdict') counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_MESSAGES)
    .map(([text, count]) => {
      const why = toLabel(text, MAX_MESSAGE);
      return new vscode.TestMessage(t('{0} of {1} samples have no verdict: {2}', count, noVerdict, why));
    });
}

function medianOf(samples: readonly JudgedSample[]): number | undefined {
  const times = samples.flatMap(({ timeMs }) => timeMs ?? []).toSorted((one, other) => one - other);
  return times[Math.floor((times.length - 1) / 2)];
}

/** One line for the output. */
export function describeSample(
  name: string,
  { repeat, verdict, message = '', timeMs }: JudgedSample,
): string {
  const time = timeMs === undefined ? '' : ` (${t('{0} ms', Math.round(timeMs))})`;
  if (verdict === 'passed') return t('{0}, sample {1}: passed{2}', name, repeat, time);
  const why = toLabel(message, MAX_MESSAGE);
  if (verdict === 'failed') return t('{0}, sample {1}: failed{2}. {3}', name, repeat, time, why);
  return t('{0}, sample {1}: no verdict{2}. {3}', name, repeat, time, why);
}

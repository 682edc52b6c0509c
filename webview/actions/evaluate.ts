// Starts, continues and stops an evaluation. Asks before a start that is large or whose cost is unknown.
import { t } from '@vscode/l10n';
import type { EvaluationPlan, EvaluationSnapshot, RequestParams } from '../../src/protocol';
import { describeMore, describePlan } from '../evaluate/plan-words';
import { documentBlocker } from '../lanes/lane-queries';
import type { Playground } from '../playground';
import type { SamplePart } from '../../src/types';
import type { EvaluatePlace } from '../state/evaluate-place';
import type { PanelState } from '../state/panel-state';

export type EvaluationStart = RequestParams<'evaluation/start'>;

/** More samples than this are confirmed, even if the plan of all of them needs no confirmation. */
const MAX_UNASKED = 50;
/** How often a message is sent from the chat to find out how reliable a reply to it is. */
export const EVALUATED_TIMES = 10;
const PLAN_WAIT_MS = 5000;

export const setPlace = (playground: Playground, change: Partial<EvaluatePlace>): void =>
  playground.update((state) => ({ ...state, evaluate: { ...state.evaluate, ...change } }));

/** Shows the rows with such samples; when they are what is shown, all rows again. */
export function choosePart(playground: Playground, wanted: SamplePart): void {
  const { part } = playground.state.evaluate;
  const isChosen = part?.laneId === wanted.laneId && part?.kind === wanted.kind;
  setPlace(playground, { filter: 'all', part: isChosen ? undefined : wanted });
}

/** Whether the shown evaluation was stopped and what is left of it can be sent. */
export const isContinued = (evaluation: EvaluationSnapshot | undefined): boolean =>
  evaluation?.progress === undefined &&
  evaluation?.result?.stopped !== undefined &&
  !evaluation.result.isOutdated;

/** Whether a start goes on with no more samples than were confirmed when the shown evaluation began. */
function isAgreed(evaluation: EvaluationSnapshot | undefined): boolean {
  const { stored = [], result, plan } = evaluation ?? {};
  const begun = stored.find(({ id }) => id === result?.id);
  return isContinued(evaluation) && plan !== undefined && begun !== undefined && plan.left <= begun.planned;
}

/** Why nothing can be evaluated, as a sentence. */
export function evaluationBlocker({ session }: PanelState): string | undefined {
  const { evaluation } = session;
  const problem = documentBlocker(session);
  if (problem !== undefined) return problem;
  if (evaluation?.progress) return t('An evaluation is under way.');
  const [first] = evaluation?.problems ?? [];
  if (first) return first.message;
  if (!evaluation?.plan) return t('The rows are being read.');
  return evaluation.plan.samples === 0 ? t('There is nothing to send: add a row, or a lane.') : undefined;
}

/** Starts it, or asks first. Everything typed is in the document before that. */
export async function startEvaluation(playground: Playground, start: EvaluationStart = {}): Promise<void> {
  const isOfAll = start.scope !== 'failing' && start.more === undefined;
  const find = (): string | undefined =>
    isOfAll ? evaluationBlocker(playground.state) : documentBlocker(playground.state.session);
  const blocker = await playground.fields.whatBlocks(find);
  if (blocker !== undefined) return playground.notify(blocker.replaceAll('`', ''));
  // When every sample is there, only a new evaluation has something to send.
  const { left = 0 } = playground.state.session.evaluation?.plan ?? {};
  const whole = isOfAll && left === 0 ? { ...start, isAnew: true } : start;
  if (isOfAll && !whole.isAnew && isAgreed(playground.state.session.evaluation)) {
    await playground.send('evaluation/start', { ...whole, isConfirmed: true });
    return;
  }
  const words = whatToConfirm(playground.state, whole);
  if (words !== undefined) return setPlace(playground, { question: { kind: 'start', start: whole, words } });
  await playground.send('evaluation/start', whole);
}

/** The sentence that a start is confirmed with; undefined when it begins at once. */
function whatToConfirm({ session }: PanelState, start: EvaluationStart): string | undefined {
  const { plan, lanes = [] } = session.evaluation ?? {};
  if (!plan) return undefined;
  if (start.scope !== 'failing' && start.more === undefined) {
    const { title, rest } = describePlan(start.isAnew ? { ...plan, stored: 0 } : plan, lanes);
    const words = [title, rest].filter(Boolean).join(' · ');
    if (start.isAnew)
      return t('All samples are there already. A new evaluation sends them again: {0}', words);
    return plan.needsConfirmation ? words : undefined;
  }
  const { samples, words } = describeMore(session.evaluation, start);
  return plan.needsConfirmation || samples > MAX_UNASKED ? words : undefined;
}

export async function confirmStart(playground: Playground, start: EvaluationStart): Promise<void> {
  setPlace(playground, { question: undefined });
  await playground.send('evaluation/start', { ...start, isConfirmed: true });
}

/** Turns a reply or one of its calls into an expectation, and opens it: its values can be loosened there. */
export async function expectReply(
  playground: Playground,
  of: RequestParams<'evaluation/expect'>,
): Promise<void> {
  const { length } = playground.state.session.document?.document.expect ?? [];
  if (!(await playground.send('evaluation/expect', of))) return;
  setPlace(playground, { expectation: length });
  playground.setView({ view: 'evaluate' });
}

/** Shows the view *Evaluate* and starts with so many repeats, once the plan is that of as many. */
export async function evaluateTimes(playground: Playground, repeat: number): Promise<void> {
  const isSet = playground.state.session.document?.document.evaluate.repeat === repeat;
  if (!isSet && !(await playground.edit([{ path: ['evaluate', 'repeat'], value: repeat }], LAST))) return;
  playground.setView({ view: 'evaluate' });
  await planOf(playground, ({ repeats }) => repeats === repeat);
  await startEvaluation(playground);
}

const LAST = { gather: 'evaluate.repeat', isLast: true };

/** Waits for a plan like this, at most some seconds: a document with a problem has none. */
function planOf(playground: Playground, isWanted: (plan: EvaluationPlan) => boolean): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = playground.subscribe(check);
    timer = setTimeout(end, PLAN_WAIT_MS);
    function end(): void {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    }
    function check(): void {
      const { plan, problems = [] } = playground.state.session.evaluation ?? {};
      if ((plan && isWanted(plan)) || problems.length > 0) end();
    }
    check();
  });
}

/** Escape leads from a sample to the samples, from there to the cell, and then stops the evaluation. */
export function escapeEvaluation(playground: Playground): void {
  const { evaluate, session } = playground.state;
  if (evaluate.question) return setPlace(playground, { question: undefined });
  if (evaluate.expectation !== undefined) return setPlace(playground, { expectation: undefined });
  if (evaluate.repeat !== undefined) return setPlace(playground, { repeat: undefined, isFirstTab: true });
  if (evaluate.cell) return setPlace(playground, { cell: undefined, isFirstTab: true });
  if (session.evaluation?.progress) void playground.send('evaluation/stop', {});
}

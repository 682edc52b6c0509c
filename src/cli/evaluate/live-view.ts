// Says how an evaluation goes: on a terminal a table that is drawn anew, in a pipe a plain line now and then.
import { t } from '@vscode/l10n';
import { countOf, describeRate, formatDuration, formatLong, toLabel } from '../../inspect';
import type { Clock } from '../../session';
import { toTable } from '../reporters/pretty';
import type { Stream } from '../terminal';
import type { BatchRuns } from './run-batches';

/** Drawn at most this often. */
const DRAW_MS = 250;
/** Time between two plain lines. */
const LINE_MS = 10_000;

/** Room for a path below which none is shown: how far it is matters more. */
const MIN_NAME = 10;

/** The end of a path says more than its beginning. */
const keepEnd = (path: string, room: number): string =>
  path.length > room ? `…${path.slice(path.length - room + 1)}` : path;

const UP_AND_CLEAR = (lines: number): string => (lines === 0 ? '' : `\u{1b}[${lines}A\u{1b}[0J`);

export class LiveView {
  readonly #stream: Stream;
  readonly #clock: Clock;
  #runs: BatchRuns | undefined;
  #lines = 0;
  #cancel: (() => void) | undefined;
  #isEnded = false;

  constructor(stream: Stream, clock: Clock) {
    this.#stream = stream;
    this.#clock = clock;
  }

  follow(runs: BatchRuns): void {
    this.#runs = runs;
    this.changed();
  }

  /** To be called after each change. */
  changed(): void {
    if (this.#cancel || this.#isEnded) return;
    this.#cancel = this.#clock.after(this.#stream.isInteractive ? DRAW_MS : LINE_MS, () => {
      this.#cancel = undefined;
      this.#show();
    });
  }

  /** Says something beside the table. */
  say(text: string): void {
    this.#erase();
    this.#stream.write(`${text}\n`);
  }

  /** Removes the table: the report follows. */
  end(): void {
    this.#isEnded = true;
    this.#cancel?.();
    this.#erase();
  }

  #erase(): void {
    this.#stream.write(UP_AND_CLEAR(this.#lines));
    this.#lines = 0;
  }

  #show(): void {
    const lines = this.#runs?.progress.flatMap((each) => this.#linesOf(each)) ?? [];
    if (lines.length === 0) return;
    this.#erase();
    this.#stream.write(`${lines.join('\n')}\n`);
    if (!this.#stream.isInteractive) return;
    this.#lines = lines.length;
    this.changed();
  }

  #linesOf({ batch, progress }: BatchRuns['progress'][number]): string[] {
    const { done, planned, leftMs, waiting, underWay, isStopping } = progress;
    const left = leftMs === undefined ? '' : `, ${t('about {0} left', formatLong(leftMs))}`;
    const state = isStopping
      ? t('stopping')
      : countOf(underWay.length, t('{0} under way'), t('{0} under way'));
    const counts = t('{0} of {1} samples, {2}{3}', done, planned, state, left);
    if (!this.#stream.isInteractive) return [`${toLabel(batch.path, 80)}: ${counts}`];
    const { lanes } = batch.summary(false);
    const rows = lanes.map((lane) => {
      const wait = waiting.find(({ laneId }) => laneId === lane.laneId);
      const untilMs = wait?.untilMs === undefined ? undefined : wait.untilMs - this.#clock.now();
      const waits = wait
        ? `${wait.reason} ${untilMs === undefined ? '' : formatDuration(Math.max(0, untilMs))}`
        : '';
      return [lane.laneId, `${lane.planned - lane.notRun}/${lane.planned}`, describeRate(lane), waits];
    });
    const table = toTable([t('Lane'), t('Samples'), t('Passed'), ''], rows);
    const width = this.#stream.width() - 3;
    const { style } = this.#stream;
    // How long it takes is not cut off: it goes into a line of its own.
    const isSplit = counts.length > width && left !== '';
    const progressed = t('{0} of {1} samples, {2}{3}', done, planned, state, '');
    const heads = isSplit ? [progressed, left.slice(2)] : [counts];
    const room = width - counts.length - 2;
    const name = room < MIN_NAME ? '' : `${keepEnd(toLabel(batch.path, 200), room)}: `;
    return [
      ...heads.map((head) => style('bold', `${name}${head}`.slice(0, width))),
      ...table.map((line, index) => `  ${style(index === 0 ? 'dim' : 'reset', line.slice(0, width))}`),
    ];
  }
}

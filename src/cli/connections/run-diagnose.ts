// Diagnoses a connection and says what was found, line by line or as JSON.
import { t } from '@vscode/l10n';
import type { DiagnosisLine } from '../../connections';
import { diagnoseConnection, diagnosisSections, findPlace, sumUpDiagnosis } from '../../connections';
import { formatDuration, toLabel } from '../../inspect';
import type { Call, ExitCode } from '../command';
import { CommandError, EXIT } from '../command';
import { toJsonText } from '../json-text';
import type { Stream } from '../terminal';
import { openConnections } from './open-connections';
import type { DIAGNOSE_OPTIONS } from './options';
import { SYSTEM_CLOCK } from '../../session';

/** @throws CommandError */
export async function runDiagnose({
  values,
  operands,
  terminal,
}: Call<typeof DIAGNOSE_OPTIONS>): Promise<ExitCode> {
  const [id, more] = operands;
  if (id === undefined || more !== undefined)
    throw new CommandError(
      t('One connection is diagnosed at a time, by its id.'),
      t('The connections: {0}', 'provider-playground models'),
    );
  const { output, talk } = terminal;
  const connections = await openConnections(values, terminal);
  const stop = new AbortController();
  const endInterrupts = terminal.onInterrupt(() => stop.abort(new Error('interrupted')));
  const progress = new ProgressLine(talk);
  const report = new LineWriter(output);
  const lines: DiagnosisLine[] = [];
  try {
    const { label } = connections.view(id);
    if (!values.json) output.write(`${output.style('bold', t('Diagnosis of {0}', toLabel(label)))}\n`);
    await diagnoseConnection({
      clock: SYSTEM_CLOCK,
      place: findPlace({ name: t('this computer') }),
      connections: connections.service,
      connection: connections.service.find(id),
      model: values.model,
      signal: stop.signal,
      addLine: (line) => {
        const clean = toPlain(connections.redactor.value(line));
        lines.push(clean);
        progress.clear();
        if (!values.json) report.write(clean);
      },
      doing: (what) => progress.show(what),
    }).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    progress.clear();
    const { verdict, next } = sumUpDiagnosis(lines);
    const isStopped = stop.signal.aborted;
    if (values.json) output.write(toJsonText({ connection: id, label, isStopped, lines }));
    else output.write(`\n${verdict} ${isStopped ? t('The run was stopped before it ended.') : next}\n`);
    if (isStopped) return EXIT.interrupted;
    return lines.some(({ level }) => level === 'failed') ? EXIT.unmet : EXIT.done;
  } finally {
    progress.clear();
    endInterrupts();
    await connections.close();
  }
}

function toPlain(line: DiagnosisLine): DiagnosisLine {
  return {
    ...line,
    text: withoutEscapes(line.text),
    ...(line.next !== undefined && { next: withoutEscapes(line.next) }),
  };
}

/** Without the backslashes that keep words of others from being Markdown. */
const withoutEscapes = (text: string): string => text.replaceAll(/\\([<`])/g, '$1');

const MARKS = {
  ok: ['green', '✓'],
  warning: ['yellow', '!'],
  failed: ['red', '✗'],
  'left out': ['dim', '–'],
} as const;

class LineWriter {
  readonly #output: Stream;
  #section: string | undefined;

  constructor(output: Stream) {
    this.#output = output;
  }

  write({ section, level, name, text, tookMs, next }: DiagnosisLine): void {
    const { style } = this.#output;
    if (this.#section !== section) this.#output.write(`\n${style('bold', diagnosisSections()[section])}\n`);
    this.#section = section;
    const [color, mark] = MARKS[level];
    const took = tookMs === undefined ? '' : ` ${style('dim', `(${formatDuration(tookMs)})`)}`;
    this.#output.write(`  ${style(color, mark)} ${name}: ${text}${took}\n`);
    if (next !== undefined) this.#output.write(`      → ${next}\n`);
  }
}

const ERASE_LINE = '\r\u{1b}[2K';

/** What is under way, in one line that goes away. Nothing where no person looks. */
class ProgressLine {
  readonly #talk: Stream;
  #isShown = false;

  constructor(talk: Stream) {
    this.#talk = talk;
  }

  show(what: string): void {
    if (!this.#talk.isInteractive) return;
    this.clear();
    this.#talk.write(this.#talk.style('dim', `${toLabel(what, this.#talk.width() - 4)} …`));
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) this.#talk.write(ERASE_LINE);
    this.#isShown = false;
  }
}

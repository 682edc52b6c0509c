// Writes a run to a terminal while it goes on: the reply and its calls as data, all else beside it. What a model or a server
// wrote is hostile: nothing of it moves the cursor.
import { t } from '@vscode/l10n';
import { countOf, formatCost, formatDuration, toLabel, toPrintable } from '../../inspect';
import type { ErrorInfo } from '../../protocol';
import type { Clock, ProgressSource, ReplyPiece, RunRecord } from '../../session';
import { MemorySink } from '../../session';
import type { Finding } from '../../types';
import type { Terminal } from '../terminal';

/** Drawn at most this often. */
const DRAW_MS = 40;
/** In UTF-16 code units, of the arguments of a call and of a result. */
const MAX_VALUE = 2_000;
const MAX_SENTENCE = 600;

type Setters = {
  [Name in 'setProgress' | 'setRecord' | 'setResult']: Parameters<MemorySink[Name]>;
};

export class ReplyWriter extends MemorySink {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  #source: ProgressSource | undefined;
  #cancel: (() => void) | undefined;
  #content: TextWriter;
  #reasoning: TextWriter;

  constructor(terminal: Terminal, clock: Clock) {
    super();
    this.#terminal = terminal;
    this.#clock = clock;
    this.#content = this.#toContent();
    this.#reasoning = this.#toReasoning();
  }

  override setProgress(...[source]: Setters['setProgress']): void {
    this.#source = source;
  }

  override progressChanged(): void {
    this.#cancel ??= this.#clock.after(DRAW_MS, () => {
      this.#cancel = undefined;
      this.#source?.keep();
    });
  }

  keepPartial(_runId: string, { content = '', reasoning = '' }: ReplyPiece): void {
    this.#reasoning.add(reasoning);
    if (content !== '') this.#reasoning.end();
    this.#content.add(content);
  }

  override setRecord(...[runId, record, wire]: Setters['setRecord']): void {
    super.setRecord(runId, record, wire);
    this.#cancel?.();
    this.#cancel = undefined;
    const { content = '' } = record.turn?.raw ?? record.partial ?? {};
    this.#reasoning.end();
    // What came since it was drawn last, or everything of a reply that did not come in pieces.
    this.#content.add(content.slice(this.#content.length));
    this.#content.end();
    this.#writeCalls(record);
    this.#writeEnd(record);
    this.#content = this.#toContent();
    this.#reasoning = this.#toReasoning();
  }

  override setResult(...[runId, index, result]: Setters['setResult']): void {
    super.setResult(runId, index, result);
    const { talk } = this.#terminal;
    const call = this.records.at(-1)?.turn?.toolCalls[index];
    const text = `← ${toLabel(call?.name ?? '')} ${toLabel(result.content, MAX_VALUE)}`;
    talk.write(`${talk.style(result.isError ? 'red' : 'dim', text)}\n`);
  }

  #writeCalls({ turn }: RunRecord): void {
    const { output } = this.#terminal;
    for (const [index, { name, arguments: values, source }] of turn?.toolCalls.entries() ?? []) {
      const json = typeof values === 'string' ? values : (JSON.stringify(values) ?? '');
      const read =
        source === 'rescued'
          ? `  ${t('read from the text, {0}', turn?.rescue?.calls[index]?.format ?? '')}`
          : '';
      output.write(
        `${output.style('cyan', `→ ${toLabel(name)}`)} ${toLabel(json, MAX_VALUE)}${output.style('dim', read)}\n`,
      );
    }
  }

  #writeEnd({ turn, error, verdict, ledger, durationMs, model, findings }: RunRecord): void {
    const { talk } = this.#terminal;
    const isStopped = verdict.kind === 'stopped';
    // What was found in a failure is in its own words already.
    if (error && !isStopped) this.#writeError(error);
    else for (const finding of findings) this.#writeFinding(finding);
    const { promptTokens, completionTokens, costUsd } = turn?.usage ?? {};
    const facts = [
      toLabel(turn?.raw.model ?? model),
      isStopped ? t('stopped by you') : toLabel(verdict.detail, MAX_SENTENCE),
      promptTokens === undefined ? '' : t('{0} tokens in', promptTokens),
      completionTokens === undefined ? '' : t('{0} tokens out', completionTokens),
      costUsd === undefined ? '' : formatCost(costUsd),
      ledger.length > 1 && !error ? countOf(ledger.length, t('{0} attempt'), t('{0} attempts')) : '',
      formatDuration(durationMs),
    ];
    talk.write(`${talk.style('dim', facts.filter((fact) => fact !== '').join(', '))}\n`);
  }

  #writeError({ what, why, next }: ErrorInfo): void {
    const { talk } = this.#terminal;
    talk.write(`${talk.style('red', t('Error:'))} ${toLabel(what, MAX_SENTENCE)}\n`);
    if (why !== '') talk.write(`  ${toLabel(why, MAX_SENTENCE)}\n`);
    if (next !== '') talk.write(`  → ${toLabel(next, MAX_SENTENCE)}\n`);
  }

  #writeFinding({ severity, what, next }: Finding): void {
    const { talk } = this.#terminal;
    const [color, mark] = FINDING_MARKS[severity];
    talk.write(`${talk.style(color, mark)} ${toLabel(what, MAX_SENTENCE)}\n`);
    if (next !== undefined) talk.write(`    → ${toLabel(next, MAX_SENTENCE)}\n`);
  }

  #toContent(): TextWriter {
    return new TextWriter((text) => this.#terminal.output.write(text));
  }

  /** Shown to a person only. */
  #toReasoning(): TextWriter {
    const { talk } = this.#terminal;
    return new TextWriter((text) => {
      if (talk.isInteractive) talk.write(talk.style('dim', text));
    });
  }
}

const FINDING_MARKS = {
  error: ['red', '✗'],
  warning: ['yellow', '!'],
  info: ['dim', '·'],
} as const satisfies Record<Finding['severity'], unknown>;

/**
 * The end of a piece that cannot be judged without what follows: half of a pair, a carriage return, and what an emoji or a word in
 * Arabic script joins to.
 */
const OPEN_END = /(?:[\r\uD800-\uDBFF]|\uFE0F|\u200C|\u200D|\p{ExtPict}|\p{EMod}|\p{sc=Arab})+$/u;

/** Writes a text that comes in pieces, and a line break after it. */
class TextWriter {
  readonly #write: (text: string) => void;
  #open = '';
  #lastWritten = '\n';
  /** Of everything that was added, in UTF-16 code units. */
  length = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(piece: string): void {
    this.length += piece.length;
    const text = this.#open + piece;
    this.#open = OPEN_END.exec(text)?.[0] ?? '';
    this.#put(text.slice(0, text.length - this.#open.length));
  }

  end(): void {
    this.#put(this.#open);
    this.#open = '';
    if (!this.#lastWritten.endsWith('\n')) this.#put('\n');
  }

  #put(text: string): void {
    if (text === '') return;
    this.#lastWritten = text;
    this.#write(toPrintable(text));
  }
}

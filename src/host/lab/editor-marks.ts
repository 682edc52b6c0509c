// Marks the result of a reading in the editor that its text comes from: calls, and what was left as text, with
// the reason as a hover. The first change of that text removes the marks.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RescueReport } from '../../types';
import { toVisible } from '../../inspect';

const MAX_MARKS = 500;
/** Characters that may have a meaning in Markdown. */
const MARKUP = /[!-/:-@[-`{-~]/g;
/** Maximum length of a quoted text in a hover, in characters. */
const MAX_WORDS = 1_000;

export interface MarkedPart {
  start: vscode.Position;
  /** The text with every line end as a single character. */
  text: string;
}

export class EditorMarks implements vscode.Disposable {
  readonly #uri: string;
  readonly #part: MarkedPart;
  readonly #lineStarts: number[];
  readonly #kinds = {
    taken: toDecoration('solid', 'charts.blue'),
    left: toDecoration('dashed', 'charts.yellow'),
  };
  readonly #subscriptions: vscode.Disposable[];
  #isDisposed = false;
  #report: RescueReport = { calls: [], content: '', rejected: [] };

  constructor(uri: vscode.Uri, part: MarkedPart) {
    this.#uri = uri.toString();
    this.#part = part;
    this.#lineStarts = [0, ...[...part.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const { taken, left } = this.#kinds;
    this.#subscriptions = [
      taken,
      left,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.toString() === this.#uri) this.dispose();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
    ];
  }

  /** Shows the reading of the marked text; readings of any other text are ignored. */
  show(text: string, report: RescueReport): void {
    if (this.#isDisposed || text !== this.#part.text) return;
    this.#report = report;
    this.#draw();
  }

  dispose(): void {
    this.#isDisposed = true;
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #draw(): void {
    const { calls, rejected } = this.#report;
    const taken = calls
      .slice(0, MAX_MARKS)
      .map(({ start, end, name, format, repairs, schemaIssues = [] }) =>
        this.#toMark({ start, end }, [
          t('A call of {0} in {1}.', name, format),
          ...(repairs.length > 0
            ? [t('Repaired: {0}.', [...new Set(repairs.map(({ kind }) => kind))].join(', '))]
            : []),
          ...schemaIssues.slice(0, 8).map(({ path, message }) => `${path} ${message}.`),
        ]),
      );
    const left = rejected
      .slice(0, MAX_MARKS)
      .map(({ start, end, reason, format, detail, hint }) =>
        this.#toMark({ start, end }, [
          t('Left as text: {0}, {1}.', reason, format),
          detail,
          ...(hint === undefined ? [] : [hint]),
        ]),
      );
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() !== this.#uri) continue;
      editor.setDecorations(this.#kinds.taken, taken);
      editor.setDecorations(this.#kinds.left, left);
    }
  }

  #toMark(place: { start: number; end: number }, sentences: readonly string[]): vscode.DecorationOptions {
    const words = toVisible(sentences.join(' ').replaceAll('`', '').slice(0, MAX_WORDS));
    return {
      range: new vscode.Range(this.#toPosition(place.start), this.#toPosition(place.end)),
      // Escaped, so that a model's text creates no link and no image. `appendText` would prevent line breaks at
      // blanks.
      hoverMessage: new vscode.MarkdownString(words.replaceAll(MARKUP, '\\$&')),
    };
  }

  #toPosition(offset: number): vscode.Position {
    let [low, high] = [0, this.#lineStarts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const { start } = this.#part;
    const character = offset - (this.#lineStarts[low] ?? 0);
    return new vscode.Position(start.line + low, low === 0 ? start.character + character : character);
  }
}

function toDecoration(line: 'solid' | 'dashed', color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    borderStyle: line,
    borderWidth: '0 0 2px 0',
    borderColor: new vscode.ThemeColor(color),
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor(color),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

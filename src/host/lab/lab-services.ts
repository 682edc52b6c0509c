// The format labs of a window and the origins of their texts. Bundled as a chunk that is loaded with the first
// lab.
import { t } from '@vscode/l10n';
import { createHash, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { GivenDocument } from '../../protocol';
import { LAB_VIEW_TYPE } from '../contributions';
import { showMessage } from '../dialogs';
import { withFindBox } from '../find-box';
import type { Engine } from '../load-engine';
import { loadEngine } from '../load-engine';
import { fileSessionId } from '../playground/files/file-backing';
import { readTextFile } from '../tools/read-text-file';
import { toLabel } from '../../inspect';
import { EditorMarks } from './editor-marks';
import type { LabDependencies } from './lab-view';
import { LabView } from './lab-view';

/** Stands for no file when tools are chosen: only the libraries of the user and the workspace are offered. */
const NO_FILE = 'lab';

export class LabServices implements vscode.Disposable {
  readonly #dependencies: LabDependencies;
  readonly #views = new Set<LabView>();
  /** The lab that shows the last selection, and the marks in its editor. */
  #diagnosis: { panel: vscode.WebviewPanel; view: LabView } | undefined;
  #marks: EditorMarks | undefined;

  constructor(dependencies: LabDependencies) {
    this.#dependencies = dependencies;
  }

  open(): void {
    this.restore(this.#createPanel(vscode.ViewColumn.Active));
  }

  openText(given: Omit<GivenDocument, 'id'>): void {
    const id = randomUUID();
    this.#show(this.#createPanel(vscode.ViewColumn.Beside), NO_FILE, () => Promise.resolve({ ...given, id }));
  }

  /** Restores a lab panel; its page has kept the contents. */
  restore(panel: vscode.WebviewPanel): void {
    this.#show(panel, NO_FILE);
  }

  openFile(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    this.#show(panel, fileSessionId(uri), async () => readFile(await loadEngine(), uri));
  }

  /** Shows the selection, or the whole text, in the lab that was used for this before. */
  async diagnose(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      const next = t('Open a text in an editor, and select the part with the call.');
      return void showMessage('information', next);
    }
    const { labOfText, RefusalError } = await loadEngine();
    const { document, selection } = editor;
    const range = selection.isEmpty ? wholeOf(document) : new vscode.Range(selection.start, selection.end);
    try {
      const lab = labOfText(document.getText(range));
      const name = toLabel(document.uri.path.split('/').at(-1) ?? '');
      const from = selection.isEmpty ? name : t('a selection in {0}', name);
      this.#marks?.dispose();
      this.#marks = new EditorMarks(document.uri, { start: range.start, text: lab.text });
      this.#give({ id: randomUUID(), document: lab, from, isTextOnly: true });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      void showMessage('warning', `${error.info.what} ${error.info.next}`);
    }
  }

  dispose(): void {
    this.#marks?.dispose();
    for (const view of this.#views) view.dispose();
  }

  #give(given: GivenDocument): void {
    if (this.#diagnosis) {
      this.#diagnosis.panel.reveal();
      return this.#diagnosis.view.give(given);
    }
    const panel = this.#createPanel(vscode.ViewColumn.Beside);
    const view = this.#show(panel, NO_FILE, () => Promise.resolve(given));
    this.#diagnosis = { panel, view };
    panel.onDidDispose(() => {
      this.#diagnosis = undefined;
      this.#marks?.dispose();
      this.#marks = undefined;
    });
  }

  #createPanel(column: vscode.ViewColumn): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(LAB_VIEW_TYPE, t('Format Lab'), column, withFindBox());
  }

  #show(panel: vscode.WebviewPanel, sessionId: string, given?: () => Promise<GivenDocument>): LabView {
    const { extensionUri } = this.#dependencies;
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
    const view = new LabView({
      webview: panel.webview,
      services: this.#dependencies,
      sessionId,
      given,
      onReading: (text, report) => {
        if (view === this.#diagnosis?.view) this.#marks?.show(text, report);
      },
      openFile: () => chooseFile(),
    });
    this.#views.add(view);
    panel.onDidDispose(() => {
      this.#views.delete(view);
      view.dispose();
    });
    return view;
  }
}

const wholeOf = (document: vscode.TextDocument): vscode.Range =>
  new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);

/** @returns undefined when nothing was chosen. @throws RefusalError when the file cannot be shown. */
async function chooseFile(): Promise<GivenDocument | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ title: t('Open in the Format Lab') })) ?? [];
  return uri && readFile(await loadEngine(), uri);
}

/** Reads a file; its id stays the same until the file changes. */
async function readFile(
  { LAB_FILE_END, labOfText, parseLabFile, RefusalError }: Engine,
  uri: vscode.Uri,
): Promise<GivenDocument> {
  const from = toLabel(uri.path.split('/').at(-1) ?? '');
  let text: string;
  try {
    text = await readTextFile(uri);
  } catch (error) {
    throw new RefusalError({
      title: t('The file cannot be read'),
      what: t('{0} could not be read.', from),
      why: error instanceof Error ? error.message : String(error),
      next: t('Choose another file.'),
    });
  }
  const document = uri.path.endsWith(LAB_FILE_END) ? parseLabFile(text) : labOfText(text);
  return { id: createHash('sha256').update(text).digest('hex'), document, from };
}

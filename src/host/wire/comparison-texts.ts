// Read-only documents with generated texts, such as two readings of a reply. Independent of their contents.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NamedText, TextPair } from '../../session';
import { TEXT_SCHEME } from '../contributions';
import { showDocument } from '../show-document';

/** Maximum number of texts kept. An editor with an older one keeps only what it already shows. */
const MAX_TEXTS = 40;

export class ComparisonTexts implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(TEXT_SCHEME, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.path) ?? outdatedText(),
    });
  }

  async compare({ title, left, right }: TextPair): Promise<void> {
    await vscode.commands.executeCommand('vscode.diff', this.#add(left), this.#add(right), title, {
      viewColumn: vscode.ViewColumn.Beside,
    });
  }

  async show(text: NamedText): Promise<void> {
    await showDocument(this.#add(text));
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }

  #add({ name, text }: NamedText): vscode.Uri {
    const path = `/${++this.#count}/${name}`;
    this.#texts.set(path, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
    return vscode.Uri.from({ scheme: TEXT_SCHEME, path });
  }
}

const outdatedText = (): string =>
  `${t('This text was made for a comparison in an earlier window. Open it from the playground again.')}\n`;

// What the playgrounds of stored runs are called: a file by its name, a scratch by its first words.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { loadEngine } from '../load-engine';
import { uriOfSession } from '../playground/file-backing';
import type { Scratches } from '../playground/scratches';
import { scratchSessionId } from '../playground/scratches';
import { titleOf } from '../playground/title-of';
import { toLabel } from '../visible-text';

export interface PlaygroundTitle {
  title: string;
  /** Where a file lies. */
  place?: string | undefined;
}

export class PlaygroundTitles {
  readonly #scratches: Pick<Scratches, 'list'>;
  #titles: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(scratches: Pick<Scratches, 'list'>) {
    this.#scratches = scratches;
  }

  async of(sessionId: string): Promise<PlaygroundTitle> {
    const uri = uriOfSession(sessionId);
    if (uri) {
      const name = uri.path.split('/').at(-1) ?? '';
      const title = toLabel(name.replace(/\.playground\.json$/, ''));
      return { title, place: toLabel(vscode.workspace.asRelativePath(uri), 200) };
    }
    this.#titles ??= this.#read();
    return { title: (await this.#titles).get(sessionId) ?? t('Playground') };
  }

  /** Texts may be others by now. */
  changed(): void {
    this.#titles = undefined;
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    const { parseDocument } = await loadEngine();
    const scratches = await this.#scratches.list();
    return new Map(
      scratches.map(({ id, text }) => [
        scratchSessionId(id),
        titleOf(parseDocument(text).document?.messages ?? []),
      ]),
    );
  }
}

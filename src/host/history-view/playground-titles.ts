// Titles of playgrounds in the history: the name of a file, or the title of a scratch.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { CHAT_SESSION_ID } from '../contributions';
import { loadEngine } from '../load-engine';
import { uriOfSession } from '../playground/files/file-backing';
import { readRecordingId } from '../recording/recording-id';
import type { Scratches } from '../playground/scratches/scratches';
import { scratchSessionId } from '../playground/scratches/scratches';
import { titleOf } from '../playground/scratches/title-of';
import { toLabel } from '../../inspect';

export interface PlaygroundTitle {
  title: string;
  /** Path of a file, relative to its workspace folder. */
  place?: string | undefined;
  /** Lanes of a scratch. @default unknown */
  lanes?: readonly { model?: string | undefined }[];
}

export class PlaygroundTitles {
  readonly #scratches: Pick<Scratches, 'list'>;
  #titles: Promise<ReadonlyMap<string, PlaygroundTitle>> | undefined;

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
    if (sessionId === CHAT_SESSION_ID) return { title: t('VS Code chat') };
    const recording = readRecordingId(sessionId);
    if (recording) return { title: t('Recording: {0}', toLabel(recording.label)) };
    this.#titles ??= this.#read();
    return (await this.#titles).get(sessionId) ?? { title: t('Playground') };
  }

  /** Discards the cached titles, because the texts may have changed. */
  changed(): void {
    this.#titles = undefined;
  }

  async #read(): Promise<ReadonlyMap<string, PlaygroundTitle>> {
    const { parseDocument } = await loadEngine();
    const scratches = await this.#scratches.list();
    return new Map(
      scratches.map(({ id, text }) => {
        const { document } = parseDocument(text);
        return [scratchSessionId(id), { title: titleOf(document), lanes: document?.lanes ?? [] }];
      }),
    );
  }
}

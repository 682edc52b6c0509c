// The tools of open playgrounds as writable files, so that VS Code's own JSON editor edits a part of a document.
// Other paths do not exist.
import { t } from '@vscode/l10n';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Session } from '../../session';
import { TOOL_SCHEME } from '../contributions';
import { loadEngine } from '../load-engine';
import { replaceTool } from './replace-tool';
import { MAX_TOOL_SIZE, parseToolPath } from './tool-text';
import type { ToolView, ViewChange } from './tool-views';
import { ToolViews } from './tool-views';

type FileSystemPart = Pick<vscode.FileSystemProvider, 'stat' | 'readFile' | 'writeFile'>;

interface FilePlace {
  views: ToolViews;
  view: ToolView;
}

const CHANGE_TYPES = {
  changed: vscode.FileChangeType.Changed,
  created: vscode.FileChangeType.Created,
  deleted: vscode.FileChangeType.Deleted,
} as const;

export class ToolFiles implements FileSystemPart {
  readonly #sessions: () => Iterable<Session>;
  readonly #fire: (events: vscode.FileChangeEvent[]) => void;
  readonly #views = new Map<string, ToolViews>();

  /** @param sessions The open sessions. */
  constructor(sessions: () => Iterable<Session>, fire: (events: vscode.FileChangeEvent[]) => void) {
    this.#sessions = sessions;
    this.#fire = fire;
  }

  /** @returns undefined when there is no such tool. */
  open(session: Session, index: number): vscode.Uri | undefined {
    const key = keyOf(session);
    const opened = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const view = this.#viewsOf(session, key).open(index, (each) => opened.has(toUri(key, each).toString()));
    return view && toUri(key, view);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const place = this.#find(uri);
    if (!place) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { mtime } = place.view;
    const isReadOnly = place.views.session.editable.readOnly !== undefined;
    return {
      type: vscode.FileType.File,
      ctime: mtime,
      mtime,
      size: encode(place, uri).byteLength,
      ...(isReadOnly && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const place = this.#find(uri);
    if (!place) throw vscode.FileSystemError.FileIsADirectory(uri);
    return encode(place, uri);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const place = this.#find(uri);
    if (!place) throw vscode.FileSystemError.FileIsADirectory(uri);
    if (content.byteLength > MAX_TOOL_SIZE) throw new vscode.FileSystemError(tooLargeMessage());
    const { parseTool, EditRefusedError } = await loadEngine();
    const text = new TextDecoder().decode(content);
    const { value, error } = parseTool(text);
    if (error) throw new vscode.FileSystemError(t('Line {0}: {1}', error.line, error.message));
    const { views, view } = place;
    try {
      await views.session.command(() => views.save(view, text, () => this.#write(place, value)));
    } catch (refused) {
      if (!(refused instanceof EditRefusedError)) throw refused;
      throw new vscode.FileSystemError(refused.message);
    }
  }

  dispose(): void {
    for (const views of this.#views.values()) views.dispose();
    this.#views.clear();
  }

  async #write({ views, view }: FilePlace, value: object): Promise<void> {
    const { session } = views;
    if (this.#views.get(keyOf(session)) !== views) throw closed();
    await session.editable.flush();
    const { index } = view;
    const entry = index === undefined ? undefined : session.editable.document.tools[index];
    if (index === undefined || !entry) throw new vscode.FileSystemError(removedMessage());
    await session.editable.edit(replaceTool(entry, value, index));
  }

  /** @returns undefined for a folder. @throws when the file does not exist or its playground is closed. */
  #find(uri: vscode.Uri): FilePlace | undefined {
    const { session: key, number, fileName } = parseToolPath(uri.path) ?? {};
    if (key === undefined) {
      if (uri.path === '/') return undefined;
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const session = [...this.#sessions()].find((each) => keyOf(each) === key);
    if (!session) throw closed();
    if (number === undefined || fileName === undefined) return undefined;
    const views = this.#viewsOf(session, key);
    const view = views.find(number, fileName);
    if (!view) throw vscode.FileSystemError.FileNotFound(uri);
    return { views, view };
  }

  #viewsOf(session: Session, key: string): ToolViews {
    const known = this.#views.get(key);
    if (known?.session === session) return known;
    known?.dispose();
    const toEvent = ({ view, kind }: ViewChange): vscode.FileChangeEvent => ({
      type: CHANGE_TYPES[kind],
      uri: toUri(key, view),
    });
    const views = new ToolViews(session, (changes) => this.#fire(changes.map(toEvent)));
    this.#views.set(key, views);
    session.onDidDispose(() => {
      if (this.#views.get(key) === views) this.#views.delete(key);
      const left = views.dispose().filter(({ index }) => index !== undefined);
      this.#fire(left.map((view) => toEvent({ view, kind: 'deleted' })));
    });
    return views;
  }
}

const tooLargeMessage = (): string =>
  t('The tool is larger than {0} MB. Edit the playground as text.', MAX_TOOL_SIZE / 1_000_000);
const removedMessage = (): string =>
  t('The playground no longer has this tool. Undo its removal, or add a new tool and copy the text.');

const closed = (): vscode.FileSystemError =>
  vscode.FileSystemError.Unavailable(t('The playground of this tool is closed. Open it, then try again.'));

/** Stable across reloads, so that unsaved changes can still be saved afterwards. */
const keyOf = ({ id }: Session): string => createHash('sha256').update(id).digest('hex').slice(0, 16);

const toUri = (key: string, { number, fileName }: ToolView): vscode.Uri =>
  vscode.Uri.from({ scheme: TOOL_SCHEME, path: `/${key}/${number}/${fileName}` });

function encode({ view }: FilePlace, uri: vscode.Uri): Uint8Array {
  if (view.index === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  if (view.text === undefined) throw new vscode.FileSystemError(tooLargeMessage());
  return new TextEncoder().encode(view.text);
}

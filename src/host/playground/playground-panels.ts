// The panels of a window that show scratches. A panel restored by VS Code finds its scratch by the id that its
// page saved. VS Code in a browser saves that some seconds late, so a panel without an id shows the scratch that
// was used last.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ShownPlace } from '../../protocol';
import type { Session } from '../../session';
import { EDITOR_VIEW_TYPE, PLAYGROUND_VIEW_TYPE } from '../contributions';
import { showMessage } from '../dialogs';
import { withFindBox } from '../find-box';
import { loadEngine } from '../load-engine';
import { fileSessionId } from './files/file-backing';
import { openCopy, openText } from './files/open-text';
import type { ViewServices } from './view-options';
import { PlaygroundView } from './playground-view';
import { saveAsFile } from './files/save-as-file';
import type { ScratchBacking, Scratches } from './scratches/scratches';
import { titleOf } from './scratches/title-of';

export interface PanelServices extends ViewServices {
  scratches: Scratches;
}

interface OpenPanel {
  panel: vscode.WebviewPanel;
  backing: ScratchBacking;
  view: PlaygroundView;
}

/** A panel that may be closed before its scratch is read. */
interface Restoring {
  panel: vscode.WebviewPanel;
  isClosed: boolean;
}

export class PlaygroundPanels implements vscode.Disposable {
  readonly #services: PanelServices;
  readonly #open = new Set<OpenPanel>();
  readonly #serializer: vscode.Disposable;
  /** Whether the window closes, which closes all panels. */
  #isClosing = false;
  /** Settles when the panel that is restored last is shown. */
  #restored = Promise.resolve();

  constructor(services: PanelServices) {
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(PLAYGROUND_VIEW_TYPE, {
      // Panels are restored one after the other, because otherwise two of them could choose the same scratch.
      deserializeWebviewPanel: (panel, state) => {
        const restoring = { panel, isClosed: false };
        panel.onDidDispose(() => (restoring.isClosed = true));
        return (this.#restored = this.#restored
          .catch(() => undefined)
          .then(() => this.#restore(restoring, scratchIdOf(state))));
      },
    });
  }

  /** Shows an inactive panel; opens a new one if there is none or one is already active. */
  async open(): Promise<void> {
    const open = [...this.#open];
    const hidden = open.find(({ panel }) => !panel.active);
    if (hidden && open.every(({ panel }) => !panel.active)) hidden.panel.reveal();
    else this.openScratch(this.#services.scratches.create());
  }

  async #restore(restoring: Restoring, scratchId: string | undefined): Promise<void> {
    const { panel } = restoring;
    if (restoring.isClosed) return;
    const shown = this.#panelOf(scratchId);
    if (!shown) {
      const backing = await this.#find(scratchId);
      // A closed panel throws when it is used.
      return restoring.isClosed ? this.#services.scratches.release(backing) : this.#show(panel, backing);
    }
    // The editor restores a tab when it is first shown; the scratch may have been opened in another one by then.
    shown.reveal();
    panel.dispose();
  }

  openScratch(backing: ScratchBacking): void {
    const shown = this.#panelOf(backing.scratchId);
    if (shown) {
      shown.reveal();
      void this.#services.scratches.release(backing);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      PLAYGROUND_VIEW_TYPE,
      t('Playground'),
      vscode.ViewColumn.Active,
      withFindBox(),
    );
    this.#show(panel, backing);
  }

  /** @returns whether such a panel exists. */
  reveal(sessionId: string): boolean {
    const open = [...this.#open].find(({ backing }) => backing.id === sessionId);
    open?.panel.reveal();
    return open !== undefined;
  }

  /** The scratch whose panel is active. */
  get active(): ScratchBacking | undefined {
    return this.#active?.backing;
  }

  get activeView(): PlaygroundView | undefined {
    return this.#active?.view;
  }

  get #active(): OpenPanel | undefined {
    return [...this.#open].find(({ panel }) => panel.active);
  }

  dispose(): void {
    this.#isClosing = true;
    this.#serializer.dispose();
    for (const { panel } of this.#open) panel.dispose();
  }

  /**
   * Saves the scratch with its runs as a file, and replaces its panel by the editor of the file.
   * @param shown What that editor shows. @default its lanes
   * @returns undefined when the user cancelled
   */
  async saveAs(backing: ScratchBacking, shown?: ShownPlace): Promise<vscode.Uri | undefined> {
    const { pool, scratches } = this.#services;
    const { NEW_PLAYGROUND_TEXT, parseDocument } = await loadEngine();
    const parsed = parseDocument(backing.read());
    const uri = await saveAsFile(titleOf(parsed.document), async () => {
      await pool.flush(backing.id);
      return backing.read() || NEW_PLAYGROUND_TEXT;
    });
    if (!uri) return undefined;
    await pool.copyRuns(backing.id, fileSessionId(uri));
    [...this.#open].find((open) => open.backing === backing)?.panel.dispose();
    await pool.forgetRuns(backing.id);
    await scratches.remove(backing.scratchId);
    if (shown) pool.wanted.offer(fileSessionId(uri), shown);
    await vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_VIEW_TYPE);
    return uri;
  }

  /** Changes of a copy would change nothing here, so a person decides. */
  async #openText(
    backing: ScratchBacking,
    line: number | undefined,
    shown: ShownPlace | undefined,
  ): Promise<void> {
    const [save, copy] = [t('Save as File…'), t('Open a Copy')];
    const detail = t(
      'It is no file yet. What you change in a copy of its text does not change the playground.',
    );
    const question = t('Save the playground as a file to edit its text?');
    const answer = await showMessage('information', question, { modal: true, detail }, save, copy);
    if (answer === copy) return openCopy(backing.read(), line);
    const uri = answer === save ? await this.saveAs(backing, shown) : undefined;
    if (uri) await openText(uri, line);
  }

  #panelOf(scratchId: string | undefined): vscode.WebviewPanel | undefined {
    return [...this.#open].find(({ backing }) => backing.scratchId === scratchId)?.panel;
  }

  #find(scratchId: string | undefined): Promise<ScratchBacking> {
    const { scratches } = this.#services;
    if (scratchId !== undefined) return scratches.open(scratchId);
    return scratches.openLatest(new Set([...this.#open].map(({ backing }) => backing.scratchId)));
  }

  #show(panel: vscode.WebviewPanel, backing: ScratchBacking): void {
    panel.iconPath = vscode.Uri.joinPath(this.#services.extensionUri, 'media', 'icon.svg');
    const view = new PlaygroundView({
      webview: panel.webview,
      backing,
      services: this.#services,
      scratchId: backing.scratchId,
      openText: (line, shown) => this.#openText(backing, line, shown),
      saveAs: async () => void (await this.saveAs(backing)),
      isVisible: () => panel.visible,
    });
    const open = { panel, backing, view };
    this.#open.add(open);
    // The page reports when a session cannot be opened.
    void view.session().then(
      (session) => follow(session, open),
      () => undefined,
    );
    panel.onDidDispose(() => {
      this.#open.delete(open);
      view.dispose();
      const isLeft = backing.isUntouched && !this.#isClosing;
      void (isLeft ? this.#services.scratches.remove(backing.scratchId) : backing.flush());
    });
  }
}

function follow(session: Session, open: OpenPanel): void {
  followTitle(session, open.panel);
  keepScratchWithRuns(session, open);
}

function followTitle(session: Session, panel: vscode.WebviewPanel): void {
  let version = -1;
  const retitle = (): void => {
    if (version === session.documentVersion) return;
    version = session.documentVersion;
    panel.title = titleOf(session.editable.document);
  };
  retitle();
  panel.onDidDispose(session.onDidChange(retitle));
}

/** Keeps a scratch from its first run on, even if its text was never changed, because the run would be lost. */
function keepScratchWithRuns(session: Session, { panel, backing }: OpenPanel): void {
  let running = session.runningCount;
  const stop = session.onDidChange(() => {
    const before = running;
    running = session.runningCount;
    if (before === 0 && running > 0) void backing.keep();
  });
  panel.onDidDispose(stop);
}

/** Validates the state saved by a page, which may have been tampered with. */
function scratchIdOf(state: unknown): string | undefined {
  const id = (state as { scratch?: unknown } | null | undefined)?.scratch;
  return typeof id === 'string' ? id : undefined;
}

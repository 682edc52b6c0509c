// Writes the documents of diagnoses: each opens beside the editor, and is filled while its diagnosis runs if that takes longer.
// Bundled as a chunk of its own. All texts are redacted.
import { t } from '@vscode/l10n';
import { release } from 'node:os';
import * as vscode from 'vscode';
import type { Clock } from '../../session';
import type {
  Connection,
  ConnectionService,
  DiagnosisLine,
  DiagnosisServices,
  LeavingFrom,
  Progress,
} from '../../connections';
import { DIAGNOSIS_SCHEME } from '../contributions';
import { toLabel } from '../../inspect';
import { loadEngine } from '../load-engine';
import { openDocument } from '../show-document';

export interface DiagnosisSources {
  connections: DiagnosisServices['connections'] & Pick<ConnectionService, 'redactor'>;
  clock: Clock;
  leavingFrom: LeavingFrom;
  extensionVersion: string;
}

export interface DiagnosisTarget {
  connection: Connection;
  /** If absent, the model of the connection is used. */
  model?: string | undefined;
}

interface DiagnosisDocument {
  content: Uint8Array;
  mtime: number;
  /** Aborts the diagnosis that writes the document. */
  stop: AbortController;
}

/** A diagnosis that takes no longer opens as a whole. */
const OPEN_AFTER_MS = 1_000;
/** While a rendered view loads, it misses changes, so for so long there are none. */
const LOADING_MS = 2_000;
/** How long the editor may take to read what has changed. */
const READ_WITHIN_MS = 5_000;

/** Shown for a diagnosis of a window that has been closed since. */
const outdatedText = (): string =>
  `${t('This diagnosis is no longer available. Run _Provider Playground: Diagnose Connection_ for a new one.')}\n`;

export class DiagnosisDocuments implements vscode.Disposable {
  readonly #services: DiagnosisSources;
  readonly #fire: (events: vscode.FileChangeEvent[]) => void;
  readonly #documents = new Map<string, DiagnosisDocument>();

  constructor(services: DiagnosisSources, fire: (events: vscode.FileChangeEvent[]) => void) {
    this.#services = services;
    this.#fire = fire;
  }

  /** Resolves when the diagnosis is complete or stopped. A later diagnosis of the same connection supersedes this one. */
  async diagnose(target: DiagnosisTarget): Promise<void> {
    const uri = toUri(target.connection);
    const key = uri.toString();
    this.#documents.get(key)?.stop.abort(new Error('begun anew'));
    const stop = new AbortController();
    this.#documents.set(key, { content: new Uint8Array(), mtime: this.#nextTime(key), stop });
    const title = t('Diagnosing {0} …', toLabel(target.connection.label));
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, async (shown, token) => {
      token.onCancellationRequested(() => stop.abort(new Error('stopped')));
      await this.#run(uri, target, { stop, report: (message) => shown.report({ message }) });
    });
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { mtime = 0, content } = this.#documents.get(uri.toString()) ?? {};
    const isFolder = !uri.path.endsWith('.md');
    return {
      type: isFolder ? vscode.FileType.Directory : vscode.FileType.File,
      ctime: 0,
      mtime,
      size: content?.byteLength ?? outdatedText().length,
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#documents.get(uri.toString())?.content ?? new TextEncoder().encode(outdatedText());
  }

  dispose(): void {
    for (const { stop } of this.#documents.values()) stop.abort(new Error('the window closes'));
  }

  async #run(
    uri: vscode.Uri,
    { connection, model }: DiagnosisTarget,
    { stop, report }: { stop: AbortController; report: (message: string) => void },
  ): Promise<void> {
    const { clock, connections, leavingFrom } = this.#services;
    const { diagnoseConnection, findPlace, writeReport } = await loadEngine();
    const lines: DiagnosisLine[] = [];
    let progress: Progress = { doing: t('Beginning') };
    const facts = this.#readFacts();
    const title = connection.label;
    let isHeld = false;
    const write = (): void => {
      if (!isHeld) this.#write(uri, stop, writeReport({ title, facts, lines, progress }));
    };
    write();
    const diagnosed = diagnoseConnection({
      clock,
      connections,
      place: findPlace(leavingFrom),
      connection,
      model,
      signal: stop.signal,
      addLine: (line) => {
        lines.push(line);
        write();
      },
      doing: (doing) => {
        progress = { doing };
        report(doing);
        write();
      },
    })
      .then(
        () => (progress = 'done'),
        (error: unknown) => {
          progress = 'stopped';
          if (!stop.signal.aborted) throw error;
        },
      )
      .finally(write);
    const ended = diagnosed.catch(() => undefined);
    await Promise.race([ended, this.#wait(OPEN_AFTER_MS)]);
    if (this.#documents.get(uri.toString())?.stop !== stop) return;
    isHeld = true;
    await this.#untilRead(uri);
    await openDocument(uri, { preview: false });
    if (typeof progress === 'object') await this.#wait(LOADING_MS);
    isHeld = false;
    write();
    await diagnosed;
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#services.clock.after(milliseconds, resolve));
  }

  /** Waits until the editor has read what was written: it keeps the text of an earlier diagnosis for minutes. */
  async #untilRead(uri: vscode.Uri): Promise<void> {
    const text = new TextDecoder().decode(this.readFile(uri));
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.getText() === text) return;
    let subscription: vscode.Disposable | undefined;
    const isRead = new Promise<void>((resolve) => {
      subscription = vscode.workspace.onDidChangeTextDocument(() => {
        if (document.getText() === text) resolve();
      });
    });
    await Promise.race([isRead, this.#wait(READ_WITHIN_MS)]);
    subscription?.dispose();
  }

  #readFacts(): string[] {
    const { clock, extensionVersion } = this.#services;
    const { platform, arch, versions } = process;
    return [
      new Date(clock.now()).toISOString(),
      t('Provider Playground {0}, VS Code {1}, Node {2}', extensionVersion, vscode.version, versions.node),
      `${platform} ${arch}, ${release()}`,
    ];
  }

  #write(uri: vscode.Uri, stop: AbortController, text: string): void {
    const key = uri.toString();
    const document = this.#documents.get(key);
    // Another diagnosis writes the document now.
    if (document?.stop !== stop) return;
    document.content = new TextEncoder().encode(this.#services.connections.redactor().text(text));
    document.mtime = this.#nextTime(key);
    this.#fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /** Always later than before, because the editor tells versions apart by this time. */
  #nextTime(key: string): number {
    return Math.max(this.#services.clock.now(), (this.#documents.get(key)?.mtime ?? 0) + 1);
  }
}

/** The file is named after the connection, because its name becomes the title of the tab. */
function toUri({ id, label }: Connection): vscode.Uri {
  const name = toLabel(label, 60)
    .replaceAll(/[\\/:*?"<>|#\s]+/g, ' ')
    .trim();
  return vscode.Uri.from({
    scheme: DIAGNOSIS_SCHEME,
    path: `/${encodeURIComponent(id)}/${name} diagnosis.md`,
  });
}

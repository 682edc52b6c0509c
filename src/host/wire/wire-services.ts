// Services for what went over the wire: reading it as files, opening and copying it. Bundled as a chunk that is
// loaded on first use.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExportedEvaluation, ExportedRun, ExportInfo } from '../../inspect';
import {
  copyAs,
  evaluationToCsv,
  evaluationToHtml,
  evaluationToJson,
  evaluationToMarkdown,
  keyVariable,
  toHtml,
  toJson,
  toMarkdown,
  toReport,
} from '../../inspect';
import type { EvaluationForm, ExportForm, WireCopyForm, WireFileName } from '../../protocol';
import { WIRE_FILES } from '../../protocol';
import type { NamedText, Session, TextPair, WireAttempt, WireRecord } from '../../session';
import { toWireView } from '../../session';
import type { Finding } from '../../types';
import { loadEngine } from '../load-engine';
import { openDocument, showDocument } from '../show-document';
import { ComparisonTexts } from './comparison-texts';
import type { WireHandlers } from './wire-methods';
import type { WireOptions, WireSource } from './wire-source';
import { toWireSource } from './wire-source';
import { saveExport, saveReport } from './save-report';
import { wireFile } from './wire-text';
import type { NamedRun } from './wire-uri';
import { isRunDocument, splitPath, toFileName, toRunDocumentUri, toWireUri } from './wire-uri';

/** In characters. A longer export is saved instead of opened: an editor would take long to show it, and it need not be read there. */
const MAX_OPENED = 5_000_000;
/** Maximum length of a value in a table, in characters. */
const MAX_VALUE = 200;

interface WirePlace {
  record: WireRecord;
  attempt?: WireAttempt | undefined;
  file?: WireFileName | undefined;
}

export const openWireServices = (options: WireOptions): WireServices =>
  new WireServices(toWireSource(options));

export class WireServices {
  readonly #source: WireSource;
  readonly #texts = new ComparisonTexts();
  /** The document that was opened last, until its editor has read it. */
  #opened: { uri: string; bytes: Uint8Array } | undefined;

  constructor(source: WireSource) {
    this.#source = source;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const document = await this.#runDocument(uri);
    if (document) return toStat(document);
    const { record, attempt, file } = await this.#find(uri);
    return toStat(attempt && file && wireFile(record, attempt, file));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const document = await this.#runDocument(uri);
    if (document) return document;
    const { record, attempt, file } = await this.#find(uri);
    if (!attempt || !file) throw vscode.FileSystemError.FileIsADirectory(uri);
    return wireFile(record, attempt, file);
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { record, attempt } = await this.#find(uri);
    if (!attempt) return record.attempts.map(({ name }) => [name, vscode.FileType.Directory]);
    return filesOf(record, attempt).map((name) => [name, vscode.FileType.File]);
  }

  /** Opens a file in an editor beside the playground. */
  async open(
    session: Session,
    runId: string,
    { attempt, file }: { attempt: string; file: string },
  ): Promise<void> {
    if (!(await this.#source.read(session.id, runId))) throw await gone();
    await showDocument(toWireUri(session.id, runId, `${attempt}/${file}`));
  }

  /** Opens everything that is stored of a run as a document, without sending a request. */
  async openRun(sessionId: string, run: NamedRun): Promise<void> {
    const exported = await this.#source.exported(sessionId, run.runId);
    if (!exported) throw await gone();
    const uri = toRunDocumentUri(sessionId, run);
    // The editor asks for it right away, at least twice.
    this.#opened = { uri: uri.toString(), bytes: this.#toDocument(exported) };
    await openDocument(uri, { viewColumn: vscode.ViewColumn.Active, preview: true });
    this.#opened = undefined;
  }

  /** The server's default sampling values as JSON, by neutral key. */
  async samplingDefaults(session: Session, runId: string): Promise<Record<string, string>> {
    const record = await this.#source.read(session.id, runId);
    if (!record) throw await gone();
    const reported = await this.#source.describeModel(record.connectionId, record.model);
    const entries = Object.entries(reported?.samplingDefaults ?? {}).map(([key, value]) => [
      key,
      JSON.stringify(value).slice(0, MAX_VALUE),
    ]);
    return Object.fromEntries(entries) as Record<string, string>;
  }

  /** Findings from the server's description of a run's model. */
  async modelFindings(session: Session, place: { laneId: string; runId: string }): Promise<Finding[]> {
    const { connectionId, model } = await session.past.record(place);
    return session.past.modelFindings(place, await this.#source.describeModel(connectionId, model));
  }

  /** Opens a text in an editor beside the playground. */
  async showText(text: NamedText): Promise<void> {
    await this.#texts.show(text);
  }

  /** Opens a diff editor beside the playground. */
  async compare(pair: TextPair): Promise<void> {
    await this.#texts.compare(pair);
  }

  /** HTML is saved and opened in the browser; the other forms open as untitled texts, which the user can save anywhere. */
  async export(runs: readonly ExportedRun[], form: ExportForm): Promise<void> {
    const info = this.#info();
    const [run] = runs;
    if (!run) throw await gone();
    switch (form) {
      case 'markdown':
        return openUntitled(toMarkdown(runs, info), 'markdown');
      case 'html':
        return saveReport(nameOf(runs), toHtml(runs, info, languageOfTexts()));
      case 'json':
        return openUntitled(toJson(runs, info), 'json');
      case 'report':
        return openUntitled(
          toReport(run, info, await this.#source.describeServer(run.connectionId)),
          'markdown',
        );
    }
  }

  /** In the ways in which runs are exported. */
  async exportEvaluation(evaluation: ExportedEvaluation, form: EvaluationForm): Promise<void> {
    const info = this.#info();
    const name = toFileName(evaluation.title) || 'evaluation';
    const show = (text: string, language: string, end: string = language): Promise<void> =>
      text.length > MAX_OPENED
        ? saveExport({ name, end, kind: end.toUpperCase(), text })
        : openUntitled(text, language);
    switch (form) {
      case 'markdown':
        return show(evaluationToMarkdown(evaluation, info), 'markdown', 'md');
      case 'html':
        return saveReport(name, evaluationToHtml(evaluation, info, languageOfTexts()));
      case 'json':
        return show(evaluationToJson(evaluation, info), 'json');
      case 'csv':
        return show(evaluationToCsv(evaluation), 'csv');
    }
  }

  #info(): ExportInfo {
    return { madeBy: this.#source.madeBy, madeAt: new Date().toISOString() };
  }

  /** Handles the page's requests about finished runs, as far as they need the editor. */
  readonly handlers = (session: Session): WireHandlers => createHandlers(this, session);

  dispose(): void {
    this.#texts.dispose();
  }

  /** Opens a file of a record that no store of this window need have. */
  async showFile(
    record: WireRecord | undefined,
    { attempt: name, file }: { attempt: string; file: string },
  ): Promise<void> {
    const attempt = record?.attempts.find((one) => one.name === name);
    const known = record && attempt && filesOf(record, attempt).find((one) => one === file);
    if (!known) throw await gone();
    await this.#texts.show({ name: known, text: new TextDecoder().decode(wireFile(record, attempt, known)) });
  }

  /** Compares what a server sent with what a program received. */
  async compareSides([server, client]: readonly [WireRecord, WireRecord]): Promise<void> {
    const [left, right] = [server, client].map((record) => {
      const [attempt] = record.attempts;
      return attempt ? new TextDecoder().decode(wireFile(record, attempt, 'response.raw')) : '';
    });
    await this.#texts.compare({
      title: t('From the server ↔ to the program'),
      left: { name: 'from-the-server.txt', text: left ?? '' },
      right: { name: 'to-the-program.txt', text: right ?? '' },
    });
  }

  async copy(session: Session, runId: string, form: WireCopyForm): Promise<string[]> {
    return this.copyOf(await this.#source.read(session.id, runId), form);
  }

  /** @returns the environment variables that the copied code reads. */
  async copyOf(record: WireRecord | undefined, form: WireCopyForm): Promise<string[]> {
    const request = record?.requests[record.attempts.at(-1)?.request ?? -1];
    const { PROVIDER_CATALOG } = await loadEngine();
    const copied =
      record &&
      request &&
      copyAs(form, request, {
        variable: keyVariable(record.connectionId),
        sent: record.sampling.sent,
        catalog: PROVIDER_CATALOG,
      });
    if (!copied) throw await gone();
    await vscode.env.clipboard.writeText(copied.text);
    return copied.variables;
  }

  /** @returns undefined for any other file. */
  async #runDocument(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    const { runId, names } = splitPath(uri.path);
    if (names.length !== 1 || !names.every(isRunDocument)) return undefined;
    if (this.#opened?.uri === uri.toString()) return this.#opened.bytes;
    const run = await this.#source.exported(uri.query, runId);
    if (!run) throw vscode.FileSystemError.FileNotFound(uri);
    return this.#toDocument(run);
  }

  #toDocument(run: ExportedRun): Uint8Array {
    const info = { madeBy: this.#source.madeBy, madeAt: run.startedAt };
    return new TextEncoder().encode(toMarkdown([run], info));
  }

  /** @throws when there is no such file. */
  async #find(uri: vscode.Uri): Promise<WirePlace> {
    const { runId, names } = splitPath(uri.path.replace(/\/$/, ''));
    const [name, fileName, ...more] = names;
    const record = runId === '' ? undefined : await this.#source.read(uri.query, runId);
    if (!record || more.length > 0) throw vscode.FileSystemError.FileNotFound(uri);
    const attempt = record.attempts.find((one) => one.name === name);
    const file = WIRE_FILES.find((one) => one === fileName);
    const isKnown =
      (name === undefined || attempt) &&
      (fileName === undefined || (attempt && file && filesOf(record, attempt).includes(file)));
    if (!isKnown) throw vscode.FileSystemError.FileNotFound(uri);
    return { record, attempt, file };
  }
}

const nameOf = ([run, ...others]: readonly ExportedRun[]): string =>
  (others.length === 0 && toFileName(run?.model ?? '')) || 'comparison';

/** Without a translation, all texts are English. */
const languageOfTexts = (): string => (vscode.l10n.bundle ? vscode.env.language : 'en');

async function openUntitled(content: string, language: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
  if (language !== 'markdown') return;
  // The text is what a person saves and copies; rendered, it is what they read. The text stays in front where the editor's own
  // extension for Markdown is switched off.
  const rendered = vscode.commands.executeCommand('markdown.showPreview', document.uri);
  await Promise.resolve(rendered).catch(() => undefined);
}

/** @param bytes Contents of a file; undefined for a folder. */
const toStat = (bytes: Uint8Array | undefined): vscode.FileStat => ({
  type: bytes ? vscode.FileType.File : vscode.FileType.Directory,
  ctime: 0,
  mtime: 0,
  size: bytes?.byteLength ?? 0,
  permissions: vscode.FilePermission.Readonly,
});

function filesOf(record: WireRecord, attempt: WireAttempt): WireFileName[] {
  const view = toWireView({ ...record, attempts: [attempt] }, []);
  return view.attempts[0]?.files ?? [];
}

async function gone(): Promise<Error> {
  const { RefusalError } = await loadEngine();
  return new RefusalError({
    title: t('No longer in the history'),
    what: t('The requests and answers of this run are no longer stored.'),
    why: t('The history is limited by `history.maxRuns` and `history.maxBytes`.'),
    next: t('Run again, or raise the limits in the settings.'),
  });
}

function createHandlers(services: WireServices, session: Session): WireHandlers {
  const { past } = session;
  return {
    'wire/open': ({ runId, attempt, file }) => done(services.open(session, runId, { attempt, file })),
    'prompt/open': async (place) =>
      done(services.showText({ name: 'rendered-prompt.txt', text: session.prompts.textOf(place) })),
    'wire/copy': async ({ runId, form }) => ({ variables: await services.copy(session, runId, form) }),
    'server/defaults': async ({ runId }) => ({ defaults: await services.samplingDefaults(session, runId) }),
    'server/model': async (place) => ({ findings: await services.modelFindings(session, place) }),
    'run/compare': async ({ left, right, part, form }) =>
      done(services.compare(await past.comparison([left, right], part, form))),
    'run/export': async ({ runs, form }) =>
      done(services.export(await Promise.all(runs.map((run) => past.exported(run))), form)),
    'evaluation/diff': async ({ expectation, ...place }) =>
      done(services.compare(await session.evaluation.views.texts(place, expectation))),
    'evaluation/export': async ({ form }) =>
      done(services.exportEvaluation(session.evaluation.views.exported(session.title), form)),
    'reading/compare': async ({ laneId, runId, ...options }) =>
      done(services.compare(await past.readingTexts({ laneId, runId }, options))),
    'tool/compare-reduced': async (place) => done(services.compare(await session.serverChecks.texts(place))),
  };
}

async function done(work: Promise<void>): Promise<null> {
  await work;
  return null;
}

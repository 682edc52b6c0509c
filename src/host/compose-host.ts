// Composes the parts of the host. Nothing here does any work before it is used.
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentTools } from './agent-tools/agent-tools';
import { EvaluationBlobs } from './blobs/evaluation-blobs';
import type { CommandServices } from './commands/command-services';
import type { Connection, Connections, LeavingFrom, ProviderPlaygroundApi } from '../connections';
import type { Unopened } from './connections/window-connections';
import { openWindowConnections } from './connections/window-connections';
import { ConnectionsView } from './connections-view/connections-view';
import type { ViewDependencies } from './connections-view/view-dependencies';
import { CONFIGURATION, EDITOR_VIEW_TYPE } from './contributions';
import { Evaluations } from './evaluations/evaluations';
import { HistoryView } from './history-view/history-view';
import { Diagnoses } from './diagnose/diagnoses';
import type { DiagnosisSources } from './diagnose/diagnosis-documents';
import type { ErrorInfo } from '../protocol';
import type { Session } from '../session';
import { SYSTEM_CLOCK } from '../session';
import { ProviderApi } from './custom-providers/provider-api';
import type { ChatModelDependencies } from './language-model/chat-model-services';
import { ChatModels } from './language-model/chat-models';
import { readChatWindow } from './language-model/chat-window';
import { FormatLab } from './lab/format-lab';
import type { Lazy } from './lazy';
import { loadedEngine } from './load-engine';
import type { Log } from './log';
import { openLog } from './log';
import { DocumentEditor } from './playground/files/document-editor';
import { uriOfSession } from './playground/files/file-backing';
import { rowsFileFor } from './playground/files/rows-file';
import { PlaygroundPanels } from './playground/playground-panels';
import { RunsItem } from './playground/runs-item';
import { Scratches } from './playground/scratches/scratches';
import { SessionPool } from './playground/session-pool';
import { showSettingProblem } from './playground/settings/setting-problems';
import { EvaluationTerminal } from './terminal/evaluation-terminal';
import type { RecordingDependencies } from './recording/recording-dependencies';
import { Recordings } from './recording/recordings';
import { PlaygroundTools } from './tools/playground-tools';
import { requestsLeaveFrom } from './requests-leave-from';
import type { WireOptions } from './wire/wire-source';
import { PlaygroundWire } from './wire/playground-wire';

export interface Host {
  services: CommandServices;
  /** Without the log: ending runs still write to it, and the editor does not wait for them. */
  disposables: vscode.Disposable[];
  api: ProviderPlaygroundApi;
  /** Stops all activity and resolves when everything is saved. */
  stop: () => Promise<void>;
}

export function composeHost(context: vscode.ExtensionContext): Host {
  const { extensionUri } = context;
  const log = openLog();
  const registered = new ProviderApi();
  const connections = openWindowConnections({ context, registered, log, onChange: () => fire() });
  const explain = explainBy(connections);
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const scratches = new Scratches(join(storage, 'scratches'), (problem) => log.warn(problem));
  const tools = new PlaygroundTools(context.globalStorageUri);
  const changed = new vscode.EventEmitter<void>();
  const runs = new RunsItem((sessionId) => show(sessionId, panels));
  const pool = openPool(context, {
    connections,
    log,
    tools,
    folder: join(storage, 'runs'),
    changed: changed.event,
    onOpened: (session) => follow(session, [runs, evaluations]),
    onRuns: () => history.runsChanged(),
  });
  const wire = openWire(context, { pool, connections });
  const lab = new FormatLab({ explain, log, extensionUri, tools });
  const services = { connections, explain, log, extensionUri, pool, tools, scratches, wire, lab };
  const panels = new PlaygroundPanels(services);
  const editor = new DocumentEditor(services);
  const diagnoses = openDiagnoses(context, services);
  const view = openView({
    ...services,
    chatWindow: () => readChatWindow(context.extension.id),
    panels,
    editor,
    diagnose: (target) => diagnoses.diagnose(target),
  });
  const evaluations = new Evaluations(pool, async (texts) => (await wire.services()).compare(texts));
  const blobs = new EvaluationBlobs(services);
  const terminal = new EvaluationTerminal(context, connections);
  const recordings = openRecordings(context, {
    ...services,
    all: () => all(),
    onStored: () => history.runsChanged(),
  });
  const history = new HistoryView({ ...services, panels, recordings, clock: SYSTEM_CLOCK });
  const chatModels = openChatModels(context, services, () => history.runsChanged());
  const fire = (): void => {
    changed.fire();
    view.connectionsChanged();
    chatModels.connectionsChanged();
  };
  const faces = { panels, editor, view, history, runs, evaluations, terminal, blobs, chatModels, recordings };
  const all = (): CommandServices => ({ ...services, ...faces });
  const agentTools = new AgentTools({ pool, evaluations });
  const owned = [...Object.values(faces), agentTools, lab, tools, wire, registered, diagnoses, changed];
  return {
    services: all(),
    disposables: [...owned, ...watchSettings(pool, fire)],
    api: registered.api,
    stop: () => stop({ pool, scratches, connections, chatModels, recordings, log }),
  };
}

function follow(session: Session, faces: readonly { follow: (session: Session) => void }[]): void {
  for (const face of faces) face.follow(session);
}

const explainBy =
  (connections: CommandServices['connections']): Explain =>
  async (error, connection) =>
    (await connections.get()).connections.explain(error, connection);

interface PoolParts extends Pick<CommandServices, 'connections' | 'log' | 'tools'> {
  /** Of the stored runs. */
  folder: string;
  changed: vscode.Event<void>;
  onOpened: (session: Session) => void;
  /** Called when the stored runs of a session have changed. */
  onRuns: () => void;
}

const openPool = (
  context: vscode.ExtensionContext,
  { connections, log, tools, folder, changed, onOpened, onRuns }: PoolParts,
): SessionPool =>
  new SessionPool({
    connections,
    log,
    onConnectionsChanged: (listener) => subscribe(changed, listener),
    runFolder: folder,
    requestsLeaveFrom: whereFrom(context).name,
    toolsFor: (backing) => tools.sourceFor(backing),
    rowsFor: rowsFileFor,
    onSettingProblem: (problem) => void showSettingProblem(problem),
    onOpened: (session) => {
      tools.follow(session);
      onOpened(session);
      followRuns(session, onRuns);
    },
  });

/** @param onChange Called when the view of a connection may have changed through the settings. */
const watchSettings = (pool: SessionPool, onChange: () => void): vscode.Disposable[] => [
  vscode.workspace.onDidChangeConfiguration((change) => {
    if (!change.affectsConfiguration(CONFIGURATION)) return;
    pool.refreshLimits();
    onChange();
  }),
  vscode.workspace.onDidGrantWorkspaceTrust(onChange),
];

/** @returns a function that ends the subscription. */
function subscribe(event: vscode.Event<void>, listener: () => void): () => void {
  const subscription = event(listener);
  return () => subscription.dispose();
}

async function stop({ pool, scratches, connections, chatModels, recordings, log }: Stopped): Promise<void> {
  // Ending sessions still change the texts of scratches, so these are flushed again afterwards. The first flush
  // does not wait for the sessions, which may hang.
  const ended = pool.close().then(() => scratches.flush());
  await Promise.allSettled([scratches.flush(), ended, chatModels.close(), recordings.close()]);
  const closed = connections.loaded().then((opened) => opened?.close());
  const closeSockets = loadedEngine().then((engine) => engine?.closeConnections());
  await Promise.allSettled([closed, closeSockets]);
  log.dispose();
}

interface Stopped {
  pool: SessionPool;
  scratches: Scratches;
  connections: Lazy<Connections>;
  chatModels: ChatModels;
  recordings: Recordings;
  log: Log;
}

function openChatModels(
  { extension, globalState }: vscode.ExtensionContext,
  services: Pick<ChatModelDependencies, 'connections' | 'pool' | 'log'>,
  onRun: () => void,
): ChatModels {
  return new ChatModels({ ...services, state: globalState, ownId: extension.id, onRun });
}

function openRecordings(
  context: vscode.ExtensionContext,
  {
    all,
    ...services
  }: Omit<RecordingDependencies, 'requestsLeaveFrom' | 'madeBy' | 'openFound' | 'replay'> & {
    all: () => CommandServices;
  },
): Recordings {
  return new Recordings({
    ...services,
    requestsLeaveFrom: whereFrom(context).name,
    madeBy: madeBy(context),
    openFound: async (found, connectionId) => {
      const { openRecorded } = await import('./open-request');
      await openRecorded(all(), found, connectionId);
    },
    replay: async (stored) => {
      const { replayRecording } = await import('./open-request');
      await replayRecording(all(), stored);
    },
  });
}

function openWire(
  { extension }: vscode.ExtensionContext,
  services: Omit<Unopened<WireOptions>, 'madeBy'>,
): PlaygroundWire {
  return new PlaygroundWire({ ...services, madeBy: madeBy({ extension }) });
}

function madeBy({ extension }: Pick<vscode.ExtensionContext, 'extension'>): string {
  const { version } = extension.packageJSON as { version?: unknown };
  return `Provider Playground ${String(version)}`;
}

type Explain = (error: unknown, connection?: Connection) => Promise<ErrorInfo>;
type Composed = Omit<Unopened<ViewDependencies>, 'clock' | 'askForKey'>;

function openView(services: Composed): ConnectionsView {
  return new ConnectionsView({
    ...services,
    clock: SYSTEM_CLOCK,
    askForKey: async (connection, place) => {
      const { askForKey } = await import('./commands/key-dialogs');
      return askForKey(await services.connections.get(), connection, place);
    },
  });
}

function openDiagnoses(
  context: vscode.ExtensionContext,
  { connections }: Pick<Unopened<DiagnosisSources>, 'connections'>,
): Diagnoses {
  const { version } = context.extension.packageJSON as { version?: unknown };
  return new Diagnoses({
    connections,
    clock: SYSTEM_CLOCK,
    leavingFrom: whereFrom(context),
    extensionVersion: String(version),
  });
}

/** Calls `onEnd` whenever a run of the session has ended. */
function followRuns(session: Session, onEnd: () => void): void {
  let before = 0;
  session.onDidChange(() => {
    const { runningCount } = session;
    if (runningCount < before) onEnd();
    before = runningCount;
  });
}

/** Shows a playground: a scratch in its panel, a file in its editor. */
function show(sessionId: string, panels: PlaygroundPanels): void {
  const uri = panels.reveal(sessionId) ? undefined : uriOfSession(sessionId);
  if (uri) void vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_VIEW_TYPE);
}

function whereFrom({ extension }: vscode.ExtensionContext): LeavingFrom {
  return requestsLeaveFrom({
    remoteName: vscode.env.remoteName,
    isWeb: vscode.env.uiKind === vscode.UIKind.Web,
    isWithFolder: extension.extensionKind === vscode.ExtensionKind.Workspace,
  });
}

// What the commands are given.
import type * as vscode from 'vscode';
import type { EvaluationBlobs } from '../blobs/evaluation-blobs';
import type { Connections } from '../../connections';
import type { DocumentEditor } from '../playground/files/document-editor';
import type { PlaygroundPanels } from '../playground/playground-panels';
import type { Scratches } from '../playground/scratches/scratches';
import type { SessionPool } from '../playground/session-pool';
import type { Log } from '../log';
import type { PlaygroundTools } from '../tools/playground-tools';
import type { ConnectionsView } from '../connections-view/connections-view';
import type { Evaluations } from '../evaluations/evaluations';
import type { ChatModels } from '../language-model/chat-models';
import type { FormatLab } from '../lab/format-lab';
import type { HistoryView } from '../history-view/history-view';
import type { Recordings } from '../recording/recordings';
import type { RunsItem } from '../playground/runs-item';
import type { Lazy } from '../lazy';
import type { EvaluationTerminal } from '../terminal/evaluation-terminal';

export interface CommandServices {
  connections: Lazy<Connections>;
  panels: PlaygroundPanels;
  editor: DocumentEditor;
  scratches: Scratches;
  tools: PlaygroundTools;
  pool: SessionPool;
  log: Log;
  extensionUri: vscode.Uri;
  view: ConnectionsView;
  runs: RunsItem;
  lab: FormatLab;
  recordings: Recordings;
  chatModels: ChatModels;
  history: HistoryView;
  evaluations: Evaluations;
  terminal: EvaluationTerminal;
  blobs: EvaluationBlobs;
}

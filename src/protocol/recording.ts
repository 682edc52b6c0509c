// Contract of the page *Recording*, which shows the requests of another program: what is recorded, one row a request, and what
// is known of one of them. The chats among them are runs, and are read with the requests of a playground.
import * as v from 'valibot';
import type { ErrorInfo, Verdict } from './outcome';
import { DOCUMENT_LIMIT } from './document/document-limit';
import { RECORDING_FORMS, RECORDING_LIMIT, RECORDING_SIDES } from './recording-limit';
import type { RequestMethod } from './requests';
import type { WireView } from './wire';
import { WIRE_FILES } from './wire';

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(DOCUMENT_LIMIT.id));
const RequestNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const Nothing = v.strictObject({});
const OfRequest = v.strictObject({ number: RequestNumber });

/** Parameters of every request of the page, by method. */
export const RECORDING_PARAMS = {
  'recording/open': Nothing,
  /** Rows in the order of their numbers, from this one on; as many as fit. */
  'recording/rows': v.strictObject({ from: RequestNumber }),
  'recording/read': OfRequest,
  /** Records again, at a new address; of another connection if there is one, which ends what is under way. */
  'recording/start': v.strictObject({ connectionId: v.optional(Id) }),
  'recording/stop': Nothing,
  /** Holds from the next request on. */
  'recording/repair': v.strictObject({ isOn: v.boolean() }),
  /** Removes what was recorded, once the person has confirmed it. */
  'recording/clear': Nothing,
  /** Opens the requests as a text, or saves them; without numbers, all of them. */
  'recording/export': v.strictObject({
    form: v.picklist(RECORDING_FORMS),
    numbers: v.optional(v.pipe(v.array(RequestNumber), v.minLength(1), v.maxLength(RECORDING_LIMIT.rows))),
  }),
  /** Opens a chat as a playground with its messages, tools and reply. */
  'recording/open-playground': OfRequest,
  /** Asks other lanes each turn of a conversation again; the person chooses the lanes. */
  'recording/replay': v.strictObject({ session: RequestNumber }),
  /** Opens what one side of a request sent or received. */
  'recording/open-file': v.strictObject({
    number: RequestNumber,
    side: v.picklist(RECORDING_SIDES),
    file: v.picklist(WIRE_FILES),
  }),
  /** Shows the response of the server beside the one that the program received, in the diff editor. */
  'recording/compare-sides': OfRequest,
} satisfies Record<keyof RecordingResults, v.GenericSchema>;

/** Result of every request of the page, by method. */
export interface RecordingResults {
  'recording/open': RecordingSnapshot;
  /** Empty after the last one. */
  'recording/rows': RecordedRow[];
  'recording/read': RecordedView;
  'recording/start': null;
  'recording/stop': null;
  'recording/repair': null;
  'recording/clear': null;
  'recording/export': null;
  'recording/open-playground': null;
  'recording/replay': null;
  'recording/open-file': null;
  'recording/compare-sides': null;
}

export type RecordingMethod = keyof RecordingResults;
export type RecordingParams = { [M in RecordingMethod]: v.InferOutput<(typeof RECORDING_PARAMS)[M]> };

/** The requests of a playground that read a run. Here, `laneId` and `runId` are those of a row's `run`. */
export type RunReadingMethod = Extract<
  RequestMethod,
  | 'ping'
  | 'entries/read'
  | 'text/read'
  | 'wire/read'
  | 'wire/open'
  | 'wire/copy'
  | 'run/compare'
  | 'run/export'
  | 'run/open-lab'
  | 'reading/make'
  | 'reading/compare'
  | 'settings/open'
  | 'log/show'
>;

/** A client that can speak to the server, and whose variables the page can show. */
export interface RecordableClient {
  kind: 'openai' | 'anthropic' | 'ollama';
  /** What it is given as its base URL: an address of the recording, with or without the path `/v1`, as this client wants it. */
  baseUrl: string;
}

export interface RecordedConnection {
  id: string;
  label: string;
  /** Why it cannot be recorded; absent when it can. */
  problem?: string | undefined;
}

/** What is recorded, complete each time, but for the rows. */
export interface RecordingSnapshot {
  version: number;
  /**
   * `starting`: the address is not known yet. `waiting`: nothing came so far. `file`: a recording that was read from a file.
   */
  state: 'starting' | 'waiting' | 'recording' | 'stopped' | 'file';
  /** Why it was stopped, or could not be started; absent when the person stopped it. */
  problem?: ErrorInfo | undefined;
  /** Name of the file; of the state `file` only. */
  file?: string | undefined;
  /** To be given to programs instead of the base URL of the server; '' without one. Stays known when it is stopped. */
  address: string;
  /** Requests under it go to the server, whatever their path; without a slash at its end. */
  root: string;
  /** Where requests go. */
  connection: RecordedConnection;
  /** What can be recorded; empty for a file. */
  connections: readonly RecordedConnection[];
  clients: readonly RecordableClient[];
  /** A model of the connection for the texts to copy. */
  model?: string | undefined;
  /** Base URL of the server, in display form. */
  target: string;
  /**
   * What happens to a program that sends no key. `added`: it gets the one of the connection. `none`: the server needs none.
   * `missing`: the server needs one, and the connection has none, or the person does not want it to be added.
   */
  key: 'added' | 'none' | 'missing';
  isRepairing: boolean;
  /** Milliseconds since the epoch. */
  since: number;
  /** Where requests are sent from, such as `this computer` or `the remote machine (ssh-remote)`. */
  requestsLeaveFrom: string;
  /** Number of the first row that is kept; older ones are gone. Number of the last one, or one less than `first`. */
  first: number;
  last: number;
}

/** One request in short. A chat that has ended says how its reply came out. */
export interface RecordedRow {
  /** From 1, in the order in which the requests began; goes on when it is recorded again. */
  number: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** What the program calls itself, such as `opencode/1.0.55`; '' when it does not. */
  program: string;
  /** Number of the conversation of a program, from 1; absent for what is no chat. */
  session?: number | undefined;
  method: string;
  /** As the server is asked, with its query; at most 2,000 UTF-16 code units. */
  path: string;
  model?: string | undefined;
  /** Numbers of messages and of offered tools; absent for what is no chat. */
  messages?: number | undefined;
  tools?: number | undefined;
  /** While it is under way: before the header of the response, and after it. */
  phase?: 'waiting' | 'reading' | undefined;
  /** Of a chat that has ended, and of any request that failed or was stopped. */
  verdict?: Verdict | undefined;
  /** Whether the program received native calls instead of the reply of the server. */
  isRepaired?: true | undefined;
  /** Prompt and completion; absent when the server did not report them. */
  tokens?: number | undefined;
  /** Milliseconds from the start to the first byte of the response's body, and to the end. */
  firstByteMs?: number | undefined;
  endMs?: number | undefined;
  /** Of the response of the server; absent until it came. */
  status?: number | undefined;
  /** Why there is no answer, or not all of it, or why a chat was not read; a sentence. */
  problem?: string | undefined;
  /** The run of a chat that has ended; absent when the run store keeps nothing. */
  run?: { laneId: string; runId: string } | undefined;
}

/** One request as the inspector shows it. */
export interface RecordedView {
  number: number;
  /** What was sent to the server and received from it. */
  wire: WireView;
  /** Absent for what is no chat. */
  asked?: AskedView | undefined;
  sides: { client: SideView; server: SideView };
  /** Names of the header fields of the request that differ, such as the key that was added. */
  changedHeaders: readonly string[];
  /** What a repair changed of the reply; absent when nothing was changed. */
  repair?: RepairView | undefined;
}

/** What a chat asked. */
export interface AskedView {
  /** Number of messages by role, in the order of their first one. */
  roles: readonly { role: string; count: number }[];
  /** Names of the offered tools; at most 200. */
  tools: readonly string[];
  /** The last message; at most the first 400 UTF-16 code units of its text, and the length of all. */
  last?: { role: string; text: string; length: number } | undefined;
}

/** What passed between the playground and one side, in bytes of bodies. */
export interface SideView {
  url: string;
  requestBytes: number;
  /** Absent without a response. */
  responseBytes?: number | undefined;
  status?: number | undefined;
  /** Number of the pieces of a streamed response. */
  events?: number | undefined;
  /** Those that `recording/open-file` opens. */
  files: readonly (typeof WIRE_FILES)[number][];
}

export interface RepairView {
  /** Field by field, in the words of the protocol; texts of at most 400 UTF-16 code units, absent where the field is. */
  changes: readonly { field: string; from?: string | undefined; to?: string | undefined }[];
  /** How long a part of the reply was held back at most, in milliseconds; absent in recordings of earlier versions. */
  heldMs?: number | undefined;
}

/** What changed; at most four times a second. */
export interface RecordingChange {
  snapshot?: RecordingSnapshot | undefined;
  /** New and changed rows, complete. */
  rows: readonly RecordedRow[];
}

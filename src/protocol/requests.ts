// What a front end may ask of a session: one line a request. The schemas are checked at run time, on arrival; whatever a
// request changes is told by the next snapshot, so most of them are answered with nothing.
import * as v from 'valibot';
import type { Finding } from '../types';
import { DocumentLaneSchema } from './document';
import { DOCUMENT_LIMIT } from './document-limit';
import type { LaneEntry } from './lanes';
import type { ReadingPair } from './readings';
import { RemedySchema } from './remedy';
import type { ModelList, SessionSnapshot } from './view-models';
import type { WireView } from './wire';
import { COMPARE_FORMS, COMPARE_PARTS, COPY_FORMS, EXPORT_FORMS, WIRE_FILES } from './wire';

const LIMIT = { id: 200, ids: 200, edits: 100, path: 32 } as const;

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMIT.id));
const Index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Text = v.pipe(v.string(), v.maxLength(DOCUMENT_LIMIT.text));
const LaneIds = v.pipe(v.array(Id), v.minLength(1), v.maxLength(DOCUMENT_LIMIT.lanes));
const RunKind = v.picklist(['chat', 'agent']);

/** The value itself is checked with the whole document that it makes. */
const Edit = v.strictObject({
  path: v.pipe(v.array(v.union([v.string(), Index])), v.minLength(1), v.maxLength(LIMIT.path)),
  value: v.optional(v.unknown()),
  isInsertion: v.optional(v.boolean()),
  movedFrom: v.optional(Index),
});

const LaneFields = v.partial(v.omit(DocumentLaneSchema, ['id']));

const Result = v.strictObject({ content: Text, isError: v.boolean() });

const Nothing = v.strictObject({});
const OfLane = v.strictObject({ laneId: Id });
const OfRun = v.strictObject({ laneId: Id, runId: Id });
const Reading = v.strictObject({
  ...OfRun.entries,
  rescueToolCalls: v.boolean(),
  format: v.optional(Id),
  tools: v.picklist(['offered', 'current', 'none']),
});
const OfConnection = v.strictObject({ connectionId: Id });
const OfTool = v.strictObject({ index: Index });

/** The parameters of every request, by method. */
export const REQUEST_PARAMS = {
  /** Answered at once, whatever the session does: a sign that the host is there. */
  ping: Nothing,
  'session/open': Nothing,
  'entries/read': v.strictObject({
    laneId: Id,
    entryIds: v.pipe(v.array(Id), v.minLength(1), v.maxLength(LIMIT.ids)),
  }),
  'text/read': v.strictObject({ laneId: Id, entryId: Id, path: v.pipe(v.string(), v.maxLength(500)) }),
  'wire/read': OfRun,
  'wire/open': v.strictObject({
    ...OfRun.entries,
    attempt: Id,
    file: v.picklist(WIRE_FILES),
  }),
  /** Asks the server what it uses where a request sets nothing. */
  'server/defaults': OfRun,
  /** Asks the server what it tells of the model of a run. */
  'server/model': OfRun,
  /**
   * Does what a finding of a run proposes: edits the document and, when asked to, has the run's reply asked for anew; what
   * followed it in the lane is gone then.
   */
  'remedy/apply': v.strictObject({ ...OfRun.entries, remedy: RemedySchema, isSentAgain: v.boolean() }),
  /** The same part of both in the editor for differences. */
  'run/compare': v.strictObject({
    left: OfRun,
    right: OfRun,
    part: v.picklist(COMPARE_PARTS),
    form: v.picklist(COMPARE_FORMS),
  }),
  /** Opens them as a text that can be saved. */
  'run/export': v.strictObject({
    runs: v.pipe(v.array(OfRun), v.minLength(1), v.maxLength(DOCUMENT_LIMIT.lanes)),
    form: v.picklist(EXPORT_FORMS),
  }),
  /** Reads a stored reply another way; nothing is sent. */
  'reading/make': Reading,
  /** Both readings in the editor for differences. */
  'reading/compare': Reading,
  /** Onto the clipboard. */
  'wire/copy': v.strictObject({ ...OfRun.entries, form: v.picklist(COPY_FORMS) }),
  /** Edits with the same `gather` that follow each other within seconds are one undo step. */
  'document/edit': v.strictObject({
    edits: v.pipe(v.array(Edit), v.minLength(1), v.maxLength(LIMIT.edits)),
    gather: v.optional(Id),
  }),
  'document/open-text': v.strictObject({
    line: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  }),
  'document/save-as': Nothing,
  /** Undoes the last change of a file, which is the one that was sent last. */
  'document/undo': Nothing,
  /** Makes a file writable that the editor keeps read-only. */
  'document/unlock': Nothing,
  /** What stands in the message box becomes the last message of the document; '' takes it out. */
  'message/draft': v.strictObject({ text: Text }),
  /** Absent: a copy of the last lane. */
  'lane/add': v.strictObject({ copyOf: v.optional(Id), change: v.optional(LaneFields) }),
  'lane/remove': OfLane,
  'lane/move': v.strictObject({ laneId: Id, to: Index }),
  /**
   * In each lane: sends what is pending in the document and then `text`. Without either it goes on where results are
   * given, or asks the last step anew; of several lanes only those whose conversation does not end with a reply. A lane
   * that is busy, or cannot run while others can, is left alone.
   */
  'run/start': v.strictObject({
    laneIds: LaneIds,
    kind: RunKind,
    text: v.optional(Text),
    isStepMode: v.optional(v.boolean()),
  }),
  /** Replays the messages of the document from the first one. */
  'run/replay': v.strictObject({ laneIds: LaneIds, kind: RunKind }),
  /** Absent: all lanes. */
  'run/stop': v.strictObject({ laneIds: v.optional(LaneIds) }),
  /** Goes on with a paused agent run: one step, or to its end. */
  'run/continue': v.strictObject({ laneId: Id, isStepMode: v.boolean(), text: v.optional(Text) }),
  /** Replaces a sent message and all that followed it, in every lane that had it. */
  'message/resend': v.strictObject({ laneId: Id, entryId: Id, text: Text, kind: RunKind }),
  /** Goes on by itself when it was the last one missing of a chat, or was asked for. */
  'result/give': v.strictObject({ laneId: Id, runId: Id, callIndex: Index, result: Result }),
  /** Absent: all lanes. */
  'conversation/clear': v.strictObject({ laneIds: v.optional(LaneIds) }),
  'conversation/restore': Nothing,
  'embedding/run': Nothing,
  'embedding/stop': Nothing,
  'tool/edit': OfTool,
  'tool/create': Nothing,
  'tool/import': Nothing,
  'connection/models': OfConnection,
  'connection/set-key': OfConnection,
  'connection/forget-key': OfConnection,
  'settings/open': Nothing,
  'log/show': Nothing,
} satisfies Record<keyof RequestResults, v.GenericSchema>;

/** What each request is answered with. */
export interface RequestResults {
  ping: null;
  /** All of it; what changes from then on is told by `session/changed`. */
  'session/open': SessionSnapshot;
  /** As many as fit into a frame; the others have to be asked for again. */
  'entries/read': LaneEntry[];
  'text/read': { text: string };
  'wire/read': WireView;
  'wire/open': null;
  /** By neutral key, as JSON; empty when the server does not tell. */
  'server/defaults': { defaults: Record<string, string> };
  'server/model': { findings: Finding[] };
  'remedy/apply': null;
  'run/compare': null;
  'run/export': null;
  'reading/make': ReadingPair;
  'reading/compare': null;
  /** The variables of the environment that the copy reads. */
  'wire/copy': { variables: string[] };
  'document/edit': null;
  'document/open-text': null;
  'document/save-as': null;
  'document/undo': null;
  'document/unlock': null;
  'message/draft': null;
  'lane/add': { laneId: string };
  'lane/remove': null;
  'lane/move': null;
  'run/start': null;
  'run/replay': null;
  'run/stop': null;
  'run/continue': null;
  'message/resend': null;
  'result/give': null;
  'conversation/clear': null;
  'conversation/restore': null;
  'embedding/run': null;
  'embedding/stop': null;
  'tool/edit': null;
  /** The place of a new tool, which is ready to be named. */
  'tool/create': { index: number };
  'tool/import': null;
  'connection/models': ModelList;
  'connection/set-key': { hasKey: boolean };
  'connection/forget-key': { hasKey: boolean };
  'settings/open': null;
  'log/show': null;
}

export type RequestMethod = keyof RequestResults;
export type RequestParams<M extends RequestMethod> = v.InferOutput<(typeof REQUEST_PARAMS)[M]>;

// Requests of a front end to a session, one line each. The schemas validate them on arrival. Most results are empty, because
// the next snapshot contains whatever a request changed.
import * as v from 'valibot';
import type { Finding } from '../types';
import { DocumentLaneSchema } from './document/document';
import { DOCUMENT_LIMIT } from './document/document-limit';
import type { LaneEntry } from './lanes';
import type { ReadingPair } from './lab/readings';
import type { EvaluationCaseView, EvaluationRowsView, EvaluationSampleView } from './evaluation';
import { EVALUATION_FORMS, SAMPLE_KINDS, SHOWN_ROWS } from './evaluation';
import { RemedySchema } from './remedy';
import type { ModelList, SessionSnapshot, ToolCheck } from './view-models';
import type { PromptView, WireView } from './wire';
import { COMPARE_FORMS, COMPARE_PARTS, COPY_FORMS, EXPORT_FORMS, WIRE_FILES } from './wire';

const LIMIT = { id: 200, ids: 200, edits: 100, path: 32, request: 20_000_000 } as const;

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMIT.id));
const Index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Text = v.pipe(v.string(), v.maxLength(DOCUMENT_LIMIT.text));
const LaneIds = v.pipe(v.array(Id), v.minLength(1), v.maxLength(DOCUMENT_LIMIT.lanes));
const RunKind = v.picklist(['chat', 'agent']);

/** The value is not checked here: the whole document is validated after the edit. */
const Edit = v.strictObject({
  path: v.pipe(v.array(v.union([v.string(), Index])), v.minLength(1), v.maxLength(LIMIT.path)),
  value: v.optional(v.unknown()),
  isInsertion: v.optional(v.boolean()),
  movedFrom: v.optional(Index),
});

const LaneFields = v.partial(v.omit(DocumentLaneSchema, ['id']));

const Result = v.strictObject({ callIndex: Index, content: Text, isError: v.boolean() });

const Nothing = v.strictObject({});
const OfLane = v.strictObject({ laneId: Id });
const OfRun = v.strictObject({ laneId: Id, runId: Id });
const OfPrompt = v.strictObject({ laneId: Id, runId: v.optional(Id) });
const Reading = v.strictObject({
  ...OfRun.entries,
  rescueToolCalls: v.boolean(),
  format: v.optional(Id),
  tools: v.picklist(['offered', 'current', 'none']),
});
const OfCase = v.strictObject({ rowId: Id, laneId: Id });
const OfSample = v.strictObject({ ...OfCase.entries, repeat: Index });
const OfConnection = v.strictObject({ connectionId: Id });
const OfTool = v.strictObject({ index: Index });
const OfCheck = v.strictObject({ toolId: Id, server: v.pipe(v.string(), v.maxLength(100)) });

/** Parameters of every request, by method. */
export const REQUEST_PARAMS = {
  /** Answered at once, whatever the session is doing: shows that the host is alive. */
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
  /** Asks the server for the text that its template makes of the request; nothing is generated. */
  'prompt/render': OfPrompt,
  /** Shows the whole text of the prompt that was rendered last. */
  'prompt/open': OfPrompt,
  /** Asks the server for the defaults that it uses for parameters a request omits. */
  'server/defaults': OfRun,
  /** Asks the server what it reports about the model of a run. */
  'server/model': OfRun,
  /**
   * Applies a remedy that a finding of a run proposes: edits the document and, with `isSentAgain`, requests the run's reply
   * again, which removes what followed it in the lane.
   */
  'remedy/apply': v.strictObject({ ...OfRun.entries, remedy: RemedySchema, isSentAgain: v.boolean() }),
  /** Shows the same part of both runs in the diff editor. */
  'run/compare': v.strictObject({
    left: OfRun,
    right: OfRun,
    part: v.picklist(COMPARE_PARTS),
    form: v.picklist(COMPARE_FORMS),
  }),
  /** Opens the exported runs as a text that can be saved. */
  'run/export': v.strictObject({
    runs: v.pipe(v.array(OfRun), v.minLength(1), v.maxLength(DOCUMENT_LIMIT.lanes)),
    form: v.picklist(EXPORT_FORMS),
  }),
  /** Opens the text of a reply in the format lab, with the tools that were offered. */
  'run/open-lab': OfRun,
  /** Reads a stored reply with other options; nothing is sent. */
  'reading/make': Reading,
  /** Shows both readings in the diff editor. */
  'reading/compare': Reading,
  /** Copies the request to the clipboard. */
  'wire/copy': v.strictObject({ ...OfRun.entries, form: v.picklist(COPY_FORMS) }),
  /** Edits with the same `gather` that closely follow one another become one undo step. */
  'document/edit': v.strictObject({
    edits: v.pipe(v.array(Edit), v.minLength(1), v.maxLength(LIMIT.edits)),
    /** Edits with the same key that follow one another within a moment are made together. */
    gather: v.optional(Id),
    /** Nothing follows: they are made at once, and a refusal is reported. */
    isLast: v.optional(v.boolean()),
  }),
  /** At a line, or at the line of what stands at a path. */
  'document/open-text': v.strictObject({
    line: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
    path: v.optional(Edit.entries.path),
    /** The line is one of the rows file. */
    isInRows: v.optional(v.boolean()),
  }),
  'document/save-as': Nothing,
  /** Undoes the last change of the document, which is the one that this front end sent last. */
  'document/undo': Nothing,
  /** Makes the change again that was undone last. */
  'document/redo': Nothing,
  /** Makes a file writable that the editor opened as read-only. */
  'document/unlock': Nothing,
  /** Writes the text of the message box as the last message of the document; '' removes it. */
  'message/draft': v.strictObject({ text: Text }),
  /** Without `copyOf`, the last lane is copied. */
  'lane/add': v.strictObject({ copyOf: v.optional(Id), change: v.optional(LaneFields) }),
  'lane/remove': OfLane,
  'lane/move': v.strictObject({ laneId: Id, to: Index }),
  /**
   * Brings each lane to what the document says now: sends what is pending and then `text`, requests a reply that is missing,
   * or asks the last question again if something else would be sent now (see `NextRun`), in the way it was asked. Skips lanes
   * in which nothing is to be done, busy ones, and those that cannot run while others can.
   */
  'run/start': v.strictObject({
    laneIds: LaneIds,
    kind: RunKind,
    text: v.optional(Text),
    isStepMode: v.optional(v.boolean()),
    /** Repeats the last step in lanes in which nothing else is to be done, whatever has changed since. */
    isRepeat: v.optional(v.boolean()),
    /** Lanes among these in which no run begins, because something typed for them is invalid; the message stays pending. */
    leftOut: v.optional(LaneIds),
  }),
  /** Sends all messages of the document again, from the first one. */
  'run/replay': v.strictObject({ laneIds: LaneIds, kind: RunKind }),
  /** Without `laneIds`, stops all lanes. */
  'run/stop': v.strictObject({ laneIds: v.optional(LaneIds) }),
  /** Resumes a paused agent run, for one step or to its end. */
  'run/continue': v.strictObject({ laneId: Id, isStepMode: v.boolean(), text: v.optional(Text) }),
  /** Replaces a sent message and everything after it, in every lane that has it. */
  'message/resend': v.strictObject({ laneId: Id, entryId: Id, text: Text, kind: RunKind }),
  /**
   * Sets results of a reply. An agent run that waits for one of them goes on. Otherwise what followed the reply is removed, and
   * once the reply has all results, they are sent; with `isKept`, and while a run is paused, whatever is sent next sends them.
   */
  'result/give': v.strictObject({
    ...OfRun.entries,
    results: v.pipe(v.array(Result), v.minLength(1), v.maxLength(LIMIT.ids)),
    isKept: v.optional(v.boolean()),
  }),
  /** Without `laneIds`, clears all lanes. */
  'conversation/clear': v.strictObject({ laneIds: v.optional(LaneIds) }),
  'conversation/restore': Nothing,
  'embedding/run': Nothing,
  'embedding/stop': Nothing,
  /**
   * Sends every sample that is not stored yet. `failing`: new samples of the cases that failed, beside their old ones.
   * `more`: so many more repeats of every case. `isAnew`: as a new evaluation, in which nothing counts that is stored; without
   * it, a start is refused when every sample is stored. A start that needs a confirmation is refused without it.
   */
  'evaluation/start': v.strictObject({
    scope: v.optional(v.picklist(['all', 'failing'])),
    more: v.optional(v.pipe(Index, v.maxValue(DOCUMENT_LIMIT.repeats))),
    isAnew: v.optional(v.boolean()),
    isConfirmed: v.optional(v.boolean()),
  }),
  'evaluation/stop': Nothing,
  'evaluation/rows': v.strictObject({
    filter: v.picklist(SHOWN_ROWS),
    /** Only rows with such samples; without a lane, in any. */
    part: v.optional(v.strictObject({ laneId: v.optional(Id), kind: v.picklist(SAMPLE_KINDS) })),
    from: Index,
    count: v.pipe(Index, v.maxValue(LIMIT.ids)),
    /** A row whose place among those of the filter is asked for. */
    find: v.optional(Id),
  }),
  'evaluation/case': OfCase,
  'evaluation/sample': OfSample,
  /** Shows what an expectation wants of a sample beside what came, in the diff editor. */
  'evaluation/diff': v.strictObject({ ...OfSample.entries, expectation: Index }),
  /** Asks the person for the rows file. */
  'evaluation/choose-rows': Nothing,
  'evaluation/export': v.strictObject({ form: v.picklist(EVALUATION_FORMS) }),
  /** Copies the command that evaluates the playground without the editor, or runs it in a terminal. */
  'evaluation/terminal': v.strictObject({ action: v.picklist(['copy', 'run']) }),
  /** Adds the value that failed to what the expectation of the document accepts. */
  'evaluation/accept': v.strictObject({ ...OfSample.entries, expectation: Index }),
  /** Makes the sample the conversation of its lane. */
  'evaluation/open-sample': OfSample,
  /** Turns the calls or the text of a reply into an expectation, which is added to the document. */
  'evaluation/expect': v.strictObject({
    ...OfRun.entries,
    what: v.picklist(['call', 'reply']),
    callIndex: v.optional(Index),
  }),
  /** Compares with this stored evaluation; without an id, with none. */
  'evaluation/baseline': v.strictObject({ id: v.optional(Id) }),
  /** Shows a stored evaluation, by default the newest, compared with the baseline; without one, with none. */
  'evaluation/show': v.strictObject({ id: v.optional(Id), baselineId: v.optional(Id) }),
  'evaluation/reference': OfLane,
  /** Fills an ordinary run with the variables of this row; without an id, with none. */
  'evaluation/choose-row': v.strictObject({ rowId: v.optional(Id) }),
  'tool/edit': OfTool,
  'tool/create': Nothing,
  /** Adds a mock that answers calls with the arguments of this one. */
  'tool/mock-call': v.strictObject({ ...OfRun.entries, callIndex: Index }),
  'tool/import': Nothing,
  /** Tells what the servers of the lanes refuse in the tools; asks servers that their address does not tell. */
  'tool/check': Nothing,
  /** Shows a tool beside the form of it that a server does not refuse, in the diff editor. */
  'tool/compare-reduced': OfCheck,
  /** Replaces the tool with that form. */
  'tool/use-reduced': OfCheck,
  'connection/models': OfConnection,
  'connection/set-key': OfConnection,
  'connection/forget-key': OfConnection,
  'connection/diagnose': v.strictObject({ connectionId: Id, model: Id }),
  /** Opens a bundled example as a playground of its own. */
  'example/open': v.strictObject({ id: Id }),
  /** Opens a request from elsewhere as a playground of its own. */
  'request/open': v.strictObject({ text: v.pipe(v.string(), v.maxLength(LIMIT.request)) }),
  'settings/open': Nothing,
  'log/show': Nothing,
} satisfies Record<keyof RequestResults, v.GenericSchema>;

/** Result of every request, by method. */
export interface RequestResults {
  ping: null;
  /** The complete state; later changes follow with `session/changed`. */
  'session/open': SessionSnapshot;
  /** As many entries as fit into one frame; the others have to be requested again. */
  'entries/read': LaneEntry[];
  'text/read': { text: string };
  'wire/read': WireView;
  'wire/open': null;
  'prompt/render': PromptView;
  'prompt/open': null;
  /** Values as JSON by neutral sampling key; empty when the server does not report them. */
  'server/defaults': { defaults: Record<string, string> };
  'server/model': { findings: Finding[] };
  'remedy/apply': null;
  'run/compare': null;
  'run/export': null;
  'run/open-lab': null;
  'reading/make': ReadingPair;
  'reading/compare': null;
  /** Names of the environment variables that the copied request reads. */
  'wire/copy': { variables: string[] };
  'document/edit': null;
  'document/open-text': null;
  'document/save-as': null;
  'document/undo': null;
  'document/redo': null;
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
  'evaluation/start': null;
  'evaluation/stop': null;
  'evaluation/rows': EvaluationRowsView;
  'evaluation/case': EvaluationCaseView;
  'evaluation/sample': EvaluationSampleView;
  'evaluation/diff': null;
  /** Relative to the playground; absent when the person cancelled. */
  'evaluation/choose-rows': { path?: string | undefined };
  'evaluation/export': null;
  'evaluation/terminal': null;
  'evaluation/accept': null;
  'evaluation/open-sample': null;
  'evaluation/expect': null;
  'evaluation/baseline': null;
  'evaluation/show': null;
  'evaluation/reference': null;
  'evaluation/choose-row': null;
  'tool/edit': null;
  /** Index of the new tool, which has a placeholder name. */
  'tool/create': { id: string };
  'tool/mock-call': null;
  'tool/import': null;
  'tool/check': { checks: ToolCheck[] };
  'tool/compare-reduced': null;
  'tool/use-reduced': null;
  'connection/models': ModelList;
  'connection/set-key': { hasKey: boolean };
  'connection/forget-key': { hasKey: boolean };
  'connection/diagnose': null;
  'example/open': null;
  'request/open': null;
  'settings/open': null;
  'log/show': null;
}

export type RequestMethod = keyof RequestResults;
export type RequestParams<M extends RequestMethod> = v.InferOutput<(typeof REQUEST_PARAMS)[M]>;

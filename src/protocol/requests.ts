// What the webview may ask of the host: one line a request. The schemas are checked at run time, on arrival.
import * as v from 'valibot';
import { SamplingSchema } from './document';
import type {
  AgentOutcome,
  EmbeddingOutcome,
  ModelList,
  PlaygroundSnapshot,
  RunOutcome,
} from './view-models';

const LIMIT = {
  id: 200,
  name: 200,
  text: 2_000_000,
  messages: 2_000,
  calls: 100_000,
  steps: 100,
  embedTexts: 24,
  embedText: 8_000,
};

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMIT.id));
const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMIT.name));
const Text = v.pipe(v.string(), v.maxLength(LIMIT.text));
const FiniteNumber = v.pipe(v.number(), v.finite());

/** What a server sent comes back here: it is bounded as a text, not as a name of ours. */
const ToolCallSchema = v.strictObject({
  id: Text,
  name: Text,
  arguments: v.unknown(),
  source: v.picklist(['native', 'rescued']),
  extraContent: v.optional(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.check((extra) => JSON.stringify(extra).length <= LIMIT.text, 'is too long'),
    ),
  ),
});

export const MessageSchema = v.strictObject({
  role: v.picklist(['system', 'user', 'assistant', 'tool']),
  content: Text,
  toolCalls: v.optional(v.pipe(v.array(ToolCallSchema), v.maxLength(LIMIT.calls))),
  toolName: v.optional(Text),
  toolCallId: v.optional(Text),
  isError: v.optional(v.boolean()),
  reasoning: v.optional(Text),
});

const RunForm = {
  runId: Id,
  connectionId: Id,
  model: Name,
  systemPrompt: Text,
  messages: v.pipe(v.array(MessageSchema), v.minLength(1), v.maxLength(LIMIT.messages)),
  toolNames: v.pipe(v.array(Name), v.maxLength(200)),
  sampling: SamplingSchema,
  rescueToolCalls: v.boolean(),
};
export const RunFormSchema = v.strictObject(RunForm);
export type RunForm = v.InferOutput<typeof RunFormSchema>;

/** A run to the end: the calls that the last reply left open are answered first. */
const AgentFormSchema = v.strictObject({
  ...RunForm,
  /** The mocks of the tools answer; a step is one chat with its calls. */
  maxSteps: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LIMIT.steps)),
  maxTokens: v.optional(v.pipe(FiniteNumber, v.minValue(0))),
  maxCostUsd: v.optional(v.pipe(FiniteNumber, v.minValue(0))),
});
export type AgentForm = v.InferOutput<typeof AgentFormSchema>;

const EmbeddingFormSchema = v.strictObject({
  runId: Id,
  connectionId: Id,
  model: Name,
  texts: v.pipe(
    v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(LIMIT.embedText))),
    v.minLength(1),
    v.maxLength(LIMIT.embedTexts),
  ),
});
export type EmbeddingForm = v.InferOutput<typeof EmbeddingFormSchema>;

const Nothing = v.strictObject({});
const OfConnection = v.strictObject({ connectionId: Id });
const OfRun = v.strictObject({ runId: Id });

/** The parameters of every request, by method. */
export const REQUEST_PARAMS = {
  'playground/snapshot': Nothing,
  'connection/models': OfConnection,
  'connection/set-key': OfConnection,
  'connection/forget-key': OfConnection,
  'chat/run': RunFormSchema,
  'chat/attach': OfRun,
  'agent/run': AgentFormSchema,
  'agent/attach': OfRun,
  'embed/run': EmbeddingFormSchema,
  'embed/attach': OfRun,
  'settings/open': Nothing,
  'log/show': Nothing,
} satisfies Record<keyof RequestResults, v.GenericSchema>;

/** What each request is answered with. */
export interface RequestResults {
  'playground/snapshot': PlaygroundSnapshot;
  'connection/models': ModelList;
  'connection/set-key': { hasKey: boolean };
  'connection/forget-key': { hasKey: boolean };
  /** Replied when the run ended, however it ended; a cancel frame stops it. */
  'chat/run': RunOutcome;
  /** The same for a run that was started before the panel was hidden; `null` when the host does not know it. */
  'chat/attach': RunOutcome | null;
  /** The same for a run to the end; its steps are told as they come. */
  'agent/run': AgentOutcome;
  /** Tells all finished steps anew. */
  'agent/attach': AgentOutcome | null;
  'embed/run': EmbeddingOutcome;
  'embed/attach': EmbeddingOutcome | null;
  'settings/open': null;
  'log/show': null;
}

export type RequestMethod = keyof RequestResults;
export type RequestParams<M extends RequestMethod> = v.InferOutput<(typeof REQUEST_PARAMS)[M]>;

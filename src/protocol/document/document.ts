// The document of a playground, as it is written in a `*.playground.json`. The schemas are the source of the types, of the
// validation at run time and of the JSON schema that the editor uses for completion.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { DEFAULT_STEPS, DOCUMENT_LIMIT } from './document-limit';
import { EvaluateSchema, ExpectationsSchema } from './evaluate-schema';
import { Finite, Id, JsonObject, Name, objectOf, Text, Whole } from './parts';

export const SamplingSchema = objectOf({
  temperature: v.optional(v.pipe(Finite, v.description('0 is the usual value for repeatable tool calls.'))),
  topP: v.optional(v.pipe(Finite, v.description('Nucleus sampling, 0 to 1.'))),
  topK: v.optional(v.pipe(Whole, v.description('Local protocol only.'))),
  seed: v.optional(
    v.pipe(
      Whole,
      v.description('Together with temperature 0 it makes replies repeatable on servers that support it.'),
    ),
  ),
  maxTokens: v.optional(v.pipe(Whole, v.description('The maximum number of tokens of a reply.'))),
  numCtx: v.optional(v.pipe(Whole, v.description('Context window in tokens; local protocol only.'))),
  stop: v.optional(
    v.pipe(
      v.array(Text),
      v.maxLength(DOCUMENT_LIMIT.stops),
      v.description('Texts that end the reply; they are not included in it.'),
    ),
  ),
  repeatPenalty: v.optional(v.pipe(Finite, v.description('Local protocol only.'))),
});

const DocumentCallSchema = objectOf({
  id: v.optional(Text),
  name: Text,
  arguments: v.optional(v.unknown()),
});

export const DocumentMessageSchema = v.pipe(
  objectOf({
    role: v.picklist(['system', 'user', 'assistant', 'tool']),
    content: v.optional(Text, ''),
    lanes: v.optional(
      v.pipe(v.array(Id), v.description('The lanes that the message is sent to. Default: all of them.')),
    ),
    toolCalls: v.optional(
      v.pipe(
        v.array(DocumentCallSchema),
        v.maxLength(DOCUMENT_LIMIT.calls),
        v.description('For a pinned assistant message: its tool calls.'),
      ),
    ),
    toolCallId: v.optional(
      v.pipe(Text, v.description('For a pinned tool message: the id of the call that it answers.')),
    ),
    toolName: v.optional(v.pipe(Text, v.description('For a pinned tool message: the name of the tool.'))),
    isError: v.optional(v.boolean()),
  }),
  v.check(
    (message) => !Object.hasOwn(message, 'replay'),
    () => t('must not have replay data, which may be large and private: it stays in the history'),
  ),
);

const Delay = v.pipe(
  Whole,
  v.minValue(0),
  v.maxValue(600_000),
  v.description('Milliseconds before the answer.'),
);

export const MockSchema = v.pipe(
  objectOf({
    when: v.optional(
      v.pipe(
        JsonObject,
        v.description('Matches calls whose arguments have at least these values, or match these matchers.'),
      ),
    ),
    call: v.optional(
      v.pipe(Whole, v.minValue(1), v.description('Matches the nth call of this tool in the run, from 1.')),
    ),
    result: v.optional(
      v.pipe(
        v.unknown(),
        v.description('The result that the model gets: a text as it is, any other value as JSON.'),
      ),
    ),
    error: v.optional(v.pipe(Text, v.description('The call fails with this text.'))),
    ask: v.optional(v.pipe(v.literal(true), v.description('You are asked for the result.'))),
    invoke: v.optional(
      v.pipe(
        v.literal(true),
        v.description('The tool of the editor with this name runs, after you have confirmed it.'),
      ),
    ),
    delayMs: v.optional(Delay),
  }),
  v.check(
    (mock) => ['result', 'error', 'ask', 'invoke'].filter((key) => Object.hasOwn(mock, key)).length === 1,
    () => t('must have exactly one of result, error, ask and invoke'),
  ),
);

export const DocumentToolSchema = objectOf({
  name: v.pipe(Name, v.minLength(1)),
  description: v.optional(Text),
  parameters: v.optional(v.pipe(JsonObject, v.description('JSON Schema of the arguments.')), () => ({
    type: 'object',
    properties: {},
  })),
  strict: v.optional(
    v.pipe(
      v.boolean(),
      v.description(
        'Whether the server is to hold the arguments to the schema; the protocol of Ollama has none.',
      ),
    ),
  ),
  offered: v.optional(v.pipe(v.boolean(), v.description('Whether requests offer the tool.')), true),
  mocks: v.optional(
    v.pipe(
      v.array(MockSchema),
      v.maxLength(DOCUMENT_LIMIT.mocks),
      v.description('Mocks that answer calls of the tool: the first one that matches a call answers it.'),
    ),
    () => [],
  ),
});

export const ToolReferenceSchema = objectOf({
  $ref: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(1_000),
    v.description(
      'Reference to a tool of a library, such as ./.provider-playground/tools.json#/get_weather or user#/get_weather.',
    ),
  ),
  offered: v.optional(v.boolean(), true),
  mocks: v.optional(v.pipe(v.array(MockSchema), v.maxLength(DOCUMENT_LIMIT.mocks))),
});

const LimitsSchema = objectOf({
  maxSteps: v.optional(
    v.pipe(
      Whole,
      v.minValue(1),
      v.maxValue(DOCUMENT_LIMIT.steps),
      v.description(`The maximum number of chats of one agent run. Default: ${DEFAULT_STEPS}.`),
    ),
  ),
  maxTokens: v.optional(
    v.pipe(Whole, v.minValue(1), v.description('The maximum number of tokens of one agent run.')),
  ),
  maxCostUsd: v.optional(
    v.pipe(
      Finite,
      v.minValue(0),
      v.description('The maximum cost of one agent run in USD; the connection must set costPer1kTokens.'),
    ),
  ),
});

export const ToolChoiceSchema = v.union([
  v.picklist(['auto', 'none', 'required']),
  objectOf({ tool: v.pipe(Name, v.minLength(1)) }),
]);

export const DocumentLaneSchema = objectOf({
  id: v.pipe(Id, v.description('Identifies the lane in this file; any short text.')),
  connection: v.optional(v.pipe(Id, v.description('The id of a connection. Default: the demo.')), 'demo'),
  model: v.optional(v.pipe(Name, v.description('Default: the model of the connection.'))),
  sampling: v.optional(SamplingSchema, () => ({})),
  rescueToolCalls: v.optional(
    v.pipe(
      v.boolean(),
      v.description('Whether calls are read from the text of a reply that has no native call.'),
    ),
    true,
  ),
  toolChoice: v.optional(
    v.pipe(
      ToolChoiceSchema,
      v.description('auto, none, required, or one tool; the protocol of Ollama has none.'),
    ),
  ),
  raw: v.optional(
    v.pipe(JsonObject, v.description('Merged into the request last; may override anything. Never a secret.')),
  ),
  limits: v.optional(LimitsSchema, () => ({})),
});

const EmbeddingSchema = objectOf({
  connection: v.optional(Id),
  model: v.optional(Name),
  texts: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(DOCUMENT_LIMIT.embeddedText))),
      v.maxLength(DOCUMENT_LIMIT.embeddedTexts),
    ),
  ),
});

/** Everything missing has a default, so the smallest file is `{}`. */
export const DocumentSchema = v.looseObject({
  $schema: v.optional(v.string()),
  version: v.optional(v.literal(1), 1),
  name: v.optional(
    v.pipe(
      Name,
      v.description(
        'The title of a playground without a file. Default: the first words of its first message. A file has its own name.',
      ),
    ),
  ),
  system: v.optional(v.pipe(Text, v.description('The system prompt of every lane.')), ''),
  messages: v.optional(
    v.pipe(
      v.array(DocumentMessageSchema),
      v.maxLength(DOCUMENT_LIMIT.messages),
      v.description(
        'The messages in the order in which they are sent; assistant and tool messages are pinned examples.',
      ),
    ),
    () => [],
  ),
  tools: v.optional(
    v.pipe(
      v.array(v.union([ToolReferenceSchema, DocumentToolSchema])),
      v.maxLength(DOCUMENT_LIMIT.tools),
      v.check(
        (tools) => tools.every((tool) => !Object.hasOwn(tool, '$ref') || v.is(ToolReferenceSchema, tool)),
        () => t('has a tool whose $ref is not a reference'),
      ),
      v.description('The tools that requests offer.'),
    ),
    () => [],
  ),
  lanes: v.optional(
    v.pipe(
      v.array(DocumentLaneSchema),
      v.minLength(1),
      v.maxLength(DOCUMENT_LIMIT.lanes),
      v.check(
        (lanes) => new Set(lanes.map(({ id }) => id)).size === lanes.length,
        () => t('has an id that is used twice'),
      ),
      v.description('The lanes, from left to right.'),
    ),
    () => [v.parse(DocumentLaneSchema, { id: 'a' })],
  ),
  embedding: v.optional(
    v.pipe(EmbeddingSchema, v.description('The request of the Embeddings view.')),
    () => ({}),
  ),
  evaluate: v.optional(
    v.pipe(EvaluateSchema, v.description('How the Evaluate view sends rows of variables to the lanes.')),
    () => v.parse(EvaluateSchema, {}),
  ),
  expect: v.optional(
    v.pipe(ExpectationsSchema, v.description('What a good reply is. A sample passes when all of it holds.')),
    () => [],
  ),
});

/** A complete document: values that the text omits have their defaults. */
export type PlaygroundDocument = v.InferOutput<typeof DocumentSchema>;
export type DocumentMessage = v.InferOutput<typeof DocumentMessageSchema>;
export type DocumentLane = v.InferOutput<typeof DocumentLaneSchema>;
export type DocumentTool = v.InferOutput<typeof DocumentToolSchema>;
export type ToolReference = v.InferOutput<typeof ToolReferenceSchema>;
export type ToolMock = v.InferOutput<typeof MockSchema>;
export type LaneLimits = v.InferOutput<typeof LimitsSchema>;

/** Sets the value at a path; without a value, removes it. An index equal to the length of a list appends. */
export interface DocumentEdit {
  path: readonly (string | number)[];
  value?: unknown;
  /** Inserts the value before the list element at this index, instead of replacing that element. */
  isInsertion?: boolean | undefined;
  /** Moves the element at this index of the same list to the path, with its text unchanged. Only without a value. */
  movedFrom?: number | undefined;
}

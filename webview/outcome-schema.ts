// The shape of a finished run, checked when a stored conversation is read back: an older version of the panel
// may have written it. Mirrors src/types and src/protocol; the compiler compares the two where they are used.
import * as v from 'valibot';

const optionalText = v.optional(v.string());
const optionalNumber = v.optional(v.number());
const TextMap = v.record(v.string(), v.string());

const toolCall = {
  id: v.string(),
  name: v.string(),
  arguments: v.optional(v.unknown(), null),
};
const ToolCall = v.object({
  ...toolCall,
  source: v.picklist(['native', 'rescued']),
  extraContent: v.optional(v.record(v.string(), v.unknown())),
});

const AssistantMessage = v.object({
  role: v.picklist(['system', 'user', 'assistant', 'tool']),
  content: v.string(),
  toolCalls: v.optional(v.array(ToolCall)),
  toolName: optionalText,
  toolCallId: optionalText,
  isError: v.optional(v.boolean()),
  reasoning: optionalText,
});

const usage = {
  promptTokens: optionalNumber,
  completionTokens: optionalNumber,
  cachedTokens: optionalNumber,
  reasoningTokens: optionalNumber,
};

const Attempt = v.object({
  attempt: v.number(),
  startedAt: v.number(),
  headersMs: optionalNumber,
  endMs: v.number(),
  status: optionalNumber,
  errorCode: optionalText,
  endedBy: v.picklist(['server', 'network', 'timeout', 'caller']),
  decision: v.picklist(['done', 'retry', 'stop', 'reconnect']),
  reason: v.string(),
  delayMs: optionalNumber,
  delaySource: v.optional(v.picklist(['backoff', 'retry-after'])),
});

const Rescue = v.object({
  calls: v.array(
    v.object({
      ...toolCall,
      source: v.literal('rescued'),
      format: v.string(),
      evidence: v.picklist(['marker', 'label', 'shape']),
      rawName: v.string(),
      start: v.number(),
      end: v.number(),
      repairs: v.array(v.object({ kind: v.string(), at: v.number(), note: optionalText })),
      schemaIssues: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
    }),
  ),
  content: v.string(),
  reasoning: optionalText,
  rejected: v.array(
    v.object({
      format: v.string(),
      start: v.number(),
      end: v.number(),
      reason: v.string(),
      detail: v.string(),
      name: optionalText,
      nearest: v.optional(v.array(v.string())),
      hint: optionalText,
    }),
  ),
});

const Exchange = v.object({
  request: v.object({ method: v.string(), url: v.string(), headers: TextMap, body: v.string() }),
  response: v.optional(v.object({ status: v.number(), headers: TextMap, body: v.string() })),
  sent: TextMap,
  dropped: v.array(v.string()),
  overridden: v.array(v.string()),
  toolCalls: v.array(v.object({ rawArguments: v.string(), parseError: optionalText })),
  replaced: v.optional(v.array(v.string())),
});

const Turn = v.object({
  assistant: AssistantMessage,
  raw: v.object({
    content: v.string(),
    toolCalls: v.array(ToolCall),
    usage: v.object(usage),
    attempts: v.number(),
    finishReason: optionalText,
    reasoning: optionalText,
    model: optionalText,
  }),
  toolCalls: v.array(ToolCall),
  rescue: v.optional(Rescue),
  usage: v.object({ ...usage, costUsd: optionalNumber }),
  attempts: v.number(),
  ledger: v.array(Attempt),
  exchange: Exchange,
});

export const InspectorTabSchema = v.picklist(['reply', 'tool-calls', 'rescue', 'attempts']);

export const ErrorInfoSchema = v.object({
  code: v.string(),
  title: v.string(),
  what: v.string(),
  why: v.string(),
  next: v.string(),
  causes: v.optional(v.array(v.string())),
  partial: optionalText,
});

const Finding = v.object({
  severity: v.picklist(['error', 'warning', 'info']),
  what: v.string(),
  next: optionalText,
  tab: v.optional(InspectorTabSchema),
});

export const RunOutcomeSchema = v.object({
  runId: v.string(),
  connectionId: v.string(),
  connectionLabel: v.string(),
  model: v.string(),
  startedAt: v.number(),
  durationMs: v.number(),
  verdict: v.object({
    kind: v.picklist(['native', 'rescued', 'malformed', 'none', 'failed', 'stopped']),
    detail: v.string(),
  }),
  turn: v.optional(Turn),
  error: v.optional(ErrorInfoSchema),
  ledger: v.array(Attempt),
  findings: v.array(Finding),
});

export const AgentEndingSchema = v.object({
  stopReason: v.picklist(['answer', 'max-steps', 'budget', 'stopped', 'error']),
  steps: v.number(),
  answered: v.number(),
  unmatched: v.number(),
  usage: v.object(usage),
  costUsd: optionalNumber,
  durationMs: v.number(),
  detail: optionalText,
});

export const EmbeddingOutcomeSchema = v.object({
  runId: v.string(),
  connectionLabel: v.string(),
  model: v.string(),
  durationMs: v.number(),
  tries: v.number(),
  result: v.optional(
    v.object({
      vectors: v.array(
        v.object({ dimension: v.number(), norm: v.nullable(v.number()), head: v.array(v.number()) }),
      ),
      similarity: v.array(v.array(v.nullable(v.number()))),
      findings: v.array(Finding),
    }),
  ),
  usage: v.optional(v.object({ ...usage, costUsd: optionalNumber })),
  error: v.optional(ErrorInfoSchema),
});

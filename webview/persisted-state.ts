// What the editor keeps of the panel over a reload: versioned, checked when read back, bounded when written.
import * as v from 'valibot';
import type { ErrorInfo } from '../src/protocol';
import { LIMIT_KEYS } from './agent-limits';
import type { LimitKey } from './agent-limits';
import { initialEmbedding } from './embedding-state';
import type { EmbeddingState } from './embedding-state';
import {
  AgentEndingSchema,
  EmbeddingOutcomeSchema,
  ErrorInfoSchema,
  InspectorTabSchema,
  RunOutcomeSchema,
} from './outcome-schema';
import type { SamplingKey } from './sampling-fields';
import { SAMPLING_KEYS } from './sampling-fields';
import type { Entry, PersistedState, PlaygroundState } from './state';

export const STATE_VERSION = 1;
/** In UTF-8 bytes of the JSON text. */
export const MAX_STATE_BYTES = 1_000_000;
/** In characters; what was typed beyond this is not kept. */
const MAX_TYPED_LENGTH = 100_000;

/** In UTF-8 bytes of the JSON text, for the texts to embed: all of them whole, in most scripts. */
const MAX_EMBEDDED_BYTES = 400_000;
const NOT_KEPT = '… (the rest was not kept over the reload)';

const result = { content: v.string(), isError: v.boolean() };
const optionalNumber = v.optional(v.number());

/** A form of texts in which an absent one is empty. */
const textsOf = <Key extends string>(keys: readonly Key[]) =>
  v.object(
    Object.fromEntries(keys.map((key) => [key, v.optional(v.string(), '')])) as Record<
      Key,
      v.OptionalSchema<v.StringSchema<undefined>, ''>
    >,
  );

const EntrySchema = v.variant('kind', [
  v.object({ kind: v.literal('user'), id: v.string(), content: v.string() }),
  v.object({
    kind: v.literal('run'),
    runId: v.string(),
    outcome: v.optional(RunOutcomeSchema),
    problem: v.optional(ErrorInfoSchema),
    step: v.optional(v.object({ agentRunId: v.string(), number: v.number() })),
    ending: v.optional(AgentEndingSchema),
    results: v.record(
      v.string(),
      v.object({ ...result, source: v.optional(v.picklist(['mock', 'unmatched'])) }),
    ),
    drafts: v.record(v.string(), v.object({ ...result, isOpen: v.boolean() })),
  }),
]);

const EmbeddingSchema = v.object({
  connectionId: v.string(),
  model: v.string(),
  texts: v.array(v.string()),
  pendingRunId: v.optional(v.string()),
  pendingSince: optionalNumber,
  last: v.fallback(
    v.optional(
      v.object({
        labels: v.array(v.string()),
        outcome: v.optional(EmbeddingOutcomeSchema),
        problem: v.optional(ErrorInfoSchema),
      }),
    ),
    undefined,
  ),
});

const StateSchema = v.object({
  version: v.literal(STATE_VERSION),
  lane: v.object({
    connectionId: v.string(),
    model: v.string(),
    sampling: textsOf<SamplingKey>(SAMPLING_KEYS),
    rescueToolCalls: v.boolean(),
    limits: v.optional(textsOf<LimitKey>(LIMIT_KEYS), {}),
  }),
  systemPrompt: v.string(),
  draft: v.string(),
  toolNames: v.array(v.string()),
  // one by one: what a single reply holds must not cost the others
  entries: v.pipe(
    v.array(v.unknown()),
    v.transform((stored) => stored.flatMap(readEntry)),
  ),
  edit: v.optional(v.object({ id: v.string(), text: v.string() })),
  agent: v.optional(v.object({ runId: v.string(), maxSteps: v.number(), since: v.number() })),
  embedding: v.optional(EmbeddingSchema, initialEmbedding),
  view: v.optional(v.string(), 'chat'),
  pendingRunId: v.optional(v.string()),
  pendingSince: optionalNumber,
  selection: v.optional(
    v.object({ runId: v.string(), callIndex: optionalNumber, spanNumber: optionalNumber }),
  ),
  tab: InspectorTabSchema,
  isSettingsOpen: v.boolean(),
  isPromptOpen: v.boolean(),
  inspectorWidth: optionalNumber,
  inspectorHeight: optionalNumber,
});

/** @returns undefined for anything that this version did not write. */
export function restoreState(stored: unknown): PersistedState | undefined {
  const parsed = v.safeParse(StateSchema, stored);
  if (!parsed.success) return undefined;
  const { version: _version, ...state } = parsed.output;
  return state;
}

/** Bounded: the oldest exchange bodies go first, then the oldest replies, then the oldest entries. */
export function toPersisted(state: PlaygroundState): PersistedState & { version: number } {
  const { snapshot: _s, snapshotError: _e, models: _m, progress: _p, now: _n, notice: _t, ...kept } = state;
  const form = {
    ...kept,
    version: STATE_VERSION,
    systemPrompt: kept.systemPrompt.slice(0, MAX_TYPED_LENGTH),
    draft: kept.draft.slice(0, MAX_TYPED_LENGTH),
    embedding: boundEmbedding(kept.embedding),
    edit: kept.edit && { ...kept.edit, text: kept.edit.text.slice(0, MAX_TYPED_LENGTH) },
  };
  return { ...form, entries: boundEntries(kept.entries, MAX_STATE_BYTES - sizeOf({ ...form, entries: [] })) };
}

/** Whole as long as they fit; a text that was cut says so where it ends. */
function boundEmbedding(embedding: EmbeddingState): EmbeddingState {
  let { texts } = embedding;
  for (let limit = MAX_TYPED_LENGTH; limit > 0 && sizeOf(texts) > MAX_EMBEDDED_BYTES; limit >>= 1) {
    texts = embedding.texts.map((text) => (text.length <= limit ? text : text.slice(0, limit) + NOT_KEPT));
  }
  return { ...embedding, texts };
}

function boundEntries(entries: readonly Entry[], maxBytes: number): Entry[] {
  let kept = lighten(entries, maxBytes, withoutBodies);
  kept = lighten(kept, maxBytes, withoutReply);
  let total = sum(kept.map(sizeInList));
  while (kept.length > 0 && total > maxBytes) {
    const [oldest] = kept;
    if (oldest) total -= sizeInList(oldest);
    kept = kept.slice(1);
  }
  return kept;
}

/** Makes entries lighter, the oldest first, until they fit. */
function lighten(entries: readonly Entry[], maxBytes: number, make: (entry: Entry) => Entry): Entry[] {
  const sizes = entries.map(sizeInList);
  let total = sum(sizes);
  return entries.map((entry, index) => {
    if (total <= maxBytes) return entry;
    const lighter = make(entry);
    total += sizeInList(lighter) - (sizes[index] ?? 0);
    return lighter;
  });
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
const sizeInList = (entry: Entry): number => sizeOf(entry) + 1;

/** The question stays; what the answer was is told to be gone. */
function withoutReply(entry: Entry): Entry {
  if (entry.kind === 'user' || !entry.outcome) return entry;
  const { outcome: _outcome, ...rest } = entry;
  const why = 'The editor keeps at most a megabyte of a panel.';
  return { ...rest, problem: notKept('The reply was too long to be kept over a reload of the panel.', why) };
}

const notKept = (what: string, why: string): ErrorInfo => ({
  code: 'not-kept',
  title: 'The reply was not kept',
  what,
  why,
  next: 'Run again.',
});

/** A run whose reply cannot be read stays and says so; what is no entry at all is left out. */
function readEntry(stored: unknown): Entry[] {
  const parsed = v.safeParse(EntrySchema, stored);
  if (parsed.success) return [parsed.output];
  const problem = notKept(
    'The reply could not be read after the reload.',
    'It has a shape that the panel does not know.',
  );
  const bare = {
    ...Object(stored),
    outcome: undefined,
    ending: undefined,
    problem,
    results: {},
    drafts: {},
  } as unknown;
  const again = v.safeParse(EntrySchema, bare);
  return again.success ? [again.output] : [];
}

function withoutBodies(entry: Entry): Entry {
  if (entry.kind === 'user' || !entry.outcome?.turn) return entry;
  const { outcome } = entry;
  const { turn } = entry.outcome;
  const { request, response } = turn.exchange;
  const exchange = {
    ...turn.exchange,
    request: { ...request, body: '' },
    response: response && { ...response, body: '' },
  };
  return { ...entry, outcome: { ...outcome, turn: { ...turn, exchange } } };
}

const encoder = new TextEncoder();
function sizeOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).byteLength;
}

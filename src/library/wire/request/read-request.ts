// Reads a recorded body back into the neutral input that makes it: the inverse of the request files. Pure.
import type {
  FormNote,
  Message,
  NeutralRequest,
  ProviderToolCall,
  ReplayData,
  SamplingParams,
  ToolChoice,
} from '../../../types';
import type { JsonRecord } from '../../util/json';
import { getOwn, isRecord, parseJson, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import type { WireInput } from '../wire-shapes';
import { ERROR_MARK } from '../wire-shapes';
import type { SamplingKeys } from '../sampling-keys';
import { OtherForms } from './other-forms';
import { linkToolResults } from './tool-results';

export interface RecordedBody {
  body: Readonly<Record<string, unknown>>;
  /**
   * Neutral sampling key → key in the body; `options.…` for a nested one. Without an entry, a key of the body stays raw.
   * @default the keys of the protocol
   */
  sent?: Readonly<Record<string, string>> | undefined;
  /** Whether the next request will be a stream; without it, as this one. `raw` corrects the difference. */
  isStreaming?: boolean | undefined;
  /** Given for a body that another program wrote; receives what is left out or changed when it is read. */
  notes?: FormNote[] | undefined;
}

/** Brings the parts of a body into our own forms. Each returns the keys that it changes. */
export type TidyParts = Readonly<
  Record<'messages' | 'tools', (body: RecordedBody['body'], forms: OtherForms) => JsonRecord>
>;

/** Where a body has the sampling parameters. */
export interface SamplingPlace {
  keys: SamplingKeys;
  /** Key of the object that has them; the body itself otherwise. */
  within?: string;
}

/** How one protocol is read. */
export interface RequestForm {
  /** Keys of the body that contain these parts. */
  keys: { messages: string; tools: string; toolChoice?: string };
  /** Absent: a body that is not our own keeps its parameters in raw. */
  sampling?: SamplingPlace;
  tidy?: TidyParts;
  /** Reads what it knows, and may ignore the rest: what `write` does not give back becomes raw. */
  read: (body: Readonly<Record<string, unknown>>) => Omit<WireInput, 'sampling'>;
  write: (input: WireInput) => object;
}

/**
 * Nothing is lost: the result is written again, and each key of the body whose value is not in the new body is taken into
 * `raw`, which is merged last. The new body may have more, of what the writer always adds.
 */
export function readRequest(recorded: RecordedBody, form: RequestForm): NeutralRequest {
  const { isStreaming, notes } = recorded;
  const { keys, read, write, sampling: place } = form;
  const sent = recorded.sent ?? (place ? findSampling(recorded.body, place) : {});
  const { sampling, rest } = takeSampling(notes ? tidyBody(recorded.body, form, notes) : recorded.body, sent);
  const whole = { ...read(rest), sampling: {} };
  const again = toRecord(write(whole));
  const isReadable = (key: string): boolean => isWritten(rest, again, key);
  const tools = isReadable(keys.tools) ? [...whole.tools] : [];
  const input = {
    ...whole,
    messages: isReadable(keys.messages) ? linkToolResults(whole.messages) : [],
    tools,
    toolChoice: isOffered(whole.toolChoice, tools) ? whole.toolChoice : undefined,
  };
  const made = toRecord(write({ ...input, isStreaming: isStreaming ?? input.isStreaming }));
  const raw = Object.fromEntries(
    Object.entries(rest).filter(([key, value]) => !isIn(value, getOwn(made, key))),
  );
  const { model, messages, toolChoice, isStreaming: isStreamed } = input;
  const isChosen = toolChoice !== undefined && !Object.hasOwn(raw, keys.toolChoice ?? '');
  return { model, messages, tools, sampling, ...(isChosen && { toolChoice }), raw, isStreamed };
}

/** A part that has no form of ours is not changed at all, so that it can be sent as it was. */
function tidyBody(
  body: RecordedBody['body'],
  { keys, read, write, tidy }: RequestForm,
  notes: FormNote[],
): RecordedBody['body'] {
  let tidied = body;
  for (const part of ['messages', 'tools'] as const) {
    if (!tidy || body[keys[part]] === undefined) continue;
    const forms = new OtherForms();
    const next = { ...tidied, ...tidy[part](tidied, forms) };
    const again = toRecord(write({ ...read(next), sampling: {} }));
    if (!isWritten(next, again, keys[part])) continue;
    tidied = next;
    notes.push(...forms.notes);
  }
  return tidied;
}

const isWritten = (body: RecordedBody['body'], again: JsonRecord, key: string): boolean =>
  !Object.hasOwn(body, key) || isIn(body[key], getOwn(again, key));

function findSampling(body: RecordedBody['body'], { keys, within }: SamplingPlace): Record<string, string> {
  const place = within === undefined ? body : toRecord(body[within]);
  return Object.fromEntries(
    Object.entries(keys).flatMap(([neutral, key]) =>
      key === null || !Object.hasOwn(place, key)
        ? []
        : [[neutral, within === undefined ? key : `${within}.${key}`]],
    ),
  );
}

/** A provider refuses the choice of a tool that is not offered. */
const isOffered = (choice: ToolChoice | undefined, tools: WireInput['tools']): boolean =>
  typeof choice !== 'object' || tools.some(({ name }) => name === choice.tool);

/** Whether a JSON value is in another one, which may have more keys. */
function isIn(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) && part.length === whole.length && part.every((one, at) => isIn(one, whole[at]))
    );
  }
  return isRecord(whole) && Object.entries(part).every(([key, value]) => isIn(value, getOwn(whole, key)));
}

/** Takes the values that came from sampling, unless `raw` replaced one by what sampling cannot have. */
function takeSampling(
  body: RecordedBody['body'],
  sent: Readonly<Record<string, string>>,
): { sampling: SamplingParams; rest: Record<string, unknown> } {
  const rest = { ...body };
  const sampling: Record<string, unknown> & SamplingParams = {};
  for (const [neutral, path] of Object.entries(sent)) {
    const [key = '', nested] = path.split('.');
    const place = nested === undefined ? rest : { ...toRecord(rest[key]) };
    const given = getOwn(place, nested ?? key);
    // Servers take a single text, too.
    const value = neutral === 'stop' && typeof given === 'string' ? [given] : given;
    if (!isSampling(neutral, value)) continue;
    sampling[neutral] = value;
    delete place[nested ?? key];
    if (nested === undefined) continue;
    if (Object.keys(place).length > 0) rest[key] = place;
    else delete rest[key];
  }
  return { sampling, rest };
}

const isSampling = (neutral: string, value: unknown): boolean =>
  neutral === 'stop'
    ? Array.isArray(value) && value.every((text) => typeof text === 'string')
    : typeof value === 'number' && (!WHOLE.has(neutral) || Number.isSafeInteger(value));

/** Parameters that a document takes as whole numbers only. */
const WHOLE: ReadonlySet<string> = new Set(['topK', 'seed', 'maxTokens', 'numCtx']);

/**
 * Reads messages in the form that both built-in protocols have; a value of another type gives ''.
 * @param toReplay Reads what the server wants back with a message that has calls.
 */
export const readMessages = (
  messages: unknown,
  toReplay?: (message: JsonRecord) => ReplayData | undefined,
): Message[] => toList(messages).map((message) => readMessage(message, toReplay));

function readMessage(
  message: JsonRecord,
  toReplay?: (message: JsonRecord) => ReplayData | undefined,
): Message {
  const { role, content, thinking, tool_calls: calls } = message;
  const text = typeof content === 'string' ? content : '';
  if (role === 'tool') {
    const isError = text.startsWith(ERROR_MARK);
    return {
      role,
      content: isError ? text.slice(ERROR_MARK.length) : text,
      ...pruneUndefined({
        toolName: toText(message['tool_name']),
        toolCallId: toText(message['tool_call_id']),
        isError: isError || undefined,
      }),
    };
  }
  return {
    role: role === 'system' || role === 'assistant' ? role : 'user',
    content: text,
    ...(typeof thinking === 'string' && { reasoning: thinking }),
    ...(Array.isArray(calls) && {
      toolCalls: toList(calls).map(readCall),
      ...pruneUndefined({ replay: toReplay?.(message) }),
    }),
  };
}

function readCall({
  id,
  function: called,
  extra_content: extraContent,
}: Record<string, unknown>): ProviderToolCall {
  const { name, arguments: args } = toRecord(called);
  return {
    id: toText(id) ?? '',
    name: toText(name) ?? '',
    arguments: typeof args === 'string' ? toValue(args) : args,
    source: 'native',
    ...(isRecord(extraContent) && { extraContent }),
  };
}

/** The value of arguments if printing it gives the same text; otherwise the text. */
export function toValue(text: string): unknown {
  const value = parseJson(text);
  return value !== undefined && JSON.stringify(value) === text ? value : text;
}

/** Reads the declarations that `toWireTools` writes. */
export const readTools = (tools: unknown): NeutralRequest['tools'] =>
  toList(tools).map(({ function: declared }) => {
    const { name, description, parameters, strict } = toRecord(declared);
    return {
      name: toText(name) ?? '',
      ...(typeof description === 'string' && { description }),
      parameters: toRecord(parameters),
      ...(typeof strict === 'boolean' && { strict }),
    };
  });

const toList = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(toRecord) : [];

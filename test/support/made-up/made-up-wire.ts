// A wire made up for the tests, unlike those of the built-in providers: other names for everything, a field for failed
// results, a tool choice in words of its own, and a stream of lines. Pure.
import type {
  ChatDelta,
  ExchangeToolCall,
  Message,
  NeutralRequest,
  PartialReply,
  ProviderToolCall,
  SentToolChoice,
  ToolChoice,
} from '../../../src/library';
import { translateSampling } from '../../../src/library/sampling/translate-sampling';
import type { StreamReader } from '../../../src/library/transport/client/stream-reader';
import { StreamFailure } from '../../../src/library/transport/client/stream-reader';
import { isRecord, parseJson, toCount, toRecord, toText } from '../../../src/library/util/json';
import { pruneUndefined } from '../../../src/library/util/prune-undefined';
import { readCallTexts, readNativeCalls } from '../../../src/library/wire/reply/native-calls';
import { TextLines } from '../../../src/library/wire/reply/text-lines';
import { toArgumentsObject } from '../../../src/library/wire/reply/tool-arguments';
import type { RawKeys } from '../../../src/library/wire/request/merge-raw';
import { mergeRaw, stillSent } from '../../../src/library/wire/request/merge-raw';
import type { RecordedBody } from '../../../src/library/wire/request/read-request';
import { readRequest } from '../../../src/library/wire/request/read-request';
import { linkToolResults } from '../../../src/library/wire/request/tool-results';
import { toJsonSchema } from '../../../src/library/wire/request/tools';
import { writeRequest } from '../../../src/library/wire/request/write-request';
import type { SamplingKeys } from '../../../src/library/wire/sampling-keys';
import type { WireInput, WireReply, WireRequest } from '../../../src/library/wire/wire-shapes';

type Json = Readonly<Record<string, unknown>>;

export const MADE_UP_PATH = '/talk';
export const MADE_UP_SAMPLING_KEYS = {
  temperature: 'heat',
  maxTokens: 'limit',
  topP: null,
  topK: null,
  seed: 'dice',
  numCtx: null,
  stop: null,
  repeatPenalty: null,
} as const satisfies SamplingKeys;

const SPEAKERS = { system: 'rules', user: 'person', assistant: 'model', tool: 'result' } as const;
const CHOICES = { auto: 'free', none: 'never', required: 'must' } as const;

export function toMadeUpRequest(input: WireInput, raw: RawKeys): WireRequest {
  const { params, sent, dropped } = translateSampling(input.sampling, MADE_UP_SAMPLING_KEYS);
  const { body, overridden } = mergeRaw({ ...toBody(input), ...params }, raw);
  const written = writeRequest({ body, sent: stillSent(sent, body), dropped, overridden, replaced: [] });
  return { ...written, isStream: body['live'] === true, toolChoice: readMadeUpChoice(body) };
}

function toBody({ model, messages, tools, toolChoice, isStreaming }: WireInput): object {
  const functions = tools.map(({ name, description, parameters }) => ({
    fn: name,
    ...(description !== undefined && { about: description }),
    takes: toJsonSchema(parameters),
  }));
  return {
    model,
    turns: linkToolResults(messages).map(toTurn),
    ...(functions.length > 0 && { functions }),
    ...(functions.length > 0 && toolChoice !== undefined && { pick: toPick(toolChoice) }),
    ...(isStreaming && { live: true }),
  };
}

const toPick = (choice: ToolChoice): unknown =>
  typeof choice === 'string' ? CHOICES[choice] : { fn: choice.tool };

const toTurn = ({ role, content, toolCalls = [], toolCallId, toolName, isError }: Message): object => ({
  by: SPEAKERS[role],
  said: content,
  ...(toolCalls.length > 0 && {
    wants: toolCalls.map(({ id, name, arguments: args }) => ({
      ref: id,
      fn: name,
      with: toArgumentsObject(args) ?? {},
    })),
  }),
  ...(role === 'tool' && pruneUndefined({ ref: toolCallId, fn: toolName, failed: isError || undefined })),
});

export const readMadeUpBody = (recorded: RecordedBody): NeutralRequest =>
  readRequest(recorded, {
    keys: { messages: 'turns', tools: 'functions', toolChoice: 'pick' },
    read: (body) => ({
      model: toText(body['model']) ?? '',
      messages: toList(body['turns']).map(readTurn),
      tools: toList(body['functions']).map(({ fn, about, takes }) => ({
        name: toText(fn) ?? '',
        ...(typeof about === 'string' && { description: about }),
        parameters: toRecord(takes),
      })),
      toolChoice: readMadeUpChoice(body)?.choice,
      isStreaming: body['live'] === true,
    }),
    write: (input) => toBody(input),
  });

function readTurn({ by, said, wants, ref, fn, failed }: Json): Message {
  const role = (['system', 'assistant', 'tool'] as const).find((one) => SPEAKERS[one] === by) ?? 'user';
  return {
    role,
    content: typeof said === 'string' ? said : '',
    ...(Array.isArray(wants) && { toolCalls: readCalls(wants) }),
    ...(role === 'tool' &&
      pruneUndefined({
        toolCallId: toText(ref),
        toolName: toText(fn),
        isError: failed === true || undefined,
      })),
  };
}

export function readMadeUpChoice({ pick }: Json): SentToolChoice | undefined {
  const word = (['auto', 'none', 'required'] as const).find((one) => CHOICES[one] === pick);
  const tool = toText(toRecord(pick)['fn']);
  if (word !== undefined) return { choice: word, key: 'pick' };
  return tool === undefined ? undefined : { choice: { tool }, key: 'pick' };
}

const toList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(toRecord) : []);

const toEntries = (wants: unknown): object[] =>
  toList(wants).map(({ ref, fn, with: args }) => ({ id: ref, function: { name: fn, arguments: args } }));

const readCalls = (wants: unknown): ProviderToolCall[] => readNativeCalls(toEntries(wants));

export function fromMadeUpReply(document: unknown): WireReply | string {
  if (!isRecord(document) || document['end'] === undefined) return 'The reply has no end.';
  const { said, wants, end, spent } = document;
  return {
    content: typeof said === 'string' ? said : '',
    toolCalls: readCalls(wants),
    usage: pruneUndefined({
      promptTokens: toCount(toRecord(spent)['read']),
      completionTokens: toCount(toRecord(spent)['written']),
    }),
    ...pruneUndefined({ finishReason: toText(end) }),
  };
}

export const readMadeUpCallTexts = (document: unknown): ExchangeToolCall[] =>
  readCallTexts(toEntries(toRecord(document)['wants']));

/** One object a line; the last one has `end`. */
export class MadeUpStream implements StreamReader {
  readonly #emit: (delta: ChatDelta) => void;
  readonly #lines = new TextLines((line) => this.#take(toRecord(parseJson(line)), line));
  #said = '';
  #last: Json | undefined;

  constructor(emit: (delta: ChatDelta) => void) {
    this.#emit = emit;
  }

  readonly push = (chunk: Uint8Array): void => this.#lines.push(chunk);

  end(): void {
    this.#lines.end();
    if (!this.#last) throw new StreamFailure('truncated', 'the stream ended without an end');
  }

  isComplete(): boolean {
    return this.#last !== undefined;
  }

  partial(): PartialReply {
    return { content: this.#said };
  }

  document(): unknown {
    return { ...this.#last, said: this.#said };
  }

  #take(part: Json, line: string): void {
    if (typeof part['trouble'] === 'string') throw new StreamFailure('document', part['trouble']);
    if (Object.keys(part).length === 0 && line.trim() !== '')
      throw new StreamFailure('format', 'a line is no object');
    const said = toText(part['said']);
    if (said !== undefined) {
      this.#said += said;
      this.#emit({ content: said });
    }
    if (part['end'] !== undefined) this.#last = part;
  }
}

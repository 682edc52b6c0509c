// Translates neutral input into the body of OpenAI's Responses API, before the raw keys are merged into it, and a recorded
// body back. Pure.
import type {
  JsonSchema,
  Message,
  NeutralRequest,
  ProviderToolCall,
  SamplingParams,
  ToolChoice,
} from '../../../types';
import { translateSampling } from '../../sampling/translate-sampling';
import type { JsonRecord } from '../../util/json';
import { toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import type { PlacedMessage } from '../request/answered-calls';
import { answerAllCalls, placeAsGiven } from '../request/answered-calls';
import { writeArguments } from '../request/arguments-text';
import type { RawKeys } from '../request/merge-raw';
import type { RecordedBody } from '../request/read-request';
import { readRequest, toValue } from '../request/read-request';
import { linkToolResults } from '../request/tool-results';
import { readChoice, TOOL_CHOICE_KEY } from '../request/tool-choice';
import { toWireTools } from '../request/tools';
import type { WireSampling } from '../sampling-keys';
import { RESPONSES_SAMPLING_KEYS } from '../sampling-keys';
import type { TranslatedInput, WireInput } from '../wire-shapes';
import { ERROR_MARK, toResultText } from '../wire-shapes';
import { TIDY_RESPONSES } from './responses-forms';
import type { ReplayPlace } from './responses-replay';
import { replayItems, textOf, toReplay } from './responses-replay';

/** Body of `POST {host}/responses`. The conversation is sent whole, and the service is told not to keep it. */
export type ResponsesBody = WireSampling<typeof RESPONSES_SAMPLING_KEYS> & {
  model: string;
  input: ResponsesItem[];
  tools?: ResponsesTool[];
  tool_choice?: 'auto' | 'none' | 'required' | { type: 'function'; name: string };
  include?: ['reasoning.encrypted_content'];
  store: false;
  stream?: true;
};

export type ResponsesItem =
  | { type: 'message'; role: 'system' | 'user'; content: string }
  | { type: 'message'; role: 'assistant'; content: [{ type: 'output_text'; text: string }] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string };

interface ResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: JsonSchema;
  /** Always sent: the service's own default is true where the schema permits it. */
  strict: boolean;
}

/** @param raw Tells how much the model reasons. */
export function toResponsesBody(input: WireInput, raw?: RawKeys): TranslatedInput<ResponsesBody> {
  const { model, tools, messages, toolChoice, isStreaming } = input;
  const isReasoning = REASONING_MODEL.test(model);
  const effort = toRecord(raw?.['reasoning'])['effort'];
  const { sampling, refused } = withoutRefused(input.sampling, isReasoning && effort !== 'none');
  const { params, sent, dropped } = translateSampling(sampling, RESPONSES_SAMPLING_KEYS);
  const replaced: string[] = [];
  const linked = linkToolResults(messages);
  const placed = input.isAsGiven ? placeAsGiven(linked) : answerAllCalls(linked, false);
  const body: ResponsesBody = {
    model,
    input: toItems(placed, { model, origin: input.origin, replaced }),
    ...(tools.length > 0 && {
      tools: toWireTools(tools).map(({ type, function: declared }, index) => ({
        type,
        ...declared,
        strict: tools[index]?.strict ?? false,
      })),
    }),
    ...(tools.length > 0 && toolChoice !== undefined && { [TOOL_CHOICE_KEY]: toField(toolChoice) }),
    ...params,
    // Deployments of Azure send it only when asked, and without it nothing can be sent back that is not kept.
    ...(isReasoning && { include: ['reasoning.encrypted_content'] as const }),
    store: false,
    ...(isStreaming && { stream: true as const }),
  };
  return { body, sent, dropped: [...dropped, ...refused], replaced };
}

/** OpenAI's models that reason; those for chats among them do not. https://platform.openai.com/docs/guides/reasoning */
const REASONING_MODEL = /^(?:[\w.-]+\/)?(?:o\d|gpt-(?:[5-9]|\d\d))(?!.*-chat)/;

/** A model that reasons answers 400 to these. */
function withoutRefused(
  sampling: SamplingParams,
  isReasoning: boolean,
): { sampling: SamplingParams; refused: string[] } {
  if (!isReasoning) return { sampling, refused: [] };
  const { temperature, topP, ...rest } = sampling;
  return { sampling: rest, refused: Object.keys(pruneUndefined({ temperature, topP })) };
}

const toField = (choice: ToolChoice): NonNullable<ResponsesBody['tool_choice']> =>
  typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };

/** @param place Its `replaced` receives the paths of values that were replaced or left out. */
function toItems(messages: readonly PlacedMessage[], place: ReplayPlace): ResponsesItem[] {
  const { replaced } = place;
  const items: ResponsesItem[] = [];
  for (const { message, index, isMadeUp } of messages) {
    const { role, content, toolCallId = '', toolCalls = [] } = message;
    if (role === 'tool') {
      if (isMadeUp) replaced.push(`input[${items.length}]`);
      items.push({ type: 'function_call_output', call_id: toolCallId, output: toResultText(message) });
    } else if (role !== 'assistant') items.push({ type: 'message', role, content });
    else {
      // An item without a text or a call would be empty.
      const said = content === '' && toolCalls.length > 0 ? [] : [toSaid(content)];
      const calls = toolCalls.map((call, at) =>
        toCall(call, `input[${items.length + said.length + at}].arguments`, replaced),
      );
      const replayed = replayItems(message, index, { ...place, calls });
      // Whatever the server sent, it takes back.
      items.push(...((replayed as ResponsesItem[] | undefined) ?? [...said, ...calls]));
    }
  }
  return items;
}

/** llama-server tells an item of the model by its type and by the type of its parts. */
const toSaid = (text: string): ResponsesItem => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

const toCall = (
  { id, name, arguments: args }: ProviderToolCall,
  place: string,
  replaced: string[],
): ResponsesItem => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: writeArguments(args, place, replaced),
});

/** Reads a body back into the input that makes it; see `readRequest`. */
export const readResponsesBody = (recorded: RecordedBody): NeutralRequest =>
  readRequest(recorded, {
    keys: { messages: 'input', tools: 'tools', toolChoice: TOOL_CHOICE_KEY },
    sampling: { keys: RESPONSES_SAMPLING_KEYS },
    tidy: TIDY_RESPONSES,
    read: ({ model, input, tools, tool_choice: choice, stream }) => ({
      model: toText(model) ?? '',
      messages: readItems(input, toText(model)),
      tools: toList(tools).map(({ name, description, parameters, strict }) => ({
        name: toText(name) ?? '',
        ...(typeof description === 'string' && { description }),
        parameters: toRecord(parameters),
        // False also stands for what was not asked for.
        ...(strict === true && { strict }),
      })),
      toolChoice: readChoice(choice),
      isStreaming: stream === true,
    }),
    write: (input) => toResponsesBody({ ...input, isAsGiven: true }).body,
  });

function readItems(input: unknown, model: string | undefined): Message[] {
  const messages: Message[] = [];
  let reply: JsonRecord[] = [];
  const endReply = (): void => {
    if (reply.length > 0) messages.push(readReply(reply, model));
    reply = [];
  };
  for (const item of toList(input)) {
    const { type, role, content } = item;
    const isSaid = type === 'message' && role === 'assistant';
    if (isSaid && reply.some((before) => before['type'] !== 'reasoning')) endReply();
    if (isSaid || type === 'function_call' || type === 'reasoning') {
      reply.push(item);
      continue;
    }
    endReply();
    if (type === 'function_call_output') messages.push(readResult(item));
    else messages.push({ role: role === 'system' ? role : 'user', content: toText(content) ?? '' });
  }
  endReply();
  return messages;
}

function readReply(items: readonly JsonRecord[], model: string | undefined): Message {
  const calls = items.filter(({ type }) => type === 'function_call');
  return {
    role: 'assistant',
    content: textOf(items),
    ...(calls.length > 0 && {
      toolCalls: calls.map(({ call_id: id, name, arguments: args }) => ({
        id: toText(id) ?? '',
        name: toText(name) ?? '',
        arguments: typeof args === 'string' ? toValue(args) : args,
        source: 'native',
      })),
    }),
    ...pruneUndefined({ replay: toReplay(items, model) }),
  };
}

function readResult({ call_id: id, output }: JsonRecord): Message {
  const text = toText(output) ?? '';
  const isError = text.startsWith(ERROR_MARK);
  return {
    role: 'tool',
    content: isError ? text.slice(ERROR_MARK.length) : text,
    ...pruneUndefined({ toolCallId: toText(id), isError: isError || undefined }),
  };
}

const toList = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.map(toRecord) : []);

// Converts the body of a chat request in either protocol to the neutral input that produces it. Anything else stays in `raw`. Pure.
import type { ToolType } from '../../types';
import { isRecord } from '../json-record';

export interface NeutralRequest {
  model: unknown;
  messages: object[];
  tools: Pick<ToolType, 'name' | 'description' | 'parameters'>[];
  sampling: Record<string, unknown>;
  raw: Record<string, unknown>;
  isStreamed: boolean;
}

/** @param sent Neutral sampling key → key in the request; `options.…` for a nested one. */
export function toNeutral(
  body: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, string>>,
  { isHosted }: { isHosted: boolean },
): NeutralRequest {
  const {
    model,
    messages: wireMessages,
    tools: wireTools,
    stream,
    stream_options: streamOptions,
    ...rest
  } = body;
  const messages = readAll(wireMessages, (message) => toMessage(message, isHosted));
  const tools = readAll(wireTools ?? [], toTool);
  const { sampling, raw } = takeSampling(rest, sent);
  const isUsual = JSON.stringify(streamOptions) === '{"include_usage":true}' && stream === true && isHosted;
  return {
    model,
    messages: messages ?? [],
    tools: tools ?? [],
    sampling,
    raw: {
      ...raw,
      ...(!messages && { messages: wireMessages }),
      ...(!tools && { tools: wireTools }),
      ...(streamOptions !== undefined && !isUsual && { stream_options: streamOptions }),
    },
    isStreamed: stream === true,
  };
}

/** @returns undefined when one of the values has no neutral form */
function readAll<T>(
  values: unknown,
  read: (value: Record<string, unknown>) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const found = values.map((value: unknown) => (isRecord(value) ? read(value) : undefined));
  return found.every((one) => one !== undefined) ? found : undefined;
}

function toMessage(message: Record<string, unknown>, isHosted: boolean): object | undefined {
  const {
    role,
    content,
    thinking,
    tool_calls: wireCalls = [],
    tool_name: toolName,
    tool_call_id: toolCallId,
    ...rest
  } = message;
  const calls = readAll(wireCalls, (call) => toCall(call, isHosted));
  if (typeof content !== 'string' || !calls || Object.keys(rest).length > 0) return undefined;
  return {
    role,
    content,
    ...(thinking !== undefined && { reasoning: thinking }),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(toolName !== undefined && { toolName }),
    ...(toolCallId !== undefined && { toolCallId }),
  };
}

function toCall(call: Record<string, unknown>, isHosted: boolean): object | undefined {
  const { id, function: called, extra_content: extraContent } = call;
  if (!isRecord(called)) return undefined;
  return {
    id,
    name: called['name'],
    arguments: isHosted ? toValue(called['arguments']) : called['arguments'],
    source: 'native',
    ...(isRecord(extraContent) && { extraContent }),
  };
}

/** Parses the text if printing the value gives the same text; otherwise returns the text. */
function toValue(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

function toTool(tool: Record<string, unknown>): NeutralRequest['tools'][number] | undefined {
  const { type, function: declared, ...rest } = tool;
  if (type !== 'function' || !isRecord(declared) || Object.keys(rest).length > 0) return undefined;
  const { name, description, parameters, ...others } = declared;
  const isPlain = typeof name === 'string' && isRecord(parameters) && Object.keys(others).length === 0;
  if (!isPlain || (description !== undefined && typeof description !== 'string')) return undefined;
  return { name, ...(description !== undefined && { description }), parameters };
}

function takeSampling(
  body: Record<string, unknown>,
  sent: Readonly<Record<string, string>>,
): { sampling: Record<string, unknown>; raw: Record<string, unknown> } {
  const raw = { ...body };
  const options = isRecord(body['options']) ? { ...body['options'] } : undefined;
  const sampling: Record<string, unknown> = {};
  for (const [neutral, path] of Object.entries(sent)) {
    const key = path.replace(/^options\./, '');
    const place = key === path ? raw : options;
    if (!place || !Object.hasOwn(place, key)) continue;
    sampling[neutral] = place[key];
    delete place[key];
  }
  delete raw['options'];
  const isLeft = options && Object.keys(options).length > 0;
  return { sampling, raw: { ...raw, ...(isLeft && { options }) } };
}

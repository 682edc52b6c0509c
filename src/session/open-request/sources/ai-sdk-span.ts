// Reads what the AI SDK writes into a span of OpenTelemetry: messages, tools and reply in attributes of its own. Pure.
// https://ai-sdk.dev/docs/ai-sdk-core/telemetry
import { isRecord } from '../../../library';
import { firstText, parseText, toTool } from '../chat-messages';

type Members = Record<string, unknown>;

export interface AiSdkSpan {
  /** In the form of the conventions of OpenTelemetry. */
  messages: Members[];
  output?: Members;
  /** The members of the request that the span has under names of its own. */
  body: Members;
  finishReason: string | undefined;
}

export function readAiSdkSpan(attributes: Members): AiSdkSpan {
  const messages = parseText(attributes['ai.prompt.messages']);
  const output = toOutput(attributes);
  const tools = attributes['ai.prompt.tools'];
  const choice = toChoice(parseText(attributes['ai.prompt.toolChoice']));
  return {
    messages: Array.isArray(messages) ? messages.filter(isRecord).map(toMessage) : [],
    ...(output && { output }),
    body: {
      ...(attributes['ai.model.id'] !== undefined && { model: attributes['ai.model.id'] }),
      ...(Array.isArray(tools) && tools.length > 0 && { tools: tools.map(toTool) }),
      ...(choice !== undefined && { tool_choice: choice }),
    },
    finishReason: firstText(attributes['ai.response.finishReason']),
  };
}

function toMessage({ role, content }: Members): Members {
  const parts = Array.isArray(content) ? content.filter(isRecord).map(toPart) : [toText(content)];
  return { role, parts };
}

const toText = (content: unknown): Members => ({ type: 'text', content });

function toPart(part: Members): Members {
  const { type, text, toolCallId: id } = part;
  if (type === 'text') return toText(text);
  if (type === 'reasoning') return { type, content: text };
  if (type === 'tool-call') return toCall(part);
  if (type !== 'tool-result') return { type };
  const output = part['output'] ?? part['result'];
  const response = isRecord(output) && 'value' in output ? output['value'] : output;
  return { type: 'tool_call_response', id, response };
}

const toCall = ({ toolCallId: id, toolName: name, input, args }: Members): Members => ({
  type: 'tool_call',
  id,
  name,
  arguments: input ?? args ?? {},
});

function toOutput(attributes: Members): Members | undefined {
  const text = attributes['ai.response.text'];
  const reasoning = attributes['ai.response.reasoning'];
  const calls = parseText(attributes['ai.response.toolCalls']);
  const parts = [
    ...(typeof reasoning === 'string' ? [{ type: 'reasoning', content: reasoning }] : []),
    ...(typeof text === 'string' ? [toText(text)] : []),
    ...(Array.isArray(calls) ? calls.filter(isRecord).map(toCall) : []),
  ];
  return parts.length > 0 ? { role: 'assistant', parts } : undefined;
}

function toChoice(choice: unknown): unknown {
  if (!isRecord(choice)) return undefined;
  const { type, toolName } = choice;
  return type === 'tool' ? { type: 'function', function: { name: toolName } } : type;
}

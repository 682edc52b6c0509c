// Reads what a recording needs to know of a chat request, in whatever protocol it is. Pure.
import { isRecord, parseJson } from '../library';
import type { ToolType } from '../types';

export interface RecordedChat {
  model?: string | undefined;
  /** Number of messages. */
  messages: number;
  /** The functions among the offered tools: what the program itself can do. */
  tools: ToolType[];
  /** Whether the model is told to make no call. */
  forbidsCalls: boolean;
  /** What the first message of the user says, as JSON; it is the same in all requests of one conversation. */
  opening?: string | undefined;
  /** The reply of which this request is the continuation, if it names one. */
  previousId?: string | undefined;
}

/** @returns undefined when the body is no JSON object, or was not kept as a whole */
export function readChat(body: string): RecordedChat | undefined {
  const fields = parseJson(body);
  if (!isRecord(fields)) return undefined;
  const { model, messages, input, tools, tool_choice: choice, previous_response_id: previousId } = fields;
  const list = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [];
  const first: unknown = list.find((message) => isRecord(message) && message['role'] === 'user');
  const opening = isRecord(first) ? first['content'] : input;
  const choiceKind = isRecord(choice) ? choice['type'] : choice;
  return {
    model: toText(model),
    messages: typeof input === 'string' ? 1 : list.length,
    tools: Array.isArray(tools) ? tools.flatMap(readTool) : [],
    forbidsCalls: choiceKind === 'none',
    opening: typeof opening === 'string' || Array.isArray(opening) ? JSON.stringify(opening) : undefined,
    previousId: toText(previousId),
  };
}

/** A tool that the server itself runs has no parameters, and its calls are not the program's to make. */
function readTool(tool: unknown): ToolType[] {
  if (!isRecord(tool)) return [];
  const declared = isRecord(tool['function']) ? tool['function'] : tool;
  const { name, description } = declared;
  const parameters = declared['parameters'] ?? declared['input_schema'];
  const isFunction = tool['type'] === 'function' || isRecord(declared['input_schema']);
  if (!isFunction || typeof name !== 'string' || name === '') return [];
  return [
    {
      name,
      ...(typeof description === 'string' && { description }),
      parameters: isRecord(parameters) ? parameters : {},
    },
  ];
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

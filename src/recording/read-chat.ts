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
  /**
   * What the user says before the first reply, as JSON; it is the same in all requests of one conversation. Programs write into
   * messages of their own what is the same in all of them, such as the folder they work in, before the one of the person.
   */
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
  const choiceKind = isRecord(choice) ? choice['type'] : choice;
  return {
    model: toText(model),
    messages: typeof input === 'string' ? 1 : list.length,
    tools: Array.isArray(tools) ? tools.flatMap(readTool) : [],
    forbidsCalls: choiceKind === 'none',
    opening: typeof input === 'string' ? JSON.stringify([input]) : readOpening(list),
    previousId: toText(previousId),
  };
}

const SAID_BEFORE = new Set<unknown>(['system', 'developer', 'user']);

function readOpening(list: readonly unknown[]): string | undefined {
  const said: unknown[] = [];
  for (const message of list) {
    if (!isRecord(message) || !SAID_BEFORE.has(message['role'])) break;
    if (message['role'] === 'user') said.push(message['content'] ?? null);
  }
  return said.length > 0 ? JSON.stringify(said) : undefined;
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

// Translates what the editor's chat asks for into a run: its messages, tools and options. Pure; knows the parts of the editor
// by their shape alone, because some exist at run time without a type.
import { t } from '@vscode/l10n';
import type { Setup } from '../../session';
import type { Message, ProviderToolCall, ToolChoice } from '../../types';
import type { IgnoredOptions } from './read-options';
import { readOptions } from './read-options';

/** A message as the editor hands it over; role 3 is the system's, although the enum has no such member. */
export interface EditorMessage {
  readonly role: number;
  readonly content: readonly unknown[];
}

export interface EditorOptions {
  readonly modelOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: readonly EditorTool[] | undefined;
  /** 2: the model must call a tool. */
  readonly toolMode?: number | undefined;
}

interface EditorTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

/** What a run is asked to send. */
export interface AskedOfModel extends Pick<
  Setup,
  'system' | 'tools' | 'messages' | 'sampling' | 'raw' | 'toolChoice'
> {
  /** Options that are not sent. */
  ignored: IgnoredOptions;
  /** Number of parts that a model cannot be sent, such as marks of the editor for its own services. */
  dropped: number;
}

const SYSTEM = 3;
const ASSISTANT = 2;
const REQUIRED = 2;
/** JSON Schema of a tool that says nothing of its arguments. */
const NO_PARAMETERS = { type: 'object', properties: {} };

/** @param allowed What the person lets other extensions decide. */
export function toAsked(
  messages: readonly EditorMessage[],
  options: EditorOptions,
  { takesRawOptions = false }: { takesRawOptions?: boolean } = {},
): AskedOfModel {
  const reader = new MessageReader();
  for (const message of messages) reader.read(message);
  const { tools = [], toolMode, modelOptions = {} } = options;
  const isRequired = toolMode === REQUIRED && tools.length > 0;
  const toolChoice: ToolChoice | undefined = isRequired ? 'required' : undefined;
  return {
    system: reader.system.join('\n\n'),
    messages: reader.messages,
    dropped: reader.dropped,
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      parameters: { ...(inputSchema ?? NO_PARAMETERS) },
      offered: true,
      mocks: [],
    })),
    ...readOptions(modelOptions, takesRawOptions),
    ...(toolChoice && { toolChoice }),
  };
}

class MessageReader {
  readonly system: string[] = [];
  readonly messages: Message[] = [];
  dropped = 0;
  /** Names of the called tools by the id of the call. */
  readonly #called = new Map<string, string>();

  read({ role, content }: EditorMessage): void {
    const texts: string[] = [];
    const reasoning: string[] = [];
    const toolCalls: ProviderToolCall[] = [];
    for (const part of content) {
      const read = readPart(part);
      if (read.kind === 'text') texts.push(read.text);
      else if (read.kind === 'reasoning') reasoning.push(read.text);
      else if (read.kind === 'call') toolCalls.push(this.#note(read.call));
      // Results stand before what the person adds to them.
      else if (read.kind === 'result') this.messages.push(this.#toResult(read));
      else if (read.kind === 'image') texts.push(t('[an image was left out]'));
      else this.dropped++;
    }
    const text = texts.join('');
    if (role === SYSTEM) {
      if (text !== '') this.system.push(text);
    } else if (role === ASSISTANT) {
      const thought = reasoning.join('');
      this.messages.push({
        role: 'assistant',
        content: text,
        ...(toolCalls.length > 0 && { toolCalls }),
        ...(thought !== '' && { reasoning: thought }),
      });
    } else if (text !== '') this.messages.push({ role: 'user', content: text });
  }

  #note(call: ProviderToolCall): ProviderToolCall {
    this.#called.set(call.id, call.name);
    return call;
  }

  #toResult({ callId, content, isError }: ReadPart & { kind: 'result' }): Message {
    const texts: string[] = [];
    for (const part of content) {
      const read = readPart(part);
      if (read.kind === 'text') texts.push(read.text);
      else if (read.kind === 'image') texts.push(t('[an image was left out]'));
      else this.dropped++;
    }
    const toolName = this.#called.get(callId);
    return {
      role: 'tool',
      content: texts.join(''),
      toolCallId: callId,
      ...(toolName !== undefined && { toolName }),
      ...(isError && { isError }),
    };
  }
}

type ReadPart =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'call'; call: ProviderToolCall }
  | { kind: 'result'; callId: string; content: readonly unknown[]; isError: boolean }
  | { kind: 'image' }
  | { kind: 'unknown' };

function readPart(part: unknown): ReadPart {
  if (typeof part !== 'object' || part === null) return { kind: 'unknown' };
  const fields = part as Readonly<Record<string, unknown>>;
  const { value, name, callId, input, content, mimeType, isError } = fields;
  if (typeof callId === 'string' && typeof name === 'string')
    return { kind: 'call', call: { id: callId, name, arguments: input ?? {}, source: 'native' } };
  if (typeof callId === 'string' && Array.isArray(content))
    return { kind: 'result', callId, content, isError: isError === true };
  if (typeof mimeType === 'string') return { kind: mimeType.startsWith('image/') ? 'image' : 'unknown' };
  const text = Array.isArray(value) ? value.join('') : value;
  if (typeof text !== 'string') return { kind: 'unknown' };
  // Only a part of thinking has an id or metadata beside its text; a text part has its value alone.
  return { kind: 'id' in fields || 'metadata' in fields ? 'reasoning' : 'text', text };
}

// Translates a chat into a request to a model of the editor, and lists what it has no form for. Pure; independent of vscode.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { Message, ProviderToolCall, SamplingParams, ToolChoice, ToolType } from '../../types';
import type { EditorMessage, EditorPart, EditorRequest } from './editor-model';
import { COPILOT_VENDOR } from './editor-model';

/** The chat as the library hands it over: sampling merged. */
export interface EditorChat {
  vendor: string;
  messages: readonly Message[];
  tools: readonly ToolType[];
  sampling: SamplingParams;
  toolChoice: ToolChoice | undefined;
}

export interface TranslatedChat {
  request: EditorRequest;
  /** Neutral sampling key → its place in the request. */
  sent: Record<string, string>;
  dropped: string[];
  /** Places of arguments that were no JSON object. */
  replaced: string[];
  /** What else is different, in sentences. */
  changed: string[];
}

/** @returns why the editor would refuse it, in a sentence, when it cannot be sent */
export function toEditorRequest(chat: EditorChat): TranslatedChat | string {
  const offer = toOffer(chat);
  if (typeof offer === 'string') return offer;
  const history = toHistory(chat.messages);
  const options = toOptions(chat);
  const { modelOptions } = options;
  return {
    request: {
      messages: history.messages,
      ...offer.parts,
      ...(Object.keys(modelOptions).length > 0 && { modelOptions }),
    },
    sent: options.sent,
    dropped: options.dropped,
    replaced: history.replaced,
    changed: [...history.changed, ...offer.changed, ...options.changed],
  };
}

function toHistory(said: readonly Message[]): Pick<TranslatedChat, 'replaced' | 'changed'> & {
  messages: EditorMessage[];
} {
  const messages: EditorMessage[] = [];
  const [replaced, changed] = [[] as string[], [] as string[]];
  const isOpening = said.findIndex(({ role }) => role !== 'system');
  let results: EditorPart[] | undefined;
  for (const [index, message] of said.entries()) {
    if (message.role === 'tool') {
      // The answers to the calls of one reply go back together.
      if (!results) messages.push({ role: 'user', content: (results = []) });
      results.push(toResult(message));
      continue;
    }
    results = undefined;
    const content = toParts(message, (at) =>
      replaced.push(`messages[${messages.length}].content[${at}].input`),
    );
    // The editor has no form for a reply without content.
    if (content.length === 0) replaced.push(`messages[${index}]`);
    else messages.push({ role: message.role === 'assistant' ? 'assistant' : 'user', content });
  }
  const systemTexts = said.filter(({ role }) => role === 'system').length;
  if (systemTexts > 0)
    changed.push(
      isOpening === systemTexts || isOpening < 0
        ? t("The system prompt was sent as the user's first message: VS Code has no role for it.")
        : t("System text was sent as the user's messages, each at its place: VS Code has no role for it."),
    );
  return { messages, replaced, changed };
}

function toParts({ content, toolCalls = [] }: Message, onReplaced: (at: number) => void): EditorPart[] {
  const texts: EditorPart[] = content === '' ? [] : [{ type: 'text', value: content }];
  const calls = toolCalls.map(({ id, name, arguments: value }: ProviderToolCall, index): EditorPart => {
    if (isRecord(value)) return { type: 'call', callId: id, name, input: value };
    onReplaced(texts.length + index);
    return { type: 'call', callId: id, name, input: {} };
  });
  return [...texts, ...calls];
}

const toResult = ({ content, toolCallId = '', isError }: Message): EditorPart => ({
  type: 'result',
  callId: toolCallId,
  content: isError ? `Error: ${content}` : content,
});

/** What Copilot refuses. */
const MAX_TOOLS = 128;
const TOOL_NAME = /^[\w-]+$/;

interface Offer {
  parts: Pick<EditorRequest, 'tools' | 'toolMode'>;
  changed: string[];
}

function toOffer({ vendor, tools, toolChoice, messages }: EditorChat): Offer | string {
  if (tools.length === 0) return { parts: {}, changed: [] };
  if (toolChoice === 'none') return { parts: {}, changed: [withoutTools(messages)] };
  const named = typeof toolChoice === 'object' ? toolChoice.tool : undefined;
  const offered = named === undefined ? tools : tools.filter(({ name }) => name === named);
  const isRequired = named !== undefined || toolChoice === 'required';
  if (isRequired && offered.length !== 1)
    return t(
      'VS Code can require a call only where one tool is offered, and {0} are. Offer one tool, or name the tool in Tool choice.',
      offered.length,
    );
  const refused = vendor === COPILOT_VENDOR && findRefused(offered);
  if (typeof refused === 'string') return refused;
  const others = tools.length - offered.length;
  return {
    parts: {
      tools: offered.map(({ name, description = '', parameters }) => ({
        name,
        description,
        inputSchema: { ...parameters },
      })),
      toolMode: isRequired ? 'required' : 'auto',
    },
    changed:
      others > 0
        ? [
            t(
              'Only `{0}` was offered, and a call required: VS Code has no way to name a tool. The other tools ({1}) were left out.',
              offered[0]?.name ?? '',
              others,
            ),
          ]
        : [],
  };
}

function withoutTools(messages: readonly Message[]): string {
  const left = t('The tools were left out: VS Code has no way to forbid calls.');
  return messages.some(({ toolCalls = [] }) => toolCalls.length > 0)
    ? `${left} ${t('The conversation has calls, and a model may refuse it without tools.')}`
    : left;
}

function findRefused(tools: readonly ToolType[]): string | undefined {
  if (tools.length > MAX_TOOLS)
    return t('Copilot takes at most {0} tools, and {1} are offered. Offer fewer.', MAX_TOOLS, tools.length);
  const wrong = tools.find(({ name }) => !TOOL_NAME.test(name));
  return wrong && t('Copilot refuses the name of the tool “{0}”: use letters, digits, _ and -.', wrong.name);
}

/** Names of the options, those of OpenAI, which is what vendors that read them expect. */
export const OPTION_NAMES = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  maxTokens: 'max_tokens',
  numCtx: 'num_ctx',
  stop: 'stop',
  repeatPenalty: 'repeat_penalty',
} as const satisfies Record<keyof SamplingParams, string>;

/** Those that Copilot passes on; it drops all others without a word. */
const COPILOT_OPTIONS: readonly string[] = ['temperature', 'maxTokens', 'stop'];

function toOptions({ vendor, sampling }: EditorChat): Pick<TranslatedChat, 'sent' | 'dropped' | 'changed'> & {
  modelOptions: Record<string, unknown>;
} {
  const isCopilot = vendor === COPILOT_VENDOR;
  const modelOptions: Record<string, unknown> = {};
  const sent: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [key, name] of Object.entries(OPTION_NAMES)) {
    const value = sampling[key as keyof SamplingParams];
    if (value === undefined) continue;
    const passed = isCopilot && Array.isArray(value) && value.length === 1 ? value[0] : value;
    // Copilot takes one text to stop at, and drops a list.
    if (isCopilot && (!COPILOT_OPTIONS.includes(key) || Array.isArray(passed))) dropped.push(key);
    else {
      modelOptions[name] = passed;
      sent[key] = `modelOptions.${name}`;
    }
  }
  const names = Object.keys(modelOptions).map((name) => `\`${name}\``);
  const isUnsure = !isCopilot && names.length > 0;
  return {
    modelOptions,
    sent,
    dropped,
    changed: isUnsure
      ? [
          t(
            '{0}: passed on to the extension of this model. Whether it has an effect is not known.',
            names.join(', '),
          ),
        ]
      : [],
  };
}

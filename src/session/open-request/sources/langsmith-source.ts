// Reads the runs of models in an export of LangSmith, also those within other runs.
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import { durationOf, toFound, toTime, toTool } from '../chat-messages';
import type { FoundRequest, RequestSource } from '../found-request';
import { UnreadRequest } from '../found-request';

type Members = Record<string, unknown>;

export const LANGSMITH_SOURCE: RequestSource = {
  id: 'langsmith',
  title: () => t('LangSmith export'),
  reads: ({ json }) => (collectRuns(json, 0).length > 0 ? 3 : 0),
  read: ({ json }) => {
    const found = collectRuns(json, 0).flatMap(toRequest);
    if (found.length > 0) return found;
    throw new UnreadRequest(
      t('The export has no run of a model with its messages.'),
      t('Export a run of the type llm, with its inputs.'),
    );
  },
};

const MAX_DEPTH = 30;

/** All runs, those of models or not. */
function collectRuns(value: unknown, depth: number): Members[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => collectRuns(one, depth + 1));
  if (!isRecord(value)) return [];
  const { run_type: type, inputs, child_runs: children, runs } = value;
  const own = typeof type === 'string' && isRecord(inputs) ? [value] : [];
  return [...own, ...collectRuns(children ?? runs, depth + 1)];
}

/** What LangChain logs where a model is asked, and where it has answered. */
export function readLangChainLog(value: unknown): FoundRequest | undefined {
  const { prompts, generations } = toRecord(value);
  const [asked] = Array.isArray(prompts) ? toRequest({ inputs: { prompts } }) : [];
  if (asked)
    return {
      ...asked,
      leftOut: [...asked.leftOut, t('what the log does not say: the model, its tools and settings')],
    };
  const [answered] = Array.isArray(generations)
    ? toRequest({ inputs: { prompts: [''] }, outputs: toRecord(value) })
    : [];
  return answered?.reply && answered;
}

function toRequest(run: Members): FoundRequest[] {
  const { name, inputs, outputs, extra, start_time: start, end_time: end } = run;
  const messages = messagesIn(toRecord(inputs));
  if (messages.length === 0) return [];
  const startedAt = toTime(start);
  const {
    _type,
    model_name: model,
    base_url: url,
    ...parameters
  } = toRecord(toRecord(extra)['invocation_params']);
  const metadata = toRecord(toRecord(extra)['metadata']);
  const { message, finishReason, usage } = replyIn(toRecord(outputs));
  const { messages: _messages, prompts: _prompts, prompt: _prompt, ...given } = toRecord(inputs);
  return [
    toFound({
      title: typeof name === 'string' ? name : undefined,
      url: typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined,
      messages,
      body: withTools({ model: model ?? metadata['ls_model_name'], ...parameters, ...given }),
      output: message,
      finishReason,
      usage,
      startedAt,
      durationMs: durationOf(startedAt, toTime(end)),
    }),
  ];
}

/** The messages are in one form for all services, so the tools are, too. */
const withTools = (body: Members): Members =>
  Array.isArray(body['tools']) ? { ...body, tools: body['tools'].map(toTool) } : body;

/** LangChain has a list for each prompt, of which there is one. */
function messagesIn({ messages, prompts, prompt }: Members): unknown[] {
  if (Array.isArray(messages)) return Array.isArray(messages[0]) ? (messages[0] as unknown[]) : messages;
  const [text] = Array.isArray(prompts) ? (prompts as unknown[]) : [prompt];
  return typeof text === 'string' ? splitPrompt(text) : [];
}

const SPEAKER = /^(System|Human|AI|Tool|Function): /gm;
const SPEAKERS: Readonly<Record<string, string>> = { System: 'system', Human: 'user', AI: 'assistant' };

/** LangChain writes a conversation as one text in which each message begins with who said it; any other is one message. */
function splitPrompt(text: string): unknown[] {
  const starts = [...text.matchAll(SPEAKER)];
  if (starts[0]?.index !== 0) return [text];
  return starts.map(({ 0: prefix, 1: speaker = '', index }, at) => ({
    role: SPEAKERS[speaker] ?? 'tool',
    content: text.slice(index + prefix.length, starts[at + 1]?.index).trimEnd(),
  }));
}

interface RunReply {
  message: unknown;
  finishReason?: string | undefined;
  usage?: { input?: unknown; output?: unknown } | undefined;
}

function replyIn(outputs: Members): RunReply {
  const { generations, message, output } = outputs;
  const first: unknown = Array.isArray(generations) ? generations.flat()[0] : undefined;
  if (!isRecord(first)) return { message: outputs['choices'] ? outputs : (message ?? output) };
  const { message: said, text, generation_info: info } = first;
  const { response_metadata: response, usage_metadata: usage } = toRecord(toRecord(said)['kwargs'] ?? said);
  const reason = toRecord(response)['finish_reason'] ?? toRecord(info)['finish_reason'];
  const counts = toRecord(
    toRecord(outputs['llm_output'])['token_usage'] ?? toRecord(response)['token_usage'],
  );
  return {
    message: said ?? { role: 'assistant', content: text },
    finishReason: typeof reason === 'string' ? reason : undefined,
    usage: {
      input: toRecord(usage)['input_tokens'] ?? counts['prompt_tokens'],
      output: toRecord(usage)['output_tokens'] ?? counts['completion_tokens'],
    },
  };
}

const toRecord = (value: unknown): Members => (isRecord(value) ? value : {});

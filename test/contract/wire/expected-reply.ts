// What a recorded answer contains, read in the simplest way that the protocols permit; suitable only for these two
// well-behaved servers.
import type { RecordedExchange } from '../../support/messages/recorded';
import type { Protocol } from './neutral-input';

export type ExpectedReply =
  | { is: 'refused'; status: number; words: string | undefined }
  | { is: 'broken'; words: string | undefined; partial: string }
  | {
      is: 'turn';
      content: string;
      reasoning: string;
      calls: { name: string; arguments: string }[];
      finishReason: string | undefined;
      promptTokens: number | undefined;
      completionTokens: number | undefined;
    };

interface Part {
  content: string | null;
  reasoning_content?: string;
  reasoning?: string;
  thinking?: string;
  tool_calls?: {
    index?: number;
    function: { index?: number; name?: string; arguments: unknown };
  }[];
}

interface Document {
  error?: string | { message: string };
  message?: Part;
  done?: boolean;
  done_reason?: string;
  prompt_eval_count?: number;
  eval_count?: number;
  choices?: { message?: Part; delta?: Part; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number };
}

const isStream = (body: string): boolean => body.startsWith('data: ') || body.includes('}\n{');

export function readExpected(protocol: Protocol, { response }: RecordedExchange): ExpectedReply {
  const { status, body } = response;
  if (status >= 300) return { is: 'refused', status, words: wordsOf(body) };
  const lines = isStream(body) ? body.split('\n').map((line) => line.replace(/^data: /, '')) : [body];
  const documents = lines
    .filter((line) => line !== '' && line !== '[DONE]')
    .map((line) => JSON.parse(line) as Document);
  const parts = documents.flatMap((document) => partOf(document) ?? []);
  const content = parts.map((part) => part.content ?? '').join('');
  const failed = documents.find(({ error }) => error !== undefined);
  const last = documents.findLast((document) => finishOf(document) !== undefined);
  const isCut = last === undefined && (isStream(body) || documents[0]?.done === false);
  if (failed || isCut)
    return { is: 'broken', words: failed && wordsOf(JSON.stringify(failed)), partial: content };
  const counted = documents.findLast(({ usage }) => usage) ?? last;
  return {
    is: 'turn',
    content,
    reasoning: parts.map((part) => part.reasoning_content ?? part.reasoning ?? part.thinking ?? '').join(''),
    calls: joinCalls(protocol, parts),
    finishReason: last && (finishOf(last) || undefined),
    promptTokens: counted?.usage?.prompt_tokens ?? counted?.prompt_eval_count,
    completionTokens: counted?.usage?.completion_tokens ?? counted?.eval_count,
  };
}

const partOf = ({ message, choices }: Document): Part | undefined =>
  message ?? choices?.[0]?.message ?? choices?.[0]?.delta;

/** The finish reason; undefined unless the document ends the reply. */
const finishOf = ({ done, done_reason: reason, choices }: Document): string | undefined =>
  done === true ? (reason ?? '') : (choices?.[0]?.finish_reason ?? undefined);

function joinCalls(protocol: Protocol, parts: Part[]): { name: string; arguments: string }[] {
  const pieces = parts.flatMap((part) => part.tool_calls ?? []);
  if (protocol === 'local')
    return pieces.map(({ function: target }) => ({
      name: target.name ?? '',
      arguments: JSON.stringify(target.arguments),
    }));
  const calls: { name: string; arguments: string }[] = [];
  for (const { index, function: target } of pieces) {
    const call = (calls[index ?? calls.length] ??= { name: '', arguments: '' });
    call.name += target.name ?? '';
    call.arguments += target.arguments as string;
  }
  return calls;
}

/** The error's text. Ollama wraps the error of its runner: the text is then a JSON document itself. */
function wordsOf(body: string): string | undefined {
  if (!body.startsWith('{')) return body === '' ? undefined : body;
  const { error } = JSON.parse(body) as { error: string | { message: string } };
  const words = typeof error === 'string' ? error : error.message;
  return words.startsWith('{"error"') ? wordsOf(words) : words;
}

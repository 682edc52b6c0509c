// Findings about what was really sent and read: tools that did not go along, a prompt that was cut, a side of a server that
// takes no context size. Pure.
import type { ChatTurn } from '../types';
import { CHAT_PATHS } from './copy/copy-forms';
import { isRecord } from './copy/neutral-request';
import type { Diagnosis, DiagnosisInput } from './diagnose';

/** Below it a prompt is too short for its counts to tell anything. */
const LEAST_CHARACTERS = 8_000;
/** No text of a person or a program has so many characters in a token, on average. */
const MOST_PER_TOKEN = 12;
const USUAL_PER_TOKEN = 4;
/** A prompt this near to the context leaves no room for a reply. */
const FULL = 0.97;

export function ofPrompt(input: DiagnosisInput): Diagnosis[] {
  const body = chatBody(input.turn);
  if (!body) return [];
  return [...ofTools(input, body), ...ofCut(input.turn, body), ...ofFull(input.turn, body)];
}

/** Of a chat of one of the two protocols; what other providers send has words of its own. */
function chatBody({ exchange }: Pick<ChatTurn, 'exchange'>): Record<string, unknown> | undefined {
  const [path = ''] = exchange.request.url.split(/[?#]/, 1);
  if (!Object.values(CHAT_PATHS).some((end) => end.test(path))) return undefined;
  try {
    const value: unknown = JSON.parse(exchange.request.body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function ofTools({ tools, turn }: DiagnosisInput, body: Record<string, unknown>): Diagnosis[] {
  const sent = Array.isArray(body['tools']) ? body['tools'].length : 0;
  if (tools.length === 0 || sent > 0) return [];
  const isRaw = turn.exchange.overridden.includes('tools');
  return [
    {
      severity: 'error',
      what: `Tools are offered, and none went along: the request has no \`tools\`${isRaw ? ', because `raw` replaces them' : ''}.`,
      next: isRaw ? 'Take `tools` out of `raw`.' : 'Look at the request in the tab Wire.',
      tab: 'wire',
    },
  ];
}

/** Servers drop the front of a prompt that is too long, which is where the system prompt and the tools stand. */
function ofCut({ raw, exchange }: ChatTurn, body: Record<string, unknown>): Diagnosis[] {
  const { promptTokens } = raw.usage;
  const characters = promptLength(body);
  if (promptTokens === undefined || characters < LEAST_CHARACTERS) return [];
  if (promptTokens >= characters / MOST_PER_TOKEN) return [];
  const about = Math.round(characters / USUAL_PER_TOKEN);
  const isOllama = isOllamaHosted(exchange);
  return [
    {
      severity: 'warning',
      what: `The server read ${promptTokens} tokens of a prompt of ${characters} characters, which is about ${about} tokens: its front was probably cut, and the system prompt and the tools stand there.`,
      next: isOllama
        ? 'This is the `/v1` side of Ollama, which takes no context size: use a connection of its own protocol and set Context size, or send less.'
        : 'Raise Context size, or send less.',
      tab: 'wire',
    },
  ];
}

function ofFull({ raw }: ChatTurn, body: Record<string, unknown>): Diagnosis[] {
  const { promptTokens, completionTokens = 0 } = raw.usage;
  const options = isRecord(body['options']) ? body['options'] : {};
  const size = options['num_ctx'];
  if (typeof size !== 'number' || promptTokens === undefined || size <= 0) return [];
  const isPrompt = promptTokens >= size * FULL;
  if (!isPrompt && promptTokens + completionTokens < size) return [];
  const what = isPrompt
    ? `The prompt fills the context: ${promptTokens} of ${size} tokens, so there is no room for a reply and the front may be cut.`
    : `Prompt and reply fill the context: ${promptTokens} and ${completionTokens} of ${size} tokens.`;
  return [{ severity: 'warning', what, next: 'Raise Context size, or send less.', tab: 'wire' }];
}

/** Characters of what the model reads as text; pictures are none. */
function promptLength(body: Record<string, unknown>): number {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const texts = messages.map((message: unknown) => (isRecord(message) ? textLength(message['content']) : 0));
  const tools = Array.isArray(body['tools']) ? JSON.stringify(body['tools']).length : 0;
  return texts.reduce((sum, length) => sum + length, tools);
}

function textLength(content: unknown): number {
  if (typeof content === 'string') return content.length;
  if (!Array.isArray(content)) return 0;
  const parts = content.map((part: unknown) =>
    isRecord(part) && typeof part['text'] === 'string' ? part['text'].length : 0,
  );
  return parts.reduce((sum, length) => sum + length, 0);
}

const isOllamaHosted = ({ response }: ChatTurn['exchange']): boolean =>
  /"system_fingerprint"\s*:\s*"fp_ollama"/.test(response?.body.slice(0, 10_000) ?? '');

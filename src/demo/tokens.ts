// Token counts from texts, about four characters each: deterministic, and near enough for a demonstration.
import type { DemoRequest, DemoTurn } from './scenario';

export const CHARACTERS_PER_TOKEN = 4;

export interface DemoUsage {
  /** The whole prompt, its cached part included. */
  promptTokens: number;
  completionTokens: number;
  /** The part of the prompt that the previous one began with. */
  cachedTokens: number;
}

export function countTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** The prompt as a chat template would render it: what is counted, and compared with the one before. */
export function renderPrompt(request: Pick<DemoRequest, 'messages' | 'tools'>): string {
  const tools = request.tools.map((tool) => JSON.stringify(tool)).join('\n');
  const turns = request.messages.map((message) => {
    const calls = message.toolCalls?.map((call) => `\n${JSON.stringify([call.name, call.arguments])}`) ?? [];
    return `<|im_start|>${message.role}\n${message.content}${calls.join('')}<|im_end|>\n`;
  });
  return `${tools === '' ? '' : `<tools>\n${tools}\n</tools>\n`}${turns.join('')}<|im_start|>assistant\n`;
}

/** What the model wrote; a native call counts as its name and its arguments. */
export function renderCompletion(turn: DemoTurn): string {
  const calls = turn.toolCalls.map((call) => call.name + call.argumentsText);
  return `${turn.reasoning ?? ''}${turn.content}${calls.join('')}`;
}

/** Remembers the last prompt, as a server with one slot does. */
export class PromptCache {
  #lastPrompt = '';

  /** Counts a prompt and its completion; at least the prompt's last token is never taken from the cache. */
  count(prompt: string, completion: string): DemoUsage {
    const promptTokens = countTokens(prompt);
    const shared = Math.floor(sharedPrefixLength(prompt, this.#lastPrompt) / CHARACTERS_PER_TOKEN);
    this.#lastPrompt = prompt;
    return {
      promptTokens,
      completionTokens: countTokens(completion),
      cachedTokens: Math.max(0, Math.min(shared, promptTokens - 1)),
    };
  }
}

function sharedPrefixLength(left: string, right: string): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left[length] === right[length]) length += 1;
  return length;
}

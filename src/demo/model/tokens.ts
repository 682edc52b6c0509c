// Estimates token counts from texts, at four characters per token: deterministic, and accurate enough for a demonstration.
import type { DemoRequest, DemoTurn } from './scenario';

export const CHARACTERS_PER_TOKEN = 4;

export interface DemoUsage {
  /** The whole prompt, including its cached part. */
  promptTokens: number;
  completionTokens: number;
  /** The part of the prompt that is equal to the beginning of the previous prompt. */
  cachedTokens: number;
}

export function countTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** The prompt as a chat template would render it. It is what is counted, and compared with the previous prompt. */
export function renderPrompt(request: Pick<DemoRequest, 'messages' | 'tools'>): string {
  const tools = request.tools.map((tool) => JSON.stringify(tool)).join('\n');
  const turns = request.messages.map((message) => {
    const calls = message.toolCalls?.map((call) => `\n${JSON.stringify([call.name, call.arguments])}`) ?? [];
    return `<|im_start|>${message.role}\n${message.content}${calls.join('')}<|im_end|>\n`;
  });
  return `${tools === '' ? '' : `<tools>\n${tools}\n</tools>\n`}${turns.join('')}<|im_start|>assistant\n`;
}

/** The text that the model wrote; a native call counts as its name and its arguments. */
export function renderCompletion(turn: DemoTurn): string {
  const calls = turn.toolCalls.map((call) => call.name + call.argumentsText);
  return `${turn.reasoning ?? ''}${turn.content}${calls.join('')}`;
}

/** Stores the last prompt, like a server with one slot. */
export class PromptCache {
  #lastPrompt = '';

  /** Counts a prompt and its completion. The last token of the prompt is never taken from the cache. */
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

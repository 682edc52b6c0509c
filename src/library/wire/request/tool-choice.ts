// The tool choice: written as chat completions have it, and read in the form of every protocol that has one. Pure.
import type { SentToolChoice, ToolChoice } from '../../../types';
import { toRecord, toText } from '../../util/json';

export const TOOL_CHOICE_KEY = 'tool_choice';

export type WireToolChoice = 'auto' | 'none' | 'required' | { type: 'function'; function: { name: string } };

/** The field of the body; empty without tools, beside which servers refuse it: there is nothing to choose. */
export function toToolChoiceField(
  choice: ToolChoice | undefined,
  tools: readonly unknown[],
): { [TOOL_CHOICE_KEY]?: WireToolChoice } {
  if (choice === undefined || tools.length === 0) return {};
  return {
    [TOOL_CHOICE_KEY]:
      typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } },
  };
}

/** What a body says, whoever wrote it; undefined when it says nothing that is known. */
export function readToolChoice(body: Readonly<Record<string, unknown>>): SentToolChoice | undefined {
  const choice = readChoice(body[TOOL_CHOICE_KEY]);
  return choice && { choice, key: TOOL_CHOICE_KEY };
}

/**
 * `any` is the word of Mistral and of the Messages API for `required`; `allowed_tools` (OpenAI) contains one of the words. The
 * Messages API has each word as a `type`; there and in the Responses API the name of a tool stands beside the type.
 */
export function readChoice(value: unknown): ToolChoice | undefined {
  if (value === 'auto' || value === 'none' || value === 'required') return value;
  if (value === 'any') return 'required';
  const { type, name, mode, function: named, custom, allowed_tools: allowed } = toRecord(value);
  const tool = toText(name) ?? toText(toRecord(named)['name']) ?? toText(toRecord(custom)['name']);
  if (tool !== undefined) return { tool };
  if (type === 'allowed_tools') return readChoice(mode ?? toRecord(allowed)['mode']);
  return typeof type === 'string' ? readChoice(type) : undefined;
}

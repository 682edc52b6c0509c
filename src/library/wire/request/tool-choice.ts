// The tool choice in the form of the OpenAI protocol. Servers of other protocols have none, or ignore this one. Pure.
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

/** `any` is Mistral's word for `required`; `allowed_tools` (OpenAI) contains one of the words. */
export function readChoice(value: unknown): ToolChoice | undefined {
  if (value === 'auto' || value === 'none' || value === 'required') return value;
  if (value === 'any') return 'required';
  const { function: named, custom, allowed_tools: allowed } = toRecord(value);
  const tool = toText(toRecord(named)['name']) ?? toText(toRecord(custom)['name']);
  if (tool !== undefined) return { tool };
  return allowed === undefined ? undefined : readChoice(toRecord(allowed)['mode']);
}

// Checks the arguments of a call, so that a wrong one is refused by its name before anything is sent. Independent of
// protocols.
import { InvalidOptionsError } from '../../errors';
import { checkSampling } from '../../sampling/check-sampling';
import { checkText, checkType } from '../../util/check-options';
import type { JsonRecord } from '../../util/json';
import { isListOf, isRecord, toRecord } from '../../util/json';
import type { ChatOptions } from '../call-options';

/** Checks all options of a chat but its signal. @throws InvalidOptionsError */
export function checkChat(options: ChatOptions): ChatOptions {
  checkMessages('messages', options.messages);
  checkTools(options.tools);
  for (const name of ['onDelta', 'onProgress', 'onAttempt'] as const)
    checkType(name, options[name], 'function');
  checkSampling(options.sampling);
  if (options.body !== undefined) checkText('body', options.body);
  checkToolChoice(options);
  return options;
}

/** @throws InvalidOptionsError */
export function checkMessages(field: string, messages: unknown): void {
  if (!isListOfRecords(messages)) throw new InvalidOptionsError(field, 'must be a list of messages');
  const bad = messages.findIndex(({ toolCalls = [] }) => !isListOfRecords(toolCalls));
  if (bad >= 0) throw new InvalidOptionsError(`${field}[${bad}].toolCalls`, 'must be a list of calls');
}

/** @throws InvalidOptionsError */
function checkToolChoice({ toolChoice, tools = [] }: ChatOptions): void {
  if (toolChoice === undefined || typeof toolChoice === 'string') {
    if (toolChoice === undefined || CHOICES.has(toolChoice)) return;
    throw new InvalidOptionsError('toolChoice', "must be 'auto', 'none', 'required' or { tool }");
  }
  checkText('toolChoice.tool', toRecord(toolChoice)['tool']);
  if (!tools.some(({ name }) => name === toolChoice.tool))
    throw new InvalidOptionsError('toolChoice.tool', 'must be the name of an offered tool');
}

const CHOICES = new Set<string>(['auto', 'none', 'required']);

/** @throws InvalidOptionsError */
export function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!isListOfRecords(tools)) throw new InvalidOptionsError('tools', 'must be a list of tools');
  const bad = tools.findIndex(({ name }) => !isString(name));
  if (bad >= 0) throw new InvalidOptionsError(`tools[${bad}].name`, 'must be a text');
}

/** @returns a copy. @throws InvalidOptionsError */
export function checkTexts(texts: unknown): string[] {
  if (!Array.isArray(texts)) throw new InvalidOptionsError('texts', 'must be a list of texts');
  const bad = texts.findIndex((text) => typeof text !== 'string');
  if (bad >= 0) throw new InvalidOptionsError(`texts[${bad}]`, 'must be a text');
  return [...texts] as string[];
}

const isListOfRecords = (value: unknown): value is JsonRecord[] => isListOf(value, isRecord);

const isString = (value: unknown): value is string => typeof value === 'string';

export const isListOfTexts = (value: unknown): value is string[] => isListOf(value, isString);

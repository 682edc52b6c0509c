// The messages of a recorded request in short, also of one that has no neutral form, as those with images have none. Pure.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { Message } from '../../types';

export interface SaidMessage {
  role: string;
  /** What is no text stands as a word, such as `(image)`. */
  text: string;
}

/** @param asked The messages in neutral form, and what has none. */
export function saidMessages({
  messages,
  raw,
}: {
  messages: readonly Message[];
  raw: Readonly<Record<string, unknown>>;
}): SaidMessage[] {
  if (messages.length > 0) return messages.map(({ role, content }) => ({ role, text: content }));
  const { messages: own, input } = raw;
  const list = Array.isArray(own) ? own : Array.isArray(input) ? input : [];
  return list.filter(isRecord).map((item) => ({ role: roleOf(item), text: textOf(item) }));
}

/** Items of the Responses API that are no messages have a type instead of a role. */
function roleOf({ role, type }: Record<string, unknown>): string {
  if (typeof role === 'string') return role;
  return type === 'function_call_output' ? 'tool' : 'assistant';
}

/** By a part of the type. */
const WORDS: readonly [RegExp, () => string][] = [
  [/image/, () => t('(image)')],
  [/audio/, () => t('(audio)')],
  [/video/, () => t('(video)')],
  [/file|document/, () => t('(file)')],
];

function textOf({ content, images }: Record<string, unknown>): string {
  const parts = Array.isArray(content) ? content.map(sayPart) : [typeof content === 'string' ? content : ''];
  const shown = Array.isArray(images) ? images.map(() => t('(image)')) : [];
  return [...parts, ...shown].filter((part) => part !== '').join(' ');
}

function sayPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) return '';
  const { type, text, content } = part;
  if (typeof text === 'string') return text;
  const [, word] = WORDS.find(([pattern]) => typeof type === 'string' && pattern.test(type)) ?? [];
  // The result of a tool has parts of its own.
  return word?.() ?? (content === undefined ? '' : textOf(part));
}

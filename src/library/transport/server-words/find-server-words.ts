// The table of server words: what servers and services say when they refuse a request, or cannot read a reply. Retries, the
// library's errors and the diagnosis ask it alone, so that they never disagree. Knows no protocol.
import { EMBEDDING_WORDS } from './embedding-words';
import { LIMIT_WORDS, MODEL_WORDS } from './limit-words';
import { OVERFLOW_WORDS } from './overflow-words';
import { PARAMETER_WORDS } from './parameter-words';
import { REFUSED_MESSAGE_WORDS } from './refused-message-words';
import { ANY_SCHEMA_WORDS, SCHEMA_WORDS } from './schema-words';
import { UNREAD_CALL_WORDS } from './unread-call-words';
import type { FoundWords, WordsCause } from '../../../types';
import type { ServerWords } from './words-entry';

/** In this order: the first entry that matches counts. */
export const SERVER_WORDS: readonly ServerWords[] = [
  ...UNREAD_CALL_WORDS,
  ...PARAMETER_WORDS,
  ...LIMIT_WORDS,
  ...EMBEDDING_WORDS,
  ...SCHEMA_WORDS,
  ...REFUSED_MESSAGE_WORDS,
  ...OVERFLOW_WORDS,
  ...MODEL_WORDS,
  ...ANY_SCHEMA_WORDS,
];

/** Time changes these alone; any other cause is the same at the next attempt. */
const PASSING: ReadonlySet<WordsCause> = new Set(['rate-limit']);

/** Whether another attempt with the same request may succeed. */
export const mayPass = ({ cause }: Pick<FoundWords, 'cause'>): boolean => PASSING.has(cause);

/** In UTF-16 code units. */
const MAX_QUOTE = 200;
/** Of a message that names a part of the request: the same. */
const MAX_ABOUT = 2_000;

/** Where a service names the message that it refuses. */
const MESSAGE_INDEX = /messages?(?: at index |\.?\[|\.)(\d{1,6})\b/i;

/**
 * @param said The server's message, followed by `[code] …` and `[type] …` where the error has them.
 * @param status Of the response; 200 for an error in a stream. Undefined when it is not known.
 * @returns undefined when no entry of the table matches
 */
export function findServerWords(said: string, status?: number): FoundWords | undefined {
  const mayBeReply = status === undefined || status >= 500 || status < 300;
  for (const { id, server, pattern, textEnd, cause, rule, isOfReply } of SERVER_WORDS) {
    if (isOfReply && !mayBeReply) continue;
    const match = pattern.exec(said);
    if (!match) continue;
    const { text, ...groups } = match.groups ?? {};
    const named = Object.entries(groups).filter(([, value]) => value !== undefined);
    const written =
      text && textEnd !== undefined && text.includes(textEnd)
        ? text.slice(0, text.lastIndexOf(textEnd))
        : text;
    return {
      id,
      ...(server && { server }),
      cause,
      ...(rule && { rule }),
      quote: match[0].slice(0, MAX_QUOTE),
      parts: {
        ...Object.fromEntries(named),
        ...restOf(cause, said, named.length > 0),
        ...(written && { text: written }),
      },
    };
  }
  return undefined;
}

/** What is found beside the pattern. */
function restOf(cause: WordsCause, said: string, hasParts: boolean): Record<string, string> {
  if (cause === 'refused-messages') {
    const [, index] = MESSAGE_INDEX.exec(said) ?? [];
    return index === undefined ? {} : { index };
  }
  if (cause === 'refused-schema') return { about: said.slice(0, MAX_ABOUT) };
  if (cause !== 'context-overflow' || hasParts) return {};
  const [message = ''] = said.split('\n[', 1);
  const sizes = [...new Set(message.match(SIZE)?.slice(0, MAX_SIZES))].toSorted(
    (one, other) => toNumber(other) - toNumber(one),
  );
  const [most, least] = sizes;
  // What is too long is the larger one of two numbers. Of three, nobody knows.
  return sizes.length === 2 && most !== undefined && least !== undefined ? { prompt: most, room: least } : {};
}

/** A number that may be one of tokens: no part of a name, a date or a fraction. */
const SIZE = /(?<![\w.,-])(?:\d{3,9}|\d{1,3}(?:,\d{3})+)(?![\w-]|[.,]\d)/g;
const MAX_SIZES = 8;
const toNumber = (text: string): number => Number(text.replaceAll(',', ''));

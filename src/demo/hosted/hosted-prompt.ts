// The two routes of llama-server that show a prompt without generating: the rendered template, and its tokens. Pure.
import { countTokens, renderPrompt } from '../model/tokens';
import { stringIn } from '../wire/wire-message';
import { readHostedChat, readHostedObject } from './hosted-request';
import { WireError } from '../wire/wire-error';

/** @throws {WireError} as the chat does */
export const toHostedTemplate = (body: string): string =>
  JSON.stringify({ prompt: renderPrompt(readHostedChat(body).request) });

/** @throws {WireError} 400 without a text */
export function toHostedTokens(body: string): string {
  const request = readHostedObject(body);
  const content = stringIn(request['content']);
  if (content === undefined) throw new WireError(400, '"content" must be a string');
  const pieces = splitTokens(content);
  const hasPieces = request['with_pieces'] === true;
  return JSON.stringify({ tokens: pieces.map((piece, id) => (hasPieces ? { id, piece } : id)) });
}

/**
 * Each mark of the template is one token. The text between them is divided so that there are as many tokens as the usage of a
 * reply reports: the longest part makes up for the length of the marks.
 */
function splitTokens(text: string): string[] {
  const parts = text.split(/(<\|[a-z_]+\|>)/).map((part, index) => {
    const isMark = index % 2 === 1;
    return { part, isMark, count: isMark ? 1 : countTokens(part) };
  });
  const longest = parts.reduce((one, other) => (other.count > one.count ? other : one));
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  longest.count += countTokens(text) - total;
  return parts.flatMap(({ part, isMark, count }) => (isMark ? [part] : divide(part, count)));
}

function divide(text: string, count: number): string[] {
  const pieces = Math.min(text.length, Math.max(1, count));
  const at = (index: number): number => Math.floor((index * text.length) / pieces);
  return Array.from({ length: pieces }, (_, index) => text.slice(at(index), at(index + 1)));
}

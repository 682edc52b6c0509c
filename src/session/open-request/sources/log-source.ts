// Reads the lines of a log: looks in any text for the JSON, or the Python, of a request.
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import type { FoundRequest, RequestSource } from '../found-request';
import { UnreadRequest } from '../found-request';
import { readValue } from '../texts/script-values';
import { findBodies } from './json-source';

export const LOG_SOURCE: RequestSource = {
  id: 'log',
  title: () => t('Log'),
  reads: ({ text, json }) => (json === undefined && /[{[]\s*["']/.test(text) ? 1 : 0),
  read: ({ text }) => {
    const found = findInText(text);
    if (found.length > 0) return found;
    throw new UnreadRequest(
      t('The text has no request to a model: no messages and no input in JSON.'),
      t('Copy the JSON that was sent, from its first brace to its last.'),
    );
  },
};

/** How much longer than the text what is read in it may be: a brace that is never closed is read up to the end. */
const MAX_READ = 4;

function findInText(text: string): FoundRequest[] {
  const found: FoundRequest[] = [];
  let read = 0;
  const start = /[{[]\s*["'{]/g;
  for (let match = start.exec(text); match && read < MAX_READ * text.length; match = start.exec(text)) {
    const { index } = match;
    const value = readValue(text, index, { variables: new Map(), unread: new Set() });
    read += value ? value.end - index : text.length - index;
    if (!value) continue;
    start.lastIndex = Math.max(value.end, index + 1);
    const inner = findBodies(value.value);
    const url = urlBefore(text, index);
    found.push(...inner.map((one) => (one.url === undefined && url !== undefined ? { ...one, url } : one)));
    // What a server answered stands behind what it was asked.
    const last = found.at(-1);
    if (inner.length === 0 && last && !last.reply && isReply(value.value)) {
      last.reply = {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(value.value),
      };
    }
  }
  return found;
}

const isReply = (value: unknown): boolean =>
  isRecord(value) &&
  (Array.isArray(value['choices']) ||
    (Array.isArray(value['output']) && value['object'] === 'response') ||
    (isRecord(value['message']) && typeof value['done'] === 'boolean') ||
    (value['type'] === 'message' && Array.isArray(value['content'])));

/** The address shortly before, as in `POST https://…`. */
function urlBefore(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - 300), at);
  return before.match(/https?:\/\/[^\s"'`<>\\]{1,200}/g)?.at(-1);
}

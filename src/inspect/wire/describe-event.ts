// Names an event of a stream and what it brings, for a list in which events are told apart at a glance. Pure; does not know the
// protocols, only the places at which they put texts.
import { isRecord } from '../../library';
import { parseRecord } from '../json-record';
import { toLabel } from '../visible-text';

export interface EventWords {
  /** The name of the event, or the type that its document states; '' when it has neither. At most 60 characters. */
  name: string;
  /** What is new in it, in short; '' when nothing is known of it. At most 60 characters of the server's. */
  brief: string;
}

/** In UTF-16 code units. The document of a longer event is not parsed for its list. */
const MAX_PARSED = 20_000;
const MAX_WORDS = 60;

/** Where the protocols put what an event brings, the most telling first. */
const PLACES: readonly (readonly string[])[] = [
  ['error', 'message'],
  ['response', 'error', 'message'],
  ['delta', 'text'],
  ['delta', 'thinking'],
  ['delta', 'partial_json'],
  ['delta', 'stop_reason'],
  ['delta', 'type'],
  ['delta'],
  ['choices', '0', 'delta', 'content'],
  ['choices', '0', 'finish_reason'],
  ['message', 'content'],
  ['content_block', 'name'],
  ['content_block', 'type'],
  ['item', 'name'],
  ['item', 'type'],
  ['part', 'type'],
  ['response', 'status'],
  ['message', 'model'],
  // The parts of the editor's models.
  ['value'],
  ['name'],
  ['mimeType'],
];

/** @param text An event as received: its lines, or one line of JSON. */
export function describeEvent(text: string): EventWords {
  const document = text.length > MAX_PARSED ? undefined : parseRecord(dataOf(text));
  const [, named = ''] = /^event:[ ]?(.{1,200})/m.exec(text.slice(0, MAX_PARSED)) ?? [];
  const type = document?.['type'];
  return {
    name: toLabel((named || (typeof type === 'string' ? type : '')).trim(), MAX_WORDS),
    brief: document ? briefOf(document) : '',
  };
}

function dataOf(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length)).join('\n');
}

function briefOf(document: Record<string, unknown>): string {
  for (const place of PLACES) {
    const value = place.reduce<unknown>(step, document);
    if (typeof value === 'string' && value !== '')
      return toLabel(JSON.stringify(value.slice(0, 200)), MAX_WORDS);
  }
  return '';
}

function step(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

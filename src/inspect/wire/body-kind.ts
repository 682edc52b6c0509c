// Determines the kind of a response body from its content and its type, because servers often send a wrong type. Pure.

/** `events`: server-sent events. `lines`: one JSON document per line. `text`: any other text. */
export type BodyKind = 'empty' | 'json' | 'events' | 'lines' | 'html' | 'text';

/** @param contentType Value of the header; '' when there is none. */
export function bodyKind(text: string, contentType: string): BodyKind {
  if (text.trim() === '') return 'empty';
  const start = text.slice(0, 1_000).trimStart();
  if (/^(data|event|id|retry)?:/.test(start)) return 'events';
  if (isJson(text)) return 'json';
  if (/^[[{]/.test(start) && isJson(start.split(/\r?\n/, 1)[0] ?? '')) return 'lines';
  if (/event-stream/i.test(contentType)) return 'events';
  if (/ndjson|jsonl/i.test(contentType)) return 'lines';
  return /^<(!doctype|html|head|body|h\d|\?xml)/i.test(start) || /\bhtml\b/i.test(contentType)
    ? 'html'
    : 'text';
}

/** In UTF-16 code units. A longer text is judged by its ends, because a hostile one takes seconds to be parsed. */
const MAX_PARSED = 1_000_000;

function isJson(text: string): boolean {
  if (text.length > MAX_PARSED) return looksLikeJson(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether it begins and ends as an object or a list, and is not one document after another. */
function looksLikeJson(text: string): boolean {
  const isWhole = /^\s*[[{]/.test(text.slice(0, 100)) && /[\]}]\s*$/.test(text.slice(-100));
  return isWhole && !/[\]}]\r?\n\s{0,99}[[{]/.test(text);
}

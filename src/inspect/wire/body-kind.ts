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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

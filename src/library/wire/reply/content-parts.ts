// Reads the content of a message that is a list of parts instead of a text. Independent of protocols.
import { toRecord, toText } from '../../util/json';

export interface ContentParts {
  /** The texts of the parts, joined. */
  content: string;
  /** The `thinking` parts (Mistral), joined. */
  reasoning: string | undefined;
}

/** @returns undefined for content that is no list */
export function readParts(content: unknown): ContentParts | undefined {
  if (!Array.isArray(content)) return undefined;
  const parts = content.map(toPart);
  const texts = (...types: string[]): string =>
    parts.map((part) => (types.includes(part.type) ? partText(part.value) : '')).join('');
  return { content: texts('text', 'refusal'), reasoning: toText(texts('thinking')) };
}

/** The type of a part is the name of its text; a text itself, and a part without a type, are text. */
function toPart(part: unknown): { type: string; value: unknown } {
  if (typeof part === 'string') return { type: 'text', value: part };
  const fields = toRecord(part);
  const type = toText(fields['type']) ?? 'text';
  return { type, value: fields[type] };
}

function partText(value: unknown): string {
  if (!Array.isArray(value)) return toText(value) ?? '';
  return value.map((inner) => toText(toRecord(inner)['text']) ?? '').join('');
}

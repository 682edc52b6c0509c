// Brings the parts of a request that another program wrote into the forms in which this library writes them, and notes what
// that leaves out. Pure. Knows no protocol.
import type { FormNote } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { isRecord } from '../../util/json';

/** Members in which clients send the reasoning of earlier replies back. */
const REASONING = new Set([
  'thinking',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'encrypted_content',
  'signature',
]);

export class OtherForms {
  readonly notes: FormNote[] = [];

  note(path: string, why: FormNote['why']): void {
    this.notes.push({ path, why });
  }

  /** The record with these members alone. Others are noted, unless they say nothing: null, `type`, an empty list. */
  pick(record: JsonRecord, keys: readonly string[], path: string): JsonRecord {
    const picked: JsonRecord = {};
    for (const [key, value] of Object.entries(record)) {
      if (keys.includes(key)) {
        if (value !== null) picked[key] = value;
      } else if (!saysNothing(key, value)) {
        this.note(`${path}.${key}`, REASONING.has(key) ? 'reasoning' : 'no-place');
      }
    }
    return picked;
  }

  /** The text of a list of text parts, '' for null; anything else unchanged. @param types The types of text parts. */
  text(value: unknown, path: string, types: readonly string[] = ['text']): unknown {
    if (value === null) return '';
    if (!Array.isArray(value) || !value.every((part) => isTextPart(part, types))) return value;
    const texts = value.map((part, index) => {
      if (typeof part === 'string') return part;
      return this.pick(part, ['type', 'text'], `${path}[${index}]`)['text'] as string;
    });
    if (texts.length > 1) this.note(path, 'joined');
    return texts.join('\n');
  }

  /** `developer` is the newer word of OpenAI for the role `system`. */
  role(role: unknown, path: string): unknown {
    if (role !== 'developer') return role;
    this.note(`${path}.role`, 'role');
    return 'system';
  }

  /** Maps the records of a list; what is no record, and what is no list, stays as it is. */
  list(value: unknown, path: string, tidy: (record: JsonRecord, path: string) => unknown): unknown {
    if (!Array.isArray(value)) return value;
    return value.map((one: unknown, index) => (isRecord(one) ? tidy(one, `${path}[${index}]`) : one));
  }

  /** Declarations of tools in the form of chat completions. */
  tools(tools: unknown): unknown {
    return this.list(tools, 'tools', (tool, path) => ({
      ...this.pick(tool, ['type', 'function'], path),
      ...(isRecord(tool['function']) && {
        function: this.pick(tool['function'], DECLARED, `${path}.function`),
      }),
    }));
  }
}

const DECLARED = ['name', 'description', 'parameters', 'strict'];

const isTextPart = (part: unknown, types: readonly string[]): part is string | JsonRecord =>
  typeof part === 'string' ||
  (isRecord(part) && types.includes(String(part['type'])) && typeof part['text'] === 'string');

const saysNothing = (key: string, value: unknown): boolean =>
  value === null ||
  (key === 'type' && typeof value === 'string') ||
  (Array.isArray(value) && value.length === 0);

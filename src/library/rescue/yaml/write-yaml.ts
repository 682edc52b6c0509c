// Writes a call as YAML. Independent of wrappers.
import type { WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';
import { resolvePlain } from './yaml-scalars';

const PLAIN_TEXT = /^[A-Za-z][\w ./-]{0,200}$/;
const PLAIN_KEY = /^[A-Za-z_][\w-]{0,100}$/;

export function writeYamlCall({ name, arguments: value }: WrittenCall): string {
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `  ${PLAIN_KEY.test(key) ? key : JSON.stringify(key)}: ${writeValue(item)}`);
  const body = members.length === 0 ? ' {}' : `\n${members.join('\n')}`;
  return `name: ${writeValue(name)}\narguments:${body}`;
}

/** Nested values are written as JSON, which is valid YAML. */
function writeValue(value: unknown): string {
  const isPlain = typeof value === 'string' && PLAIN_TEXT.test(value) && !value.endsWith(' ');
  return isPlain && typeof resolvePlain(value) === 'string' ? value : writeJson(value);
}

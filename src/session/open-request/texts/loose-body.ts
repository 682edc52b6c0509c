// Reads the body in a command whose quotes a shell would not read as they are meant. Executes nothing. Pure.
import { isRecord } from '../../../library';
import { isBody } from '../sources/json-source';
import { readValue } from './script-values';

const BODY =
  /(?:^|\s)(?:-d|--data(?:-raw|-binary|-ascii)?|--json)[\s=]*["']?\s*(?:\$\(cat <<-?\s*["']?\w+["']?\s*)?(?=\{)/g;

/** @returns JSON text; undefined when there is no body of a request to a model */
export function looseBody(command: string): string | undefined {
  const [found] = command.matchAll(BODY);
  if (!found) return undefined;
  const text = command.slice(found.index + found[0].length);
  const plain = /^\{\s*\\["']/.test(text) ? text.replaceAll(/\\(["'\\])/g, '$1') : text;
  const value = readValue(plain, 0, { variables: new Map(), unread: new Set() })?.value;
  return isRecord(value) && isBody(value) ? JSON.stringify(value) : undefined;
}

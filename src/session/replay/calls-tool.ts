// Finds the call of a tool that is no function in a reply of any protocol. Pure.
import { isRecord, parseJson } from '../../library';

/** Servers repeat the tools that they were offered, which have a name, too; but only a call has an input. */
export function callsTool(reply: string, name: string): boolean {
  if (!reply.includes(JSON.stringify(name))) return false;
  const whole = parseJson(reply);
  const parts = whole === undefined ? reply.split('\n').map((line) => parseJson(toData(line))) : [whole];
  return parts.some((part) => hasCall(part, name));
}

/** The data of a line of an event stream; other streams have JSON alone. */
const toData = (line: string): string => line.replace(/^data:/, '');

/** Without recursion: whoever wrote the reply decides how deep it is. */
function hasCall(part: unknown, name: string): boolean {
  const open: unknown[] = [part];
  while (open.length > 0) {
    const value = open.pop();
    if (isRecord(value) && value['name'] === name && Object.hasOwn(value, 'input')) return true;
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push(inner);
  }
  return false;
}

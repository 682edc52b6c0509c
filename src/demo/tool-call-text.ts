// Tool calls as models write them into text: whole ones as the library does, and a damaged one. It knows no protocol.
import { formatToolCalls } from '../library';
import type { DemoCall } from './scenario';

/** The markup that Hermes- and Qwen-style chat templates teach. */
export const toHermesText = (calls: readonly DemoCall[]): string =>
  formatToolCalls(calls.map(toWritable), 'hermes-json');

/** The call as the one thing in a code block, the way models write it that were never taught any markup. */
export const toFencedText = (call: DemoCall): string => formatToolCalls([toWritable(call)], 'json-fence');

const toWritable = ({ name, argumentsText }: DemoCall): { name: string; arguments: unknown } => ({
  name,
  arguments: JSON.parse(argumentsText) as unknown,
});

/**
 * A damaged call: single quotes, a comma after the last argument, and no close tag. Every value is still there, so a
 * reader that repairs the three can run it.
 */
export function toDamagedText(name: string, args: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(args).map(([key, value]) => `${quoteSingly(key)}: ${writeValue(value)},`);
  return `<tool_call>\n{'name': ${quoteSingly(name)}, 'arguments': {${members.join(' ')}}}`;
}

function writeValue(value: unknown): string {
  return typeof value === 'string' ? quoteSingly(value) : JSON.stringify(value);
}

function quoteSingly(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${escaped}'`;
}

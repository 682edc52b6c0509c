// Writes tool calls as text as models do: whole ones with the library, and a damaged one. Independent of protocols.
import { formatToolCalls } from '../../library';
import type { DemoCall } from './scenario';

/** The markup that chat templates in the style of Hermes and Qwen teach. */
export const toHermesText = (calls: readonly DemoCall[]): string =>
  formatToolCalls(calls.map(toWritable), 'hermes-json');

/** Only the call, in a code block, as models write it that were not trained on any markup. */
export const toFencedText = (call: DemoCall): string => formatToolCalls([toWritable(call)], 'json-fence');

const toWritable = ({ name, argumentsText }: DemoCall): { name: string; arguments: unknown } => ({
  name,
  arguments: JSON.parse(argumentsText) as unknown,
});

/**
 * A damaged call: single quotes, a comma after the last argument, and no close tag. No value is lost, so a reader that
 * repairs these three can run it.
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

// Tool calls as models write them into text. Pure; it knows no protocol.
import type { DemoCall } from './scenario';

/** The markup that Hermes- and Qwen-style chat templates teach; the spacing is theirs. */
export function toHermesText(calls: readonly DemoCall[]): string {
  return calls
    .map(
      (call) =>
        `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.argumentsText}}\n</tool_call>`,
    )
    .join('\n');
}

/** The call as the one thing in a code block, the way models write it that were never taught any markup. */
export function toFencedText(call: DemoCall): string {
  return `\`\`\`json\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.argumentsText}}\n\`\`\``;
}

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

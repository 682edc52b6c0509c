// Reads the messages of a Messages request: their blocks, and the order of calls, results and thinking that Anthropic's service
// demands, with its error texts where they are known. Pure.
import type { Message, ProviderToolCall } from '../../types';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { isSealed } from '../wire/seal';
import { fromResultText, objectsIn, stringIn } from '../wire/wire-message';
import { refuse } from '../wire/wire-error';

/** The scope of signatures: one of any model is valid for every other model. */
export const SIGNATURE_SCOPE = 'messages';

interface Block {
  block: JsonObject;
  type: string;
  /** Such as `messages.1.content.0`, for error texts. */
  place: string;
}

/** A message, or several consecutive ones of one role, which the service takes for one. */
interface Turn {
  role: 'user' | 'assistant';
  blocks: Block[];
  /** Place of the first message, such as `messages.1`. */
  place: string;
}

const ID = /^[a-zA-Z0-9_-]+$/;
const BLOCK_TYPES: Readonly<Record<Turn['role'], readonly string[]>> = {
  user: ['text', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
};

const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  thinking: ['signature', 'thinking'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id'],
};

/**
 * @param isThinkingKept Whether the turn that made the pending calls has to begin with its thinking.
 * @throws {WireError} 400 for the first fault
 */
export function readTurns(messages: readonly unknown[], isThinkingKept: boolean): Message[] {
  if (messages.length === 0) refuse('messages: at least one message is required');
  const read = messages.map((message, index) => readMessage(message, `messages.${index}`));
  const turns = mergeTurns(read);
  for (const [index, turn] of turns.entries()) checkTurn(turn, turns[index - 1], turns[index + 1]);
  if (turns.at(-1)?.role === 'assistant') {
    refuse(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
  if (isThinkingKept) checkThinkingKept(turns);
  const names = new Map(
    turns.flatMap(({ blocks }) =>
      ofType(blocks, 'tool_use').map(({ block }) => [block['id'], stringIn(block['name'])]),
    ),
  );
  return read.flatMap((turn) => (turn.role === 'user' ? fromUserTurn(turn, names) : fromAssistantTurn(turn)));
}

export function hasToolBlocks(messages: readonly unknown[]): boolean {
  return objectsIn(messages).some((message) =>
    objectsIn(message['content']).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  );
}

/** The text of a `system` field or of a result: a text, or blocks of text. @throws {WireError} 400 for anything else */
export function readText(content: unknown, place: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) refuse(`${place}: Input should be a valid string or list`);
  return content.map((block, index) => readTextBlock(block, `${place}.${index}`)).join('\n');
}

function readTextBlock(block: unknown, place: string): string {
  const text = isJsonObject(block) && block['type'] === 'text' ? stringIn(block['text']) : undefined;
  if (text === undefined) refuse(`${place}: only text blocks are supported by this model`);
  const field = place.split('.')[0] ?? place;
  if (text === '') refuse(`${field}: text content blocks must be non-empty`);
  if (text.trim() === '') refuse(`${field}: text content blocks must contain non-whitespace text`);
  return text;
}

function mergeTurns(messages: readonly Turn[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.role === message.role) last.blocks.push(...message.blocks);
    else turns.push({ ...message, blocks: [...message.blocks] });
  }
  return turns;
}

function readMessage(message: unknown, place: string): Turn {
  if (!isJsonObject(message)) refuse(`${place}: Input should be a valid dictionary`);
  const extra = Object.keys(message).find((key) => key !== 'role' && key !== 'content');
  if (extra !== undefined) refuse(`${place}.${extra}: Extra inputs are not permitted`);
  const { role, content } = message;
  if (role === 'system') {
    refuse(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
  }
  if (role !== 'user' && role !== 'assistant') {
    refuse(`${place}.role: Input should be 'user' or 'assistant'`);
  }
  if (content === undefined) refuse(`${place}.content: Field required`);
  if (content === '' || (Array.isArray(content) && content.length === 0)) {
    const text = 'all messages must have non-empty content except for the optional final assistant message';
    refuse(`${place}: ${text}`);
  }
  if (typeof content === 'string') {
    const whole = `${place}.content`;
    return { role, place, blocks: [{ block: { type: 'text', text: content }, type: 'text', place: whole }] };
  }
  if (!Array.isArray(content)) {
    refuse(`${place}.content: Input should be a valid string or list`);
  }
  const blocks = content.map((block, index) => readBlock(block, role, `${place}.content.${index}`));
  return { role, place, blocks };
}

function readBlock(block: unknown, role: Turn['role'], place: string): Block {
  if (!isJsonObject(block)) refuse(`${place}: Input should be a valid dictionary`);
  const type = stringIn(block['type']) ?? refuse(`${place}.type: Field required`);
  if (!BLOCK_TYPES[role].includes(type)) {
    refuse(`${place}: \`${type}\` blocks are not supported in messages of the role "${role}" by this model`);
  }
  if (type === 'text') readTextBlock(block, place);
  const required = REQUIRED_FIELDS[type]?.find((key) => block[key] === undefined);
  if (required !== undefined) refuse(`${place}.${type}.${required}: Field required`);
  const mark = type === 'thinking' ? 'signature' : 'data';
  if (type.endsWith('thinking') && !isSealed(String(block[mark]), SIGNATURE_SCOPE)) {
    refuse(`${place}: Invalid \`${mark}\` in \`${type}\` block`);
  }
  if (type === 'tool_use') {
    if (!ID.test(String(block['id']))) {
      refuse(`${place}.tool_use.id: String should match pattern '${ID.source}'`);
    }
    if (!isJsonObject(block['input'])) {
      refuse(`${place}.tool_use.input: Input should be a valid dictionary`);
    }
  }
  return { block, type, place };
}

/** Each call has its result at the beginning of the next turn, and each result its call in the previous one. */
function checkTurn(turn: Turn, previous: Turn | undefined, next: Turn | undefined): void {
  const called = ofType(turn.blocks, 'tool_use').map(({ block }) => block['id']);
  if (new Set(called).size < called.length) {
    refuse('messages: `tool_use` ids must be unique');
  }
  const answered = new Set(leadingResults(next).map(({ block }) => block['tool_use_id']));
  const missing = called.filter((id) => !answered.has(id));
  if (missing.length > 0) {
    const text = `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`;
    refuse(
      `${turn.place}: ${text}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  const asked = new Set(ofType(previous?.blocks ?? [], 'tool_use').map(({ block }) => block['id']));
  const seen = new Set<unknown>();
  for (const { block, place } of ofType(turn.blocks, 'tool_result')) {
    const id = block['tool_use_id'];
    if (!asked.has(id)) {
      const text = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}`;
      refuse(
        `${place}: ${text}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    if (seen.has(id)) {
      const text = `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${String(id)}`;
      refuse(`${place}: ${text}`);
    }
    seen.add(id);
  }
}

function leadingResults(turn: Turn | undefined): Block[] {
  const blocks = turn?.blocks ?? [];
  const end = blocks.findIndex(({ type }) => type !== 'tool_result');
  return end === -1 ? blocks : blocks.slice(0, end);
}

/** Only the turn whose results end the conversation is checked: a finished turn may lack its thinking. */
function checkThinkingKept(turns: readonly Turn[]): void {
  const [calling, results] = turns.slice(-2);
  if (results?.blocks.at(-1)?.type !== 'tool_result') return;
  const first = calling?.blocks[0];
  if (first === undefined || first.type.endsWith('thinking')) return;
  refuse(
    `${first.place}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
  );
}

function fromUserTurn({ blocks }: Turn, names: ReadonlyMap<unknown, string | undefined>): Message[] {
  const results = ofType(blocks, 'tool_result').map(({ block, place }): Message => {
    const result = fromResultText(readText(block['content'], `${place}.tool_result.content`));
    const id = stringIn(block['tool_use_id']);
    const isError = block['is_error'] === true || result.isError;
    return { role: 'tool', ...result, isError, toolCallId: id, toolName: names.get(id) };
  });
  const text = textOf(blocks);
  return text === '' ? results : [...results, { role: 'user', content: text }];
}

function fromAssistantTurn({ blocks }: Turn): Message[] {
  const toolCalls = ofType(blocks, 'tool_use').map(({ block }): ProviderToolCall => ({
    id: stringIn(block['id']) ?? '',
    name: stringIn(block['name']) ?? '',
    arguments: block['input'],
    source: 'native',
  }));
  const calls = toolCalls.length > 0 ? toolCalls : undefined;
  return [{ role: 'assistant', content: textOf(blocks), toolCalls: calls }];
}

const ofType = (blocks: readonly Block[], type: string): Block[] =>
  blocks.filter((candidate) => candidate.type === type);

const textOf = (blocks: readonly Block[]): string =>
  ofType(blocks, 'text')
    .map(({ block }) => String(block['text']))
    .join('\n');

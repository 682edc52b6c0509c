// Recorded replies of real servers to the Messages API and the Responses API, and what the official clients read in them.
import { readdirSync, readFileSync } from 'node:fs';
import type { ChatTurn } from '../../../src/library';
import { toRecord } from '../../../src/library/util/json';
import type { RecordedExchange } from '../../support/messages/recorded';

type Json = Record<string, unknown>;

export interface OfficialReading {
  result?: Json;
  error?: { status?: number; message: string; error?: Json };
  events?: { error?: { status?: number; message: string; error?: Json }; last?: Json };
}

export interface Recording extends RecordedExchange {
  /** Whether the server was killed while it answered. */
  connection_closed_early?: boolean;
}

const FOLDER = new URL('../../fixtures/recorded-messages/', import.meta.url);

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

export const readRecording = (name: string): Recording => read(`${name}.json`) as Recording;
export const readOfficial = (name: string): OfficialReading =>
  read(`${name}.expected.json`) as OfficialReading;

export const recordingsOf = (protocol: 'messages' | 'responses'): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.includes(`-${protocol}-`) && !file.includes('.expected.'))
    .map((file) => file.replace('.json', ''))
    .toSorted();

/** What a turn and a reading of the official client have in common. */
export interface Reading {
  text: string;
  reasoning: string;
  calls: { id: unknown; name: unknown; arguments: unknown }[];
  finishReason: unknown;
  model: unknown;
  usage: Json;
}

export const readTurn = ({ raw }: Pick<ChatTurn, 'raw'>): Reading => ({
  text: raw.content,
  reasoning: raw.reasoning ?? '',
  calls: raw.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
  finishReason: raw.finishReason,
  model: raw.model,
  usage: { ...raw.usage },
});

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(toRecord) : []);

const joined = (parts: readonly Json[], type: string, key = type): string =>
  parts.map((part) => (part['type'] === type ? String(part[key]) : '')).join('');

const REASONS: Json = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
};

/** A message of Anthropic's client. */
export function readMessage({ content, model, stop_reason: reason, usage }: Json): Reading {
  const blocks = listOf(content);
  const { input_tokens: input, cache_read_input_tokens: cached, output_tokens: output } = toRecord(usage);
  return {
    text: joined(blocks, 'text'),
    reasoning: joined(blocks, 'thinking'),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input: args }) => ({ id, name, arguments: args })),
    finishReason: REASONS[String(reason)],
    model,
    usage: {
      promptTokens: Number(input) + Number(cached ?? 0),
      completionTokens: output,
      ...(cached !== undefined && { cachedTokens: cached }),
    },
  };
}

const parsed = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
};

/** A response of OpenAI's client. */
export function readResponse({ output, model, status, usage }: Json): Reading {
  const items = listOf(output);
  const partsOf = (type: string, key: string): Json[] =>
    items.filter((item) => item['type'] === type).flatMap((item) => listOf(item[key]));
  const calls = items.filter(({ type }) => type === 'function_call');
  const { input_tokens: input, output_tokens: made, ...details } = toRecord(usage);
  const cached = toRecord(details['input_tokens_details'])['cached_tokens'];
  const reasoned = toRecord(details['output_tokens_details'])['reasoning_tokens'];
  return {
    text: joined(partsOf('message', 'content'), 'output_text', 'text'),
    reasoning:
      joined(partsOf('reasoning', 'content'), 'reasoning_text', 'text') ||
      joined(partsOf('reasoning', 'summary'), 'summary_text', 'text'),
    calls: calls.map(({ call_id: id, name, arguments: args }) => ({ id, name, arguments: parsed(args) })),
    finishReason: status === 'completed' ? (calls.length > 0 ? 'tool_calls' : 'stop') : status,
    model,
    usage: {
      promptTokens: input,
      completionTokens: made,
      ...(cached !== undefined && { cachedTokens: cached }),
      ...(reasoned !== undefined && { reasoningTokens: reasoned }),
    },
  };
}

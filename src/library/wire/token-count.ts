// The count of the tokens of a request, by the routes that the Messages and the Responses API have for it. Pure.
import type { JsonRecord } from '../util/json';
import { toCount, toRecord } from '../util/json';
import { NO_ROUTE } from './no-route';

/** The keys of a chat request that the prompt depends on; the routes refuse the others. */
const COUNTED_KEYS = {
  /** https://docs.claude.com/en/api/messages-count-tokens */
  messages: [
    'model',
    'messages',
    'system',
    'tools',
    'tool_choice',
    'thinking',
    'output_config',
    'cache_control',
  ],
  /** https://platform.openai.com/docs/api-reference/responses/input-tokens */
  responses: [
    'model',
    'input',
    'instructions',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'previous_response_id',
    'conversation',
    'reasoning',
    'text',
    'truncation',
  ],
} as const;

export const toCountBody = (body: JsonRecord, protocol: keyof typeof COUNTED_KEYS): JsonRecord =>
  Object.fromEntries(
    COUNTED_KEYS[protocol].filter((key) => body[key] !== undefined).map((key) => [key, body[key]]),
  );

export const fromCountReply = (document: unknown): number | undefined =>
  toCount(toRecord(document)['input_tokens']);

/** A server that lacks the model answers 404 too, and names it. */
export const isMissingRoute = (status: number, text: string, { model }: JsonRecord): boolean =>
  NO_ROUTE.has(status) && !text.includes(String(model));

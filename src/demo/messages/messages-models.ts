// The list of models of the Messages protocol, in pages. It has no embedding model, because the protocol has no embeddings. Pure.
import { SCENARIOS } from '../scenarios';
import { refuse, WireError } from '../wire/wire-error';
import { MAX_OUTPUT_TOKENS } from './messages-fields';

const MAX_INPUT_TOKENS = 200_000;
const DEFAULT_PAGE = 20;
const MAX_PAGE = 1000;

const YES = { supported: true };
const NO = { supported: false };

const CAPABILITIES = {
  batch: NO,
  citations: NO,
  code_execution: NO,
  context_management: {
    ...NO,
    clear_thinking_20251015: NO,
    clear_tool_uses_20250919: NO,
    compact_20260112: NO,
  },
  effort: { ...NO, low: NO, medium: NO, high: NO, xhigh: NO, max: NO },
  image_input: NO,
  pdf_input: NO,
  server_tools: { ...NO, code_execution: NO, web_search: NO },
  structured_outputs: NO,
  thinking: { ...YES, types: { adaptive: YES, between_tools: NO, disabled: YES, enabled: YES } },
};

const NAMES: readonly string[] = SCENARIOS.filter(({ isEmbedder }) => !isEmbedder).map(({ name }) => name);

/** @param query `limit`, `after_id` and `before_id`. @throws {WireError} 400 for an invalid limit or an unknown id */
export function toMessagesModels(query: string): object {
  const parameters = new URLSearchParams(query);
  const limit = Number(parameters.get('limit') ?? DEFAULT_PAGE);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    refuse(`limit: Input should be a valid integer from 1 to ${MAX_PAGE}`);
  }
  const before = parameters.get('before_id');
  const after = parameters.get('after_id');
  const page = before === null ? pageAfter(after, limit) : pageBefore(before, limit);
  return {
    data: page.names.map((name) => toModel(name)),
    has_more: page.hasMore,
    first_id: page.names[0] ?? null,
    last_id: page.names.at(-1) ?? null,
  };
}

/** @throws {WireError} 404 for an unknown model */
export function toMessagesModel(name: string): object {
  if (!NAMES.includes(name)) throw new WireError(404, `model: ${name}`);
  return toModel(name);
}

interface Page {
  names: readonly string[];
  hasMore: boolean;
}

function pageAfter(id: string | null, limit: number): Page {
  const start = id === null ? 0 : placeOf(id, 'after_id') + 1;
  return { names: NAMES.slice(start, start + limit), hasMore: start + limit < NAMES.length };
}

function pageBefore(id: string, limit: number): Page {
  const end = placeOf(id, 'before_id');
  return { names: NAMES.slice(Math.max(0, end - limit), end), hasMore: end > limit };
}

function placeOf(id: string, parameter: string): number {
  const place = NAMES.indexOf(id);
  if (place === -1) refuse(`${parameter}: there is no model '${id}'`);
  return place;
}

function toModel(id: string): object {
  return {
    type: 'model',
    id,
    display_name: id,
    // The service's value for a model without a known date of release.
    created_at: '1970-01-01T00:00:00Z',
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
    max_input_tokens: MAX_INPUT_TOKENS,
    max_tokens: MAX_OUTPUT_TOKENS,
    capabilities: CAPABILITIES,
  };
}

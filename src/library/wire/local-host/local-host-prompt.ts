// How Ollama renders the prompt of a chat request: the field `_debug_render_only` of `POST /api/chat`. It cuts the
// conversation to the context as for a reply, may load the model, and generates nothing. Pure.
import { toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';

/** A later version than the one that introduced the field (`api/types.go` in https://github.com/ollama/ollama). */
const SINCE = [0, 12] as const;

/** Whether a version knows the field: one that does not would ignore it and generate. `0.0.0` is a build from the source. */
export function rendersPrompts(version: unknown): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(String(version)) ?? [];
  if (major === undefined) return false;
  return Number(major) > SINCE[0] || Number(minor) >= SINCE[1] || /^v?0\.0\.0/.test(String(version));
}

export const toRenderBody = (body: JsonRecord): JsonRecord => ({
  ...body,
  stream: false,
  _debug_render_only: true,
});

export function fromRenderReply(document: unknown): string | undefined {
  const text = toRecord(toRecord(document)['_debug_info'])['rendered_template'];
  return typeof text === 'string' ? text : undefined;
}

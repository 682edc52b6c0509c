// What a rendered prompt holds besides its text: the special tokens, and the tools that did not reach it. Pure.
import type { RenderedPrompt } from '../../types';
import { isRecord, toRecord, toText } from '../util/json';
import type { JsonRecord } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';

/** Maximum number of different special tokens. */
const MAX_TOKENS = 100;

/**
 * The forms in which chat templates write special tokens: `<|im_end|>`, `<s>` or `<start_of_turn>`, `[INST]`. A single token
 * in such a form is special in practice: an ordinary vocabulary splits such a text.
 */
const SPECIAL_TOKEN = /^(?:<[|｜][^\s<>]{1,80}[|｜]>|<\/?[a-z][a-z0-9_-]{0,60}>|\[\/?[A-Z][A-Z_]{1,60}\])$/;

/** Those of the forms that ordinary text hardly has; brackets only where the text also closes them, as `[/INST]` does. */
const IN_TEXT =
  /<[|｜][^\s<>]{1,80}[|｜]>|<\/?s>|<\/?[a-z]{1,30}(?:_[a-z]{1,30}){1,4}>|\[\/?(?<name>[A-Z][A-Z_]{1,60})\]/g;

interface Reported {
  /** The texts of its tokens; undefined when the server does not report them. */
  pieces?: readonly unknown[] | undefined;
  tokens?: number | undefined;
  contextLength?: number | undefined;
}

/** @param body The chat request that was rendered. */
export function toRenderedPrompt(
  text: string,
  body: JsonRecord,
  { pieces, ...counts }: Reported,
): RenderedPrompt {
  const found = pieces?.filter(isSpecialToken) ?? findInText(text);
  return {
    text,
    ...pruneUndefined(counts),
    specialTokens: [...new Set(found)].slice(0, MAX_TOKENS),
    isFromTokenizer: pieces !== undefined,
    missingTools: toolNames(body).filter((name) => !text.includes(name)),
  };
}

const isSpecialToken = (piece: unknown): piece is string =>
  typeof piece === 'string' && piece.length < 100 && SPECIAL_TOKEN.test(piece);

function findInText(text: string): string[] {
  return [...text.matchAll(IN_TEXT)]
    .filter(({ groups }) => groups?.['name'] === undefined || text.includes(`[/${groups['name']}]`))
    .map(([token]) => token);
}

/** Both protocols have the same list of tools. */
function toolNames({ tools }: JsonRecord): string[] {
  const entries = Array.isArray(tools) ? tools.filter(isRecord) : [];
  return entries.flatMap((entry) => toText(toRecord(entry['function'])['name']) ?? []);
}

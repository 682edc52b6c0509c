// Reads consecutive blocks of JSON, because some models write several calls into one wrapper.
import { readCallBlock } from '../json/call-block';
import type { CallBlock, JsonRole } from '../core/json-reading';
import { decodeJsonText, readJson } from '../json/read-json';
import { isQuote } from '../json/quotes';
import type { RescueContext } from '../core/rescue-context';

const SEPARATORS = ' \t\r\n,;';

/**
 * The values of all blocks that follow each other, as one block. Null when no JSON that could contain a call begins at `at`.
 * A string that contains a whole call counts.
 */
export function readBlocks(context: RescueContext, at: number, role: JsonRole = 'call'): CallBlock | null {
  const blocks: CallBlock[] = [];
  let block = readOne(context, at, role);
  while (block) {
    blocks.push(block);
    block = block.failure ? null : readOne(context, skip(context, block.end), role);
  }
  const last = blocks.at(-1);
  if (!last || blocks.length === 1) return last ?? null;
  const elements = blocks.flatMap((item) => item.elements);
  return { ...last, start: at, elements, repairs: blocks.flatMap(({ repairs }) => repairs) };
}

function readOne(context: RescueContext, at: number, role: JsonRole): CallBlock | null {
  return isQuote(context.text.charAt(at)) ? readTextBlock(context, at) : readCallBlock(context, at, role);
}

/** Reads a string that contains a call, encoded once too often. Null for other strings. */
function readTextBlock(context: RescueContext, at: number): CallBlock | null {
  const reading = readJson(context, at);
  if (reading.failure || typeof reading.value !== 'string') return null;
  if (decodeJsonText(reading.value) === undefined) return null;
  const element = { start: at, end: reading.end, reading };
  return { start: at, end: reading.end, elements: [element], repairs: [], isOpen: false };
}

function skip(context: RescueContext, from: number): number {
  let at = from;
  while (at < context.text.length && SEPARATORS.includes(context.text.charAt(at))) at += 1;
  return at;
}

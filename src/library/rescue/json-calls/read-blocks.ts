// Reads consecutive blocks of JSON, because some models write several calls into one wrapper.
import type { RescueRepair } from '../../../types';
import { readCallBlock } from '../json/call-block';
import type { CallBlock, JsonRole } from '../core/json-reading';
import { decodeJsonText, readJson } from '../json/read-json';
import { isQuote } from '../json/quotes';
import type { RescueContext } from '../core/rescue-context';

export interface BlockRun {
  blocks: CallBlock[];
  end: number;
  repairs: RescueRepair[];
  /** Whether the text ended before the last block was closed. */
  isOpen: boolean;
  /** The block that could not be read. It is the last of `blocks`, and contains what precedes the damage. */
  failure?: CallBlock | undefined;
}

const SEPARATORS = ' \t\r\n,;';

/** Null when no JSON that could contain a call begins at `at`. A string that contains a whole call counts. */
export function readBlocks(context: RescueContext, at: number, role: JsonRole = 'call'): BlockRun | null {
  const first = readOne(context, at, role);
  if (!first) return null;
  const run: BlockRun = { blocks: [], end: at, repairs: [], isOpen: false };
  for (
    let block: CallBlock | null = first;
    block && !run.failure;
    block = readOne(context, skip(context, run.end), role)
  ) {
    run.blocks.push(block);
    run.repairs.push(...block.repairs);
    run.end = block.end;
    run.isOpen = block.isOpen;
    if (block.failure) run.failure = block;
  }
  return run;
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

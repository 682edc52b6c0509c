// Blocks of JSON one after the other, as some models write several calls into one wrapper.
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
  /** The text ended before the last block was closed. */
  isOpen: boolean;
  /** The block that could not be read; the last of `blocks`, which holds what came before the damage. */
  failure?: CallBlock | undefined;
}

const SEPARATORS = ' \t\r\n,;';

/** Null when no JSON that could hold a call begins at `at`. A whole call in a string counts as one. */
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

/** A string that holds a call: encoded once too often. Other strings are none of ours. */
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

// Shared by the tests that check laws over many replies: the cases of both corpora, calls written in any format, and
// samples chosen by a seed.
import { formatToolCalls } from '../../../../src/library/rescue/format-tool-calls';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import type { RescuedCall, RescueReport } from '../../../../src/types';
import { createRandom } from '../../../support/arbitrary/random';
import { CORPUS, OWN_CORPUS, toolsOf, toPlain } from './rescue-fixtures';
import type { CorpusCase } from './rescue-fixtures';

/** RESCUE_SEED=n chooses other samples. */
export const SEED = Number(process.env['RESCUE_SEED'] ?? 1);

export const FORMAT_IDS: readonly string[] = RESCUE_FORMATS.map(({ id }) => id);
export const CASES: readonly CorpusCase[] = [...CORPUS, ...OWN_CORPUS];
export const POSITIVE: readonly CorpusCase[] = CASES.filter(({ expected }) => expected.length > 0);

/** Returns so many of the items in their order; the same ones for the same seed. */
export function sample<Item>(items: readonly Item[], count: number): Item[] {
  const random = createRandom(SEED);
  return items
    .map((item, index) => ({ item, index, key: random.below(1_000_000) }))
    .toSorted((one, other) => one.key - other.key)
    .slice(0, count)
    .toSorted((one, other) => one.index - other.index)
    .map(({ item }) => item);
}

export const toKey = (call: { name: string; arguments: unknown }): string => JSON.stringify(toPlain(call));

export const toKeys = (calls: readonly { name: string; arguments: unknown }[]): string[] => calls.map(toKey);

export const rescueCase = (item: CorpusCase, text = item.text, finishReason?: string): RescueReport =>
  rescueToolCalls(text, toolsOf(item.tools), { finishReason });

/** Returns undefined when the format cannot express the calls. */
export function write(
  calls: readonly { name: string; arguments: object }[],
  format: string,
): string | undefined {
  try {
    return formatToolCalls(calls, format);
  } catch {
    return undefined;
  }
}

export const isSingle = (format: string): boolean =>
  RESCUE_FORMATS.find(({ id }) => id === format)?.isSingle === true;

/** Whether the call is the whole call with some parameters missing, the others unchanged. */
export function isPartOf(
  call: RescuedCall,
  whole: { name: string; arguments: unknown } | undefined,
): boolean {
  if (call.name !== whole?.name) return false;
  const all = whole.arguments as Record<string, unknown>;
  return Object.entries(call.arguments as object).every(
    ([key, value]) => JSON.stringify(all[key]) === JSON.stringify(value),
  );
}

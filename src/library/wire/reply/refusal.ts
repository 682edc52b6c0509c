// Reads why a service refused: in a reply of the Messages API, and in what a provider of others returns. Independent of protocols.
import type { RawAssistant } from '../../../types';
import { toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';

/** Of a text about a refusal, in UTF-16 code units: it is stored with every run. */
const MAX_REFUSAL = 2_000;

/** @returns undefined when the service says nothing of it */
export function readRefusal(details: unknown): RawAssistant['refusal'] {
  const { category, explanation } = toRecord(details);
  const said = pruneUndefined({
    category: toText(category)?.slice(0, MAX_REFUSAL),
    explanation: toText(explanation)?.slice(0, MAX_REFUSAL),
  });
  return Object.keys(said).length === 0 ? undefined : said;
}

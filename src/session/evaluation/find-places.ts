// Where the parts of an evaluation stand in the text of a playground. Pure; reads nothing of what they mean.
import { lineFinder } from '../document/place';
import { findNode, readJson } from '../document/text/json-text';

/** Lines, from 1. */
export interface EvaluationPlaces {
  /** Of what limits it; absent when the document says nothing of that. */
  evaluate?: number | undefined;
  /** Of the list of expectations. */
  expect: number;
  expectations: readonly number[];
  /** By id. */
  lanes: ReadonlyMap<string, number>;
}

/** Whether the text is JSON, with comments and trailing commas. */
export const isReadable = (text: string): boolean => 'root' in readJson(text);

/** @returns undefined when the text is not JSON, or expects nothing */
export function findEvaluationPlaces(text: string): EvaluationPlaces | undefined {
  const read = readJson(text);
  if (!('root' in read)) return undefined;
  const expect = findNode(read.root, ['expect']);
  if (expect?.kind !== 'list' || expect.entries.length === 0) return undefined;
  const lineAt = lineFinder(text);
  const lanes = findNode(read.root, ['lanes'])?.entries ?? [];
  const evaluate = findNode(read.root, ['evaluate']);
  return {
    ...(evaluate && { evaluate: lineAt(evaluate.start) }),
    expect: lineAt(expect.start),
    expectations: expect.entries.map(({ start }) => lineAt(start)),
    lanes: new Map(lanes.map(({ start, node }) => [String(findNode(node, ['id'])?.value), lineAt(start)])),
  };
}

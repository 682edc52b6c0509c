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

/** @returns undefined when nothing is expected */
export function findEvaluationPlaces(text: string): EvaluationPlaces | 'unreadable' | undefined {
  const read = readJson(text);
  if (!('root' in read)) return 'unreadable';
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

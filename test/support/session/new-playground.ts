// The document of a playground in which nothing was changed yet.
import type { PlaygroundDocument } from '../../../src/protocol';
import { parseDocument } from '../../../src/session';

/** @returns a new document each time */
export function newPlayground(): PlaygroundDocument {
  const { document, error } = parseDocument('');
  if (error) throw new Error(error.message);
  return document;
}

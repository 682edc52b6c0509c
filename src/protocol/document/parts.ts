// Parts that the schemas of a document consist of.
import * as v from 'valibot';
import { DOCUMENT_LIMIT } from './document-limit';

export const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(DOCUMENT_LIMIT.id));
export const Name = v.pipe(v.string(), v.maxLength(DOCUMENT_LIMIT.name));
export const Text = v.pipe(v.string(), v.maxLength(DOCUMENT_LIMIT.text));
export const JsonObject = v.record(v.string(), v.unknown());
export const Finite = v.pipe(v.number(), v.finite());
export const Whole = v.pipe(v.number(), v.safeInteger());

/** An object whose unknown keys are kept in the value but are not part of the type. */
export const objectOf = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.looseObject(entries) as unknown as v.ObjectSchema<Entries, undefined>;

// Keeps what YAML would read as a number or a literal as it is written, where the tool wants text: `01234`, `1.10`, `true`.
import { setOwn } from '../../util/json';
import { findProperties, findTypes } from '../schema/schema-types';
import type { JsonRecord } from '../../util/json';
import type { YamlReading } from './yaml-reader';

/** Changes the arguments of a call. @param schema The schema of the tool's parameters. */
export function keepTexts(written: JsonRecord, { sources }: YamlReading, schema: unknown): void {
  const properties = findProperties(schema) ?? {};
  for (const [key, source] of sources.get(written) ?? []) {
    const types = Object.hasOwn(properties, key) ? findTypes(properties[key], schema) : [];
    if (types.length === 1 && types[0] === 'string') setOwn(written, key, source);
  }
}

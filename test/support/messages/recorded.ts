// The recorded exchanges of real servers that the tests use.
import { readdirSync, readFileSync } from 'node:fs';

export interface RecordedExchange {
  name: string;
  server: string;
  request: { method: string; path: string; headers: Record<string, string>; body: unknown };
  response: { status: number; reason: string; headers: [string, string][]; body: string; json?: unknown };
}

const FOLDER = new URL('../../fixtures/recorded/', import.meta.url);

/** The names of all recordings. */
export const recordedNames = (): string[] =>
  readdirSync(FOLDER)
    .map((file) => file.replace(/\.json$/, ''))
    .toSorted();

/** @param name File name without its ending, such as `ollama-chat-tools`. */
export function readRecorded(name: string): RecordedExchange {
  const recorded = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as RecordedExchange &
    Record<'response', { tail?: string }>;
  const { response } = recorded;
  // Of the longest responses only the end was kept, which begins here with its first complete line.
  if (response.tail !== undefined) response.body ??= response.tail.replace(/^.*\n\n?/, '');
  return recorded;
}

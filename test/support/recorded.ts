// The recorded exchanges of real servers that the tests use.
import { readFileSync } from 'node:fs';

export interface RecordedExchange {
  name: string;
  server: string;
  request: { method: string; path: string; headers: Record<string, string>; body: unknown };
  response: { status: number; reason: string; headers: [string, string][]; body: string; json?: unknown };
}

/** @param name File name without its ending, such as `ollama-chat-tools`. */
export function readRecorded(name: string): RecordedExchange {
  const file = new URL(`../fixtures/recorded/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedExchange;
}

// Cases of what public bug reports describe: replies and answers of servers, with what is to be made of them. The README
// beside the fixtures says what each field means.
import { readdirSync, readFileSync } from 'node:fs';
import type { ToolType } from '../../../src/library';

/** What must hold; a field that is absent does not matter. */
export interface Wanted {
  calls?: readonly (readonly PlainCall[])[];
  includes?: readonly PlainCall[];
  rejected?: readonly string[];
  content?: string | readonly string[];
  reasoning?: string;
  finishReason?: string;
  attempts?: number;
  error?: boolean | readonly string[];
  partial?: string;
  vectors?: readonly (readonly number[])[];
  sentBack?: readonly Pointed[];
  sent?: readonly Pointed[];
  notSent?: readonly string[];
  says?: string | readonly string[];
  finding?: string | readonly string[];
  notFinding?: string | readonly string[];
}

export interface PlainCall {
  name: string;
  arguments: unknown;
}

export interface Pointed {
  /** A JSON Pointer. */
  pointer: string;
  /** Absent: any value will do. */
  value?: unknown;
}

export interface ScriptedReply {
  status: number;
  headers: Record<string, string>;
  /** Written one after the other. */
  chunks: readonly string[];
}

interface Described {
  id: string;
  kind: string;
  what: string;
  /** Whether it was right from the start. */
  control?: boolean;
  tools?: ToolType[];
  expected: Wanted | { anyOf: readonly Wanted[] };
}

interface Asked {
  endpoint: 'hosted-api' | 'local-host';
  request?: {
    stream?: boolean;
    messages?: { role: 'user'; content: string }[];
    maxTokens?: number;
    raw?: Record<string, unknown>;
  };
}

export type TextCase = Described & { text: string };
export type WireCase = Described & Asked & ScriptedReply;
export type EmbeddingCase = WireCase & { texts: string[] };
export type HistoryCase = Described & Asked & { replies: readonly ScriptedReply[]; way: 'chat' | 'agent' };
export type FieldCase = TextCase | WireCase | EmbeddingCase | HistoryCase;

const FOLDER = new URL('../../fixtures/field/', import.meta.url);

/** @param files By default all cases of the project. */
export function readFieldCases(files?: readonly string[]): FieldCase[] {
  const all = files ?? readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));
  return all
    .map((name) => readFileSync(files ? name : new URL(name, FOLDER), 'utf8'))
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as FieldCase);
}

/** The cases that are known to be wrong, by their ids. */
export function readOpenCases(): Set<string> {
  const text = readFileSync(new URL('open-cases.txt', FOLDER), 'utf8');
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
}

// The corpus of replies with the calls they hold, and the tools they were offered. Shared by the tests of this folder.
import { readdirSync, readFileSync } from 'node:fs';
import { RescueContext } from '../../../../src/library/rescue/core/rescue-context';
import { ToolIndex } from '../../../../src/library/rescue/core/tool-index';
import { DIALECTS as ALL_DIALECTS } from '../../../../src/library/rescue/formats/dialects';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import type { RescuedCall, RescueRejection, ToolType } from '../../../../src/types';

export interface CorpusCase {
  id: string;
  format: string;
  kind: 'clean' | 'multi' | 'malformed' | 'truncated' | 'mixed' | 'negative';
  tools: string;
  text: string;
  expected: { name: string; arguments: unknown }[];
  remaining?: string;
  repairs?: string[];
  reject?: string;
  alt_format?: string;
  note?: string;
  /** What an own case was named after: a model, a server's test, a report. */
  source?: string;
}

/** What the test suites of others ask for, a few replies a rule; the rule stands in the id. */
export interface PeerCase extends CorpusCase {
  finish?: string;
  /** A tool that must not be called; nothing else is asked of the case then. */
  uncalled?: string;
  /** Part of a rejection's sentence. */
  detail?: string;
  /** Paths at which the schema objects. */
  issues?: string[];
}

/** The same call, and the same two, in one format. */
export interface Dialect {
  format: string;
  variant?: string;
  one: string;
  two?: string;
}

const FOLDER = new URL('../../../fixtures/rescue/', import.meta.url);

const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

function readLines<T>(name: string): T[] {
  return read(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

export const CORPUS: readonly CorpusCase[] = readLines('rescue-corpus.jsonl');

/** Our own cases beside it, a file a format. */
export const OWN_CORPUS: readonly CorpusCase[] = readdirSync(new URL('own/', FOLDER))
  .filter((name) => name.endsWith('.jsonl'))
  .toSorted()
  .flatMap((name) => readLines<CorpusCase>(`own/${name}`));

export const PEER_CASES: readonly PeerCase[] = readLines('peer-rules.jsonl');

/** What programmers write that looks like calls, and calls beside what looks like programs. */
export const PROGRAMMERS_PROSE: readonly CorpusCase[] = readLines('programmers-prose.jsonl');

/** Replies that come in chunks of these lengths, over and over. */
export const STREAMS: readonly { name: string; text: string; cuts: readonly number[] }[] =
  readLines('streams.jsonl');

export const DIALECTS: readonly Dialect[] = readLines('dialects.jsonl');

const TOOL_SETS = {
  ...JSON.parse(read('rescue-tools.json')),
  ...JSON.parse(read('own-tools.json')),
} as Record<string, { function: ToolType }[]>;

export function toolsOf(set: string): ToolType[] {
  const tools = TOOL_SETS[set];
  if (!tools) throw new Error(`no tool set ${set}`);
  return tools.map((tool) => tool.function);
}

/** What matters of a call for comparing: its name and its arguments. */
export const toPlain = ({ name, arguments: value }: { name: string; arguments: unknown }): object => ({
  name,
  arguments: value,
});

export const kindsOf = (repairs: readonly { kind: string }[]): string[] => repairs.map(({ kind }) => kind);

/** What the parsers of one reply are given. */
export const createContext = (text: string, tools: readonly ToolType[]): RescueContext =>
  new RescueContext(text, { tools: new ToolIndex(tools), dialects: ALL_DIALECTS });

export const WEATHER = toolsOf('weather');
export const CODING = toolsOf('coding');
export const GHENT = '{"name": "get_weather", "arguments": {"city": "Ghent"}}';
export const OSLO = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';

export const tag = (body: string): string => `<tool_call>${body}</tool_call>`;

export const rescue = (text: string, tools: readonly ToolType[] = WEATHER) => rescueToolCalls(text, tools);

export function onlyCall(text: string, tools: readonly ToolType[] = WEATHER): RescuedCall {
  const { calls, rejected } = rescue(text, tools);
  const call = calls[0];
  if (calls.length !== 1 || !call) throw new Error(`${calls.length} calls: ${JSON.stringify(rejected)}`);
  return call;
}

export function onlyRejection(text: string, tools: readonly ToolType[] = WEATHER): RescueRejection {
  const { calls, rejected } = rescue(text, tools);
  const rejection = rejected[0];
  if (calls.length > 0 || rejected.length !== 1 || !rejection)
    throw new Error(JSON.stringify({ calls, rejected }));
  return rejection;
}

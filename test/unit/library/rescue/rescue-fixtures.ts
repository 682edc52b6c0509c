// The corpora of replies with the calls they hold, the tools that were offered, and helpers for the tests of this folder.
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
  /** Where a case of our own comes from: a model, a test of a server, a bug report. */
  source?: string;
}

/** A case taken from the rules in the test suites of other projects, a few replies per rule; the id begins with the rule. */
export interface PeerCase extends CorpusCase {
  finish?: string;
  /** A tool that must not be called; then the expected calls are not compared. */
  uncalled?: string;
  /** Text that the detail of a rejection has to contain. */
  detail?: string;
  /** Paths for which the schema check has to report an issue. */
  issues?: string[];
}

/** One call, and two calls, written in one format. */
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

/** Our own cases, one file per format. */
export const OWN_CORPUS: readonly CorpusCase[] = readdirSync(new URL('own/', FOLDER))
  .filter((name) => name.endsWith('.jsonl'))
  .toSorted()
  .flatMap((name) => readLines<CorpusCase>(`own/${name}`));

export const PEER_CASES: readonly PeerCase[] = readLines('peer-rules.jsonl');

/** Text of programmers that looks like calls, and calls next to text that looks like programs. */
export const PROGRAMMERS_PROSE: readonly CorpusCase[] = readLines('programmers-prose.jsonl');

/** Replies that arrive in chunks of these lengths, over and over. */
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

/** The name and the arguments of a call, for comparing. */
export const toPlain = ({ name, arguments: value }: { name: string; arguments: unknown }): object => ({
  name,
  arguments: value,
});

export const kindsOf = (repairs: readonly { kind: string }[]): string[] => repairs.map(({ kind }) => kind);

/** The context that the parsers of one reply receive. */
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

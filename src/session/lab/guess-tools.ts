// The tools that a text seems to call, where nobody says which were offered. Pure. Only what reads as a call with them is
// kept, and what they take is what the calls give.
import { rescueToolCalls } from '../../library';
import { LAB_LIMIT } from '../../protocol';
import type { ToolType } from '../../types';

/** Behind a name that is found there may be others, which only its own tool brings to light. */
const ROUNDS = 3;

/** At most 50 of them, in the order of the text, from the first 200,000 characters. */
export function guessTools(text: string): ToolType[] {
  const head = text.slice(0, LAB_LIMIT.guessedText);
  const marked = readMarked(head);
  const found = marked.length > 0 ? marked : findNamed(head);
  return describeCalled(head, found);
}

/** The names that stand where a format has the name of a tool. */
function readMarked(text: string): ToolType[] {
  let tools: ToolType[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { rejected } = rescueToolCalls(text, tools);
    // a hint is given where the name could be that of a tool
    const names = rejected.flatMap(({ reason, name, hint }) =>
      reason === 'unknown-tool' && name !== undefined && hint !== undefined ? [name.trim()] : [],
    );
    const more = [...new Set(names)].filter(isNew(tools)).map((name) => toTool(name, {}));
    if (more.length === 0) break;
    tools = [...tools, ...more].slice(0, LAB_LIMIT.guessedTools);
  }
  return tools;
}

const isNew =
  (tools: readonly ToolType[]) =>
  (name: string): boolean =>
    POSSIBLE_NAME.test(name) && !tools.some((tool) => tool.name === name);

const toTool = (name: string, properties: Readonly<Record<string, { type: string }>>): ToolType => ({
  name,
  parameters: { type: 'object', properties },
});

/** Servers of one's own take nearly any name. */
const POSSIBLE_NAME = /^[\p{L}_][\p{L}\p{N}_.:/-]{0,127}$/u;

const NAME = String.raw`([A-Za-z_][\w.-]{0,63})`;
const KEY = String.raw`[A-Za-z_]\w{0,63}`;

interface Shape {
  pattern: RegExp;
  /** Where the text alone says that it is a call. */
  isMarked?: boolean;
}

/** What is named after its tool says nothing of itself: an element, a line, a Python call, a bracket, a keyword. */
const SHAPES: readonly Shape[] = [
  { pattern: new RegExp(String.raw`<tool_call>\s{0,8}${NAME}\s{1,8}${KEY}=`, 'g'), isMarked: true },
  { pattern: new RegExp(String.raw`\[${NAME}\]\s{0,8}\{`, 'g') },
  { pattern: new RegExp(String.raw`<${NAME}>\s{0,8}(?:<${KEY}>|${KEY}: )`, 'g') },
  { pattern: new RegExp(String.raw`^${NAME}\n<${KEY}>`, 'gm') },
  { pattern: new RegExp(String.raw`^[ \t]{0,8}${NAME}\((?:\)|${KEY} ?=)`, 'gm') },
];

/** Where a name is looked for, what follows it for so long may name its arguments. */
const LONGEST_CALL = 4_000;

/** A word alone may be anything; the names of tools are mostly made of several. */
const isCompound = (name: string): boolean => /[A-Za-z\d][_.-][A-Za-z\d]|[a-z][A-Z]/.test(name);
/** What holds calls in one format or another, whatever their names. */
const isWrapper = (name: string): boolean =>
  /(?:tool|function|action)s?[_-]?(?:calls?|use|code|name|input|responses?|results?)?$/i.test(name);

function findNamed(text: string): ToolType[] {
  const tools: ToolType[] = [];
  for (const { pattern, isMarked = false } of SHAPES) {
    for (const match of text.matchAll(pattern)) {
      const [, name = ''] = match;
      const isLikely = isMarked || (isCompound(name) && !isWrapper(name));
      if (!isLikely || !isNew(tools)(name) || tools.length >= LAB_LIMIT.guessedTools) continue;
      tools.push(toTool(name, keysAfter(text, match.index + name.length)));
    }
  }
  return tools;
}

/** What looks like the name of an argument: `<key>`, `key: ` at the start of a line, `key=`. */
function keysAfter(text: string, start: number): Record<string, { type: string }> {
  const part = text.slice(start, start + LONGEST_CALL);
  const keys = [...part.matchAll(KEYS)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const likely = [...new Set(keys)].filter((key) => key !== '__proto__' && !isWrapper(key));
  return Object.fromEntries(likely.slice(0, LAB_LIMIT.guessedTools).map((key) => [key, { type: 'string' }]));
}
const KEYS = new RegExp(`<(${KEY})>|^(${KEY}): |(${KEY}) ?=`, 'gm');

/** Those that are called, with the arguments that their calls have. */
function describeCalled(text: string, tools: readonly ToolType[]): ToolType[] {
  if (tools.length === 0) return [];
  const { calls } = rescueToolCalls(text, tools);
  const taken = new Map<string, Map<string, string>>();
  for (const { name, arguments: given } of calls) {
    const properties = taken.get(name) ?? new Map<string, string>();
    taken.set(name, properties);
    for (const [key, value] of Object.entries(given ?? {})) {
      const type = typeOf(value);
      if (properties.size < LAB_LIMIT.guessedTools && !properties.has(key)) properties.set(key, type);
    }
  }
  // what could not be read as a call was still named as one
  return tools
    .filter(({ name, parameters }) => taken.has(name) || Object.keys(propertiesOf(parameters)).length === 0)
    .map((tool) => {
      const properties = [...(taken.get(tool.name) ?? [])].map(([key, type]) => [key, { type }] as const);
      return toTool(tool.name, Object.fromEntries(properties));
    });
}

const propertiesOf = (parameters: ToolType['parameters']): object =>
  Object(parameters['properties']) as object;

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

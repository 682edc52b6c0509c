// Guesses the tools that a text calls, for a text without a list of offered tools. Pure. Only keeps tools with which the
// text parses as a call; their parameters are the arguments of those calls.
import { rescueToolCalls } from '../../library';
import { LAB_LIMIT } from '../../protocol';
import type { RescueReport, ToolType } from '../../types';
import { jsonTypeOf } from '../../inspect';

/** Further names may only become visible once the tool before them is known. */
const ROUNDS = 3;

interface Guess {
  tools: ToolType[];
  /** The calls that are read with these tools. */
  calls: RescueReport['calls'];
}

/** Returns at most 50 tools, in the order of the text. */
export function guessTools(text: string): ToolType[] {
  const tools = guessAsWritten(text);
  // A call in code is an example, which the reader names as such only if it knows the tool: so the marks are left out.
  return tools.length > 0 || !text.includes('`') ? tools : guessAsWritten(text.replaceAll('`', ' '));
}

function guessAsWritten(text: string): ToolType[] {
  const head = text.slice(0, LAB_LIMIT.guessedText);
  const tools = guessIn(head, []);
  // A call may be longer than the beginning, or come after it. Its tools are mostly known by then, so that the whole of a
  // long text is read once, or twice with those of its end.
  return text.length > head.length ? guessIn(text, tools, 1) : tools;
}

function guessIn(text: string, known: readonly ToolType[], rounds = ROUNDS): ToolType[] {
  const marked = readMarked(text, known, rounds);
  return describeCalled(marked.tools.length > 0 ? marked : readNamed(text));
}

/**
 * Finds the names that are in the place where a format has the name of a tool.
 * @returns them after the known tools
 */
function readMarked(text: string, known: readonly ToolType[], rounds: number): Guess {
  let tools = [...known];
  for (let round = 0; ; round++) {
    const { calls, rejected } = rescueToolCalls(text, tools);
    const isOver = round >= rounds || tools.length >= LAB_LIMIT.guessedTools;
    const more = isOver ? [] : unknownNames(rejected).filter(isNew(tools));
    if (more.length === 0) return { tools, calls };
    tools = [...tools, ...more.map((name) => toTool(name, {}))].slice(0, LAB_LIMIT.guessedTools);
  }
}

function unknownNames(rejected: RescueReport['rejected']): string[] {
  // The reader only gives a hint where the name could be that of a tool.
  const names = rejected.flatMap(({ reason, name, hint }) =>
    reason === 'unknown-tool' && name !== undefined && hint !== undefined ? [name.trim()] : [],
  );
  return [...new Set(names)];
}

const isNew =
  (tools: readonly ToolType[]) =>
  (name: string): boolean =>
    POSSIBLE_NAME.test(name) && !tools.some((tool) => tool.name === name);

const toTool = (name: string, properties: Readonly<Record<string, { type: string }>>): ToolType => ({
  name,
  parameters: { type: 'object', properties },
});

/** Local servers accept nearly any name. */
const POSSIBLE_NAME = /^[\p{L}_][\p{L}\p{N}_.:/-]{0,127}$/u;

const NAME = String.raw`([A-Za-z_][\w.-]{0,63})`;
const KEY = String.raw`[A-Za-z_]\w{0,63}`;

interface Shape {
  pattern: RegExp;
  /** Whether the shape alone says that it is a call. */
  isMarked?: boolean;
}

/** Call shapes that start with the tool's name: an element, a line, a Python call, a bracket, a keyword. */
const SHAPES: readonly Shape[] = [
  { pattern: new RegExp(String.raw`<tool_call>\s{0,8}${NAME}\s{1,8}${KEY}=`, 'g'), isMarked: true },
  { pattern: new RegExp(String.raw`\[${NAME}\]\s{0,8}\{`, 'g') },
  { pattern: new RegExp(String.raw`<${NAME}>\s{0,8}(?:<${KEY}>|${KEY}: )`, 'g') },
  { pattern: new RegExp(String.raw`^${NAME}\n<${KEY}>`, 'gm') },
  { pattern: new RegExp(String.raw`^[ \t]{0,8}${NAME}\((?:\)|${KEY} ?=)`, 'gm') },
];

/** How far after a name its arguments are looked for, in UTF-16 code units. */
const LONGEST_CALL = 4_000;

/** Tool names mostly consist of several words; a single word may be anything. */
const isCompound = (name: string): boolean => /[A-Za-z\d][_.-][A-Za-z\d]|[a-z][A-Z]/.test(name);
/** Whether it is the name of an element that contains calls in one of the formats, rather than the name of a tool. */
const isWrapper = (name: string): boolean =>
  /(?:tool|function|action)s?[_-]?(?:calls?|use|code|name|input|responses?|results?)?$/i.test(name);

function readNamed(text: string): Guess {
  const tools = findNamed(text);
  return { tools, calls: tools.length > 0 ? rescueToolCalls(text, tools).calls : [] };
}

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

/** Collects what looks like an argument name: `<key>`, `key: ` at the start of a line, `key=`. */
function keysAfter(text: string, start: number): Record<string, { type: string }> {
  const part = text.slice(start, start + LONGEST_CALL);
  const keys = [...part.matchAll(KEYS)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const likely = [...new Set(keys)].filter((key) => key !== '__proto__' && !isWrapper(key));
  return Object.fromEntries(likely.slice(0, LAB_LIMIT.guessedTools).map((key) => [key, { type: 'string' }]));
}
const KEYS = new RegExp(`<(${KEY})>|^(${KEY}): |(${KEY}) ?=`, 'gm');

/** Keeps the tools that are called, with the arguments of their calls as parameters. */
function describeCalled({ tools, calls }: Guess): ToolType[] {
  const taken = new Map<string, Map<string, string>>();
  for (const { name, arguments: given } of calls) {
    const properties = taken.get(name) ?? new Map<string, string>();
    taken.set(name, properties);
    for (const [key, value] of Object.entries(given ?? {})) {
      const type = jsonTypeOf(value);
      if (properties.size < LAB_LIMIT.guessedTools && !properties.has(key)) properties.set(key, type);
    }
  }
  // A tool without guessed parameters was found in a place for names, so it stays even if no call of it could be read.
  return tools
    .filter(({ name, parameters }) => taken.has(name) || Object.keys(propertiesOf(parameters)).length === 0)
    .map((tool) => {
      const properties = [...(taken.get(tool.name) ?? [])].map(([key, type]) => [key, { type }] as const);
      return toTool(tool.name, Object.fromEntries(properties));
    });
}

const propertiesOf = (parameters: ToolType['parameters']): object =>
  Object(parameters['properties']) as object;

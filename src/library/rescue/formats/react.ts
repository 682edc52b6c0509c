// Calls after the label `Action:`. ReAct agents write a tool's name and `Action Input:` after it, or the whole call in JSON;
// a turn has one call by design. Cohere's Command R and R+ write a list of calls in a code fence.
import { ACTION_PATTERN } from '../candidates/start-patterns';
import type { RescueRepair } from '../../../types';
import { findLabelOrFence, readLabel, readLabelAt } from '../labels/action-label';
import type { ActionLabel, LabelKind } from '../labels/action-label';
import { readActionInput } from '../labels/action-input';
import { findThought, readObservation } from '../labels/action-turn';
import { readFenceOpening } from '../regions/fence';
import { readJsonCalls } from '../json-calls/read-json-calls';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeCallJson, writeJson } from '../json/write-json';

const LONGEST_NAME = 128;
/** Decoration around a name, in the order in which it is removed. */
const AROUND: readonly RegExp[] = [/[.,;]$/, /^(\*\*|__|[*_"'`])(.{1,128})\1$/, /^\[(.{1,128})\]$/, /\(\)$/];

/** Labels, at the start of a line, that begin a turn: the action, or the thought before it. */
const LEADS = ['^Thought', '^Action', '^**Thought', '^**Action'];

/** Common to these formats, which are found at the colon of their label. */
const LABELLED = {
  openers: [],
  firstCharacters: ':：',
  startPattern: ACTION_PATTERN,
  leads: LEADS,
  evidence: 'label',
  isSingle: true,
} as const satisfies Partial<RescueFormat>;

export const react: RescueFormat = {
  id: 'react',
  title: 'ReAct: Action and Action Input',
  ...LABELLED,
  parse: (context, at) => readTurn(context, at, (action) => parseAction(context, action)),
  write: (calls) =>
    calls.map((call) => `Action: ${call.name}\nAction Input: ${writeJson(call.arguments)}`).join('\n'),
};

export const reactJson: RescueFormat = {
  id: 'react-json',
  title: 'ReAct: Action with the call in JSON',
  ...LABELLED,
  parse: (context, at) => readTurn(context, at, (action) => readActionJson(context, action, /^[{[]/)),
  write: (calls) =>
    calls
      .map((call) => writeCallJson(call, { name: 'action', arguments: 'action_input' }))
      .map((json) => `Action:\n\`\`\`json\n${json}\n\`\`\``)
      .join('\n'),
};

export const commandR: RescueFormat = {
  id: 'command-r',
  title: 'Command R: a fenced list after `Action:`',
  ...LABELLED,
  noTools: ['directly-answer', 'directly_answer'],
  leads: ['^Action', '^**Action'],
  isSingle: false,
  parse: (context, at) => readTurn(context, at, (action) => readActionJson(context, action, COHERE)),
  write: (calls) => `Action: \`\`\`json\n${writeJson(calls.map(toEntry))}\n\`\`\``,
};

/** A list whose first object does not begin with `action`, as calls of agents do, or a single call with `tool_name`. */
const COHERE = /^(?:\[(?!\s{0,40}\{\s{0,40}["']action["'])|\{\s{0,40}["']tool_name["'])/;

const toEntry = ({ name, arguments: value }: WrittenCall): object => ({ tool_name: name, parameters: value });

/** Reads the turn whose label `Action:` ends with the colon. Indented like code, it counts only at the end of the reply. */
function readTurn(
  context: RescueContext,
  colon: number,
  read: (action: ActionLabel) => FormatReading | null,
): FormatReading | null {
  const { text, consumedTo } = context;
  const action = readLabelAt(text, colon, consumedTo);
  const reading = action?.kind === 'action' ? read(action) : null;
  if (!action || reading?.kind !== 'calls') return reading;
  const turn = reading.failure
    ? reading
    : readObservation(context, { ...reading, ...findThought(context, action.start) });
  const isIndented = /^(?: {4}| {0,3}\t)/.test(text.slice(action.start, action.start + CODE_INDENT));
  return isIndented ? { ...turn, needsEnd: true } : turn;
}

const CODE_INDENT = 4;

/** Reads calls in JSON after the label, in a fence or not. Null unless the JSON begins as in `pattern`. */
function readActionJson(context: RescueContext, action: ActionLabel, pattern: RegExp): FormatReading | null {
  const { text } = context;
  const at = skipWhite(text, action.end);
  const fence = readFenceOpening(text, at);
  const bodyAt = fence ? skipWhite(text, fence.bodyStart) : at;
  if (!pattern.test(text.slice(bodyAt, bodyAt + LONGEST_HEAD))) return null;
  const repairs = action.isDecorated ? [{ kind: 'markdown-labels', at: action.start }] : [];
  const emission = { start: action.start, opener: '', from: action.end, repairs };
  return readJsonCalls(context, emission, { closers: [], isFenced: true });
}

const LONGEST_HEAD = 96;

function parseAction(context: RescueContext, action: ActionLabel): FormatReading | null {
  const { text } = context;
  const nameAt = skipWhite(text, action.end);
  const length = text.slice(nameAt, nameAt + LONGEST_NAME).indexOf('\n');
  // The line is too long for a name, or the text ends in it and may have cut the name.
  if (length === -1) return null;
  const lineEnd = nameAt + length;
  const { name, isDecorated } = toName(text.slice(nameAt, lineEnd).trim());
  // A sentence after the label is no name: the text may be the minutes of a meeting.
  if (name === '' || (/\s/.test(name) && !context.tools.resolve(name))) return null;
  const inputLine = text.lastIndexOf('\n', skipWhite(text, lineEnd) - 1) + 1;
  const input = readLabel(text, inputLine);
  if (input?.kind !== 'input' && input?.kind !== 'observation') return null;
  const isMarked = action.isDecorated || isDecorated || input.isDecorated;
  const repairs: RescueRepair[] = isMarked ? [{ kind: 'markdown-labels', at: action.start }] : [];
  const reading = readActionInput(context, { name, start: action.start, input, repairs });
  return reading.kind === 'calls' ? reading : { ...reading, end: findInvented(context, reading.end) };
}

/**
 * The offset where the walk continues after an input that cannot be read. If an observation follows, it is invented, and so
 * is everything after it. If another action comes first, it may be a second attempt.
 */
function findInvented({ text, meter }: RescueContext, from: number): number {
  let at = from;
  let kind: LabelKind | undefined;
  while (at < text.length && kind !== 'action' && kind !== 'observation') {
    at = findLabelOrFence(text, at);
    kind = readLabel(text, at)?.kind;
  }
  meter.spend(from, at);
  return kind === 'observation' ? text.length : from;
}

/** The tool's name without decoration. */
function toName(written: string): { name: string; isDecorated: boolean } {
  let name = written;
  let isDecorated = false;
  for (const pattern of AROUND) {
    const inner = pattern.exec(name)?.[2] ?? pattern.exec(name)?.[1];
    isDecorated ||= inner !== undefined;
    name = inner?.trim() ?? name.replace(pattern, '');
  }
  return { name, isDecorated };
}

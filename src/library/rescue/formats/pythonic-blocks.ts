// Formats with Python calls between or after a model's own tokens or label: LFM2, MiniCPM 3, Olmo 3, Gorilla OpenFunctions,
// NexusRaven and Llama 3.1, whose built-in tools are methods. Each is declared as a dialect of one common reader.
import { LIST_PATTERN, createLabelPattern } from '../candidates/start-patterns';
import { skipWhite } from '../text/white-space';
import { findNameEnd } from '../text/names';
import { readCallRun } from '../pythonic/read-call-run';
import { readPythonicBlock, findFailedEnd, toFailedRun } from '../pythonic/read-pythonic-block';
import { writePythonCalls } from '../pythonic/write-pythonic';
import type { RescueContext } from '../core/rescue-context';
import { toEmptyEmission } from '../core/rescue-format';
import type { CallsReading, RescueFormat, FormatReading } from '../core/rescue-format';
import { endsLine, startsLine } from '../regions/line-position';
import type { CallRun, RunFailure } from '../pythonic/read-call-run';

const LFM2_CLOSE = '<|tool_call_end|>';

export const lfm2: RescueFormat = {
  id: 'lfm2',
  title: 'LFM2: a list of Python calls between tokens',
  vllmParser: 'lfm2',
  sglangParser: 'lfm2',
  openers: ['<|tool_call_start|>'],
  closers: [LFM2_CLOSE],
  firstCharacters: '[',
  startPattern: LIST_PATTERN,
  evidence: 'marker',
  parse: (context, at, opener) =>
    opener === ''
      ? readWithoutOpener(context, at, LFM2_CLOSE)
      : readPythonicBlock(context, at, opener, { close: LFM2_CLOSE, hasEchoes: true }),
  write: (calls) => `<|tool_call_start|>[${writePythonCalls(calls, ', ')}]${LFM2_CLOSE}`,
};

export const minicpm: RescueFormat = {
  id: 'minicpm',
  title: 'MiniCPM 3: a Python fence between tokens',
  openers: ['<|tool_call_start|>'],
  closers: [LFM2_CLOSE],
  reasoningTags: [{ open: '<|thought_start|>', close: '<|thought_end|>' }],
  evidence: 'marker',
  parse: (context, at, opener) => readPythonicBlock(context, at, opener, { close: LFM2_CLOSE, fence: 'due' }),
  write: (calls) =>
    `<|tool_call_start|>\n\`\`\`python\n${writePythonCalls(calls, '\n')}\n\`\`\`\n${LFM2_CLOSE}`,
};

export const olmo3: RescueFormat = {
  id: 'olmo3',
  title: 'Olmo 3: a Python call a line in <function_calls>',
  vllmParser: 'olmo3',
  openers: ['<function_calls>'],
  closers: ['</function_calls>'],
  evidence: 'marker',
  parse: (context, at, opener) =>
    readPythonicBlock(context, at, opener, { close: '</function_calls>', fence: 'foreign' }),
  write: (calls) => `<function_calls>\n${writePythonCalls(calls, '\n')}\n</function_calls>`,
};

export const gorilla: RescueFormat = {
  id: 'gorilla',
  title: 'Gorilla OpenFunctions: a Python call after <<function>>',
  openers: ['<<function>>'],
  evidence: 'marker',
  parse: (context, at, opener) => readPythonicBlock(context, at, opener, { close: '' }),
  write: (calls) => `<<function>>${writePythonCalls(calls, '\n<<function>>')}`,
};

/** Reads a list with its closer but without the opener, which many servers remove as a special token. */
function readWithoutOpener(context: RescueContext, at: number, close: string): CallsReading | null {
  const { text } = context;
  const first = skipWhite(text, at + 1);
  if (findNameEnd(text, first) === first || context.find(close, at) === -1) return null;
  const run = readCallRun(context, at);
  if (!run || run.damage || run.isOpen) return null;
  const next = skipWhite(text, run.end);
  if (!text.startsWith(close, next)) return null;
  return { ...run, end: next + close.length, repairs: [{ kind: 'missing-open-tag', at }, ...run.repairs] };
}

const NEXUS_LABEL = 'call';
const NEXUS_CLOSE = '<bot_end>';
const NEXUS_THOUGHT = 'Thought:';

export const nexus: RescueFormat = {
  id: 'nexus',
  title: 'NexusRaven: Python calls after `Call:`',
  openers: [],
  closers: [NEXUS_CLOSE],
  firstCharacters: ':',
  startPattern: createLabelPattern('call:'),
  leads: ['^Call:'],
  evidence: 'label',
  parse(context, at) {
    const { text } = context;
    const start = at - NEXUS_LABEL.length;
    if (start < context.consumedTo || text.slice(start, at).toLowerCase() !== NEXUS_LABEL) return null;
    if (!startsLine(context, start)) return null;
    const run = readCallRun(context, skipWhite(text, at + 1));
    if (!run || run.isList) return null;
    return run.damage ? toFailedLabelled(context, start, run, run.damage) : toLabelled(context, start, run);
  },
  write: (calls) => `Call: ${writePythonCalls(calls, '; ')}${NEXUS_CLOSE}`,
};

function toLabelled(context: RescueContext, start: number, run: CallRun): FormatReading | null {
  const { text, tools } = context;
  const next = skipWhite(text, run.end);
  if (text.startsWith(NEXUS_CLOSE, next)) return { ...run, start, end: next + NEXUS_CLOSE.length };
  if (!endsLine(text, run.end) || !run.calls.every(({ name }) => tools.resolve(name))) return null;
  // With neither the closer nor a thought after it, the label is weak evidence.
  const evidence = text.startsWith(NEXUS_THOUGHT, next) ? 'label' : 'shape';
  const repairs = [...run.repairs, { kind: 'missing-close-tag', at: run.end }];
  return { ...run, start, repairs, evidence, isOpen: next >= text.length };
}

function toFailedLabelled(
  context: RescueContext,
  start: number,
  run: CallRun,
  damage: RunFailure,
): FormatReading | null {
  const names = [...run.calls.map(({ name }) => name), damage.name ?? ''];
  return names.some((name) => context.tools.resolve(name))
    ? toFailedRun(start, run, damage, findFailedEnd(context, start, damage, NEXUS_CLOSE))
    : null;
}

const PYTHON_TAG = '<|python_tag|>';
const METHOD = '.call';
const TURN_ENDS = ['<|eom_id|>', '<|eot_id|>'];

export const llamaPythonTag: RescueFormat = {
  id: 'llama-python-tag',
  title: 'Llama 3.1: a built-in tool after <|python_tag|>',
  openers: [PYTHON_TAG],
  evidence: 'marker',
  parse(context, at, opener) {
    const from = skipWhite(context.text, at + opener.length);
    if ('{["\''.includes(context.text.charAt(from))) return null;
    // Llama also writes its function tag after this token, or the token once more.
    if (['<function=', PYTHON_TAG].some((token) => context.text.startsWith(token, from)))
      return toEmptyEmission(at, from);
    const run = readCallRun(context, from);
    const names = [...(run?.calls ?? []), ...(run?.damage ? [run.damage] : [])].map(({ name }) => name ?? '');
    const isBuiltIn = run && !run.isList && names.every((name) => name.endsWith(METHOD) || name === '');
    return isBuiltIn && names[0] !== ''
      ? readMethods(at, run)
      : { kind: 'text', end: context.findFirst(TURN_ENDS, from)?.start ?? context.text.length };
  },
  write(calls) {
    const methods = calls.map((call) => ({ ...call, name: `${call.name}${METHOD}` }));
    return `${PYTHON_TAG}${writePythonCalls(methods, '; ')}`;
  },
};

/** The calls without the method in their names. */
function readMethods(start: number, { damage, ...run }: CallRun): FormatReading {
  const calls = run.calls.map((call) => ({ ...call, name: call.name.slice(0, -METHOD.length) }));
  const named = { ...run, start, calls };
  const name = damage?.name?.slice(0, -METHOD.length);
  return damage ? toFailedRun(start, named, { ...damage, name }) : named;
}

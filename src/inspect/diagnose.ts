// The findings of a finished turn: what is so, how bad it is, and what to do about it. Pure.
import type { AttemptRecord, ChatTurn, ToolType } from '../types';
import { countOf, seconds } from './count-words';
import { ofPrompt } from './diagnose-prompt';
import { forbidsCalls } from './tool-choice';

export interface Diagnosis {
  severity: 'error' | 'warning' | 'info';
  /** Text between backticks is code. */
  what: string;
  next?: string | undefined;
  tab?: 'reply' | 'tool-calls' | 'rescue' | 'attempts' | 'wire' | undefined;
}

export interface DiagnosisInput {
  turn: ChatTurn;
  tools: readonly ToolType[];
  /** Checks a call's arguments: JSON pointers and what is wrong there. */
  checkArguments: (value: unknown, schema: ToolType['parameters']) => { path: string; message: string }[];
  /** Offered tools with names like this one, the nearest first. */
  nearestTools: (name: string) => readonly string[];
  /** Whether the model wrote and nothing of it arrived. */
  cameToNothing: (turn: ChatTurn) => boolean;
  /** How a server would parse this format natively, in one sentence. */
  nativeHint: (format: string) => string | undefined;
}

/** Places that one finding names. */
const MOST_NAMED = 3;
/** Calls of one reply, and pieces that only look like one, that have findings of their own; the reply may have any number. */
const MOST_CALLS = 1_000;

/** The worst first; the order within a severity is the reading order of the panel. */
export function diagnose(input: DiagnosisInput): Diagnosis[] {
  const findings = [
    ...ofServer(input),
    ...ofNothing(input),
    ...ofRescue(input),
    ...ofProse(input),
    ...ofPrompt(input),
    ...ofArguments(input),
    ...ofIds(input),
    ...ofLength(input),
    ...ofReplaced(input),
    ...ofSampling(input),
    ...ofAttempts(input),
  ];
  const rank = { error: 0, warning: 1, info: 2 };
  return findings.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
}

function ofServer({ turn }: DiagnosisInput): Diagnosis[] {
  if (turn.raw.finishReason !== 'tool_call_parse_error') return [];
  return [
    {
      severity: 'error',
      what: 'The server could not parse the tool call that the model wrote, and answered with an error.',
      next: 'The text below is what the model wrote, taken from that error.',
      tab: 'reply',
    },
  ];
}

/** Ollama leaves out a call that it cannot read, and only the count of tokens tells of it. */
function ofNothing({ turn, cameToNothing }: DiagnosisInput): Diagnosis[] {
  if (!cameToNothing(turn)) return [];
  const count = countOf(turn.raw.usage.completionTokens ?? 0, 'token');
  const what = `The model wrote ${count}, and nothing of it came: no text, no reasoning and no call. The server may have left out a tool call that it could not read.`;
  const next =
    'Look at the raw prompt that the template makes, ask the `/v1` side of the server with a hosted connection, or choose another template.';
  return [{ severity: 'error', what, next, tab: 'reply' }];
}

function ofRescue({ turn, nativeHint }: DiagnosisInput): Diagnosis[] {
  const { rescue, toolCalls } = turn;
  if (!rescue) return [];
  const findings: Diagnosis[] = [];
  const [first] = rescue.calls;
  if (first && toolCalls.length > 0) {
    const what = `The ${rescue.calls.length === 1 ? 'call' : 'calls'} came as text. The server returned no native tool call.`;
    const repairs = rescue.calls.flatMap((call) => call.repairs.map(({ kind }) => kind));
    // a server's own parser reads what is whole, so its flag would not help with a damaged call
    const next = repairs.length === 0 ? nativeHint(first.format) : undefined;
    findings.push({ severity: 'warning', what, next, tab: 'tool-calls' });
    if (repairs.length > 0) findings.push(ofRepairs(repairs));
  } else if (first) {
    const isForbidden = forbidsCalls(turn);
    const why = isForbidden ? 'the tool choice is `none`' : 'rescue is off';
    const what = `The text holds ${countOf(rescue.calls.length, 'tool call')} (\`${first.format}\`), and ${why}, so it stays the final answer.`;
    const next = isForbidden
      ? 'Choose another tool choice to take it.'
      : 'Switch Rescue tool calls on to take it.';
    findings.push({ severity: 'warning', what, next, tab: 'rescue' });
  }
  for (const { detail, hint } of rescue.rejected.slice(0, MOST_CALLS)) {
    findings.push({ severity: 'warning', what: detail, next: hint, tab: 'rescue' });
  }
  return findings;
}

function ofRepairs(repairs: readonly string[]): Diagnosis {
  const kinds = [...new Set(repairs)].map((kind) => `\`${kind}\``).join(', ');
  return {
    severity: 'warning',
    what: `The call was damaged and needed ${countOf(repairs.length, 'repair')}: ${kinds}.`,
    next: 'A smaller temperature or another model may write it whole.',
    tab: 'tool-calls',
  };
}

function ofArguments({ turn, tools, checkArguments, nearestTools }: DiagnosisInput): Diagnosis[] {
  const native = turn.exchange.toolCalls
    .slice(0, MOST_CALLS)
    .flatMap(({ parseError }, index): Diagnosis[] => {
      if (parseError === undefined) return [];
      const name = turn.raw.toolCalls[index]?.name ?? '';
      const what = `The arguments of the native call \`${name}\` are not JSON: ${parseError}.`;
      return [
        {
          severity: 'error',
          what,
          next: 'Raise the token limit if the reply was cut, or try another model.',
          tab: 'tool-calls',
        },
      ];
    });
  const misfits = turn.toolCalls.slice(0, MOST_CALLS).flatMap(({ name, arguments: args }): Diagnosis[] => {
    const tool = tools.find((offered) => offered.name === name);
    if (!tool) {
      const [nearest] = nearestTools(name);
      const meant = nearest === undefined ? '' : ` The nearest tool is \`${nearest}\`.`;
      const what = `\`${name}\` was called natively, but was not offered.${meant}`;
      return [
        {
          severity: 'warning',
          what,
          next: 'Answer the call with an error result, or offer that tool.',
          tab: 'tool-calls',
        },
      ];
    }
    if (typeof args === 'string') return [];
    return checkArguments(args, tool.parameters).map(({ path, message }) => ({
      severity: 'warning',
      what: `\`${path}\` of \`${name}\` ${message}.`,
      next: 'Say in its description what is expected.',
      tab: 'tool-calls',
    }));
  });
  return [...native, ...misfits];
}

/** A model that only speaks of a tool: the name stands in its text, and no call does. */
function ofProse({ turn, tools }: DiagnosisInput): Diagnosis[] {
  const { rescue, raw, exchange } = turn;
  if (!rescue || rescue.calls.length > 0 || rescue.rejected.length > 0) return [];
  // an answer to a result may well name its tool
  if (/"role":\s*"tool"/.test(exchange.request.body)) return [];
  const named = tools.find(({ name }) => raw.content.includes(name));
  if (!named) return [];
  return [
    {
      severity: 'info',
      what: `The model wrote of \`${named.name}\` in prose and made no call.`,
      next: 'Say in the system prompt that tools are to be called and not described, or try a model that was trained for tools.',
      tab: 'reply',
    },
  ];
}

/** The calls carry ids that differ, whatever the server sent. */
function ofIds({ turn }: DiagnosisInput): Diagnosis[] {
  const repeats = new Map<string, number>();
  for (const { repeatedId } of turn.exchange.toolCalls) {
    if (repeatedId !== undefined) repeats.set(repeatedId, (repeats.get(repeatedId) ?? 0) + 1);
  }
  if (repeats.size === 0) return [];
  const shown = [...repeats]
    .slice(0, MOST_NAMED)
    .map(([id, count]) => `the id \`${id}\` to ${countOf(count + 1, 'call')}`);
  const more =
    repeats.size > MOST_NAMED ? `, and ${countOf(repeats.size - MOST_NAMED, 'more id')} to several` : '';
  return [
    {
      severity: 'warning',
      what: `The server gave ${shown.join(', ')}${more}; the later ones have a number behind it here.`,
      next: 'Results find their calls by the id, so a client that keeps the ids as they came may mix them up.',
      tab: 'tool-calls',
    },
  ];
}

function ofLength({ turn }: DiagnosisInput): Diagnosis[] {
  if (turn.raw.finishReason !== 'length') return [];
  const what = 'The reply stopped at the token limit; it is not complete.';
  return [
    {
      severity: 'warning',
      what,
      next: 'Raise Max tokens, or Context size if the prompt is long.',
      tab: 'reply',
    },
  ];
}

/** What went otherwise than the history has it, because no server takes it. */
function ofReplaced({ turn }: DiagnosisInput): Diagnosis[] {
  const { replaced = [] } = turn.exchange;
  const calls = replaced.filter((place) => WHOLE_ARGUMENTS.test(place));
  const texts = replaced.filter((place) => !WHOLE_ARGUMENTS.test(place));
  const findings: Diagnosis[] = [];
  if (calls.length > 0) {
    const what = `${nameFirst(calls)} went as \`{}\`: the history has no JSON object there, and this server takes nothing else.`;
    const next =
      'The model does not see what it called the tool with: correct those arguments in the history.';
    findings.push({ severity: 'warning', what, next, tab: 'reply' });
  }
  if (texts.length > 0) {
    const what = `${nameFirst(texts)} went with \`U+FFFD\` in place of half a character: servers refuse half a surrogate pair.`;
    const next = 'Correct the text: it was probably cut in the middle of an emoji.';
    findings.push({ severity: 'warning', what, next, tab: 'reply' });
  }
  return findings;
}

const WHOLE_ARGUMENTS = /^messages\[\d+\]\.tool_calls\[\d+\]\.function\.arguments$/;

function nameFirst(places: readonly string[]): string {
  const more = places.length > MOST_NAMED ? ` and ${places.length - MOST_NAMED} more` : '';
  return `${code(places.slice(0, MOST_NAMED))}${more}`;
}

function ofSampling({ turn }: DiagnosisInput): Diagnosis[] {
  const { dropped, overridden } = turn.exchange;
  const findings: Diagnosis[] = [];
  if (dropped.length > 0) {
    const what = `${code(dropped)} ${dropped.length === 1 ? 'was' : 'were'} not sent: this server has no word for ${dropped.length === 1 ? 'it' : 'them'}.`;
    findings.push({ severity: 'info', what, tab: 'reply' });
  }
  if (overridden.length > 0) {
    findings.push({
      severity: 'info',
      what: `\`raw\` replaced ${code(overridden)} of the request.`,
      tab: 'reply',
    });
  }
  return findings;
}

function ofAttempts({ turn }: DiagnosisInput): Diagnosis[] {
  const failed = turn.ledger.filter(({ decision }) => decision === 'retry');
  if (failed.length === 0) return [];
  const first = turn.ledger[0];
  const last = turn.ledger.at(-1);
  const waitedMs = failed.reduce((sum, { delayMs }) => sum + (delayMs ?? 0), 0);
  const totalMs = first && last ? last.startedAt + last.endMs - first.startedAt : 0;
  const causes = [...new Set(failed.map(causeOf))];
  const what = `${countOf(failed.length, 'attempt')} failed (${causes.join(', ')}); ${seconds(waitedMs)} of the ${seconds(totalMs)} were waits.`;
  return [{ severity: 'info', what, tab: 'attempts' }];
}

/** The status of an answer that broke off was a good one. */
const causeOf = ({ status, errorCode, endedBy }: AttemptRecord): string =>
  String((endedBy === 'server' ? status : undefined) ?? errorCode ?? endedBy);

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

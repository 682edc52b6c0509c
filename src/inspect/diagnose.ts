// The findings of a finished turn: what is so, how bad it is, and what to do about it. Pure.
import type { AttemptRecord, ChatTurn, ToolType } from '../types';
import { countOf, seconds } from './count-words';

export interface Diagnosis {
  severity: 'error' | 'warning' | 'info';
  /** Text between backticks is code. */
  what: string;
  next?: string | undefined;
  tab?: 'reply' | 'tool-calls' | 'rescue' | 'attempts' | undefined;
}

export interface DiagnosisInput {
  turn: ChatTurn;
  tools: readonly ToolType[];
  /** Checks a call's arguments: JSON pointers and what is wrong there. */
  checkArguments: (value: unknown, schema: ToolType['parameters']) => { path: string; message: string }[];
  /** How a server would parse this format natively, in one sentence. */
  nativeHint: (format: string) => string | undefined;
}

/** Places that one finding names. */
const MOST_NAMED = 3;

/** The worst first; the order within a severity is the reading order of the panel. */
export function diagnose(input: DiagnosisInput): Diagnosis[] {
  const findings = [
    ...ofServer(input),
    ...ofRescue(input),
    ...ofProse(input),
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
    const what = `The text holds ${countOf(rescue.calls.length, 'tool call')} (\`${first.format}\`), and rescue is off, so it stays the final answer.`;
    findings.push({
      severity: 'warning',
      what,
      next: 'Switch Rescue tool calls on to take it.',
      tab: 'rescue',
    });
  }
  for (const { detail, hint } of rescue.rejected) {
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

function ofArguments({ turn, tools, checkArguments }: DiagnosisInput): Diagnosis[] {
  const native = turn.exchange.toolCalls.flatMap(({ parseError }, index): Diagnosis[] => {
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
  const misfits = turn.toolCalls.flatMap(({ name, arguments: args }): Diagnosis[] => {
    const tool = tools.find((offered) => offered.name === name);
    if (!tool) {
      const what = `\`${name}\` was called natively, but was not offered.`;
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

/** The calls carry ids that differ; what the server sent is in the body of its reply only. */
function ofIds({ turn }: DiagnosisInput): Diagnosis[] {
  const body = turn.exchange.response?.body;
  if (!body) return [];
  const ids = new Set(turn.raw.toolCalls.map(({ id }) => id));
  const renamed = [...ids].flatMap((id): string[] => {
    const [, original = ''] = /^(.*)_\d+$/s.exec(id) ?? [];
    // a server may also send ids of that form
    return ids.has(original) && !body.includes(JSON.stringify(id)) ? [original] : [];
  });
  return [...new Set(renamed)].map((id) => ({
    severity: 'warning',
    what: `The server gave the id \`${id}\` to ${countOf(renamed.filter((other) => other === id).length + 1, 'call')}; the later ones have a number behind it here.`,
    next: 'Results find their calls by the id, so a client that keeps the ids as they came may mix them up.',
    tab: 'tool-calls',
  }));
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

/** What goes back to a server that takes less than the one it came from. */
function ofReplaced({ turn }: DiagnosisInput): Diagnosis[] {
  const { replaced = [] } = turn.exchange;
  if (replaced.length === 0) return [];
  const more = replaced.length > MOST_NAMED ? ` and ${replaced.length - MOST_NAMED} more` : '';
  const what = `${code(replaced.slice(0, MOST_NAMED))}${more} went as \`{}\`: the history has no JSON object there, and this server takes nothing else.`;
  const next = 'The model does not see what it called the tool with: correct those arguments in the history.';
  return [{ severity: 'warning', what, next, tab: 'reply' }];
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
  const what = `${countOf(failed.length, 'try', 'tries')} failed (${causes.join(', ')}); ${seconds(waitedMs)} of the ${seconds(totalMs)} were waits.`;
  return [{ severity: 'info', what, tab: 'attempts' }];
}

/** The status of an answer that broke off was a good one. */
const causeOf = ({ status, errorCode, endedBy }: AttemptRecord): string =>
  String((endedBy === 'server' ? status : undefined) ?? errorCode ?? endedBy);

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

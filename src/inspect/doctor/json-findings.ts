// Findings about native arguments that are no JSON: cut off, without their last brackets, or damaged otherwise. Pure.
import { t } from '@vscode/l10n';
import type { ChatTurn, Finding } from '../../types';
import type { ChatWire, DiagnosisInput, RunSetting } from './diagnosis-input';
import { quote, quotePart } from './diagnosis-input';
import { sentLimit } from './limit-findings';
import { lowerTemperature, raiseLimit } from './remedies';
import { isOverHttp } from '../find-protocol';
import { isRecord } from '../../library';

/** Maximum number of calls that are examined; a reply may have any number. */
const MAX_CALLS = 1_000;

export function jsonFindings({ turn, setting }: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { raw, exchange } = turn;
  return exchange.toolCalls.slice(0, MAX_CALLS).flatMap(({ parseError, rawArguments }, index): Finding[] => {
    if (parseError === undefined) return [];
    const [, offset] = /offset (\d+)/.exec(parseError) ?? [];
    const at = Math.min(Number(offset ?? rawArguments.length), rawArguments.length);
    const name = raw.toolCalls[index]?.name ?? '';
    const what = t('The arguments of the native call `{0}` cannot be read: {1}.', name, parseError);
    // A model that writes JSON does not begin with a tag.
    const isMarked = /^\s*<[\w|/]/.test(rawArguments);
    const isTooLarge = /\b(?:more|deeper) than\b/.test(parseError);
    const words: Words =
      (isTooLarge ? { what, next: adviseLess() } : explainCut(name, rawArguments, { turn, wire, setting })) ??
      (isMarked
        ? { what: `${what} ${t('They contain markup of the chat template.')}`, next: parserAdvice() }
        : {
            what,
            next: t('A lower temperature or another model may write it completely.'),
            remedies: lowerTemperature(setting),
          });
    return [
      {
        cause: 'invalid-json',
        severity: 'error',
        evidence: [quotePart(t('arguments of call {0}', index + 1), rawArguments, at, at)],
        tab: 'tool-calls',
        ...words,
      },
    ];
  });
}

/**
 * A call whose arguments the server could not read and replaced by `{}`: llama-server does so on its Messages side when the reply
 * is not streamed. A call that may have no arguments is as the model made it, and so is any other empty one of a stream.
 * @returns undefined for every other call
 */
export function lostArguments(
  { turn, tools, setting }: DiagnosisInput,
  wire: ChatWire | undefined,
  index: number,
): Finding | undefined {
  const call = turn.toolCalls[index];
  const { required } = tools.find(({ name }) => name === call?.name)?.parameters ?? {};
  const isEmpty = isRecord(call?.arguments) && Object.keys(call.arguments).length === 0;
  if (!call || call.source !== 'native' || !isEmpty) return undefined;
  if (!Array.isArray(required) || required.length === 0) return undefined;
  const isCut = turn.raw.finishReason === 'length' && index === turn.toolCalls.length - 1;
  const isReplaced =
    wire?.server === 'llama-server' && wire.protocol.client === 'anthropic' && wire.body['stream'] !== true;
  const { request } = turn.exchange;
  if (!isCut && request.url !== '' && !isOverHttp(request))
    return {
      cause: 'lost-arguments',
      severity: 'error',
      what: t(
        'VS Code may have replaced broken arguments: `{0}` was called with `{}`, although it requires some.',
        call.name,
      ),
      evidence: [
        quote(t('arguments of call {0}', index + 1), '{}'),
        quote(t('required'), required.slice(0, 20).join(', ')),
      ],
      next: t(
        'The extension of the model puts `{}` in place of arguments that it cannot read, and what the model wrote is not passed on. Do not run this call; run again, or ask the model through a connection of its own to see it.',
      ),
      tab: 'wire',
    };
  if (!isCut && !isReplaced) return undefined;
  const limit = wire && sentLimit(turn, wire)?.value;
  return {
    cause: 'lost-arguments',
    severity: 'error',
    what: isCut
      ? t(
          'The arguments of the native call `{0}` are lost: the reply was cut in the middle of them, and the server sent `{}` in their place.',
          call.name,
        )
      : t(
          'The native call `{0}` has no arguments, although the tool requires some. Without a stream, this side of llama-server sends `{}` in place of arguments that it cannot read.',
          call.name,
        ),
    evidence: [
      quote(t('arguments of call {0}', index + 1), '{}'),
      quote(t('required'), required.slice(0, 20).join(', ')),
    ],
    next: isCut
      ? t('Raise Max tokens. Do not run this call: the model did not mean it without arguments.')
      : t('Ask with a stream: it shows the arguments as the model wrote them.'),
    tab: 'tool-calls',
    remedies: isCut ? raiseLimit(setting, limit ?? turn.raw.usage.completionTokens ?? 0) : [],
  };
}

const adviseLess = (): string =>
  t('Ask for less in one call. If the model repeats itself, lower Max tokens or use another model.');

/** What to do when markup of the template is in what the server gives as a call. */
export const parserAdvice = (): string =>
  t('The parser of the server did not read the call: update it, or set the parser that fits the model.');

type Words = Pick<Finding, 'what' | 'next' | 'remedies'>;

interface Circumstances {
  turn: ChatTurn;
  wire: ChatWire | undefined;
  setting: RunSetting;
}

/** A model that is sampled otherwise does not help here: the text was cut, or the server lost the end of it. */
function explainCut(name: string, text: string, { turn, wire, setting }: Circumstances): Words | undefined {
  const missing = countMissing(text);
  if (missing === undefined) return undefined;
  const { finishReason, usage } = turn.raw;
  const written = usage.completionTokens ?? 0;
  const limit = wire && sentLimit(turn, wire)?.value;
  if (finishReason === 'length' || (limit !== undefined && written >= limit)) {
    return {
      what:
        limit === undefined
          ? t('The arguments of the native call `{0}` are cut off: the reply stopped at a limit.', name)
          : t(
              'The arguments of the native call `{0}` are cut off: the reply stopped at its limit of {1} tokens.',
              name,
              limit,
            ),
      next: t('The reply was cut in the middle of the call: raise Max tokens.'),
      remedies: raiseLimit(setting, limit ?? written),
    };
  }
  if (missing > 0) {
    return {
      what:
        missing === 1
          ? t(
              'The arguments of the native call `{0}` stop before their last bracket; nothing else is missing.',
              name,
            )
          : t(
              'The arguments of the native call `{0}` stop before their last {1} brackets; nothing else is missing.',
              name,
              missing,
            ),
      next: t(
        'The parser of the server ended the call too early: update the server, or set the parser that fits the model.',
      ),
    };
  }
  return {
    what: t(
      'The arguments of the native call `{0}` are cut off: they end in the middle, and the server names no limit.',
      name,
    ),
    next: t(
      'The server, or a relay before it, stopped too early: look at its log and at its limits for a reply, or ask it without a stream.',
    ),
  };
}

/**
 * How many brackets the text lacks at its end.
 * @returns 0 when brackets alone do not complete it; undefined when it does not stop early, but is damaged before its end
 */
function countMissing(given: string): number | undefined {
  // A raw line break in a text is another fault, which must not hide this one.
  const text = given.replaceAll(/\s/g, ' ');
  if (!failsAtEnd(text)) return undefined;
  const closers = closersOf(text);
  return parses(text + closers) ? closers.length : 0;
}

function failsAtEnd(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const [, position] = /position (\d+)/.exec(message) ?? [];
    return position === undefined ? /end of JSON/.test(message) : Number(position) >= text.length;
  }
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The closers of the brackets that are open at the end of the text, the innermost first. */
function closersOf(text: string): string {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\[^])*"?|[{}[\]]/g)) {
    if (token === '{') open.push('}');
    else if (token === '[') open.push(']');
    else if (token === '}' || token === ']') open.pop();
  }
  return open.toReversed().join('');
}

// Prints one part of a run as text, to be compared with the same part of another run: as it was received, or in a normal
// form that writes the same meaning in the same way. Pure.
import { t } from '@vscode/l10n';
import { normalForm, printNormal } from '../../../inspect';
import type { CompareForm, ComparePart } from '../../../protocol';
import type { ReadRun } from '../../journal/run-lines';
import { printCall } from './read-again';
import { textOf } from './wire-view';

/** One of the two runs that are compared. */
export interface ComparedSide extends ReadRun {
  title: string;
  /** Prefix of the file name of its text. */
  name: string;
}

/** Two texts to be shown side by side. */
export interface TextPair {
  title: string;
  left: NamedText;
  right: NamedText;
}
export interface NamedText {
  /** A file name with its extension. */
  name: string;
  text: string;
}

/** Texts of the same part of two runs, to be compared line by line. */
export function compareRuns(
  [left, right]: readonly [ComparedSide, ComparedSide],
  part: ComparePart,
  form: CompareForm,
): TextPair {
  const toNamed = (side: ComparedSide): NamedText => ({
    name: `${side.name}-${part}.txt`,
    text: comparedText(side, part, form),
  });
  const what = COMPARED[part]();
  const how = form === 'raw' && part !== 'lane' ? t('{0}, as received', what) : what;
  return {
    title: t('{0} ↔ {1}: {2}', left.title, right.title, how),
    left: toNamed(left),
    right: toNamed(right),
  };
}

const COMPARED: Readonly<Record<ComparePart, () => string>> = {
  reply: () => t('reply'),
  request: () => t('request'),
  calls: () => t('tool calls'),
  lane: () => t('settings'),
};

export function comparedText(run: ReadRun, part: ComparePart, form: CompareForm): string {
  const isRaw = form === 'raw';
  switch (part) {
    case 'request':
      return printRequest(run, isRaw);
    case 'reply':
      return isRaw ? printAnswer(run) : printReply(run);
    case 'calls':
      return printCalls(run, isRaw);
    case 'lane':
      return printLane(run, isRaw);
  }
}

/** Prints the settings of the lane when the run began. */
function printLane({ setup }: ReadRun, isRaw: boolean): string {
  if (!setup) return `${t('The settings of this run are not known.')}\n`;
  const { connection, model, sampling, rescueToolCalls, raw, toolChoice, limits } = setup;
  const lane = { connection: connection.id, model, sampling, rescueToolCalls, raw, toolChoice, limits };
  return isRaw ? `${JSON.stringify(lane, null, 2)}\n` : printNormal(lane);
}

function printRequest({ wire }: ReadRun, isRaw: boolean): string {
  const request = wire?.requests[wire.attempts.at(-1)?.request ?? -1];
  if (!request) return `${t('Nothing was sent.')}\n`;
  return isRaw ? request.body : normalForm(request.body);
}

/** Prints the body of the last response that was received. */
function printAnswer({ wire }: ReadRun): string {
  const response = wire?.attempts.findLast((attempt) => attempt.response)?.response;
  return response ? textOf(response) : `${t('No answer was received.')}\n`;
}

/** Prints the reply in provider-neutral form: the same for streamed and unstreamed replies of either protocol. */
function printReply({ record }: ReadRun): string {
  const { raw } = record.turn ?? {};
  if (!raw) return `${record.error?.what ?? t('No reply was received.')}\n`;
  const { content, reasoning, toolCalls, finishReason } = raw;
  const calls = toolCalls.map(({ name, arguments: value }) => ({ name, arguments: value }));
  return [
    `content:\n${content}\n`,
    ...(reasoning === undefined ? [] : [`reasoning:\n${reasoning}\n`]),
    `toolCalls:\n${printNormal(calls)}`,
    `finishReason: ${finishReason ?? t('not sent')}\n`,
  ].join('\n');
}

/** With `isRaw` prints the exact text of the arguments; otherwise sorts their keys and omits how the call was found. */
function printCalls({ record }: ReadRun, isRaw: boolean): string {
  const { turn } = record;
  const calls = turn?.toolCalls ?? [];
  if (calls.length === 0) return `${t('(no tool call)')}\n`;
  if (!isRaw) return calls.map(({ name, arguments: value }) => `${name}\n${printNormal(value)}`).join('\n');
  return calls
    .map((call, index) => {
      const own = call.source === 'native' ? turn?.exchange.toolCalls[index]?.rawArguments : undefined;
      const rescued = turn?.rescue?.calls.find(({ id }) => id === call.id);
      const written = rescued && turn?.raw.content.slice(rescued.start, rescued.end);
      const text = own ?? written;
      return text === undefined ? printCall(call) : `${call.name} (${call.source})\n${text}\n`;
    })
    .join('\n');
}

// A part of a run as a text that is compared with the same part of another one: as it came, or in a form in which what means
// the same is written the same. Pure.
import { t } from '@vscode/l10n';
import { normalForm, printNormal } from '../../inspect';
import type { CompareForm, ComparePart, DocumentLane } from '../../protocol';
import { printCall } from './read-again';
import type { RunRecord } from './run-record';
import type { WireRecord } from './wire-record';
import { textOf } from './wire-view';

export interface ComparedRun {
  record: RunRecord;
  wire: WireRecord | undefined;
  /** As it is set now; absent when the document does not have it any more. */
  lane: DocumentLane | undefined;
}

/** One of two runs, with how it is called. */
export interface ComparedSide extends ComparedRun {
  title: string;
  /** Begins the name of its text. */
  name: string;
}

/** Two texts that are looked at side by side. */
export interface TextPair {
  title: string;
  left: NamedText;
  right: NamedText;
}
export interface NamedText {
  /** Of a file, with its ending. */
  name: string;
  text: string;
}

/** The same part of two runs, to be compared line by line. */
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
  const how = form === 'raw' && part !== 'lane' ? t('{0}, as it came', what) : what;
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

export function comparedText(run: ComparedRun, part: ComparePart, form: CompareForm): string {
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

function printLane({ lane }: ComparedRun, isRaw: boolean): string {
  if (!lane) return `${t('The lane is gone.')}\n`;
  const { id: _id, ...settings } = lane;
  return isRaw ? `${JSON.stringify(settings, null, 2)}\n` : printNormal(settings);
}

function printRequest({ wire }: ComparedRun, isRaw: boolean): string {
  const request = wire?.requests[wire.attempts.at(-1)?.request ?? -1];
  if (!request) return `${t('Nothing was sent.')}\n`;
  return isRaw ? request.body : normalForm(request.body);
}

/** The last answer that came. */
function printAnswer({ wire }: ComparedRun): string {
  const response = wire?.attempts.findLast((attempt) => attempt.response)?.response;
  return response ? textOf(response) : `${t('No answer came.')}\n`;
}

/** The neutral reply, whether it was streamed or not, and from whichever protocol. */
function printReply({ record }: ComparedRun): string {
  const { raw } = record.turn ?? {};
  if (!raw) return `${record.error?.what ?? t('No reply came.')}\n`;
  const { content, reasoning, toolCalls, finishReason } = raw;
  const calls = toolCalls.map(({ name, arguments: value }) => ({ name, arguments: value }));
  return [
    `content:\n${content}\n`,
    ...(reasoning === undefined ? [] : [`reasoning:\n${reasoning}\n`]),
    `toolCalls:\n${printNormal(calls)}`,
    `finishReason: ${finishReason ?? t('not sent')}\n`,
  ].join('\n');
}

/** Raw: the exact text of the arguments; else sorted, without how the call came. */
function printCalls({ record }: ComparedRun, isRaw: boolean): string {
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

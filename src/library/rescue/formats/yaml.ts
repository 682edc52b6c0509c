// Calls in YAML with `name:` and `arguments:`: in a fence labelled `yaml` or `yml`, or in a tag that is meant for JSON.
import type { RescueRepair } from '../../../types';
import { isRecord } from '../../util/json';
import { isCallKey } from '../core/call-keys';
import { readCallCloser } from '../core/call-closer';
import { readEnvelope } from '../json-calls/envelope';
import { readFenceOpening } from '../regions/fence';
import { skipWhite } from '../text/white-space';
import { startsLine } from '../regions/line-position';
import type { RescueContext } from '../core/rescue-context';
import { toFailedEmission, toRejectionReading } from '../core/rescue-format';
import type { FormatReading, ReadCall, RescueFormat } from '../core/rescue-format';
import { readNamedByCloser } from './tool-elements';
import { findFenceClose, findTagClose } from '../yaml/yaml-close';
import type { YamlClose } from '../yaml/yaml-close';
import { keepTexts, describeYaml, readYaml } from '../yaml/yaml-reader';
import type { YamlReading } from '../yaml/yaml-reader';
import { writeYamlCall } from '../yaml/write-yaml';

const TAG = '<tool_call>';
const FIRST_KEY = /^ {0,8}(?:---[ \t]{0,8}\r?\n)?(?:- {1,8})?["']?(\w{1,24})["']?[ \t]{0,8}:(?:[ \t\r\n]|$)/;

export const yaml: RescueFormat = {
  id: 'yaml',
  title: 'YAML with `name` and `arguments`',
  nativeHint:
    'No server reads YAML as a call: ask for JSON in the prompt, or use the chat template of the model.',
  openers: [TAG, '```yaml', '```yml', '````yaml', '````yml', '~~~yaml', '~~~yml'],
  infoStrings: ['yaml'],
  evidence: 'shape',
  parse: (context, at, opener) => (opener === TAG ? parseTag(context, at) : parseFence(context, at)),
  write: (calls) => `\`\`\`yaml\n${calls.map(writeYamlCall).join('\n---\n')}\n\`\`\``,
};

function parseTag(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const repairs: RescueRepair[] = [{ kind: 'foreign-body', at: at + TAG.length }];
  let from = skipLines(text, at + TAG.length);
  const fence = readFenceOpening(text, from);
  if (fence && !['yaml', 'yml', ''].includes(fence.infoString)) return null;
  if (fence) {
    repairs.push({ kind: 'code-fence', at: from });
    from = skipLines(text, fence.bodyStart);
  }
  if (!startsCall(text, from)) return fence ? null : readNamedByCloser(context, at, at + TAG.length);
  const close = fence
    ? closeTag(context, findFenceClose(context, from, fence))
    : findTagClose(context, from, '</tool_call>');
  const reading = toReading(context, at, from, close, repairs);
  return reading?.kind === 'calls' ? { ...reading, evidence: 'marker' } : reading;
}

/** Reads the closer of the tag after the closer of the fence inside it. */
function closeTag(context: RescueContext, close: YamlClose): YamlClose {
  if (close.isOpen) return close;
  const { end, repairs, isOpen } = readCallCloser(context, close.end, '</tool_call>');
  return { ...close, end, repairs, isHalf: isOpen };
}

function parseFence(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const opening = startsLine(context, at) ? readFenceOpening(text, at) : undefined;
  if (!opening || !['yaml', 'yml'].includes(opening.infoString)) return null;
  const from = skipLines(text, opening.bodyStart);
  if (!startsCall(text, from)) return null;
  const reading = toReading(context, at, from, findFenceClose(context, from, opening), []);
  return reading && isWorthAWord(context, reading) ? reading : null;
}

/** Whether to report it: YAML with a `name` is common, so a call has to name an offered tool or have arguments. */
function isWorthAWord({ tools }: RescueContext, reading: FormatReading): boolean {
  if (reading.kind === 'rejection') return tools.resolve(reading.name ?? '') !== undefined;
  if (reading.kind !== 'calls') return true;
  return reading.calls.some((call) => tools.resolve(call.name) !== undefined || call.arguments !== undefined);
}

function toReading(
  context: RescueContext,
  start: number,
  from: number,
  close: YamlClose,
  repairs: readonly RescueRepair[],
): FormatReading | null {
  const reading = readYaml(context, from, close.bodyEnd);
  const isBroken = close.isOpen || reading.failure !== undefined;
  const complete = isBroken ? reading.documents.slice(0, -1) : reading.documents;
  const calls = complete.flatMap((document) => readDocument(context, document, reading));
  const all = [...repairs, ...reading.repairs, ...close.repairs];
  const { end, isHalf: isOpen } = close;
  if (!isBroken && calls.length === 0) return null;
  if (!isBroken) return { kind: 'calls', start, end, calls, repairs: all, isOpen };
  const name = readEnvelope(reading.documents.at(-1)?.value)[0]?.name;
  const refusal = describeYaml(close.isOpen ? undefined : reading.failure, name);
  const failure = toRejectionReading({ start: calls.at(-1)?.end ?? start, end }, name, refusal);
  return toFailedEmission({ start, calls, repairs: all }, failure);
}

function readDocument(
  { tools }: RescueContext,
  { value, start, end }: YamlReading['documents'][number],
  reading: YamlReading,
): ReadCall[] {
  const calls = readEnvelope(value).filter(
    ({ otherKeys = [], arguments: written }) => written !== undefined || otherKeys.length === 0,
  );
  return calls.map(({ node, name, id, refusal, otherKeys, arguments: written }) => {
    if (isRecord(written)) keepTexts(written, reading, tools.resolve(name)?.tool.parameters);
    const span = calls.length > 1 ? reading.spans.get(node) : undefined;
    return { name, id, refusal, otherKeys, arguments: written, start, end, ...span, repairs: [] };
  });
}

const startsCall = (text: string, from: number): boolean =>
  isCallKey(FIRST_KEY.exec(text.slice(from, from + 64))?.[1] ?? '');

/** The start of the first line that is not blank, with its indentation, which has a meaning in YAML. */
function skipLines(text: string, from: number): number {
  const at = skipWhite(text, from);
  let start = at;
  while (start > from && text.charAt(start - 1) === ' ') start -= 1;
  return start === from || text.charAt(start - 1) === '\n' ? start : at;
}

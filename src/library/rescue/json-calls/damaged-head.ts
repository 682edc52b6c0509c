// Reads calls in JSON of which the head is damaged: an equals sign for a colon, lost or doubled quotes, or the tool as the key. The
// marker around them says that they are calls, and the name has to be a tool's; without a marker, such text may be anything.
import type { RescueRepair } from '../../../types';
import { ARGUMENT_KEYS, NAME_KEYS } from '../core/call-keys';
import type { BlockElement, CallBlock, JsonReading, ReadFailure } from '../core/json-reading';
import type { RescueContext } from '../core/rescue-context';
import { findOverrun } from '../json/arguments-object';
import { isQuote } from '../json/quotes';
import { readJson } from '../json/read-json';
import { skipWhite } from '../text/white-space';

/** What may stand around a key or a name: quotes, one colon or equals sign too many or of the wrong kind, white space. */
const SIGNS = String.raw`[\s"'“”:=>]{0,8}`;
const toKey = (keys: readonly string[]): string => `(?:${keys.join('|')})(?![\\w-])${SIGNS}`;
/** Members that may come before the name. */
const OTHER_MEMBERS = String.raw`(?:["'](?:type|id|call_id)["']\s{0,4}:\s{0,4}["'][\w-]{0,64}["']\s{0,4},${SIGNS}){0,2}`;
/** Before arguments in an object, or in a string of which the quotes are escaped. A quote before an object alone is stray. */
const BODY = String.raw`(?=\}|\{(?!\s{0,8}\\)|["']\s{0,8}\{\s{0,8}\\)`;
/** `{"name": "NAME", "arguments": ` with any damage. After the bracket, either key may be missing. */
const HEAD = new RegExp(
  String.raw`(\{?)${SIGNS}${OTHER_MEMBERS}(${toKey(NAME_KEYS)})?([\w./-]{1,128}?)(?=[\s"'“”:=>,;{}])[\s"'“”:=>,;]{0,8}(${toKey(ARGUMENT_KEYS)})?${BODY}`,
  'y',
);
/** The same without damage. */
const WHOLE_HEAD = /^\{\s*(["']?)\w+\1\s*:\s*(["'])[^"']*\2\s*(?:\}|,\s*(["']?)\w+\3\s*:\s*$)/;

/** The calls from `from` on, as if their heads were whole. Null if no head is damaged, or one names no offered tool. */
export function readDamagedHeads(context: RescueContext, from: number): CallBlock | null {
  const { text } = context;
  const isList = text.charAt(from) === '[';
  const block: CallBlock = { start: from, end: from, elements: [], repairs: [], isOpen: false };
  let isDamaged = false;
  for (let at = isList ? skipWhite(text, from + 1) : from; ; at = skipSeparator(text, block.end)) {
    const head = readHead(context, at);
    if (!head) break;
    isDamaged ||= head.isDamaged;
    const read = readBody(context, at, head);
    block.end = read.end;
    const { failure, value } = read.reading;
    if (failure) return isDamaged ? { ...block, failure: { ...failure, value } } : null;
    block.elements.push(read);
  }
  if (!isDamaged) return null;
  const failure = findOverrun(context, block.end);
  if (failure)
    return { ...block, elements: [], failure: { ...failure, value: block.elements.at(-1)?.reading.value } };
  const next = skipWhite(text, block.end);
  return isList && text.charAt(next) === ']' ? { ...block, end: next + 1 } : block;
}

const skipSeparator = (text: string, from: number): number => {
  const at = skipWhite(text, from);
  return ',;'.includes(text.charAt(at) || ' ') ? skipWhite(text, at + 1) : at;
};

interface Head {
  name: string;
  bodyAt: number;
  isDamaged: boolean;
  /** Whether nothing but the name was written. */
  isBare: boolean;
}

function readHead(context: RescueContext, at: number): Head | null {
  HEAD.lastIndex = at;
  const [written, bracket, nameKey, name = '', argumentsKey] = HEAD.exec(context.text) ?? [];
  context.meter.spend(at, at + (written?.length ?? 1));
  if (written === undefined || !context.isTool(name)) return null;
  if (bracket === '' && (nameKey === undefined || argumentsKey === undefined)) return null;
  const isBare = context.text.charAt(at + written.length) === '}';
  if (isBare && (nameKey === undefined || argumentsKey !== undefined)) return null;
  const isDamaged = !WHOLE_HEAD.test(isBare ? `${written}}` : written);
  return { name, bodyAt: at + written.length, isDamaged, isBare };
}

/** Reads the arguments, and the bracket that closes the call. */
function readBody(
  context: RescueContext,
  start: number,
  { name, bodyAt, isBare, isDamaged }: Head,
): BlockElement {
  const { text } = context;
  const body = isBare ? undefined : readJson(context, bodyAt, 'arguments');
  const value = { name, ...(body && { arguments: body.value }) };
  const repairs: RescueRepair[] = isDamaged ? [{ kind: 'broken-head', at: start }] : [];
  repairs.push(...(body?.repairs ?? []));
  const failure: ReadFailure | undefined = body?.failure;
  let end = skipWhite(text, body?.end ?? bodyAt);
  // The stray quote before the object may have a partner.
  if (isQuote(text.charAt(bodyAt - 1)) && isQuote(text.charAt(end))) end = skipWhite(text, end + 1);
  const isClosed = text.charAt(end) === '}';
  if (!isClosed) repairs.push({ kind: 'missing-closer', at: end });
  const reading: JsonReading = {
    value,
    end: isClosed ? end + 1 : (body?.end ?? bodyAt),
    repairs,
    isPartial: !isClosed,
    repeated: body?.repeated ?? [],
  };
  return { start, end: reading.end, reading: failure ? { ...reading, failure } : reading };
}

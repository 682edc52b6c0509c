// The rules by which a tag in a value ends it, or is a part of its text. The first rule that applies to a tag decides; a tag to
// which none applies is noted as open or closed in the value.
import { skipWhite } from '../../text/white-space';
import { findGarbled } from '../tags/garbled-tag';
import type { Tag } from '../tags/tag';
import type { OpenValue, TagKind, ValueEnd } from './open-value';
import type { ValueQuotes } from './quoted-tag';

export interface EndRule {
  name: string;
  /** The kinds of tags to which it may apply. */
  on: readonly TagKind[];
  /** Replies in the fixtures that are read wrongly without this rule. */
  cases: readonly string[];
  /** Whether a later closing tag may still end the value. */
  isKept?: boolean;
  /** Where the value ends, or that the tag is a part of its text; undefined when the rule does not apply. */
  judge(value: OpenValue, tag: Tag): ValueEnd | 'text' | undefined;
}

const toClosed = (tag: Tag): ValueEnd => ({ end: tag.start, next: tag.end, isClosed: true });

export const END_RULES: readonly EndRule[] = [
  {
    name: 'a closing tag in quotes on its line is text',
    on: ['closer', 'call-end'],
    cases: ['rule-04-01', 'own-glm-xml-407'],
    judge: ({ quotes }, tag) => (quotes?.has(tag) ? 'text' : undefined),
  },
  {
    name: 'a closing tag in a quoted block is text',
    on: ['closer', 'call-end'],
    cases: ['rule-04-24', 'rule-04-25'],
    judge: (value, tag) => (value.quotes && isInBlock(value, value.quotes, tag) ? 'text' : undefined),
  },
  {
    name: 'an element in quotes is text',
    on: ['opener', 'pair', 'call-start'],
    cases: ['own-anthropic-invoke-029', 'own-qwen-xml-086'],
    judge({ quotes, tags, scope }, tag) {
      // A parameter that the call may still have is one, even after a quote that was left open.
      const end = scope.isNextPair(tag) && scope.element ? tags.toCloser(scope.element) : undefined;
      return quotes?.hasElement(tag, tags.toCloser(tag), end) ? 'text' : undefined;
    },
  },
  {
    name: 'a tag alone in quotes is text',
    on: ['opener', 'call-start'],
    cases: ['rule-04-19'],
    judge: ({ quotes, tags }, tag) => (quotes?.hasAlone(tag, tags.spelling.lead) ? 'text' : undefined),
  },
  {
    name: 'the end of the call directly before a closing tag, with none behind it',
    on: ['closer'],
    cases: ['own-anthropic-invoke-022', 'own-glm-xml-073'],
    judge: (value, tag) =>
      value.callEnd && !value.hasOpened && value.goesOnAfter(tag) ? findCrossed(value, tag) : undefined,
  },
  {
    name: 'a closing tag behind which the call goes on',
    on: ['closer'],
    cases: ['qwenxml-001', 'S-s01'],
    judge: (value, tag) => (value.hasOpened || !value.goesOnAfter(tag) ? undefined : toClosed(tag)),
  },
  {
    name: 'a closing tag without its slash',
    on: ['opener'],
    cases: ['own-step3-006'],
    judge(value, tag) {
      // No other opening tag can be where the call continues.
      if (!isBare(value, tag) || !value.goesOnAfter(tag)) return undefined;
      const isLast = skipWhite(value.text, tag.end) >= value.text.length;
      return isLast || !value.isOutside ? 'text' : { end: tag.start, next: tag.end, isClosed: false };
    },
  },
  {
    name: 'the next parameter',
    on: ['pair'],
    cases: ['own-qwen-xml-008', 'S-s17'],
    judge(value, tag) {
      if (value.kept || value.isForeign(tag) || isInner(value, tag)) return undefined;
      return value.isClosedBefore(tag) && value.closer ? toClosed(value.closer) : toMissing(value, tag);
    },
  },
  {
    // It was not closed as often as elements like it were opened in its text.
    name: 'a closing tag directly before the end of the call',
    on: ['call-end'],
    cases: ['own-anthropic-invoke-031'],
    judge(value, tag) {
      if (value.calls > 0 || value.kept || !value.closer || !value.isClosedBefore(tag)) return undefined;
      const isUnclear = value.hasInnerPair && value.isNamedCloser !== undefined;
      return { ...toClosed(value.closer), isUnclear };
    },
  },
  {
    name: 'the end of the call',
    on: ['call-end'],
    cases: ['qwenxml-011', 'L1-s09'],
    isKept: true,
    judge: (value, tag) =>
      value.calls === 0 && !value.kept && isEnd(value, tag) ? toMissing(value, tag) : undefined,
  },
  {
    name: 'the end of the call, with no closing tag up to the next call',
    on: ['call-start', 'text-end'],
    cases: ['own-deepseek-dsml-016', 'L2-s19'],
    judge: ({ kept }) => kept,
  },
  {
    name: 'the only closing tag, with prose behind it',
    on: ['text-end'],
    cases: ['own-qwen-xml-095'],
    judge: (value) => findLone(value),
  },
  {
    name: 'a closing tag of another name in place of its own',
    on: ['unclosed'],
    cases: ['own-glm-xml-072', 'S-s18'],
    judge: (value, tag) => findOther(value, tag),
  },
  {
    name: 'its closing tag with wrong characters',
    on: ['unclosed'],
    cases: ['own-qwen-xml-097'],
    judge({ text, from, tags, scope }, { start, end }) {
      const length = scope.element && findGarbled(text.slice(from, start), tags.toCloser(scope.element));
      if (length === undefined) return undefined;
      return { end: from + length, next: end, isClosed: false, closer: { damage: 'broken-tag', end: start } };
    },
  },
  {
    name: 'half of a closing tag, so that the value is refused',
    on: ['unclosed'],
    cases: ['own-tool-tag-xml-033'],
    judge: (value, { start, end }) =>
      findStray(value, start, HALF_CLOSER) && { end: start, next: end, isClosed: false, isHalfClosed: true },
  },
];

/** Where the value ends, or that the tag is a part of its text; undefined when no rule applies. */
export function judgeTag(value: OpenValue, kind: TagKind, tag: Tag): ValueEnd | 'text' | undefined {
  for (const rule of END_RULES) {
    const found = rule.on.includes(kind) ? rule.judge(value, tag) : undefined;
    if (found !== undefined && found !== 'text' && rule.isKept) value.kept = found;
    else if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the tag is in a quoted block that the value goes on behind, and no further parameter of the tool follows. */
function isInBlock(value: OpenValue, quotes: ValueQuotes, tag: Tag): boolean {
  if (value.inBlocks >= MAX_IN_BLOCKS) return false;
  const end = quotes.findBlockEnd(tag.start);
  if (end === undefined) return false;
  value.inBlocks += 1;
  const next = value.tags.readNext(tag.end);
  return !(next && value.scope.isNextPair(next)) && closesBehind(value, tag.end, end);
}

/** The limit is low because the rest of the call is read for each of them. */
const MAX_IN_BLOCKS = 16;

/** Whether the value is closed after `end`, without a call that opens before. */
function closesBehind({ scope, tags, text }: OpenValue, from: number, end: number): boolean {
  const isFound = (tag: Tag): boolean =>
    scope.isCallStart(tag) || (tag.start >= end && tag.isCloser && scope.isSame(tag));
  let tag = tags.find(from);
  while (tag && !isFound(tag)) tag = tags.find(tag.end);
  tags.source.meter.spend(from, tag?.start ?? text.length);
  return tag?.isCloser === true;
}

/** Whether the opening tag names no other parameter, and no closing tag follows, so that it opens no element in the value. */
function isBare({ scope, tags }: OpenValue, tag: Tag): boolean {
  if (tag.label !== undefined && tag.label !== scope.element?.label) return false;
  const next = tags.readNext(tag.end);
  return !(next?.isCloser === true && scope.isSame(next)) && !scope.closesLater(tag);
}

/** Whether the parameter belongs to an element of the value, or to a call in it. */
function isInner(value: OpenValue, tag: Tag): boolean {
  if (value.named > 0 || value.isPart(tag)) return true;
  if (!value.isClosedBefore(tag)) return !value.isOutside;
  // With a closing tag more than elements were opened, one may have lost the name that belongs to it.
  return value.isNamedCloser === true || (value.isNamedCloser === false && value.closers > value.inner);
}

/** The value up to the tag that ends the call, if only white space is between that and `closer` and no such tag follows. */
function findCrossed(
  { callEnd: end, scope, tags, text, from }: OpenValue,
  closer: Tag,
): ValueEnd | undefined {
  const isAtStart = end && skipWhite(text, from) >= end.start;
  if (!end || isAtStart || skipWhite(text, end.end) < closer.start) return undefined;
  let at = skipWhite(text, closer.end);
  let next = tags.read(at);
  let isEnded = false;
  while (next?.isCloser && next.name !== end.name && next.role !== 'wrapper') {
    isEnded ||= scope.isHeadEnd(next);
    at = skipWhite(text, next.end);
    next = tags.read(at);
  }
  // The call has its own end, so that the tag of another dialect is text.
  if (isEnded && (end.role !== 'wrapper' || next?.role === 'wrapper')) return undefined;
  const isOther = next?.isCloser ? next.name !== end.name : !next || scope.isCallStart(next);
  return isOther ? { end: end.start, next: closer.end, isClosed: false } : undefined;
}

/** Whether the tag ends the call: only at the end of a line or before another tag, because a value may mention the tag. */
function isEnd({ scope, tags, text, from }: OpenValue, tag: Tag): boolean {
  const { isCut, dialects } = tags.source;
  const at = skipWhite(text, tag.end);
  // Directly at the beginning of the value, the tag is its text.
  if (skipWhite(text, from) >= tag.start) return false;
  const isLast = tags.findCut(at);
  if (!isCut && (isLast || text.slice(tag.end, at).includes('\n'))) return true;
  if (isLast) return false;
  const next = tags.readDamaged(at);
  const isCall = next !== null && (next.role === 'wrapper' || scope.isCallStart(next));
  return isCall || dialects.trailing.find(text, at) !== undefined;
}

function toMissing({ last, scope, hasInnerPair, closers, inner }: OpenValue, { start }: Tag): ValueEnd {
  // A tag without a name before the end of the call may be its own closing tag without the slash.
  const isMention = last !== undefined && scope.isMention(last);
  const isUnclear = isMention || hasInnerPair || (closers === 1 && inner === 0);
  return { end: start, next: start, isClosed: false, isUnclear };
}

/** The value up to the only closing tag of the element, when prose follows and the call was not closed. */
function findLone(value: OpenValue): ValueEnd | undefined {
  const { closer, closers, inner, tags, text } = value;
  if (!closer || closers > 1 || inner > 0 || tags.source.isCut) return undefined;
  const isLast = skipWhite(text, closer.end) >= text.length;
  return isLast || value.isInLine(closer) ? undefined : { ...toClosed(closer), endsCall: true };
}

/** The value up to a closing tag at its end that is named after a parameter, or as other formats name one. */
function findOther(value: OpenValue, { start, end }: Tag): ValueEnd | undefined {
  const { tags, scope } = value;
  // Elsewhere it is the rest of a damaged tag.
  const closer = tags.spelling.lead === '<' ? findStray(value, start, OTHER_CLOSER) : undefined;
  const isOther = closer && (scope.values.declares(closer.name) === true || PARAMETER_NAMES.has(closer.name));
  if (!isOther) return undefined;
  return { end: closer.at, next: end, isClosed: true, closer: { damage: 'wrong-close-tag', end: start } };
}

/** A closing tag at the end of the value, or what is left of one, if no tag in the value opens what it closes. */
function findStray(
  { text, from }: OpenValue,
  end: number,
  pattern: RegExp,
): { at: number; name: string } | undefined {
  const written = text.slice(from, end).trimEnd();
  const start = written.lastIndexOf('</');
  const [, name] = (start !== -1 && pattern.exec(written.slice(start, start + LONGEST_CLOSER))) || [];
  if (name === undefined) return undefined;
  const opener = name === '' ? '<>' : `<${name.toLowerCase()}`;
  return written.toLowerCase().includes(opener) ? undefined : { at: from + start, name };
}

const LONGEST_CLOSER = 256;
const HALF_CLOSER = /^<\/([^<>\s]{0,64})>?\w?$/;
/** With a namespace, a prefix or a suffix. */
const OTHER_CLOSER = /^<\/(?:[\w-]{1,32}[:|])?([\w.$-]{1,128})(?::\w{1,32})?>$/;
const PARAMETER_NAMES: ReadonlySet<string> = new Set(['parameter', 'param', 'arg_key', 'arg_value']);

// Finds where the value of a parameter ends that is written between tags. A value may contain anything, even tags of its own
// format: a call that writes a file about tool calls has whole calls in it. Therefore a closing tag counts only if the call goes on
// or ends after it, and elements and calls that were opened inside the value have to be closed first. A value whose end is not in
// the text gets none: no value is invented.
import { skipWhite } from '../../text/white-space';
import type { CallScope } from '../call/call-scope';
import { CDATA, CDATA_END } from '../call/pair-value';
import { NO_ATTRIBUTES } from '../tags/tag';
import { judgeTag } from './end-rules';
import { OpenValue } from './open-value';
import type { ValueEnd } from './open-value';

/** Undefined when the text ends inside the value. */
export function findValueEnd(scope: CallScope, from: number): ValueEnd | undefined {
  const { source: context, spelling, text } = scope.tags;
  const start = spelling.hasCdata ? skipWhite(text, from) : from;
  if (spelling.hasCdata && text.startsWith(CDATA, start)) return findCdataEnd(scope, start + CDATA.length);
  const value = new OpenValue(scope, from);
  for (let at = from; ;) {
    const tag = value.isOutside || scope.tags.mayCloseAfter(at) ? scope.tags.find(at) : null;
    const kind = tag ? value.kindOf(tag) : 'text-end';
    const found = kind && judgeTag(value, kind, tag ?? { ...TEXT_END, start: text.length });
    if (kind && found === 'text') value.pass(kind);
    // A call that opens behind the end of the value counts, too.
    else if (tag && kind && (!found || kind === 'call-start')) value.take(kind, tag);
    at = tag?.end ?? text.length;
    if (!tag || (found && found !== 'text')) {
      context.meter.spend(from, at);
      return found && found !== 'text' ? settle(value, value.toDoubtful(found, at)) : undefined;
    }
    value.last = tag;
  }
}

/** The end with what is in place of the value's closing tag. */
function settle(value: OpenValue, found: ValueEnd): ValueEnd {
  const { end: start, next: end } = found;
  const closer = found.isClosed ? undefined : judgeTag(value, 'unclosed', { ...TEXT_END, start, end });
  return closer && closer !== 'text' ? { ...found, ...closer } : found;
}

const TEXT_END = {
  end: Infinity,
  isCloser: true,
  isEmpty: false,
  space: '',
  name: '',
  role: undefined,
  attributes: NO_ATTRIBUTES,
} as const;

function findCdataEnd(scope: CallScope, from: number): ValueEnd | undefined {
  const { source: context } = scope.tags;
  for (let end = context.find(CDATA_END, from); end !== -1; end = context.find(CDATA_END, end + 1)) {
    const tag = scope.tags.readNext(end + CDATA_END.length);
    if (tag?.isCloser && scope.isSame(tag)) return { end, next: tag.end, isClosed: true };
  }
  return undefined;
}

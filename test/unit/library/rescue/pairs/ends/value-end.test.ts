import { describe, expect, it } from 'vitest';
import { CallArguments } from '../../../../../../src/library/rescue/pairs/call/call-arguments';
import { CallScope } from '../../../../../../src/library/rescue/pairs/call/call-scope';
import { FUNCTION_SPELLING } from '../../../../../../src/library/rescue/formats/element-tags';
import { TagSource } from '../../../../../../src/library/rescue/pairs/tags/tag-source';
import { findValueEnd } from '../../../../../../src/library/rescue/pairs/ends/value-end';
import type { ValueEnd } from '../../../../../../src/library/rescue/pairs/ends/open-value';
import { CODING, createContext } from '../../rescue-fixtures';

const OPENER = '<parameter=path>';
const LOOP = '<tool_call><function=read_file><parameter=path>';

/** Returns the end of the value after the first tag, and how many tags were read to find it. */
function read(value: string): { end: ValueEnd | undefined; tags: number } {
  let tags = 0;
  const spelling = {
    ...FUNCTION_SPELLING,
    readTag: (...place: Parameters<typeof FUNCTION_SPELLING.readTag>) => {
      tags += 1;
      return FUNCTION_SPELLING.readTag(...place);
    },
  };
  const context = createContext(OPENER + value, CODING);
  const values = new CallArguments(context, spelling, 'read_file');
  const place = new CallScope(new TagSource(context, spelling), values, undefined);
  place.element = FUNCTION_SPELLING.readTag(context, 0) ?? undefined;
  return { end: findValueEnd(place, OPENER.length), tags };
}

describe('findValueEnd', () => {
  it('ends at the tag that closes the value', () => {
    expect(read('a <b> c</parameter></function>').end).toEqual({ end: 23, next: 35, isClosed: true });
  });

  it('skips a whole call inside the value', () => {
    const value = `${LOOP}a</parameter></function></tool_call>`;
    const { end } = read(`${value}</parameter></function>`);
    expect(end?.end).toBe(OPENER.length + value.length);
  });

  it('finds no end in a loop of opening tags, and reads few of them when none is closed', () => {
    const { end, tags } = read(LOOP.repeat(1000));
    expect(end).toBeUndefined();
    expect(tags).toBeLessThan(10);
  });

  it('reads all tags of such a loop when the last one is closed', () => {
    const { end, tags } = read(`${LOOP.repeat(1000)}a</parameter>`);
    expect(end).toBeUndefined();
    expect(tags).toBeGreaterThan(3000);
  });
});

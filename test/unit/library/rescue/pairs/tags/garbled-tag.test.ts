import { describe, expect, it } from 'vitest';
import { FUNCTION_SPELLING } from '../../../../../../src/library/rescue/formats/element-tags';
import { TextSource } from '../../../../../../src/library/rescue/core/rescue-context';
import {
  findGarbled,
  isNearTag,
  skipGarbled,
} from '../../../../../../src/library/rescue/pairs/tags/garbled-tag';
import { TagSource } from '../../../../../../src/library/rescue/pairs/tags/tag-source';

const toTags = (text: string): TagSource => new TagSource(new TextSource(text), FUNCTION_SPELLING);

describe('findGarbled', () => {
  it.each(['/parameter>', '</parameter', '</paramter>', '<parameter>', '<//parameter>'])(
    'finds %s at the end of a value',
    (tag) => expect(findGarbled(`Nantes\n${tag}\n`, '</parameter>')).toBe('Nantes\n'.length),
  );

  it.each(['Nantes', 'a <b>', 'the parameter', '', '</p>'])('finds none in %j', (text) => {
    expect(findGarbled(text, '</parameter>')).toBeUndefined();
  });
});

describe('skipGarbled', () => {
  it.each(['arg_value>', '<arg_va|lue>', '<<arg_value>', '<agr_value>'])(
    'finds %s at the start of a value',
    (tag) => expect(skipGarbled(`${tag}a b`, '<arg_value>')).toBe(tag.length),
  );

  it.each(['Nantes', 'a <b>', '<b>bold</b>', '', '<arg_value'])('finds none in %j', (text) => {
    expect(skipGarbled(text, '<arg_value>')).toBe(0);
  });
});

describe('isNearTag', () => {
  const names = ['parameter', 'content'];

  it.each([
    '<arameter=unit>',
    '<parameterunit>',
    '<//parameter>',
    'parameter=unit>',
    'content>',
    '</parameter\n',
  ])('recognizes a damaged tag in %j', (text) => expect(isNearTag(toTags(text), 0, names)).toBe(true));

  it.each(['content is king', 'parameters', '<b>', '', '< parameter'])('recognizes none in %j', (text) => {
    expect(isNearTag(toTags(text), 0, names)).toBe(false);
  });
});

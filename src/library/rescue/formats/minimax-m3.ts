// Calls of MiniMax M3: a token before every tag, and one element per parameter. Declares the spelling; `pairs` parses it.
import { createPairFormat } from '../pairs/pair-format';
import { createAngleSpelling } from '../pairs/angle-spelling';
import { ELEMENTS } from './element-tags';
import { writeBlock, writePairs } from '../pairs/write-pairs';
import type { RescueFormat, WrittenCall } from '../core/rescue-format';

const TOKEN = ']<]minimax[>[';

const SPELLING = createAngleSpelling(
  { ...ELEMENTS, prefix: TOKEN, hasAttributes: true },
  { marks: ['minimax['], breaks: 'both', hasOwnNames: true },
);

export const minimaxM3: RescueFormat = createPairFormat({
  id: 'minimax-m3',
  title: 'MiniMax M3: ]<]minimax[>[ before every tag',
  openers: [TOKEN],
  spelling: SPELLING,
  isOurs: ({ call }) => call !== undefined,
  needsWrapper: true,
  label: 'attribute',
  write: (calls) => `${TOKEN}<tool_call>\n${calls.map(writeInvoke).join('')}${TOKEN}</tool_call>`,
});

const writeInvoke = (call: WrittenCall): string =>
  `${TOKEN}<invoke name="${call.name}">${writePairs(call, writeElement)}${TOKEN}</invoke>\n`;

const writeElement = (key: string, value: unknown): string =>
  `${TOKEN}<${key}>${writeBlock(value, 'both')}${TOKEN}</${key}>`;

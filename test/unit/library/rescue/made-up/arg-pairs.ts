// A format that no model writes: `⟪call NAME⟫` with `⟪arg KEY⟫VALUE⟪/arg⟫`. One file, like every format.
import { createPairFormat } from '../../../../../src/library/rescue/pairs/pair-format';
import type { PairSpelling } from '../../../../../src/library/rescue/pairs/tags/spelling';
import type { Tag, TagRole } from '../../../../../src/library/rescue/pairs/tags/tag';
import { writeBlock, writePairs } from '../../../../../src/library/rescue/pairs/write-pairs';
import type { TextSource } from '../../../../../src/library/rescue/core/rescue-context';
import type { WrittenCall } from '../../../../../src/library/rescue/core/rescue-format';

const ROLES: Readonly<Record<string, TagRole>> = { call: 'call', arg: 'parameter' };
const TAG = /^⟪(\/?)([a-z]{1,32})(?: {1,4}([^\s⟪⟫]{1,128}))?⟫/;
const LONGEST_TAG = 160;

function readTag({ text }: TextSource, at: number): Tag | null {
  const found = TAG.exec(text.slice(at, at + LONGEST_TAG));
  if (!found) return null;
  const [written, slash, name = '', label] = found;
  const isCloser = slash === '/';
  if (isCloser === (label !== undefined)) return null;
  const role = ROLES[name];
  const end = at + written.length;
  return { start: at, end, isCloser, isEmpty: false, space: '', name, role, label, attributes: new Map() };
}

const SPELLING: PairSpelling = {
  lead: '⟪',
  slash: '⟪/',
  brackets: '⟪⟫',
  readTag,
  isCloserCut: (rest) => rest.startsWith('⟪/'),
  callNames: ['call'],
  breaks: 'both',
};

export const argPairs = createPairFormat({
  id: 'made-up-pairs',
  title: '⟪call NAME⟫ with ⟪arg KEY⟫',
  openers: ['⟪call '],
  spelling: SPELLING,
  write: (calls) => calls.map(writeCall).join('\n'),
});

const writeCall = (call: WrittenCall): string =>
  `⟪call ${call.name}⟫\n${writePairs(call, (key, value) => `⟪arg ${key}⟫${writeBlock(value)}⟪/arg⟫\n`)}⟪/call⟫`;

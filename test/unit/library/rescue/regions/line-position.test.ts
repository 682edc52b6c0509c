import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import {
  followsCode,
  isInProgram,
  isIntroduced,
  standsAlone,
  startsLine,
} from '../../../../../src/library/rescue/regions/line-position';

const source = (text: string) => ({ text, regions: DIALECTS.regions });

const CALL = 'f(a=1)';
const at = (text: string): number => text.lastIndexOf(CALL);

describe('startsLine', () => {
  it.each([
    '',
    'Text.\n',
    '   ',
    '\ufeff',
    '</think>',
    '[/THINK]',
    '[BEGIN FINAL RESPONSE]',
    '<|python_start|> ',
  ])('returns true after %j', (before) => {
    expect(startsLine(source(before + CALL), before.length)).toBe(true);
  });

  it.each(['call ', '- ', '    ', '\t', 'x => ', 'x -> ', '`', '[1]'])('returns false after %j', (before) => {
    expect(startsLine(source(before + CALL), before.length)).toBe(false);
  });
});

describe('isInProgram', () => {
  it.each([
    `x = ${CALL}`,
    `print(${CALL})`,
    `return ${CALL}`,
    `>>> ${CALL}`,
    `const x = await ${CALL}`,
    `import sdk\n\n${CALL}`,
    `from sdk import f\n${CALL}`,
    `for x in y:\n${CALL}`,
    `x = 1\n${CALL}`,
  ])('returns true in %j', (text) => {
    expect(isInProgram(source(text), at(text))).toBe(true);
  });

  it.each([
    CALL,
    `Let me look.\n${CALL}`,
    `From what I see:\n${CALL}`,
    `If so, I call it:\n\n${CALL}`,
    `I import it. ${CALL}`,
  ])('returns false in %j', (text) => {
    expect(isInProgram(source(text), at(text))).toBe(false);
  });
});

describe('isIntroduced', () => {
  it('returns true for a fence with text before it', () => {
    expect(isIntroduced(`Run:\n\n\`\`\`\n${CALL}`, 6)).toBe(true);
    expect(isIntroduced(`<tag>\n\`\`\`\n${CALL}`, 6)).toBe(false);
    expect(isIntroduced(CALL, 0)).toBe(false);
  });
});

describe('standsAlone', () => {
  it.each(['', 'Text.\n', 'Sure! ', 'Done.', '好的。'])('returns true after %j', (before) => {
    expect(standsAlone(source(before + CALL), before.length)).toBe(true);
  });

  it.each(['see ', 'Usage: ', 'x = ', '(', 'e.g. ', 'Wie z. B. ', '1. ', 'a:\n2. '])(
    'returns false after %j',
    (before) => {
      expect(standsAlone(source(before + CALL), before.length)).toBe(false);
    },
  );
});

describe('followsCode', () => {
  it.each([
    'const x = ',
    'send(',
    'x => (',
    '// ',
    'x = 1  # ',
    '-- ',
    '| a | ',
    '"next": ',
    '"a": 1, "next": ',
    'return ',
  ])('returns true after %j', (before) => {
    expect(followsCode(`${before}{}`, before.length)).toBe(true);
  });

  it.each(['', 'Sure: ', 'I call ', 'Text. ', '- ', '1. ', 'Call (', 'As for "go": '])(
    'returns false after %j',
    (before) => {
      expect(followsCode(`${before}{}`, before.length)).toBe(false);
    },
  );
});

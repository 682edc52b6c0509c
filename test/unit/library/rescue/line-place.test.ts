import { describe, expect, it } from 'vitest';
import { isInIntroducedFence, isInProgram, startsLine } from '../../../../src/library/rescue/line-place';

const CALL = 'f(a=1)';
const at = (text: string): number => text.lastIndexOf(CALL);

describe('startsLine', () => {
  it.each(['', 'Text.\n', '   ', '</think>', '<|python_start|> '])('holds after %j', (before) => {
    expect(startsLine(before + CALL, before.length)).toBe(true);
  });

  it.each(['call ', '- ', '    ', '\t', 'x => ', 'x -> ', '`'])('does not hold after %j', (before) => {
    expect(startsLine(before + CALL, before.length)).toBe(false);
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
  ])('holds in %j', (text) => {
    expect(isInProgram(text, at(text))).toBe(true);
  });

  it.each([
    CALL,
    `Let me look.\n${CALL}`,
    `From what I see:\n${CALL}`,
    `If so, I call it:\n\n${CALL}`,
    `I import it. ${CALL}`,
  ])('does not hold in %j', (text) => {
    expect(isInProgram(text, at(text))).toBe(false);
  });
});

describe('isInIntroducedFence', () => {
  it('holds for a fence with text before it', () => {
    expect(isInIntroducedFence(`Run:\n\`\`\`\n${CALL}`, 9)).toBe(true);
    expect(isInIntroducedFence(`\`\`\`\n${CALL}`, 4)).toBe(false);
    expect(isInIntroducedFence(CALL, 0)).toBe(false);
  });
});

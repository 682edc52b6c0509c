// Reads numbers as Python and JavaScript write them.

const NUMBER =
  /(?:0[xX][\da-fA-F_]{1,64}|0[oO][0-7_]{1,64}|0[bB][01_]{1,128}|(?:\d[\d_]{0,400}(?:\.[\d_]{0,400})?|\.\d[\d_]{0,400})(?:[eE][+-]?\d{1,8})?)/y;

const WHITE = /[ \t]{0,8}/y;

export interface NumberReading {
  /** Undefined for text that only looks like a number: too large, or with a leading zero and so perhaps a code. */
  value: number | undefined;
  end: number;
}

/** Undefined when no number, with or without a sign, begins at `at`. */
export function readPythonNumber(text: string, at: number): NumberReading | undefined {
  const sign = text.charAt(at);
  const isSigned = sign === '-' || sign === '+';
  const start = isSigned ? at + 1 + match(WHITE, text, at + 1).length : at;
  const digits = match(NUMBER, text, start);
  if (digits === '') return undefined;
  return { value: toValue(digits, sign === '-'), end: start + digits.length };
}

function toValue(digits: string, isNegative: boolean): number | undefined {
  const plain = digits.replaceAll('_', '');
  if (/^0\d/.test(plain) && !/^0{1,400}$/.test(plain)) return undefined;
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  return isNegative && value !== 0 ? -value : value;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

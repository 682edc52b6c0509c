// Llama 3.1 and Functionary: `<function=NAME>{…}</function>`. With parameters as elements the same opener is another
// format's.
import type { RescueRepair } from '../../../types';
import { readCallCloser } from '../call-closer';
import { skipWhite } from '../json/blank';
import type { NameReading } from '../json-calls/named-spelling';
import { readNamedCalls, readPlainName } from '../json-calls/read-named-calls';
import { matchLiteral } from '../json-calls/token';
import type { RescueFormat } from '../rescue-format';
import { writeJson } from '../write-json';

const OPEN = '<function=';
const CLOSE = '</function>';
/** The closer without its slash. */
const BROKEN_CLOSE = '<function>';

export const llamaFunctionTag: RescueFormat = {
  id: 'llama-function-tag',
  title: 'Llama 3.1: <function=NAME>{…}</function>',
  nativeHint:
    'SGLang and Functionary’s own server read it natively; vLLM: `--tool-call-parser` of a plug-in.',
  openers: [OPEN],
  evidence: 'marker',
  parse(context, at) {
    const named = readName(context.text, at + OPEN.length);
    if (!named || context.text.charAt(skipWhite(context.text, named.end)) !== '{') return null;
    const damage = new Map<number, RescueRepair>();
    const matchToken = (text: string, place: number, token: string): number =>
      token === CLOSE ? matchCloser(text, place, damage) : matchLiteral(text, place, token);
    const spelling = { open: [OPEN], separators: [], closers: [CLOSE], readName, matchToken };
    const reading = readNamedCalls(context, at, spelling);
    if (reading?.kind !== 'calls') return reading;
    return { ...reading, repairs: [...reading.repairs, ...damage.values()] };
  },
  write: (calls) =>
    calls.map((call) => `${OPEN}${call.name}>${writeJson(call.arguments)}${CLOSE}`).join('\n'),
};

/** The name and its bracket, quoted or not. */
function readName(text: string, at: number): NameReading | null {
  const quote = text.charAt(at) === '"' ? 1 : 0;
  const named = readPlainName(text, at + quote);
  const end = (named?.end ?? at) + quote;
  return named && text.charAt(end) === '>' ? { name: named.name, end: end + 1 } : null;
}

function matchCloser(text: string, at: number, damage: Map<number, RescueRepair>): number {
  const isBroken = text.startsWith(BROKEN_CLOSE, at);
  const closer = isBroken
    ? { end: at + BROKEN_CLOSE.length, repairs: [{ kind: 'wrong-close-tag', at }] }
    : readCallCloser(text, at, CLOSE);
  const [repair] = closer.repairs;
  if (repair?.kind === 'missing-close-tag') return -1;
  if (repair) damage.set(at, repair);
  return closer.end;
}

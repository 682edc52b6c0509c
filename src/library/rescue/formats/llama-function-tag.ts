// Calls of Llama 3.1 and Functionary: `<function=NAME>{…}</function>`. With parameters as elements, the same opener belongs
// to another format.
import type { RescueRepair } from '../../../types';
import { readCallCloser } from '../core/call-closer';
import { skipWhite } from '../text/white-space';
import type { NameReading } from '../json-calls/read-named-calls';
import { readNamedCalls, readPlainName } from '../json-calls/read-named-calls';
import { matchLiteral } from '../json-calls/token';
import type { RescueContext } from '../core/rescue-context';
import type { RescueFormat } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

const OPEN = '<function=';
const CLOSE = '</function>';
/** The beginning of a parameter in the format that has the same opener. */
const PARAMETER = /^<param/;
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
    const named = readName(context, at + OPEN.length);
    if (!named || context.text.charAt(skipWhite(context.text, named.end)) !== '{') return null;
    const damage = new Map<number, RescueRepair>();
    const matchToken = (text: string, place: number, token: string): number =>
      token === CLOSE ? matchCloser(context, place, damage) : matchLiteral(text, place, token);
    const spelling = {
      open: [OPEN],
      separators: [],
      closers: [CLOSE],
      readName,
      matchToken,
      foreignBody: PARAMETER,
    };
    const reading = readNamedCalls(context, at, spelling);
    if (reading?.kind !== 'calls') return reading;
    return { ...reading, repairs: [...reading.repairs, ...damage.values()] };
  },
  write: (calls) =>
    calls.map((call) => `${OPEN}${call.name}>${writeJson(call.arguments)}${CLOSE}`).join('\n'),
};

/** Reads the name, quoted or not, and the bracket after it. */
function readName(context: RescueContext, at: number): NameReading | null {
  const { text } = context;
  const quote = text.charAt(at) === '"' ? 1 : 0;
  const named = readPlainName(context, at + quote);
  const end = (named?.end ?? at) + quote;
  return named && text.charAt(end) === '>' ? { name: named.name, end: end + 1 } : null;
}

function matchCloser(context: RescueContext, at: number, damage: Map<number, RescueRepair>): number {
  const isBroken = context.text.startsWith(BROKEN_CLOSE, at);
  const closer = isBroken
    ? { end: at + BROKEN_CLOSE.length, repairs: [{ kind: 'wrong-close-tag', at }] }
    : readCallCloser(context, at, CLOSE);
  const [repair] = closer.repairs;
  if (repair?.kind === 'missing-close-tag') return -1;
  if (repair) damage.set(at, repair);
  return closer.end;
}

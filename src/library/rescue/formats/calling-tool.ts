// `[Calling tool: NAME({…})]`: vllm-mlx writes past calls into the prompt in this form, and models repeat it.
import { readArguments } from '../json-calls/read-arguments';
import { readPlainName } from '../json-calls/read-named-calls';
import { describeCall, describeFailure, toCutRefusal } from '../core/refusals';
import { startsLine } from '../regions/line-position';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RejectionReading, RescueFormat } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

const OPEN = '[Calling tool:';
const CLOSE = ')]';

export const callingTool: RescueFormat = {
  id: 'calling-tool',
  title: 'vllm-mlx: [Calling tool: NAME({…})]',
  nativeHint: 'No server reads it as a call: use the chat template of the model.',
  openers: [OPEN],
  evidence: 'label',
  parse: (context, at) => (startsLine(context, at) ? parseCall(context, at) : null),
  write: (calls) =>
    calls.map((call) => `${OPEN} ${call.name}(${writeJson(call.arguments)}${CLOSE}`).join('\n'),
};

function parseCall(context: RescueContext, start: number): FormatReading | null {
  const { text } = context;
  const named = readPlainName(context, skipWhite(text, start + OPEN.length));
  if (!named) return null;
  const { name } = named;
  const bracket = skipWhite(text, named.end);
  if (bracket >= text.length) return rejectCut(context, start, name);
  const body = text.charAt(bracket) === '(' ? readArguments(context, bracket + 1) : null;
  if (!body) return null;
  const lineEnd = context.find('\n', start);
  const end = lineEnd === -1 ? text.length : lineEnd;
  if (body.failure) {
    const isCut = body.failure.reason === 'truncated' && lineEnd === -1;
    const refusal = describeFailure(body.failure, name, { language: 'JSON', isCut });
    return { kind: 'rejection', start, end, name, ...refusal };
  }
  const closer = skipWhite(text, body.end);
  if (closer >= text.length || text.slice(closer) === ')') return rejectCut(context, start, name);
  const isClosed = text.startsWith(']', skipWhite(text, closer + 1)) && text.charAt(closer) === ')';
  const detail = `${describeCall(name)} breaks at offset ${closer}: expected \`${CLOSE}\`.`;
  if (!isClosed) return { kind: 'rejection', start, end, name, reason: 'malformed', detail };
  const callEnd = skipWhite(text, closer + 1) + 1;
  const call = {
    name,
    arguments: body.value,
    start,
    end: callEnd,
    repairs: body.repairs,
    issues: body.issues,
  };
  return { kind: 'calls', start, end: callEnd, calls: [call], repairs: [], needsEnd: true, isOpen: false };
}

const rejectCut = ({ text }: RescueContext, start: number, name: string): RejectionReading => ({
  kind: 'rejection',
  start,
  end: text.length,
  name,
  ...toCutRefusal(name, 'before its end'),
});

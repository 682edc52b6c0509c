// Calls of xLAM: a list, or `{"thought": …, "tool_calls": […]}`. The list alone is left to the format for bare JSON.
import { toBlockPattern } from '../candidates/start-patterns';
import { isRecord } from '../../util/json';
import { readBareCalls } from '../json-calls/bare-calls';
import type { RescueFormat } from '../core/rescue-format';
import { writeCallJson } from '../json/write-json';

export const xlam: RescueFormat = {
  id: 'xlam',
  title: 'xLAM: a list of calls, with or without a thought',
  nativeHint: 'If the server is vLLM, start it with `--tool-call-parser xlam` to get it natively.',
  openers: [],
  firstCharacters: '{',
  startPattern: toBlockPattern,
  evidence: 'shape',
  parse: (context, at) => readBareCalls(context, at, (values) => values.some(hasThought)),
  write: (calls) => `[${calls.map((call) => writeCallJson(call)).join(', ')}]`,
};

const hasThought = (value: unknown): boolean =>
  isRecord(value) && typeof value['thought'] === 'string' && Array.isArray(value['tool_calls']);

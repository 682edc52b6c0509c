// The finding about a native call of an unknown tool whose arguments are calls of the offered ones: models of OpenAI write
// `multi_tool_use.parallel` with `tool_uses`. The call stays as the server sent it, because native calls are never changed.
// Pure.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { Finding } from '../../types';
import type { DiagnosisInput } from './diagnosis-input';
import { code, quote } from './diagnosis-input';

/** Maximum number of calls of one tool that are read, and of names in one finding. */
const MAX_READ = 3;

/** @param numbers Of the calls with this name, from 1. */
export function wrappedCallsFinding(
  name: string,
  numbers: readonly number[],
  { turn, readText }: DiagnosisInput,
): Finding | undefined {
  const shown = numbers.slice(0, MAX_READ);
  const wrapped = shown.flatMap((number) => {
    const args = turn.toolCalls[number - 1]?.arguments;
    return isRecord(args) ? readText(JSON.stringify(args)).calls : [];
  });
  if (wrapped.length === 0) return undefined;
  const tools = [...new Set(wrapped.map((call) => call.name))];
  const more = tools.length > MAX_READ ? ', …' : '';
  return {
    cause: 'unknown-tool',
    severity: 'warning',
    what: t(
      '`{0}` was called natively, but was not offered: it is how the model wraps calls of offered tools ({1}).',
      name,
      `${code(tools.slice(0, MAX_READ))}${more}`,
    ),
    evidence: shown.map((number) =>
      quote(t('arguments of call {0}', number), turn.toolCalls[number - 1]?.arguments),
    ),
    next: t(
      'Answer the call with an error result that asks for each tool by its own name, or turn parallel calls off (`parallel_tool_calls`). A program that reads this reply can run the calls inside of it.',
    ),
    tab: 'tool-calls',
  };
}

// Findings about a tool choice that the server did not obey: a call was demanded or forbidden, or only one at a time allowed. Pure.
import { t } from '@vscode/l10n';
import type { Finding, FindingEvidence } from '../../types';
import { countOf } from '../count-words';
import { parseRecord } from '../json-record';
import { isRecord } from '../../library';
import type { ChatWire, DiagnosisInput } from './diagnosis-input';
import { code, inRequest, isOllamaHosted, quote } from './diagnosis-input';

/** Maximum number of names in one finding. */
const MAX_NAMED = 3;

/** The request demands a call, and the reply has none. */
export function missedChoiceFindings({ turn }: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { choice } = turn.exchange.toolChoice ?? {};
  if (choice !== 'required' && typeof choice !== 'object') return [];
  const isCut = turn.raw.finishReason === 'length';
  const said = t('The request requires a tool call, and the reply has none.');
  const why = isCut ? t('The reply was cut off before a call.') : blame(wire);
  return [
    {
      cause: 'choice-ignored',
      severity: 'warning',
      what: `${said} ${why}`,
      evidence: [
        choiceEvidence({ turn }),
        quote(t('answer, finish reason'), turn.raw.finishReason ?? t('(none)')),
      ],
      next: isCut
        ? t('Raise Max tokens, and see whether a call follows.')
        : t(
            'Ask for the call in the system prompt, or use a server that forces it (llama-server with `--jinja`, vLLM, OpenAI).',
          ),
      tab: 'wire',
    },
  ];
}

/** The reply has native calls that the request forbids. A call that was read from the text is the model's own doing. */
export function disobeyedChoiceFindings({ turn }: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const native = turn.toolCalls.filter(({ source }) => source === 'native');
  if (native.length === 0) return [];
  const broken = describeBroken(
    turn.exchange.toolChoice?.choice,
    native.map(({ name }) => name),
    {
      isOneAtATime:
        native.length > 1 && forbidsParallel(wire?.body ?? parseRecord(turn.exchange.request.body) ?? {}),
    },
  );
  if (broken === undefined) return [];
  return [
    {
      cause: 'choice-ignored',
      severity: 'warning',
      what: `${broken} ${blame(wire)}`,
      evidence: [choiceEvidence({ turn }), quote(t('answer'), namesOf(native))],
      next: t(
        'The model was free to call: do not compare this reply with that of a server that obeys. To prevent calls, offer no tools, or only the one that is wanted.',
      ),
      tab: 'wire',
    },
  ];
}

const namesOf = (calls: readonly { name: string }[]): string =>
  calls
    .slice(0, 20)
    .map(({ name }) => name)
    .join(', ');

function describeBroken(
  choice: NonNullable<DiagnosisInput['turn']['exchange']['toolChoice']>['choice'] | undefined,
  names: readonly string[],
  { isOneAtATime }: { isOneAtATime: boolean },
): string | undefined {
  if (choice === 'none') {
    return countOf(
      names.length,
      t('The request forbids tool calls, and the server sent {0}.'),
      t('The request forbids tool calls, and the server sent {0} of them.'),
    );
  }
  const others = typeof choice === 'object' ? names.filter((name) => name !== choice.tool) : [];
  if (typeof choice === 'object' && others.length > 0) {
    const called = code([...new Set(others)].slice(0, MAX_NAMED));
    return t('The request allows only a call of `{0}`, and the server sent one of {1}.', choice.tool, called);
  }
  if (!isOneAtATime || names.length < 2) return undefined;
  return t('The request allows one tool call in a reply, and the server sent {0}.', names.length);
}

/** In the words of the Messages API, or of OpenAI's protocols. */
const forbidsParallel = ({
  tool_choice: choice,
  parallel_tool_calls: parallel,
}: Record<string, unknown>): boolean =>
  parallel === false || (isRecord(choice) && choice['disable_parallel_tool_use'] === true);

const blame = (wire: ChatWire | undefined): string =>
  isOllamaHosted(wire)
    ? t('The `/v1` side of Ollama ignores the tool choice.')
    : t('This server does not enforce the tool choice.');

function choiceEvidence({ turn }: Pick<DiagnosisInput, 'turn'>): FindingEvidence {
  const body = parseRecord(turn.exchange.request.body) ?? {};
  const { key } = turn.exchange.toolChoice ?? {};
  return key !== undefined && body[key] !== undefined
    ? quote(inRequest(`/${key}`), body[key])
    : quote(inRequest('/parallel_tool_calls'), body['parallel_tool_calls']);
}
